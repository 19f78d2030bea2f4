// An executor whose trials come from a batch system (coordinator.hpp), for engine::run_search: the
// trials of the plan's curves are waited for, everything else (checks, times, errors) runs here.
#pragma once

#include <memory>

#include "engine/executor.hpp"
#include "engine/plan.hpp"
#include "server/batch/coordinator.hpp"

namespace macrostep::server::batch {

class BatchExecutor {
 public:
  /// Begins at once, on a thread of its own. Plan and stop flag must outlive it; `on_curve` is its
  /// own. `on_state` and `on_loss` are called on that thread.
  BatchExecutor(const engine::Plan& plan, BatchSystem system, BatchSettings settings);
  /// Cancels what runs.
  ~BatchExecutor();
  BatchExecutor(const BatchExecutor&) = delete;
  BatchExecutor& operator=(const BatchExecutor&) = delete;

  /// Its run_trial throws what run_batch throws.
  const engine::Executor& get() const { return executor_; }

 private:
  class Results;

  engine::Executor executor_;
  std::shared_ptr<Results> results_;
};

}  // namespace macrostep::server::batch
