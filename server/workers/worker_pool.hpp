// Runs the trials of plans in worker processes: what is asked of a worker, and what its answer
// means. Which process works, and what is run again: process_pool.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/ensemble/executor.hpp"
#include "engine/plan/plan.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/process/progress.hpp"
#include "server/workers/process_pool.hpp"
#include "server/workers/worker_process.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

/// Most macro-steps of a trial whose energies fit a reply: two numbers each.
inline constexpr std::int64_t max_energy_macro_steps = 1'000'000;

class WorkerPool {
 public:
  /// Runs trials of these plans, which must outlive it. Throws std::runtime_error if there is no
  /// sandbox and the settings want one.
  WorkerPool(const ForeignSettings& settings, std::vector<const engine::Plan*> plans,
             WorkerProgram program = worker_program());
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// The pool must outlive it. Its functions throw NoWorker where no worker starts.
  engine::Executor executor();

  /// Processes started so far.
  int started() const { return processes_.started(); }

 private:
  engine::TrialResult run_trial(const engine::Plan& plan, const engine::TrialSettings& settings);
  engine::TimedMacroSteps time_macro_steps(const engine::Plan& plan,
                                           const engine::StepTimeSettings& settings);
  engine::MeasuredError error_in_test(const engine::Plan& plan,
                                      const engine::Configuration& configuration,
                                      const engine::TestInput& test, double macro_step_s,
                                      const std::atomic<bool>* stop, std::optional<double> until_s);
  engine::AnalysisPoint analyse_point(const engine::Plan& plan,
                                      const engine::AnalysisSettings& settings,
                                      double macro_step_s);
  std::string follow_reference(const engine::Plan& plan, const engine::ReferenceRows& wanted);
  engine::BondSign bond_sign(const engine::Plan& plan, const engine::Configuration& configuration,
                             std::size_t bond);
  std::uint64_t number_of(const engine::Plan& plan) const;
  WorkerWatch by_macro_steps(const std::atomic<bool>* stop);
  WorkerWatch whole(const std::atomic<bool>* stop) const;

  const ForeignSettings settings_;
  const std::vector<const engine::Plan*> plans_;
  Pace pace_;
  ProcessPool processes_;
};

}  // namespace macrostep::server
