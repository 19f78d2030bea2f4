// The worker processes of a pool: at most one for every thread that asks, made when needed,
// replaced after so many tasks, when they have grown, when a task has ended them, and by a new one
// where a task wants an unused process.
//
// Answers do not depend on the number of workers or on what ran in them before: a task that fails
// in a process that has run others is run again in a new one, and what happens there counts. One
// that times out is not run again.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/process/child.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/process/sandbox.hpp"
#include "server/workers/task_json.hpp"
#include "server/workers/worker_process.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

class ProcessPool {
 public:
  using Answer = WorkerProcess::Answer;

  /// The plans are its jobs, numbered in their order. Throws std::runtime_error if there is no
  /// sandbox and the settings want one.
  ProcessPool(const ForeignSettings& settings, const std::vector<const engine::Plan*>& plans,
              WorkerProgram program);
  /// No task runs any more. Ends all processes.
  ~ProcessPool();
  ProcessPool(const ProcessPool&) = delete;
  ProcessPool& operator=(const ProcessPool&) = delete;

  /// `failed` looks at a reply. A task that fails is run again, unless it was its process's first;
  /// one with a trace always is. Throws NoWorker where no worker starts.
  Answer run(const WorkerTask& task, const WorkerWatch& watch,
             const std::function<bool(const std::string&)>& failed);

  /// A process may run one trial of the job only.
  bool is_once_per_process(std::uint64_t job) const { return once_[job]; }

  /// Processes started so far.
  int started() const { return started_; }

 private:
  struct Worker;

  std::unique_ptr<Worker> take(bool unused, const std::atomic<bool>* stop);
  void give_back(std::unique_ptr<Worker> worker);
  std::unique_ptr<Worker> start(const std::atomic<bool>* stop);

  const ForeignSettings settings_;
  const WorkerProgram program_;
  std::vector<std::string> jobs_;  ///< of the plans, as text
  std::vector<bool> once_;         ///< of the plans
  std::vector<engine::FmuPointer> fmus_;
  std::optional<Sandbox> sandbox_;  ///< absent: none is wanted
  std::atomic<int> started_ = 0;
  Spawner spawner_;  // outlives the workers that it started
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> idle_;
};

}  // namespace macrostep::server
