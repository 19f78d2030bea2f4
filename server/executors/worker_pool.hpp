// Runs the trials of plans in worker processes: one for every thread that asks, made when needed,
// replaced after so many trials, when they have grown, and when a trial has ended them.
//
// Results do not depend on the number of workers or on what ran in them before: a trial that fails
// in a process that has run others is run again in a new one, and what happens there counts.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/executor.hpp"
#include "engine/fmu_source.hpp"
#include "engine/plan.hpp"
#include "server/executors/child.hpp"
#include "server/executors/foreign_settings.hpp"
#include "server/executors/sandbox.hpp"
#include "server/executors/task_json.hpp"
#include "server/executors/worker_process.hpp"
#include "server/executors/worker_start.hpp"

namespace macrostep::server::executors {

class WorkerPool {
 public:
  /// Runs trials of these plans, which must outlive it. Throws std::runtime_error if there is no
  /// sandbox and the settings want one.
  WorkerPool(const ForeignSettings& settings, std::vector<const engine::Plan*> plans,
             WorkerProgram program = this_program());
  /// No trial runs any more. Ends all processes.
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;

  /// The pool must outlive it. Its functions throw NoWorker where no worker starts.
  engine::Executor executor();

  /// Processes started so far.
  int started() const { return started_; }

 private:
  struct Worker;
  using Answer = WorkerProcess::Answer;

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
  /// `failed` looks at a reply. A task that fails is run again, unless it was its process's first.
  Answer run(const Task& task, const Watch& watch,
             const std::function<bool(const std::string&)>& failed);
  Watch whole(const std::atomic<bool>* stop) const;
  std::unique_ptr<Worker> take(bool unused);
  void give_back(std::unique_ptr<Worker> worker);
  std::unique_ptr<Worker> start();

  const ForeignSettings settings_;
  const std::vector<const engine::Plan*> plans_;
  const WorkerProgram program_;
  std::vector<std::string> jobs_;  ///< of the plans, as text
  std::vector<bool> once_;         ///< of the plans: a process may run one trial only
  std::vector<engine::FmuPointer> fmus_;
  std::optional<Sandbox> sandbox_;  ///< absent: none is wanted
  std::atomic<int> started_ = 0;
  Pace pace_;
  Spawner spawner_;  // outlives the workers that it started
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace macrostep::server::executors
