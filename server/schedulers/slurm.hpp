// Slurm as a batch system: a round is one job array.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "server/schedulers/batch_system.hpp"

namespace macrostep::server {

struct SlurmSettings {
  std::string partition;             ///< empty: the cluster's default
  int time_limit_min = 60;           ///< of a task; Slurm ends it then
  std::vector<std::string> options;  ///< further ones of sbatch
  std::string program;               ///< macrostep, as the nodes see it
  int threads = 1;                   ///< of a task
  /// The controller may be away for so long: then it is restarted, and knows its jobs.
  std::chrono::minutes patience{10};
};

BatchSystem slurm(const SlurmSettings& settings);

}  // namespace macrostep::server
