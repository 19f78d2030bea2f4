// Where the trials of plans run: in this process, or, of plans with foreign code, in workers.
#pragma once

#include <optional>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/workers/worker_pool.hpp"

namespace macrostep::server {

class PlanBackend {
 public:
  /// The plans must outlive it. Throws std::runtime_error where foreign code cannot run.
  PlanBackend(const ForeignSettings& settings, std::vector<const engine::Plan*> plans);

  const engine::TrialBackend& get() const;
  /// Whether it is another process that runs them.
  bool is_elsewhere() const { return pool_.has_value(); }

 private:
  std::optional<WorkerPool> pool_;
};

}  // namespace macrostep::server
