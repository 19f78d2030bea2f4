// The words of a variable's attributes, which both versions of the standard share.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "models/fmi/description/model_description.hpp"

namespace macrostep::models::fmi {

template <class Value, std::size_t count>
using Words = std::array<std::pair<std::string_view, Value>, count>;

inline constexpr Words<Causality, 7> causalities{{
    {"parameter", Causality::parameter},
    {"calculatedParameter", Causality::calculated_parameter},
    {"structuralParameter", Causality::structural_parameter},
    {"input", Causality::input},
    {"output", Causality::output},
    {"local", Causality::local},
    {"independent", Causality::independent},
}};

inline constexpr Words<Variability, 5> variabilities{{
    {"constant", Variability::constant},
    {"fixed", Variability::fixed},
    {"tunable", Variability::tunable},
    {"discrete", Variability::discrete},
    {"continuous", Variability::continuous},
}};

inline constexpr Words<Initial, 3> initials{{
    {"exact", Initial::exact},
    {"approx", Initial::approx},
    {"calculated", Initial::calculated},
}};

/// Nothing for another word.
template <class Value, std::size_t count>
std::optional<Value> named(std::string_view text, const Words<Value, count>& words) {
  for (const auto& [word, value] : words) {
    if (word == text) {
      return value;
    }
  }
  return std::nullopt;
}

}  // namespace macrostep::models::fmi
