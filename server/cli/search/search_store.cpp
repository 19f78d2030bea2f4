#include "server/cli/search/search_store.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "db/store/store.hpp"
#include "server/base/identity.hpp"
#include "server/cli/frame/command.hpp"
#include "server/cli/jobs/database_file.hpp"
#include "server/fmus/fmu_store.hpp"
#include "server/jobs/labels.hpp"
#include "server/searches/search_plan.hpp"
#include "server/searches/search_run.hpp"
#include "server/store/search_events.hpp"
#include "server/store/stored_rows.hpp"

namespace macrostep::server {

namespace {

/// Marks the search as failed. Returns the reason, with what follows if the file does not even take
/// that: the search is left unfinished in it, and a server would go on with it.
std::string failed(db::Store& store, const std::string& file, const std::string& id,
                   const std::string& reason) {
  return store_failure(store, id, reason)
             ? reason
             : reason + "; search " + id + " could not be marked as failed in " + file +
                   ", so that macrostep serve would go on with it";
}

/// Runs what is stored as `row` from `begin` on, and reads it back.
SearchOutcome run_stored(db::Store& store, const std::string& file, const db::SearchRow& row,
                         const StoredBegin& begin, const engine::Plan& plan,
                         engine::SearchSettings settings, std::atomic<bool>& stop,
                         TrialPoints shown, const Batch* batch) {
  http::EventHub nobody;
  const auto& id = row.summary.id;
  engine::SearchResult result;
  try {
    result = run_and_keep({.store = store,
                           .hub = nobody,
                           .id = id,
                           .plan = plan,
                           .stored = begin.results,
                           .provenance = begin.provenance,
                           .stop = stop,
                           .batch = batch},
                          std::move(settings));
    warn_of_earlier_builds(begin.provenance, result.answer);
  } catch (const std::exception& error) {
    throw std::runtime_error(failed(store, file, id, error.what()));
  }
  try {
    store_end(store, id, plan, result);
  } catch (const std::exception& error) {
    SearchOutcome outcome{.result = std::move(result),
                          .rows = {},
                          .not_stored = failed(store, file, id, error.what())};
    outcome.rows = rows_of({.plan = plan,
                            .result = outcome.result,
                            .trials = {},
                            .created_at = row.summary.created_at,
                            .finished_at = utc_now(),
                            .labels = json::labels_of(nlohmann::json::parse(row.job))});
    return outcome;
  }
  auto rows = load_search(store, id, shown);
  if (!rows) {
    throw std::runtime_error("search " + id + " is not in " + file + " any more");
  }
  return {.result = std::move(result), .rows = std::move(*rows), .not_stored = {}};
}

db::SearchRow row_of(const db::Store& store, const std::string& file, const std::string& id) {
  auto row = store.get_search(id);
  if (!row) {
    throw CommandError(Failure::bad_usage, "there is no search " + id + " in " + file);
  }
  if (row->summary.status == "succeeded") {
    throw CommandError(Failure::bad_usage,
                       "search " + id + " has succeeded; macrostep export shows it");
  }
  return *std::move(row);
}

}  // namespace

SearchOutcome run_and_store(const std::string& file, const engine::Plan& plan,
                            const nlohmann::json& job, engine::SearchSettings settings,
                            std::atomic<bool>& stop, TrialPoints shown, const Batch* batch) {
  db::Store store = open_for_writing(file);
  keep_fmus(store, file, plan);
  const std::string id = new_search_id();
  const db::Progress none_yet{.curves_total = static_cast<std::int64_t>(plan.curves.size())};
  const auto search = new_search(plan, id, job.dump(), json::labels_of(job), utc_now());
  store.create_search(search, {status_event(id, "queued", none_yet)});
  const auto row = row_of(store, file, id);
  return run_stored(store, file, row, stored_begin(store, row, plan), plan, std::move(settings),
                    stop, shown, batch);
}

engine::Plan unfinished_search(const std::string& file, const std::string& id) {
  db::Store store = open_for_writing(file);
  const FmuStore fmus(store, fmu_directory_of(file));
  return plan_from_row(row_of(store, file, id), fmus.source());
}

SearchOutcome resume_and_store(const std::string& file, const std::string& id,
                               const engine::Plan& plan, engine::SearchSettings settings,
                               std::atomic<bool>& stop, TrialPoints shown, const Batch* batch) {
  db::Store store = open_for_writing(file);
  const auto row = row_of(store, file, id);
  return run_stored(store, file, row, stored_begin(store, row, plan), plan, std::move(settings),
                    stop, shown, batch);
}

}  // namespace macrostep::server
