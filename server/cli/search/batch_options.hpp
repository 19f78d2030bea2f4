// Where the trials of a search run, as the options of the command line say it.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "server/batch/batch_backend.hpp"
#include "server/cli/frame/settings.hpp"
#include "server/schedulers/offer.hpp"

namespace CLI {
class App;
}

namespace macrostep::server {

struct BatchOptions {
  std::string executor = "local";  ///< local, command or slurm
  std::string folder;
  std::optional<double> chunk_minutes;
  std::optional<int> time_limit_minutes;
  std::string command;
  std::string partition;
  std::vector<std::string> templates;  ///< NAME=WORDS
};

void add_batch_options(CLI::App& command, BatchOptions& options);

/// For jobs to name; of a server.
void add_chunk_templates(CLI::App& command, BatchOptions& options);

/// `threads` are those of a node, or tasks at once of a command; 0: all processors here. Throws
/// CommandError where the options do not go together, naming them as the settings have them.
BatchOffer batch_offer(const BatchOptions& options, int threads, const Settings& settings = {});

/// Null for a search that runs here. `here` runs all that is no chunk; it and the plan must outlive
/// the result.
std::unique_ptr<BatchBackend> batch_backend(const BatchOffer& offer, const engine::Plan& plan,
                                            const std::atomic<bool>& stop,
                                            const ForeignSettings& foreign,
                                            const engine::TrialBackend& here);

}  // namespace macrostep::server
