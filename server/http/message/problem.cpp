#include "server/http/message/problem.hpp"

#include <nlohmann/json.hpp>

namespace macrostep::server::http {

Problem problem_of(int status, std::string detail) {
  Problem problem;
  problem.status = status;
  problem.title = reason_phrase(status);
  problem.type = "/problems/";
  for (const char c : problem.title) {
    problem.type += c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  problem.detail = std::move(detail);
  return problem;
}

Response problem_response(const Problem& problem) {
  nlohmann::ordered_json json = {{"type", problem.type},
                                 {"title", problem.title},
                                 {"status", problem.status},
                                 {"detail", problem.detail}};
  if (!problem.errors.empty()) {
    auto& errors = json["errors"] = nlohmann::ordered_json::array();
    for (const FieldError& error : problem.errors) {
      errors.push_back({{"pointer", error.pointer}, {"detail", error.detail}});
    }
  }
  constexpr auto replace_broken_utf8 = nlohmann::ordered_json::error_handler_t::replace;
  return text_response(problem.status, "application/problem+json",
                       json.dump(-1, ' ', false, replace_broken_utf8) + "\n");
}

Response problem_response(int status, std::string detail) {
  return problem_response(problem_of(status, std::move(detail)));
}

}  // namespace macrostep::server::http
