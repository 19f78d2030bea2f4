// What handlers share: JSON answers, query parameters, refusals as problem details.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/field_error.hpp"
#include "server/http/message/json_body.hpp"
#include "server/http/message/message.hpp"
#include "server/http/message/problem.hpp"
#include "server/http/server/router.hpp"

namespace macrostep::server {

http::Response json_answer(int status, const nlohmann::ordered_json& json);
/// For JSON that is text already; a name of its own, since {"a", "b"} is a string, too.
http::Response json_text_answer(int status, const std::string& json);

http::Response not_found(std::string_view what, std::string_view name);
http::Response bad_json(const http::JsonError& error);
http::Response invalid_job(const engine::FieldErrors& errors);
/// 422 for a change of a search.
http::Response invalid_change(const engine::FieldErrors& errors);

/// Reads the Idempotency-Key of a submission, if it has one; the answer where that is no key.
std::optional<http::Response> read_idempotency_key(const http::Request& request,
                                                   std::optional<std::string>& key);
/// The whole text as a number.
std::optional<std::int64_t> whole_number(std::string_view text);

/// A stretch of a listing: ?limit= and ?after=.
struct PageRequest {
  std::int64_t limit = 0;
  std::optional<std::string> after;
};

/// Nothing if limit is no number from 1 to the store's longest page.
std::optional<PageRequest> page_request(const http::Request& request);
http::Response bad_limit();
/// Adds the address of the next page, of the same query, as a Link header.
void link_next(http::Response& response, const http::Request& request, std::int64_t limit,
               const std::optional<std::string>& next);

inline constexpr const char* csv_type = "text/csv; charset=utf-8; header=present";

/// The forms an answer has as JSON and as CSV; the one that Accept asks for is made, 406 where it
/// asks for neither.
http::Response json_or_csv(const http::Request& request,
                           const std::function<http::Response()>& as_json,
                           const std::function<http::Response()>& as_csv);

/// Whether a submission is lengthy: one that names FMUs may have to look through their archives.
/// The others do not wait for those who export, nor count among them.
http::Work work_of_submission(const http::Request& request);

/// 503 for what cannot be stored or read here: a title and a detail are given.
http::Response storage_problem(http::Problem problem);

}  // namespace macrostep::server
