// Strict JSON for request bodies and job files: limits of size and depth, UTF-8, no duplicates.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

/// Strict reading of JSON that somebody else wrote: request bodies and job files.
namespace macrostep::server::http {

struct JsonLimits {
  std::size_t bytes = 8u << 20;
  std::size_t depth = 32;  ///< arrays and objects inside each other
  std::size_t values = 1'000'000;
  bool comments = false;  ///< whether // and /* */ may stand between, as in files
};

struct JsonError {
  std::string pointer;   ///< JSON pointer to the innermost place that was understood
  std::size_t byte = 0;  ///< offset from the start of the text
  std::string message;   ///< complete: "line 3, column 7 (byte 41): duplicate member \"kind\""
};

/// Reads one JSON value (RFC 8259) into `value`. Also refused: duplicate members, nesting beyond
/// the limit, NaN and numbers beyond double, broken UTF-8, U+0000 in strings, anything after the
/// value. On error `value` is null.
std::optional<JsonError> read_json(std::string_view text, nlohmann::json& value,
                                   const JsonLimits& limits = {});

}  // namespace macrostep::server::http
