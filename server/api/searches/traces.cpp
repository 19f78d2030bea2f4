#include "server/api/searches/traces.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "server/api/frame/application.hpp"
#include "server/respond/respond.hpp"
#include "server/store/search_rows.hpp"
#include "server/traces/replay_text.hpp"

namespace macrostep::server {

namespace {

constexpr std::int64_t default_trace_points = 2000;
constexpr std::int64_t max_trace_points = 20'000;
constexpr std::int64_t min_trace_points = 10;
/// A trial that runs takes seconds.
constexpr const char* replay_retry_after_s = "1";

std::optional<StoredTrial> find_trial(const Application& application,
                                      const http::Request& request) {
  const auto& id = request.capture("id");
  const auto number = whole_number(request.capture("n"));
  auto trial = number ? application.store.trial(id, *number) : std::nullopt;
  auto search = trial ? load_search(application.store, id, TrialPoints::without) : std::nullopt;
  if (!search) {
    return std::nullopt;
  }
  auto& curve = search->curves.at(static_cast<std::size_t>(trial->curve_id));
  return StoredTrial{
      .search = std::move(search->row),
      .configuration =
          std::move(search->configurations.at(static_cast<std::size_t>(curve.configuration_id))),
      .test = std::move(curve.test),
      .row = std::move(*trial)};
}

http::Response no_trial(const http::Request& request) {
  return not_found("trial", request.capture("n") + " of search " + request.capture("id"));
}

/// `answer` makes the response of the trial that was run.
http::Response replayed(Application& application, const StoredTrial& trial,
                        std::optional<TraceRequest> trace, const auto& answer) {
  const auto result = application.replay.replay(trial, trace);
  if (const auto* refused = std::get_if<TrialReplay::ReplayRefused>(&result)) {
    const std::string detail = "Trial " + std::to_string(trial.row.id) + " of search " +
                               trial.search.summary.id + " cannot be run again: " + refused->reason;
    return refused->for_now
               ? http::problem_response(503, detail).with("retry-after", replay_retry_after_s)
               : http::problem_response(409, detail);
  }
  if (std::holds_alternative<TrialReplay::Busy>(result)) {
    return http::problem_response(
               503, "A trial is being run again, one at a time; ask again for this one")
        .with("retry-after", replay_retry_after_s);
  }
  return answer(*std::get<std::shared_ptr<const ReplayedTrial>>(result));
}

http::Response trace(Application& application, const http::Request& request) {
  std::int64_t points = default_trace_points;
  if (const auto* given = request.query("points")) {
    points = whole_number(*given).value_or(0);
    if (points < min_trace_points || points > max_trace_points) {
      return http::problem_response(400, "points: must be a number from " +
                                             std::to_string(min_trace_points) + " to " +
                                             std::to_string(max_trace_points));
    }
  }
  const auto* reference = request.query("reference");
  if (reference != nullptr && *reference != "true" && *reference != "false") {
    return http::problem_response(400, "reference: must be true or false");
  }
  const auto trial = find_trial(application, request);
  if (!trial) {
    return no_trial(request);
  }
  const TraceRequest wanted{.points = static_cast<std::size_t>(points),
                            .reference = reference != nullptr && *reference == "true"};
  const auto in_form = [&](const auto& text_of) {
    return replayed(application, *trial, wanted, text_of);
  };
  return json_or_csv(
      request,
      [&] {
        return in_form([&](const ReplayedTrial& result) {
          return json_text_answer(200, trace_json(*trial, result));
        });
      },
      [&] {
        return in_form([&](const ReplayedTrial& result) {
          return http::text_response(200, csv_type, trace_csv(result));
        });
      });
}

http::Response rerun(Application& application, const http::Request& request) {
  const auto trial = find_trial(application, request);
  if (!trial) {
    return no_trial(request);
  }
  return replayed(application, *trial, std::nullopt, [&](const ReplayedTrial& result) {
    return json_text_answer(200, rerun_json(*trial, result));
  });
}

}  // namespace

void add_traces(http::Router& router, Application& application) {
  const std::string trial = "/api/v1/searches/{id}/trials/{n}";
  router.add("GET", trial + "/trace", {"points", "reference"}, bound(application, trace),
             http::Work::lengthy);
  router.add("POST", trial + "/rerun", {}, bound(application, rerun), http::Work::lengthy);
}

}  // namespace macrostep::server
