#include "server/service/search_service.hpp"

#include <array>
#include <exception>
#include <string>
#include <utility>

#include "db/error.hpp"
#include "server/service/analysis_run.hpp"
#include "server/service/search_batch.hpp"
#include "server/service/search_end.hpp"
#include "server/service/search_events.hpp"

namespace macrostep::server::service {

SearchService::SearchService(db::Store& store, Log& log, ServiceOptions options)
    : store_(store),
      log_(log),
      options_(std::move(options)),
      planner_({.threads = options_.threads,
                .foreign = options_.foreign,
                .fmus = options_.fmus,
                .max_job_cost = options_.max_job_cost,
                .batch = options_.batch}),
      retention_(store, log, options_.retention,
                 [this](const std::string& id) { remove_chunks(options_.batch, id); }) {}

SearchService::~SearchService() {
  stop();
}

void SearchService::start() {
  const auto interrupted = store_.mark_interrupted();
  const std::array<std::string, 2> unfinished{"interrupted", "queued"};
  const auto searches = store_.searches_with_status(unfinished);
  const auto analyses = store_.analyses_with_status(unfinished);
  if (!searches.empty() || !analyses.empty()) {
    log_.write(Log::Level::info, "taking up what is unfinished",
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
  board_.open(std::move(waiting));
  worker_ = std::thread([this] { work(); });
}

void SearchService::drain() {
  board_.close();
}

void SearchService::stop() {
  board_.stop();
  if (worker_.joinable()) {
    worker_.join();
  }
}

std::optional<db::SearchSummary> SearchService::summary(const std::string& id) const {
  auto row = store_.get_search(id);
  return row ? std::optional(current(std::move(row->summary))) : std::nullopt;
}

template <class Summary>
Summary SearchService::as_it_is(Summary summary) const {
  if (auto reason = board_.failure_of(summary.id)) {
    summary.status = "failed";
    summary.reason = std::move(reason);
  }
  if (const auto position = board_.position(summary.id)) {
    summary.queue_position = static_cast<std::int64_t>(*position);
  }
  return summary;
}

db::SearchSummary SearchService::current(db::SearchSummary summary) const {
  summary = as_it_is(std::move(summary));
  if (const auto progress = board_.progress(summary.id, summary.status);
      progress && progress->cost_expected > 0) {
    add_costs(*progress, summary.progress);
  }
  summary.batch = board_.batch(summary.id, summary.status);
  return summary;
}

db::AnalysisSummary SearchService::current(db::AnalysisSummary summary) const {
  return as_it_is(std::move(summary));
}

std::optional<std::string> SearchService::trouble() const {
  const auto failures = board_.failures();
  return failures.empty() ? std::nullopt : std::optional(failures.begin()->second.reason);
}

void SearchService::work() {
  trial_speed();  // before anything runs here that would make the computer look slower
  for (Turn turn = board_.next(); turn != Turn::stop; turn = board_.next()) {
    retry_failures();
    if (turn == Turn::run) {
      run(board_.running());
      board_.end();
    } else if (turn == Turn::tidy && tidy()) {
      board_.want_tidying();  // there may be one more
    }
  }
}

void SearchService::run(RunningSearch& task) {
  Log log = log_of(task.request_id);
  const RunContext context{
      store_,         *hub_,           log, options_.threads, options_.foreign, options_.fmus,
      options_.batch, options_.metrics};
  try {
    task.kind == TaskKind::search ? run_stored_search(context, task)
                                  : run_stored_analysis(context, task);
  } catch (const std::exception& error) {
    fail({task.id, task.kind, task.request_id}, error.what());
  }
  try {
    store_.checkpoint();
  } catch (const db::Error& error) {  // the log stays beside the file, and nothing is lost
    log_.write(Log::Level::warning, "no checkpoint", {{"reason", error.what()}});
  }
}

bool SearchService::tidy() {
  const auto now = std::chrono::system_clock::now();
  if (!retention_.find_one(std::chrono::floor<std::chrono::milliseconds>(now))) {
    return false;
  }
  {
    const std::lock_guard change(changes_);
    if (!retention_.remove_one()) {
      return false;
    }
  }
  hub_->notify();
  return true;
}

void SearchService::fail(const Task& task, const std::string& reason) {
  const bool search = task.kind == TaskKind::search;
  log_of(task.request_id)
      .write(Log::Level::error, search ? "search failed" : "analysis failed",
             {{search ? "search" : "analysis", task.id}, {"reason", reason}});
  if (search && options_.metrics != nullptr) {
    options_.metrics->count_search_end("failed");
  }
  if (!store_failure(task, reason)) {
    board_.keep_failure(task.id, {task.kind, reason});
  }
}

bool SearchService::store_failure(const Task& task, const std::string& reason) {
  if (task.kind == TaskKind::analysis) {
    return store_analysis_failure(store_, task.id, reason);
  }
  const bool stored = service::store_failure(store_, task.id, reason);
  if (stored) {
    hub_->notify();
  }
  return stored;
}

void SearchService::retry_failures() {
  if (!trouble()) {
    return;
  }
  const std::lock_guard change(changes_);
  for (const auto& [id, failure] : board_.failures()) {
    if (store_failure({id, failure.kind}, failure.reason)) {
      board_.forget_failure(id);
    }
  }
}

std::variant<std::string, Refusal> SearchService::take_in(
    WaitingTask waiting, const std::string& job,
    const std::function<std::optional<Stored>()>& find_former,
    const std::function<void()>& create) {
  const std::lock_guard change(changes_);
  if (const auto former = find_former()) {
    if (former->job != job) {
      return Refusal::key_reused;
    }
    return former->id;
  }
  if (const auto refusal = refuse_new()) {
    return *refusal;
  }
  create();
  const std::string id = waiting.task.id;
  board_.push(std::move(waiting));
  return id;
}

std::optional<Refusal> SearchService::refuse_new() const {
  if (!board_.is_open()) {
    return Refusal::draining;
  }
  return board_.length() >= options_.max_queued ? std::optional(Refusal::queue_full) : std::nullopt;
}

/// Of a job whose FMUs were there when it was read, but not when it was to be stored.
engine::FieldErrors SearchService::deleted_fmus(const engine::Plan& plan) const {
  engine::FieldErrors errors;
  const auto& subsystems = plan.job.own_problem.value().subsystems;
  for (std::size_t i = 0; i < subsystems.size(); ++i) {
    if (subsystems[i].fmu && !store_.get_fmu(subsystems[i].fmu->fmu->sha256)) {
      errors.push_back({"/problem/subsystems/" + std::to_string(i) + "/fmu",
                        "this FMU has just been deleted; upload it again"});
    }
  }
  if (errors.empty()) {  // there again by now
    errors.push_back({"/problem", "one of its FMUs was deleted meanwhile; try again"});
  }
  return errors;
}

void SearchService::cancel_task(const Task& task, const std::function<void()>& end_waiting) {
  const std::lock_guard change(changes_);
  if (auto waiting = board_.stop_or_take(task)) {
    try {
      end_waiting();
    } catch (...) {
      board_.push(std::move(*waiting));
      throw;
    }
  }
}

std::optional<Refusal> SearchService::remove_task(const Task& task, std::string_view stored_status,
                                                  const std::function<void()>& from_store) {
  std::optional<WaitingTask> waiting;
  if (!board_.take_unless_running(task, stored_status, waiting)) {
    return Refusal::running;
  }
  try {
    from_store();
  } catch (...) {
    if (waiting) {
      board_.push(std::move(*waiting));
    }
    throw;
  }
  board_.forget_failure(task.id);
  return std::nullopt;
}

}  // namespace macrostep::server::service
