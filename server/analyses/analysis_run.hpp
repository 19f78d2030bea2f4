// Analyses from their stored plan to their stored end, and back from what is stored.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "db/store/store.hpp"
#include "engine/studies/map.hpp"
#include "server/analyses/map_json.hpp"
#include "server/searches/search_run.hpp"

namespace macrostep::server {

/// The row of a map that is submitted now. `job`: as the user wrote it.
db::NewAnalysis new_map(const json::MapPlan& map, std::string id, std::string job);

/// Computes the map of a stored analysis and stores its end: succeeded, or, where `stop` was set,
/// what `stopped` says of it. `shown` is told the progress, too. Throws what keeps it from going
/// on; then its end is the caller's to store.
engine::MapResult run_and_keep_map(db::Store& store, const std::string& id,
                                   const json::MapPlan& map, int threads, std::atomic<bool>& stop,
                                   const std::function<db::StatusChange()>& stopped,
                                   std::function<void(std::size_t, std::size_t)> shown = {});

/// A map or a tuning of a server, from the stored plan. An analysis that was cut off runs from its
/// beginning.
void run_stored_analysis(const RunContext& context, RunningSearch& analysis);

/// False while the store does not take it, as store_failure() of a search.
bool store_analysis_failure(db::Store& store, const std::string& id, const std::string& reason);

/// A map that is finished, as it was computed.
struct StoredMap {
  json::MapPlan map;
  engine::MapResult result;
};
StoredMap load_map(const db::Store& store, const db::AnalysisRow& row);

std::string analysis_summary_json(const db::AnalysisSummary& summary);
/// With the job and what was found, without the points.
std::string analysis_json(const db::AnalysisRow& row);

}  // namespace macrostep::server
