#include "server/service/search_end.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>

#include "db/error.hpp"
#include "server/json/result_json.hpp"
#include "server/service/identity.hpp"
#include "server/service/search_events.hpp"
#include "server/service/stored_rows.hpp"

namespace macrostep::server::service {

std::string store_end(db::Store& store, const std::string& id, const engine::Plan& plan,
                      const engine::SearchResult& result) {
  const auto& analysis = result.analysis;
  const auto& answer = analysis.recommendation;
  const std::string status = result.complete ? "succeeded" : "cancelled";
  const std::optional<std::string> reason = answer ? std::nullopt : std::optional(analysis.reason);
  const auto trials = store.trials_of_search(id);
  const db::SearchEnd end{
      .status = status,
      .complete = result.complete,
      .finished_at = utc_now(),
      .reason = reason,
      .trials = {},
      .curves = curve_rows(plan, analysis.curves),
      .marks = region_marks(analysis.curves, trials),
      .recommendations = recommendation_rows(plan, analysis),
      .table = json::table_json(plan, analysis.table).dump(),
      .provenance = {},
      .progress = {.curves_done = static_cast<std::int64_t>(analysis.curves.size()),
                   .curves_total = static_cast<std::int64_t>(plan.curves.size()),
                   .trials_done = static_cast<std::int64_t>(trials.size())},
      .cost = {.trials = static_cast<std::int64_t>(result.cost.trials),
               .rhs_evaluations = result.cost.rhs_evaluations,
               .wall_s = result.cost.wall_s}};
  const auto recommendation =
      answer ? std::optional(json::recommendation_json(plan, *answer).dump()) : std::nullopt;
  store.finish_search(id, end, {finished_event(id, status, recommendation, reason)});
  return status;
}

bool store_failure(db::Store& store, const std::string& id, const std::string& reason) {
  try {
    store.set_status(id, {.status = "failed", .reason = reason, .finished_at = utc_now()},
                     {finished_event(id, "failed", std::nullopt, reason)});
  } catch (const db::Error& error) {
    return error.kind() == db::ErrorKind::not_found;
  }
  return true;
}

}  // namespace macrostep::server::service
