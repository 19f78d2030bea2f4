// What a search has found: curves, trials, and all of it as one file.
#include <charconv>
#include <utility>

#include "server/api/respond.hpp"
#include "server/json/json_text.hpp"
#include "server/service/search_json.hpp"
#include "server/service/trials_csv.hpp"

namespace macrostep::server::api {

namespace {

using service::Trials;

std::optional<service::SearchRows> read(Application& application, const http::Request& request,
                                        Trials trials) {
  auto search = service::load_search(application.store, request.capture("id"), trials);
  if (search) {
    search->row.summary = application.service.current(std::move(search->row.summary));
  }
  return search;
}

http::Response curves(Application& application, const http::Request& request) {
  const auto search = read(application, request, Trials::with);
  return search ? json_text_answer(200, service::curves_json(*search))
                : not_found("search", request.capture("id"));
}

http::Response trials(Application& application, const http::Request& request) {
  const auto wanted = page_request(request);
  if (!wanted) {
    return bad_limit();
  }
  // The trials first: whatever they refer to is there when it is read.
  const auto page = application.store.trials(request.capture("id"), wanted->limit, wanted->after);
  const auto search = read(application, request, Trials::without);
  if (!search) {
    return not_found("search", request.capture("id"));
  }
  std::string body;
  json::ObjectText object(body);
  json::append_list(object.member("trials"), page.rows,
                    [&](std::string& out, const db::TrialRow& trial) {
                      out += service::trial_json(*search, trial);
                    });
  object.text_or_null("next", page.next).close();
  auto response = json_text_answer(200, body);
  link_next(response, request, wanted->limit, page.next);
  return response;
}

http::Response one_trial(Application& application, const http::Request& request) {
  const auto& number = request.capture("n");
  std::int64_t id = 0;
  const auto parsed = std::from_chars(number.data(), number.data() + number.size(), id);
  const bool is_number = parsed.ec == std::errc() && parsed.ptr == number.data() + number.size();
  const auto trial = is_number ? application.store.trial(request.capture("id"), id) : std::nullopt;
  const auto search = trial ? read(application, request, Trials::without) : std::nullopt;
  return search ? json_text_answer(200, service::trial_json(*search, *trial))
                : not_found("trial", number + " of search " + request.capture("id"));
}

http::Response export_search(Application& application, const http::Request& request) {
  const auto* given = request.query("format");
  const std::string format = given != nullptr ? *given : "json";
  if (format != "json" && format != "csv") {
    return http::problem_response(400, "format: must be json or csv");
  }
  const auto search = read(application, request, Trials::with);
  if (!search) {
    return not_found("search", request.capture("id"));
  }
  auto response = format == "json"
                      ? json_text_answer(200, service::search_json(*search, Trials::with))
                      : http::text_response(200, "text/csv; charset=utf-8; header=present",
                                            service::trials_csv(*search));
  // The id is the server's own: letters and digits.
  return response.with("content-disposition", "attachment; filename=\"macrostep-" +
                                                  search->row.summary.id + "." + format + "\"");
}

}  // namespace

void add_results(http::Router& router, Application& application) {
  const auto add = [&](const std::string& path, Parameters known, auto handler) {
    router.add(
        "GET", "/api/v1/searches/{id}" + path,
        knowing(known, guarded(application, [&application, handler](const http::Request& request) {
                  return handler(application, request);
                })));
  };
  add("/curves", {}, curves);
  add("/trials", {"limit", "after"}, trials);
  add("/trials/{n}", {}, one_trial);
  add("/export", {"format"}, export_search);
}

}  // namespace macrostep::server::api
