// A search from the command line that is kept in a database file, as the server keeps its own.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/search/run_search.hpp"
#include "server/batch/coordinator.hpp"
#include "server/store/search_rows.hpp"

namespace macrostep::server {

/// The search as the engine ended it, and as the file has it: with its trials only where somebody
/// wants to see them.
struct SearchOutcome {
  engine::SearchResult result;
  SearchRows rows;
  std::string not_stored;  ///< why the file does not have its end; the rows then have no trials
};

/// Runs the search and stores its results while they come. What keeps the file from being written
/// ends the search and is thrown, its stored part marked as failed, or with the word that it is
/// not; what keeps but its end from being written leaves the answer in the outcome. `settings.stop`
/// is replaced by `stop`. `batch`: where its trials run, if not in this process.
SearchOutcome run_and_store(const std::string& file, const engine::Plan& plan,
                            const nlohmann::json& job, engine::SearchSettings settings,
                            std::atomic<bool>& stop, TrialPoints shown,
                            const Batch* batch = nullptr);

}  // namespace macrostep::server
