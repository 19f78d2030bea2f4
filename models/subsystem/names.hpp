// Text names of enumerators, in both directions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace macrostep::models {

template <class Enum, std::size_t count>
using Names = std::array<std::pair<Enum, std::string_view>, count>;

template <class Enum, std::size_t count>
constexpr std::string_view name_of(const Names<Enum, count>& names, Enum value) {
  for (const auto& [known, text] : names) {
    if (known == value) {
      return text;
    }
  }
  return {};
}

template <class Enum, std::size_t count>
constexpr std::optional<Enum> value_of(const Names<Enum, count>& names, std::string_view name) {
  for (const auto& [known, text] : names) {
    if (text == name) {
      return known;
    }
  }
  return std::nullopt;
}

}  // namespace macrostep::models
