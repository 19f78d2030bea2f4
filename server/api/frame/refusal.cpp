#include "server/api/frame/refusal.hpp"

#include "server/http/message/problem.hpp"
#include "server/respond/respond.hpp"

namespace macrostep::server {

namespace {

/// A server starts and stops within it.
constexpr const char* retry_after_s = "10";

}  // namespace

http::Response refused(const SearchService& service, Refusal refusal, const std::string& id,
                       std::string_view what) {
  const std::string name = (what == "analysis" ? "Analysis " : "Search ") + id;
  switch (refusal) {
    case Refusal::not_found:
      return not_found(what, id);
    case Refusal::queue_full:
      return http::problem_response(429, "Too many searches are waiting; try again later")
          .with("retry-after", std::to_string(service.until_room().count()));
    case Refusal::draining:
      return http::problem_response(503, "The server is starting or stopping")
          .with("retry-after", retry_after_s);
    case Refusal::running:
      return http::problem_response(409, name + " is running; cancel it first");
    case Refusal::stopping:
      return http::problem_response(409, name + " is stopping; resume it when it has ended");
    case Refusal::succeeded:
      return http::problem_response(409, name + " has succeeded; nothing is left of it");
    case Refusal::not_waiting:
      return http::problem_response(
          409, name +
                   " does not wait: its priority may change only while it is queued or "
                   "interrupted");
    case Refusal::changed:
      return http::problem_response(
          412, name + " is not as If-Match has it any more: read it again, then change it");
    case Refusal::key_reused:
      return http::problem_response(
          {.status = 422,
           .type = "/problems/idempotency-key-reused",
           .title = "Idempotency-Key used before",
           .detail = "Another job was submitted with this Idempotency-Key; use a new key",
           .errors = {}});
  }
  return http::problem_response(500, "Unknown refusal");
}

}  // namespace macrostep::server
