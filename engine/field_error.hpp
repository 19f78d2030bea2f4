// What is wrong with a user's job, and where.
#pragma once

#include <string>
#include <vector>

namespace macrostep::engine {

/// `pointer` is the JSON pointer (RFC 6901) of the offending member of the job.
struct FieldError {
  std::string pointer;
  std::string message;
};

using FieldErrors = std::vector<FieldError>;

}  // namespace macrostep::engine
