// A search from the command line that is kept in a database file, as the server keeps its own.
#pragma once

#include <atomic>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/search.hpp"

namespace macrostep::server::commands {

struct StoredSearch {
  std::string id;
  engine::SearchResult result;
};

/// Runs the search and stores its results while they come. What keeps the file from being written
/// ends the search and is thrown, its stored part marked as failed, or with the word that it is
/// not. `settings.stop` is replaced by `stop`.
StoredSearch run_and_store(const std::string& file, const engine::Plan& plan,
                           const nlohmann::json& job, engine::SearchSettings settings,
                           std::atomic<bool>& stop);

}  // namespace macrostep::server::commands
