#include "server/queue/search_service.hpp"

#include <array>
#include <exception>
#include <string>
#include <utility>

#include "db/schema/error.hpp"
#include "server/analyses/analysis_run.hpp"
#include "server/queue/task_actions.hpp"
#include "server/searches/search_batch.hpp"
#include "server/store/search_events.hpp"

namespace macrostep::server {

SearchService::SearchService(db::Store& store, Log& log, ServiceOptions options)
    : state_(store, log, std::move(options)),
      retention_(store, log, state_.options.retention,
                 [this](const std::string& id) { remove_chunks(state_.options.batch, id); }) {}

SearchService::~SearchService() {
  stop();
}

void SearchService::start() {
  const auto interrupted = state_.store.mark_interrupted();
  const std::array<std::string, 2> unfinished{"interrupted", "queued"};
  const auto searches = state_.store.searches_with_status(unfinished);
  const auto analyses = state_.store.analyses_with_status(unfinished);
  if (!searches.empty() || !analyses.empty()) {
    state_.log.write(Log::Level::info, "taking up what is unfinished",
                     {{"searches", static_cast<std::int64_t>(searches.size())},
                      {"cut_off", static_cast<std::int64_t>(interrupted.size())},
                      {"analyses", static_cast<std::int64_t>(analyses.size())}});
  }
  std::vector<WaitingTask> waiting;
  for (const auto& summary : searches) {
    waiting.push_back({{summary.id},
                       static_cast<int>(summary.priority),
                       stored_time(summary.queued_at.value_or(summary.created_at))});
  }
  for (const auto& summary : analyses) {
    waiting.push_back({{summary.id, TaskKind::analysis}, 0, stored_time(summary.created_at)});
  }
  state_.board.open(std::move(waiting));
  worker_ = std::thread([this] { work(); });
}

void SearchService::drain() {
  state_.board.close();
}

void SearchService::stop() {
  state_.board.stop();
  if (worker_.joinable()) {
    worker_.join();
  }
}

std::optional<db::SearchSummary> SearchService::summary(const std::string& id) const {
  auto row = state_.store.get_search(id);
  return row ? std::optional(current(state_, std::move(row->summary))) : std::nullopt;
}

std::optional<std::string> SearchService::trouble() const {
  const auto failures = state_.board.failures();
  return failures.empty() ? std::nullopt : std::optional(failures.begin()->second.reason);
}

void SearchService::work() {
  trial_speed();  // before anything runs here that would make the computer look slower
  for (Turn turn = state_.board.next(); turn != Turn::stop; turn = state_.board.next()) {
    retry_failures();
    if (turn == Turn::tidy && tidy()) {
      state_.board.want_tidying();  // there may be one more
    }
    if (turn != Turn::run) {
      continue;
    }
    auto& task = state_.board.running();
    Log log = state_.log_of(task.request_id);
    const RunContext context{
        state_.store,
        *state_.hub,
        log,
        state_.options.threads,
        state_.options.foreign,
        state_.options.fmus,
        state_.options.batch,
        state_.options.metrics,
        [this](const engine::Plan& plan) { return state_.planner.too_costly(plan); }};
    try {
      task.kind == TaskKind::search ? run_stored_search(context, task)
                                    : run_stored_analysis(context, task);
    } catch (const std::exception& error) {
      fail({task.id, task.kind, task.request_id}, error.what());
    }
    checkpoint();
    state_.board.end();
  }
}

void SearchService::checkpoint() {
  try {
    state_.store.checkpoint();
  } catch (const db::Error& error) {  // the log stays beside the file, and nothing is lost
    state_.log.write(Log::Level::warning, "no checkpoint", {{"reason", error.what()}});
  }
}

bool SearchService::tidy() {
  const auto now = std::chrono::system_clock::now();
  if (!retention_.find_one(std::chrono::floor<std::chrono::milliseconds>(now))) {
    return false;
  }
  {
    const std::lock_guard change(state_.changes);
    if (!retention_.remove_one()) {
      return false;
    }
  }
  state_.hub->notify();
  return true;
}

void SearchService::fail(const QueuedTask& task, const std::string& reason) {
  const bool search = task.kind == TaskKind::search;
  state_.log_of(task.request_id)
      .write(Log::Level::error, search ? "search failed" : "analysis failed",
             {{search ? "search" : "analysis", task.id}, {"reason", reason}});
  if (search && state_.options.metrics != nullptr) {
    state_.options.metrics->count_search_end("failed");
  }
  if (!store_failure(task, reason)) {
    state_.board.keep_failure(task.id, {task.kind, reason});
  }
}

bool SearchService::store_failure(const QueuedTask& task, const std::string& reason) {
  if (task.kind == TaskKind::analysis) {
    return store_analysis_failure(state_.store, task.id, reason);
  }
  const bool stored = server::store_failure(state_.store, task.id, reason);
  if (stored) {
    state_.hub->notify();
  }
  return stored;
}

void SearchService::retry_failures() {
  if (!trouble()) {
    return;
  }
  const std::lock_guard change(state_.changes);
  for (const auto& [id, failure] : state_.board.failures()) {
    if (store_failure({id, failure.kind}, failure.reason)) {
      state_.board.forget_failure(id);
    }
  }
}

}  // namespace macrostep::server
