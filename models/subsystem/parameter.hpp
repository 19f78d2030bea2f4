// Named, ranged parameters of a model: the table beside a plain struct of doubles.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::models {

/// One settable member of the parameter struct `Owner`. `name` is the symbol of the literature.
template <class Owner>
struct Parameter {
  std::string_view name;
  std::string_view unit;
  double Owner::*member = nullptr;
  double minimum = 0;
  double maximum = 0;
  std::string_view description;
};

/// Two tables as one.
template <class Owner, std::size_t first_count, std::size_t second_count>
constexpr std::array<Parameter<Owner>, first_count + second_count> joined(
    const std::array<Parameter<Owner>, first_count>& first,
    const std::array<Parameter<Owner>, second_count>& second) {
  std::array<Parameter<Owner>, first_count + second_count> all{};
  std::ranges::copy(second, std::ranges::copy(first, all.begin()).out);
  return all;
}

/// What is wrong with one parameter; `name` as in the table.
struct ParameterError {
  std::string name;
  std::string message;
};

/// Errors of all parameters that are not finite or outside their range.
template <class Owner>
std::vector<ParameterError> out_of_range(const Owner& owner,
                                         std::span<const Parameter<Owner>> table) {
  std::vector<ParameterError> errors;
  for (const auto& parameter : table) {
    const double value = owner.*(parameter.member);
    if (!std::isfinite(value) || value < parameter.minimum || value > parameter.maximum) {
      auto text = [](double number) {
        std::string digits(32, '\0');
        digits.resize(
            static_cast<std::size_t>(std::snprintf(digits.data(), digits.size(), "%.6g", number)));
        return digits;
      };
      errors.push_back({std::string(parameter.name),
                        text(value) + " " + std::string(parameter.unit) + " is outside " +
                            text(parameter.minimum) + " … " + text(parameter.maximum)});
    }
  }
  return errors;
}

}  // namespace macrostep::models
