// What is wrong with a user's job, and where.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace macrostep::engine {

/// `pointer` is the JSON pointer (RFC 6901) of the offending member of the job.
struct FieldError {
  std::string pointer;
  std::string message;
};

using FieldErrors = std::vector<FieldError>;

/// A member's name as a token of a JSON pointer: "~" is written "~0" and "/" is written "~1".
std::string pointer_token(std::string_view name);

}  // namespace macrostep::engine
