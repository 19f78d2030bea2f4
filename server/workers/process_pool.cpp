#include "server/workers/process_pool.hpp"

#include <utility>
#include <variant>

#include "engine/plan/plan_fmus.hpp"
#include "server/process/no_worker.hpp"

namespace macrostep::server {

namespace {

constexpr std::int64_t megabyte = 1 << 20;
/// A process that has grown by this share of its memory is replaced.
constexpr std::int64_t growth_share = 8;

}  // namespace

struct ProcessPool::Worker : StartedWorker {};

ProcessPool::ProcessPool(const ForeignSettings& settings,
                         const std::vector<const engine::Plan*>& plans, WorkerProgram program)
    : settings_(settings), program_(std::move(program)) {
  for (const auto* plan : plans) {
    jobs_.push_back(job_text(*plan));
    once_.push_back(engine::is_once_per_process(*plan));
    const auto fmus = engine::fmus_of(*plan);
    fmus_.insert(fmus_.end(), fmus.begin(), fmus.end());
  }
  sandbox_ = sandbox_of(settings_);
}

ProcessPool::~ProcessPool() = default;

/// A task with a trace begins in an unused process: what was handed on of it cannot be taken back,
/// so that it must not be run again.
ProcessPool::Answer ProcessPool::run(const WorkerTask& task, const WorkerWatch& watch,
                                     const std::function<bool(const std::string&)>& failed) {
  const auto text = task_text(task);
  for (bool unused = watch.on_trace || once_[task.job];; unused = true) {
    if (watch.stopped()) {
      return NoReply{.status = engine::TrialStatus::cancelled, .reason = "stopped"};
    }
    std::unique_ptr<Worker> worker;
    try {
      worker = take(unused, watch.stop);
      if (!worker->process->has_job(task.job)) {
        worker->process->add_job(task.job, jobs_[task.job], watch.stop);
      }
    } catch (const NoWorker&) {
      if (watch.stopped()) {
        return NoReply{.status = engine::TrialStatus::cancelled, .reason = "stopped"};
      }
      if (!worker || worker->process->tasks() == 0) {
        throw;
      }
      continue;  // what an FMU of an earlier task has left ended it: a new one
    }
    auto& process = *worker->process;
    auto answer = process.run(text, watch);
    const bool first = process.tasks() == 1;
    const auto* end = std::get_if<NoReply>(&answer);
    const bool broken = end ? end->status == engine::TrialStatus::crashed ||
                                  end->status == engine::TrialStatus::fmu_error
                            : failed(std::get<std::string>(answer));
    if (!end && !broken && !once_[task.job]) {
      give_back(std::move(worker));
    }
    if (!broken || first) {
      return answer;
    }
  }
}

/// An idle one, or a new one. Where an unused one is wanted, an idle one makes room for it: each
/// thread that asks has one process at a time, so that there are never more of them than threads.
std::unique_ptr<ProcessPool::Worker> ProcessPool::take(bool unused, const std::atomic<bool>* stop) {
  std::unique_ptr<Worker> worker;
  {
    const std::lock_guard lock(mutex_);
    if (!idle_.empty()) {
      worker = std::move(idle_.back());
      idle_.pop_back();
    }
  }
  if (worker && !unused) {
    return worker;
  }
  worker.reset();
  return start(stop);
}

void ProcessPool::give_back(std::unique_ptr<Worker> worker) {
  const auto& process = *worker->process;
  const std::int64_t may_grow = settings_.memory_mb * megabyte / growth_share;
  if (process.tasks() < settings_.trials_per_worker && process.growth_bytes() <= may_grow) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(worker));
  }
}

std::unique_ptr<ProcessPool::Worker> ProcessPool::start(const std::atomic<bool>* stop) {
  auto worker = std::make_unique<Worker>(
      Worker{start_worker(spawner_, settings_, sandbox_, program_, fmus_, stop)});
  ++started_;
  return worker;
}

}  // namespace macrostep::server
