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

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/process/progress.hpp"
#include "server/workers/process_pool.hpp"
#include "server/workers/worker_process.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

/// Most macro-steps of a trial whose energies fit a reply: two numbers each.
inline constexpr std::int64_t max_energy_macro_steps = 1'000'000;

/// What is asked of it throws NoWorker where no worker starts.
class WorkerPool final : public engine::TrialBackend {
 public:
  /// Runs trials of these plans, which must outlive it. Throws std::runtime_error if there is no
  /// sandbox and the settings want one.
  WorkerPool(const ForeignSettings& settings, std::vector<const engine::Plan*> plans,
             WorkerProgram program = worker_program());

  void for_each_index(std::size_t count, int threads,
                      const std::function<void(std::size_t)>& task) const override;
  engine::TrialResult run_trial(const engine::Plan& plan,
                                const engine::TrialSettings& settings) const override;
  engine::TimedMacroSteps time_macro_steps(const engine::Plan& plan,
                                           const engine::StepTimeSettings& settings) const override;
  engine::MeasuredError error_in_test(const engine::Plan& plan,
                                      const engine::Configuration& configuration,
                                      const engine::TestInput& test, double macro_step_s,
                                      const std::atomic<bool>* stop,
                                      std::optional<double> until_s) const override;
  engine::AnalysisPoint analyse_point(const engine::Plan& plan,
                                      const engine::AnalysisSettings& settings,
                                      double macro_step_s) const override;
  std::string follow_reference(const engine::Plan& plan,
                               const engine::ReferenceRows& wanted) const override;
  /// Without `progress`: macro-steps are watched where they are made.
  engine::BondSign bond_sign(const engine::Plan& plan, const engine::Configuration& configuration,
                             std::size_t bond, std::atomic<std::int64_t>* progress) const override;

  /// Processes started so far.
  int started() const { return processes_.started(); }

 private:
  std::uint64_t number_of(const engine::Plan& plan) const;
  WorkerWatch by_macro_steps(const std::atomic<bool>* stop) const;
  WorkerWatch whole(const std::atomic<bool>* stop) const;

  const ForeignSettings settings_;
  const std::vector<const engine::Plan*> plans_;
  mutable Pace pace_;
  mutable ProcessPool processes_;
};

}  // namespace macrostep::server
