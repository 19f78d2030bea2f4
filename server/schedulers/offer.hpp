// What there is besides the threads of this process to run the trials of searches, as whoever
// started the program said it: one batch system, and templates of it by name.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "server/schedulers/batch_system.hpp"

namespace macrostep::server {

/// That runs everything in this process.
inline constexpr const char* local_executor = "local";

struct BatchOffer {
  std::string executor = local_executor;  ///< or slurm, command
  std::filesystem::path folder;           ///< that all machines share
  double chunk_s = 120;                   ///< that a chunk is expected to take
  int time_limit_min = 60;                ///< of a task
  int threads = 0;                        ///< of a node, or tasks at once of a command; 0: as usual
  std::string partition;                  ///< of slurm
  std::vector<std::string> command;       ///< of command; empty: the usual one
  /// Words by name: of slurm further options of sbatch, of command all of the command.
  std::map<std::string, std::vector<std::string>> templates;
};

/// The system of an offer that is not local. `words`: of the template to use, if any.
BatchSystem system_of(const BatchOffer& offer, const std::vector<std::string>& words);

}  // namespace macrostep::server
