// Where the trials of a search run, as the options of the command line say it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/batch/coordinator.hpp"
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

/// Nothing for a search that runs here.
std::optional<Batch> batch_of(const BatchOffer& offer, const ForeignSettings& foreign);

}  // namespace macrostep::server
