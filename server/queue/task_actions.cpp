#include "server/queue/task_actions.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "server/store/search_events.hpp"

namespace macrostep::server {

namespace {

template <class Summary>
Summary as_it_is(const ServiceState& state, Summary summary) {
  if (auto reason = state.board.failure_of(summary.id)) {
    summary.status = "failed";
    summary.reason = std::move(reason);
  }
  if (const auto position = state.board.position(summary.id)) {
    summary.queue_position = static_cast<std::int64_t>(*position);
  }
  return summary;
}

}  // namespace

db::SearchSummary current(const ServiceState& state, db::SearchSummary summary) {
  summary = as_it_is(state, std::move(summary));
  if (const auto progress = state.board.progress(summary.id, summary.status);
      progress && progress->cost_expected > 0) {
    add_costs(*progress, summary.progress);
  }
  summary.batch = state.board.batch(summary.id, summary.status);
  return summary;
}

db::AnalysisSummary current(const ServiceState& state, db::AnalysisSummary summary) {
  return as_it_is(state, std::move(summary));
}

std::optional<Refusal> refuse_new(const ServiceState& state) {
  if (!state.board.is_open()) {
    return Refusal::draining;
  }
  return state.board.length() >= state.options.max_queued ? std::optional(Refusal::queue_full)
                                                          : std::nullopt;
}

engine::FieldErrors deleted_fmus(const db::Store& store, const engine::Plan& plan) {
  engine::FieldErrors errors;
  const auto& subsystems = plan.job.own_problem.value().subsystems;
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    if (subsystems[i].fmu && !store.get_fmu(subsystems[i].fmu->fmu->sha256)) {
      errors.push_back({"/problem/subsystems/" + std::to_string(i) + "/fmu",
                        "this FMU has just been deleted; upload it again"});
    }
  }
  if (errors.empty()) {  // there again by now
    errors.push_back({"/problem", "one of its FMUs was deleted meanwhile; try again"});
  }
  return errors;
}

void cancel_task(ServiceState& state, const QueuedTask& task,
                 const std::function<void()>& end_waiting) {
  const std::lock_guard change(state.changes);
  if (auto waiting = state.board.stop_or_take(task)) {
    try {
      end_waiting();
    } catch (...) {
      state.board.push(std::move(*waiting));
      throw;
    }
  }
}

std::optional<Refusal> remove_task(ServiceState& state, const QueuedTask& task,
                                   std::string_view stored_status,
                                   const std::function<void()>& from_store) {
  std::optional<WaitingTask> waiting;
  if (!state.board.take_unless_running(task, stored_status, waiting)) {
    return Refusal::running;
  }
  try {
    from_store();
  } catch (...) {
    if (waiting) {
      state.board.push(std::move(*waiting));
    }
    throw;
  }
  state.board.forget_failure(task.id);
  return std::nullopt;
}

}  // namespace macrostep::server
