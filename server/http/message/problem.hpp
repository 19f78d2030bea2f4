// Errors as RFC 9457 problem details (application/problem+json).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "server/http/message/message.hpp"

/// Errors as RFC 9457 problem details (application/problem+json).
namespace macrostep::server::http {

/// One mistake in a JSON body: where (JSON pointer, RFC 6901) and what.
struct FieldError {
  std::string pointer;
  std::string detail;
};

struct Problem {
  int status = 500;
  /// Stable name of the kind of error, for programs: "/problems/invalid-job".
  std::string type;
  std::string title;
  std::string detail;
  std::vector<FieldError> errors;
};

/// The general problem of a status ("/problems/not-found", "Not Found"), with a detail for people.
Problem problem_of(int status, std::string detail);

/// Text that is not UTF-8 (an echo of broken input) is written with replacement characters.
Response problem_response(const Problem& problem);
Response problem_response(int status, std::string detail);

}  // namespace macrostep::server::http
