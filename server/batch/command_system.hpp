// Any program as a batch system: started for each task, and done when it ends (ssh, parallel, srun,
// kubectl run --attach …).
#pragma once

#include <string>
#include <vector>

#include "server/batch/batch_system.hpp"

namespace macrostep::server::batch {

struct CommandSettings {
  /// Program and arguments. In each, {program}, {manifest} and {out} stand for these; no shell
  /// sees any of it. Empty: {program} run-chunk --manifest {manifest} --out {out}.
  std::vector<std::string> arguments;
  int at_once = 1;        ///< tasks that run at the same time
  double limit_s = 3600;  ///< that a task may take; then it is killed
  std::string program;    ///< macrostep, as the task sees it
};

/// What runs dies with the returned system.
BatchSystem command_system(const CommandSettings& settings);

/// The words of a template, at spaces; "…" keeps spaces.
std::vector<std::string> words_of(const std::string& text);

}  // namespace macrostep::server::batch
