#include "server/api/respond.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "db/error.hpp"
#include "server/http/accept.hpp"

namespace macrostep::server::api {

namespace {

constexpr std::int64_t default_page_rows = 50;
constexpr std::size_t max_idempotency_key_bytes = 255;
/// A server starts and stops within it.
constexpr const char* retry_after_s = "10";

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

http::Response store_problem(const db::Error& error) {
  switch (error.kind()) {
    case db::ErrorKind::bad_cursor:
      return http::problem_response(400, "after: " + std::string(error.what()));
    case db::ErrorKind::not_found:
      return http::problem_response(404, error.what());
    default:
      return storage_problem({.title = "The database cannot be used", .detail = error.what()});
  }
}

/// Paths are for the log alone.
http::Response unreadable_fmu(const service::FmuUnreadable& error) {
  return storage_problem({.title = "The FMU cannot be read",
                          .detail = "FMU " + error.sha256 + ": " + error.code().message() +
                                    "; let the server's user read it where it lies, or delete it "
                                    "and upload it again"});
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

http::Response refused(const service::SearchService& service, service::Refusal refusal,
                       const std::string& id, std::string_view what) {
  const std::string name = (what == "analysis" ? "Analysis " : "Search ") + id;
  switch (refusal) {
    case service::Refusal::not_found:
      return not_found(what, id);
    case service::Refusal::queue_full:
      return http::problem_response(429, "Too many searches are waiting; try again later")
          .with("retry-after", std::to_string(service.until_room().count()));
    case service::Refusal::draining:
      return http::problem_response(503, "The server is starting or stopping")
          .with("retry-after", retry_after_s);
    case service::Refusal::running:
      return http::problem_response(409, name + " is running; cancel it first");
    case service::Refusal::stopping:
      return http::problem_response(409, name + " is stopping; resume it when it has ended");
    case service::Refusal::succeeded:
      return http::problem_response(409, name + " has succeeded; nothing is left of it");
    case service::Refusal::not_waiting:
      return http::problem_response(
          409, name +
                   " does not wait: its priority may change only while it is queued or "
                   "interrupted");
    case service::Refusal::changed:
      return http::problem_response(
          412, name + " is not as If-Match has it any more: read it again, then change it");
    case service::Refusal::key_reused:
      return http::problem_response(
          {.status = 422,
           .type = "/problems/idempotency-key-reused",
           .title = "Idempotency-Key used before",
           .detail = "Another job was submitted with this Idempotency-Key; use a new key",
           .errors = {}});
  }
  return http::problem_response(500, "Unknown refusal");
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

http::Handler knowing(Parameters known, http::Handler handler) {
  return [known = std::vector(known), handler = std::move(handler)](const http::Request& request) {
    for (const auto& [name, value] : request.target.query) {
      if (std::ranges::find(known, name) == known.end()) {
        std::string message = "There is no query parameter \"" + name + "\" here";
        for (const auto one : known) {
          message += (one == known.front() ? "; available: " : ", ") + std::string(one);
        }
        if (name == "format") {
          message += "; what has several forms gives the one that Accept asks for, as text/csv";
        }
        return http::problem_response(400, message);
      }
      if (&value != request.query(name)) {  // which is the first of that name
        return http::problem_response(400, "The query parameter \"" + name + "\" is given twice");
      }
    }
    return handler(request);
  };
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

http::Handler guarded(Application& application, http::Handler handler) {
  return [&application, handler = std::move(handler)](const http::Request& request) {
    try {
      return handler(request);
    } catch (const db::Error& error) {
      auto response = store_problem(error);
      if (response.status >= 500) {
        application.log.write(service::Log::Level::error, "the database refused a request",
                              {{"request_id", request.id}, {"reason", error.what()}});
      }
      return response;
    } catch (const service::FmuUnreadable& error) {
      application.log.write(service::Log::Level::error, "an FMU could not be read",
                            {{"request_id", request.id}, {"reason", error.what()}});
      return unreadable_fmu(error);
    }
  };
}

}  // namespace macrostep::server::api
