// JSON on one line whose numbers are read back bit for bit, infinite ones too; absent values are
// null.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace macrostep::server {

using Json = nlohmann::ordered_json;

/// Text of FMUs is not always UTF-8.
inline std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

inline Json exact(double value) {
  if (std::isfinite(value)) {
    return value;
  }
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

inline Json exact(const std::optional<double>& value) {
  return value ? exact(*value) : Json();
}

inline Json exact(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) {
    list.push_back(exact(value));
  }
  return list;
}

// Readers throw nlohmann::json::exception where there is something else.

inline double exact_number(const Json& json) {
  if (!json.is_string()) {
    return json.get<double>();
  }
  const auto& text = json.get_ref<const std::string&>();
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return text == "inf"    ? infinity
         : text == "-inf" ? -infinity
                          : std::numeric_limits<double>::quiet_NaN();
}

inline std::optional<double> exact_optional(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(exact_number(json));
}

inline std::vector<double> exact_numbers(const Json& json) {
  std::vector<double> values;
  values.reserve(json.size());
  for (const auto& element : json.get_ref<const Json::array_t&>()) {
    values.push_back(exact_number(element));
  }
  return values;
}

}  // namespace macrostep::server
