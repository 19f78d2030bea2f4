// Where the trials of a search run, as the options of the command line say it.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "engine/plan.hpp"
#include "server/batch/batch_executor.hpp"

namespace CLI {
class App;
}

namespace macrostep::server::commands {

struct BatchOptions {
  std::string executor = "local";  ///< local, command or slurm
  std::string folder;
  double chunk_minutes = 2;
  int time_limit_minutes = 60;
  std::string command;
  std::string partition;
};

void add_batch_options(CLI::App& command, BatchOptions& options);

/// Null for a search that runs here. `threads` are those of a node, or tasks at once of a command;
/// 0: all processors here. Throws CommandError where the options do not go together.
std::unique_ptr<batch::BatchExecutor> batch_executor(const BatchOptions& options,
                                                     const engine::Plan& plan, int threads,
                                                     const std::atomic<bool>& stop);

}  // namespace macrostep::server::commands
