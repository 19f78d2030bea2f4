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

/// The plan of a search of a file that has not come to its end. Throws CommandError where the file
/// has no such search, or it has succeeded, and std::runtime_error where this build does not accept
/// its job or an FMU of it is gone.
engine::Plan unfinished_search(const std::string& file, const std::string& id);

/// As run_and_store(), from where the search was stopped; `plan` is the one that is run. Its
/// results are the same as if it had not been stopped.
SearchOutcome resume_and_store(const std::string& file, const std::string& id,
                               const engine::Plan& plan, engine::SearchSettings settings,
                               std::atomic<bool>& stop, TrialPoints shown,
                               const Batch* batch = nullptr);

}  // namespace macrostep::server
