#include "server/service/search_service.hpp"

#include <array>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "db/error.hpp"
#include "engine/foreign_code.hpp"
#include "server/executors/worker_pool.hpp"
#include "server/json/job_json.hpp"
#include "server/json/labels.hpp"
#include "server/service/analysis_run.hpp"
#include "server/service/identity.hpp"
#include "server/service/search_end.hpp"
#include "server/service/search_events.hpp"
#include "server/service/stored_rows.hpp"
#include "server/service/time_text.hpp"

namespace macrostep::server::service {

namespace {

/// How often the store is asked again to take a failure that it refused.
constexpr std::chrono::seconds retry_interval{2};
/// How often a server with nothing to do looks for searches that have become too old to be kept.
constexpr std::chrono::minutes tidy_interval{10};

}  // namespace

SearchService::SearchService(db::Store& store, Log& log, ServiceOptions options)
    : store_(store),
      log_(log),
      options_(options),
      no_foreign_code_(executors::why_no_foreign_code(options.foreign)),
      retention_(store, log, options.retention) {}

SearchService::~SearchService() {
  stop();
}

void SearchService::start() {
  const auto interrupted = store_.mark_interrupted();
  const std::array<std::string, 2> unfinished{"interrupted", "queued"};
  const auto waiting = store_.searches_with_status(unfinished);
  const auto analyses = store_.analyses_with_status(unfinished);
  if (!waiting.empty() || !analyses.empty()) {
    log_.write(Log::Level::info, "taking up what is unfinished",
               {{"searches", static_cast<std::int64_t>(waiting.size())},
                {"cut_off", static_cast<std::int64_t>(interrupted.size())},
                {"analyses", static_cast<std::int64_t>(analyses.size())}});
  }
  const std::lock_guard lock(mutex_);
  for (const auto& summary : waiting) {
    queue_.push({{summary.id},
                 static_cast<int>(summary.priority),
                 stored_time(summary.queued_at.value_or(summary.created_at))});
  }
  for (const auto& summary : analyses) {
    queue_.push({{summary.id, TaskKind::analysis}, 0, stored_time(summary.created_at)});
  }
  accepting_ = true;
  worker_ = std::thread([this] { work(); });
}

void SearchService::drain() {
  const std::lock_guard lock(mutex_);
  accepting_ = false;
}

void SearchService::stop() {
  {
    const std::lock_guard lock(mutex_);
    accepting_ = false;
    stopping_ = true;
    if (running_) {
      running_->stop = true;
    }
  }
  wake_.notify_all();
  replay_.stop();
  if (worker_.joinable()) {
    worker_.join();
  }
}

std::variant<engine::Plan, engine::FieldErrors> SearchService::plan_of(
    const nlohmann::json& job) const {
  auto plan = json::plan_of(json::read_job(job, options_.fmus));
  const auto* planned = std::get_if<engine::Plan>(&plan);
  if (planned == nullptr) {
    return plan;
  }
  if (no_foreign_code_ && engine::has_foreign_code(*planned)) {
    return engine::FieldErrors{{"/problem", *no_foreign_code_}};
  }
  if (auto error = engine::too_costly(*planned, estimate_of(*planned), options_.max_job_cost,
                                      "The server's --max-job-cost sets it")) {
    return engine::FieldErrors{std::move(*error)};
  }
  return plan;
}

engine::CostEstimate SearchService::estimate_of(const engine::Plan& plan) const {
  static const auto speed = engine::measure_trial_speed();
  return engine::estimate_cost(plan, {.speed = speed,
                                      .threads = options_.threads,
                                      .trial_timeout_s = options_.foreign.trial_timeout_s});
}

SearchService::Answer SearchService::submit(const nlohmann::json& job,
                                            const std::optional<std::string>& idempotency_key,
                                            const std::string& request_id) {
  auto plan = plan_of(job);
  if (auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    return std::move(*errors);
  }
  auto search = new_search(std::get<engine::Plan>(plan), new_search_id(), job.dump(), utc_now());
  search.idempotency_key = idempotency_key;
  set_labels(search, json::labels_of(job));
  for (const auto& fmu : engine::fmus_of(std::get<engine::Plan>(plan))) {
    search.fmus.push_back(fmu->sha256);
  }
  {
    const std::lock_guard change(changes_);
    if (idempotency_key) {
      if (const auto before = store_.search_submitted_as(*idempotency_key)) {
        return submitted_before(*before, search.job);
      }
    }
    if (const auto refusal = refuse_new()) {
      return *refusal;
    }
    try {
      store_.create_search(
          search, {status_event(search.id, "queued", {.curves_total = search.curves_total})});
    } catch (const db::Error& error) {
      if (error.kind() != db::ErrorKind::unknown_fmu) {
        throw;
      }
      return deleted_fmus(std::get<engine::Plan>(plan));
    }
    queue({{.id = search.id, .request_id = request_id},
           static_cast<int>(search.priority),
           stored_time(search.created_at)});
  }
  hub_->notify();
  log_of(request_id)
      .write(Log::Level::info, "search queued", {{"search", search.id}, {"name", search.name}});
  return stored_answer(search.id);
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

/// The answer to a repeated submission: the search of the first one as it is now.
SearchService::Answer SearchService::submitted_before(const std::string& id,
                                                      const std::string& job) const {
  auto row = store_.get_search(id);
  if (!row) {
    return Refusal::not_found;
  }
  return row->job == job ? Answer(current(std::move(row->summary))) : Answer(Refusal::key_reused);
}

SearchService::Answer SearchService::stored_answer(const std::string& id) const {
  const auto stored = summary(id);
  return stored ? Answer(*stored) : Answer(Refusal::not_found);
}

std::optional<db::SearchSummary> SearchService::summary(const std::string& id) const {
  auto row = store_.get_search(id);
  return row ? std::optional(current(std::move(row->summary))) : std::nullopt;
}

template <class Summary>
Summary SearchService::as_it_is(Summary summary) const {
  const std::lock_guard lock(mutex_);
  if (const auto failure = unsaved_failures_.find(summary.id); failure != unsaved_failures_.end()) {
    summary.status = "failed";
    summary.reason = failure->second.reason;
  }
  if (const auto position = queue_.position(summary.id)) {
    summary.queue_position = static_cast<std::int64_t>(*position);
  }
  return summary;
}

db::SearchSummary SearchService::current(db::SearchSummary summary) const {
  summary = as_it_is(std::move(summary));
  const std::lock_guard lock(mutex_);
  if (is_running(summary.id, summary.status)) {
    const auto progress = running_->progress();
    if (progress.cost_expected > 0) {
      add_costs(progress, summary.progress);
    }
  }
  return summary;
}

db::AnalysisSummary SearchService::current(db::AnalysisSummary summary) const {
  return as_it_is(std::move(summary));
}

bool SearchService::accepting() const {
  const std::lock_guard lock(mutex_);
  return accepting_;
}

std::size_t SearchService::queue_length() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::chrono::seconds SearchService::until_room() const {
  const std::lock_guard lock(mutex_);
  return run_times_.until_room();
}

std::optional<std::string> SearchService::trouble() const {
  const std::lock_guard lock(mutex_);
  return unsaved_failures_.empty() ? std::nullopt
                                   : std::optional(unsaved_failures_.begin()->second.reason);
}

void SearchService::work() {
  std::unique_lock lock(mutex_);
  const auto has_work = [&] { return stopping_ || !queue_.empty(); };
  bool tidies = true;
  while (!stopping_) {
    if (tidies && queue_.empty()) {
      lock.unlock();
      tidies = tidy();
      lock.lock();
      continue;
    }
    if (unsaved_failures_.empty()) {
      wake_.wait_for(lock, tidy_interval, has_work);
    } else {
      wake_.wait_for(lock, retry_interval, has_work);
      lock.unlock();
      retry_failures();
      lock.lock();
    }
    tidies = true;  // after a run there is one more that has ended
    if (stopping_ || queue_.empty()) {
      continue;
    }
    const Task task = queue_.pop().task;
    running_ = std::make_unique<RunningSearch>(task.id, task.kind, task.request_id);
    lock.unlock();
    const auto begin = std::chrono::steady_clock::now();
    run(*running_);
    lock.lock();
    run_times_.add(std::chrono::steady_clock::now() - begin);
    running_.reset();
  }
}

void SearchService::run(RunningSearch& task) {
  Log log = log_of(task.request_id);
  const RunContext context{store_,           *hub_,         log,     options_.threads,
                           options_.foreign, options_.fmus, metrics_};
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
  {
    const std::lock_guard change(changes_);
    const auto now = std::chrono::system_clock::now();
    if (!retention_.remove_one(std::chrono::floor<std::chrono::milliseconds>(now))) {
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
  if (search) {
    metrics_.count_search_end("failed");
  }
  if (!store_failure(task, reason)) {
    const std::lock_guard lock(mutex_);
    unsaved_failures_[task.id] = {task.kind, reason};
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
  const std::lock_guard change(changes_);
  std::map<std::string, Failure> failures;
  {
    const std::lock_guard lock(mutex_);
    failures = unsaved_failures_;
  }
  for (const auto& [id, failure] : failures) {
    if (store_failure({id, failure.kind}, failure.reason)) {
      const std::lock_guard lock(mutex_);
      unsaved_failures_.erase(id);
    }
  }
}

std::optional<Refusal> SearchService::refuse_new() const {
  const std::lock_guard lock(mutex_);
  if (!accepting_) {
    return Refusal::draining;
  }
  return queue_.size() >= options_.max_queued ? std::optional(Refusal::queue_full) : std::nullopt;
}

bool SearchService::waits(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  return queue_.contains(id);
}

bool SearchService::runs(const std::string& id, std::string_view stored_status) const {
  const std::lock_guard lock(mutex_);
  return is_running(id, stored_status);
}

/// Running, but asked to end as cancelled.
bool SearchService::stops(const std::string& id, std::string_view stored_status) const {
  const std::lock_guard lock(mutex_);
  return is_running(id, stored_status) && running_->cancelled;
}

/// Once its end is stored, or could not be, a search is no longer running, even if the worker still
/// tidies up; nor is one that waits to be resumed meanwhile. Called with mutex_ held, as the next.
bool SearchService::is_running(const std::string& id, std::string_view stored_status) const {
  return running_ && running_->id == id && !is_final(stored_status) &&
         !unsaved_failures_.contains(id) && !queue_.contains(id);
}

std::optional<WaitingTask> SearchService::stop_or_take(const Task& task) {
  const std::lock_guard lock(mutex_);
  // First the queue: a resumed search may wait while its former run still tidies up.
  auto waiting = queue_.take(task);
  if (!waiting && running_ && Task{running_->id, running_->kind} == task) {
    running_->cancelled = true;
    running_->stop = true;
  }
  return waiting;
}

void SearchService::queue(WaitingTask waiting) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push(std::move(waiting));
  }
  wake_.notify_one();
}

}  // namespace macrostep::server::service
