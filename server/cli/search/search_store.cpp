#include "server/cli/search/search_store.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "db/store/store.hpp"
#include "server/base/identity.hpp"
#include "server/cli/jobs/database_file.hpp"
#include "server/jobs/labels.hpp"
#include "server/searches/search_end.hpp"
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

}  // namespace

SearchOutcome run_and_store(const std::string& file, const engine::Plan& plan,
                            const nlohmann::json& job, engine::SearchSettings settings,
                            std::atomic<bool>& stop, TrialPoints shown, const Batch* batch) {
  db::Store store = open_for_writing(file);
  keep_fmus(store, file, plan);
  http::EventHub nobody;
  const std::string id = new_search_id();
  engine::SearchResult result;
  const db::Progress none_yet{.curves_total = static_cast<std::int64_t>(plan.curves.size())};
  const auto search = new_search(plan, id, job.dump(), json::labels_of(job), utc_now());
  store.create_search(search, {status_event(id, "queued", none_yet)});
  try {
    const StoredResults nothing{.records = {}, .begin = {.progress = none_yet}};
    result = run_and_keep({.store = store,
                           .hub = nobody,
                           .id = id,
                           .plan = plan,
                           .stored = nothing,
                           .provenance = {},
                           .stop = stop,
                           .batch = batch},
                          std::move(settings));
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
                            .created_at = search.created_at,
                            .finished_at = utc_now(),
                            .labels = json::labels_of(job)});
    return outcome;
  }
  auto rows = load_search(store, id, shown);
  if (!rows) {
    throw std::runtime_error("search " + id + " is not in " + file + " any more");
  }
  return {.result = std::move(result), .rows = std::move(*rows), .not_stored = {}};
}

}  // namespace macrostep::server
