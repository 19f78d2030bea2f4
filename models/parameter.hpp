// Named, ranged parameters of a model: the table beside a plain struct of doubles.
#pragma once

#include <cmath>
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
  double Owner::*member;
  double minimum;
  double maximum;
  std::string_view description;
};

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
