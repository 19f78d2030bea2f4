// A backend whose trials come from a batch system (coordinator.hpp), for engine::run_search: the
// trials of the plan's curves are waited for, everything else (checks, times, errors) runs here.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"
#include "server/batch/coordinator.hpp"

namespace macrostep::server {

class BatchBackend {
 public:
  using OnShard = std::function<void(std::vector<engine::TrialRecord>)>;

  /// `here` runs everything but the trials of curves; it and the plan must outlive this.
  /// `on_state`, `on_loss` and `on_left_running` of the settings are called on a thread of its own;
  /// `on_shard` and `on_curve` are its own, too.
  BatchBackend(const engine::Plan& plan, BatchSystem system, BatchSettings settings,
               const engine::TrialBackend& here = engine::this_process());
  /// Ends.
  ~BatchBackend();
  BatchBackend(const BatchBackend&) = delete;
  BatchBackend& operator=(const BatchBackend&) = delete;

  /// Once, before the first trial is asked for. `on_shard`, if any, is called on a thread of its
  /// own with the new trials of each shard, before these are the results of trials; what it throws
  /// ends the search.
  void begin(OnShard on_shard = {});
  /// Cancels what runs; nothing is called any more when it returns.
  void end();
  /// Throws what a shard said against what was known, even where no trial has waited for it.
  void expect_no_contradiction() const;

  /// Its run_trial throws what run_batch throws.
  const engine::TrialBackend& get() const;

 private:
  class Results;

  std::unique_ptr<Results> results_;
};

}  // namespace macrostep::server
