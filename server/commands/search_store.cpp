#include "server/commands/search_store.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "db/error.hpp"
#include "db/store.hpp"
#include "server/json/result_json.hpp"
#include "server/service/identity.hpp"
#include "server/service/result_writer.hpp"
#include "server/service/search_events.hpp"
#include "server/service/stored_rows.hpp"

namespace macrostep::server::commands {

namespace {

db::SearchEnd end_of(const engine::Plan& plan, const engine::SearchResult& result,
                     const std::vector<db::TrialRow>& trials) {
  const auto& analysis = result.analysis;
  db::SearchEnd end;
  end.status = result.complete ? "succeeded" : "cancelled";
  end.complete = result.complete;
  end.finished_at = service::utc_now();
  if (!analysis.recommendation) {
    end.reason = analysis.reason;
  }
  end.curves = service::curve_rows(plan, analysis.curves);
  end.marks = service::region_marks(analysis.curves, trials);
  end.recommendations = service::recommendation_rows(plan, analysis);
  end.table = json::table_json(plan, analysis.table).dump();
  end.progress = {.curves_done = static_cast<std::int64_t>(analysis.curves.size()),
                  .curves_total = static_cast<std::int64_t>(plan.curves.size()),
                  .trials_done = static_cast<std::int64_t>(trials.size())};
  end.cost = {.trials = static_cast<std::int64_t>(result.cost.trials),
              .rhs_evaluations = result.cost.rhs_evaluations,
              .wall_s = result.cost.wall_s};
  return end;
}

void store_end(db::Store& store, const std::string& id, const engine::Plan& plan,
               const engine::SearchResult& result) {
  const db::SearchEnd end = end_of(plan, result, store.trials_of_search(id));
  const auto& answer = result.analysis.recommendation;
  const auto recommendation =
      answer ? std::optional(json::recommendation_json(plan, *answer).dump()) : std::nullopt;
  store.finish_search(id, end,
                      {service::finished_event(id, end.status, recommendation, end.reason)});
}

/// As far as the store still takes it: the failure that led here is the one to be told.
void store_failure(db::Store& store, const std::string& id, const std::string& reason) {
  try {
    store.set_status(id, {.status = "failed", .reason = reason, .finished_at = service::utc_now()},
                     {service::finished_event(id, "failed", std::nullopt, reason)});
  } catch (const db::Error&) {
  }
}

}  // namespace

StoredSearch run_and_store(const std::string& file, const engine::Plan& plan,
                           const nlohmann::json& job, engine::SearchSettings settings,
                           std::atomic<bool>& stop) {
  db::Store store(file);
  http::EventHub nobody;
  StoredSearch search{.id = service::new_search_id(), .result = {}};
  const db::Progress none_yet{.curves_total = static_cast<std::int64_t>(plan.curves.size())};
  store.create_search(service::new_search(plan, search.id, job.dump(), service::utc_now()),
                      {service::status_event(search.id, "queued", none_yet)});
  store.start_search(search.id,
                     {.started_at = service::utc_now(),
                      .configurations = service::configuration_rows(plan),
                      .curves = service::unfinished_curve_rows(plan),
                      .progress = none_yet,
                      .provenance = {}},
                     {service::status_event(search.id, "running", none_yet)});
  try {
    service::ResultWriter writer(store, nobody, search.id, {.progress = none_yet}, stop);
    settings.on_result = [&writer, shown = std::move(settings.on_result)](
                             const engine::TrialRecord& record,
                             const engine::SearchProgress& progress) {
      shown(record, progress);
      writer.add(record, progress);
    };
    settings.stop = &stop;
    search.result = engine::run_search(plan, settings);
    writer.close();
    store_end(store, search.id, plan, search.result);
  } catch (const std::exception& error) {
    store_failure(store, search.id, error.what());
    throw;
  }
  return search;
}

}  // namespace macrostep::server::commands
