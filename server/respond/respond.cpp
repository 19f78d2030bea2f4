#include "server/respond/respond.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "db/store/store.hpp"
#include "server/http/message/accept.hpp"

namespace macrostep::server {

namespace {

constexpr std::int64_t default_page_rows = 50;
constexpr std::size_t max_idempotency_key_bytes = 255;

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (plain) {
      encoded += c;
    } else {
      encoded += {'%', hex[byte >> 4U], hex[byte & 15U]};
    }
  }
  return encoded;
}

/// `what`: a job or a change.
http::Response invalid(const std::string& what, const engine::FieldErrors& errors) {
  http::Problem problem{
      .status = 422,
      .type = "/problems/invalid-" + what,
      .title = "Invalid " + what,
      .detail = "The " + what + " has " +
                (errors.size() == 1 ? "a mistake" : std::to_string(errors.size()) + " mistakes"),
      .errors = {}};
  for (const auto& [pointer, message] : errors) {
    problem.errors.push_back({pointer, message});
  }
  return http::problem_response(problem);
}

}  // namespace

http::Response json_answer(int status, const nlohmann::ordered_json& json) {
  return http::json_response(status, json.dump() + "\n");
}

http::Response json_text_answer(int status, const std::string& json) {
  return http::json_response(status, json + "\n");
}

http::Response not_found(std::string_view what, std::string_view name) {
  return http::problem_response(404, "There is no " + std::string(what) + " " + std::string(name));
}

http::Response bad_json(const http::JsonError& error) {
  auto problem = http::problem_of(400, "The body is not JSON as RFC 8259 has it");
  problem.type = "/problems/invalid-json";
  problem.errors = {{error.pointer, error.message}};
  return http::problem_response(problem);
}

http::Response invalid_job(const engine::FieldErrors& errors) {
  return invalid("job", errors);
}

http::Response invalid_change(const engine::FieldErrors& errors) {
  return invalid("change", errors);
}

std::optional<http::Response> read_idempotency_key(const http::Request& request,
                                                   std::optional<std::string>& key) {
  const auto* given = request.header("idempotency-key");
  if (given == nullptr) {
    return std::nullopt;
  }
  if (std::ranges::count(request.headers, "idempotency-key", &http::NamedValue::first) > 1) {
    return http::problem_response(400, "Idempotency-Key: is given twice");
  }
  const auto printable = [](char c) { return c > 0x20 && c < 0x7f; };
  if (given->empty() || given->size() > max_idempotency_key_bytes ||
      !std::ranges::all_of(*given, printable)) {
    return http::problem_response(400, "Idempotency-Key: must be 1 to " +
                                           std::to_string(max_idempotency_key_bytes) +
                                           " printable ASCII characters without spaces");
  }
  key = *given;
  return std::nullopt;
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  std::int64_t number = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool whole = result.ec == std::errc() && result.ptr == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::optional<PageRequest> page_request(const http::Request& request) {
  PageRequest page{.limit = default_page_rows, .after = std::nullopt};
  if (const auto* limit = request.query("limit")) {
    page.limit = whole_number(*limit).value_or(0);
    if (page.limit < 1 || page.limit > db::maximum_page_rows) {
      return std::nullopt;
    }
  }
  if (const auto* after = request.query("after")) {
    page.after = *after;
  }
  return page;
}

http::Response bad_limit() {
  return http::problem_response(
      400, "limit: must be a number from 1 to " + std::to_string(db::maximum_page_rows));
}

void link_next(http::Response& response, const http::Request& request, std::int64_t limit,
               const std::optional<std::string>& next) {
  if (next) {
    std::string address = request.target.path + "?";
    for (const auto& [name, value] : request.target.query) {
      if (name != "limit" && name != "after") {
        address += percent_encoded(name) + "=" + percent_encoded(value) + "&";
      }
    }
    response.with("link", "<" + address + "limit=" + std::to_string(limit) +
                              "&after=" + percent_encoded(*next) + ">; rel=\"next\"");
  }
}

http::Response json_or_csv(const http::Request& request,
                           const std::function<http::Response()>& as_json,
                           const std::function<http::Response()>& as_csv) {
  static constexpr std::array<std::string_view, 2> forms{"application/json", "text/csv"};
  const auto form = http::accepted_type(request, forms);
  if (!form) {
    return http::problem_response(
               406, "This is there as application/json and as text/csv; Accept asks for neither")
        .with("vary", "accept");
  }
  return (*form == forms[0] ? as_json() : as_csv()).with("vary", "accept");
}

/// Without reading the job, which may be large: a note with this word does no harm.
http::Work work_of_submission(const http::Request& request) {
  const bool may_name_fmus = request.body.find(R"("fmu")") != std::string::npos;
  return may_name_fmus ? http::Work::lengthy : http::Work::quick;
}

http::Response storage_problem(http::Problem problem) {
  problem.status = 503;
  problem.type = "/problems/storage";
  return http::problem_response(problem);
}

}  // namespace macrostep::server
