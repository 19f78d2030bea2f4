#include "server/queue/task_board.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "server/store/search_rows.hpp"

namespace macrostep::server {

namespace {

/// How often the store is asked again to take a failure that it refused.
constexpr std::chrono::seconds retry_interval{2};
/// How often a server with nothing to do looks for searches that have become too old to be kept.
constexpr std::chrono::minutes tidy_interval{10};

}  // namespace

std::deque<TaskQueue::Entry>::iterator TaskQueue::find(const Key& key) {
  return std::ranges::lower_bound(order_, key, {}, &Entry::key);
}

std::optional<std::size_t> TaskQueue::position(const std::string& id) const {
  const auto known = keys_.find(id);
  if (known == keys_.end()) {
    return std::nullopt;
  }
  const auto at = std::ranges::lower_bound(order_, known->second, {}, &Entry::key);
  return static_cast<std::size_t>(at - order_.begin()) + 1;
}

void TaskQueue::push(WaitingTask waiting) {
  const Key key{
      .rank = waiting.queued_at.time_since_epoch() - waiting.priority * waiting_per_priority_point,
      .arrival = arrivals_++};
  if (!keys_.emplace(waiting.task.id, key).second) {
    throw std::logic_error("task queued twice: " + waiting.task.id);
  }
  const auto has_plan = [](const Entry& entry) { return entry.waiting.plan != nullptr; };
  if (std::ranges::count_if(order_, has_plan) >= std::ptrdiff_t{most_plans_in_queue}) {
    waiting.plan.reset();
  }
  order_.insert(find(key), Entry{.key = key, .waiting = std::move(waiting)});
}

WaitingTask TaskQueue::pop() {
  WaitingTask waiting = std::move(order_.front().waiting);
  order_.pop_front();
  keys_.erase(waiting.task.id);
  return waiting;
}

std::optional<WaitingTask> TaskQueue::take(const QueuedTask& task) {
  const auto known = keys_.find(task.id);
  if (known == keys_.end()) {
    return std::nullopt;
  }
  const auto at = find(known->second);
  if (at->waiting.task != task) {
    return std::nullopt;  // of the other kind
  }
  WaitingTask waiting = std::move(at->waiting);
  order_.erase(at);
  keys_.erase(known);
  return waiting;
}

void TaskQueue::set_priority(const std::string& id, int priority) {
  const auto known = keys_.find(id);
  if (known == keys_.end()) {
    return;
  }
  const auto at = find(known->second);
  WaitingTask waiting = std::move(at->waiting);
  order_.erase(at);
  keys_.erase(known);
  waiting.priority = priority;
  push(std::move(waiting));
}

void RunTimes::add(std::chrono::duration<double> run) {
  runs_.push_back(run);
  if (runs_.size() > remembered_runs) {
    runs_.pop_front();
  }
}

std::chrono::seconds RunTimes::until_room() const {
  if (runs_.empty()) {
    return unknown_wait;
  }
  const auto sum = std::accumulate(runs_.begin(), runs_.end(), std::chrono::duration<double>(0));
  const double mean_s = std::ceil(sum.count() / static_cast<double>(runs_.size()));
  const auto clamped = std::clamp(mean_s, static_cast<double>(shortest_wait.count()),
                                  static_cast<double>(longest_wait.count()));
  return std::chrono::seconds(static_cast<std::int64_t>(clamped));
}

std::unique_lock<std::mutex> TaskBoard::change() {
  std::unique_lock lock(mutex_);
  ++revision_;
  return lock;
}

void TaskBoard::open(std::vector<WaitingTask> waiting) {
  const auto lock = change();
  for (auto& task : waiting) {
    queue_.push(std::move(task));
  }
  open_ = true;
}

void TaskBoard::close() {
  const std::lock_guard lock(mutex_);
  open_ = false;
}

void TaskBoard::stop() {
  {
    const std::lock_guard lock(mutex_);
    open_ = false;
    stopping_ = true;
    if (running_) {
      running_->stop = true;
    }
  }
  wake_.notify_all();
}

bool TaskBoard::is_open() const {
  const std::lock_guard lock(mutex_);
  return open_;
}

void TaskBoard::push(WaitingTask waiting) {
  {
    const auto lock = change();
    queue_.push(std::move(waiting));
  }
  wake_.notify_one();
}

std::optional<WaitingTask> TaskBoard::stop_or_take(const QueuedTask& task) {
  const auto lock = change();
  // First the queue: a resumed search may wait while its former run still tidies up.
  auto waiting = queue_.take(task);
  if (!waiting && running_ && QueuedTask{running_->id, running_->kind} == task) {
    running_->cancelled = true;
    running_->stop = true;
  }
  return waiting;
}

bool TaskBoard::take_unless_running(const QueuedTask& task, std::string_view stored_status,
                                    std::optional<WaitingTask>& waiting) {
  const auto lock = change();
  if (is_running(task.id, stored_status)) {
    return false;
  }
  waiting = queue_.take(task);
  return true;
}

void TaskBoard::set_priority(const std::string& id, int priority) {
  const auto lock = change();
  queue_.set_priority(id, priority);
}

std::size_t TaskBoard::length() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

std::optional<std::size_t> TaskBoard::position(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  return queue_.position(id);
}

std::chrono::seconds TaskBoard::until_room() const {
  const std::lock_guard lock(mutex_);
  return run_times_.until_room();
}

/// With mutex_ held.
bool TaskBoard::is_running(const std::string& id, std::string_view stored_status) const {
  return running_ && running_->id == id && !is_final(stored_status) && !failures_.contains(id) &&
         !queue_.contains(id);
}

bool TaskBoard::runs_or_waits(const std::string& id, std::string_view stored_status) const {
  const std::lock_guard lock(mutex_);
  return queue_.contains(id) || is_running(id, stored_status);
}

bool TaskBoard::is_stopping(const std::string& id, std::string_view stored_status) const {
  const std::lock_guard lock(mutex_);
  return is_running(id, stored_status) && running_->cancelled;
}

std::optional<engine::SearchProgress> TaskBoard::progress(const std::string& id,
                                                          std::string_view stored_status) const {
  const std::lock_guard lock(mutex_);
  return is_running(id, stored_status) ? std::optional(running_->progress()) : std::nullopt;
}

std::optional<std::string> TaskBoard::batch(const std::string& id,
                                            std::string_view stored_status) const {
  const std::lock_guard lock(mutex_);
  return is_running(id, stored_status) ? running_->batch() : std::nullopt;
}

void TaskBoard::keep_failure(const std::string& id, Failure failure) {
  const auto lock = change();
  failures_[id] = std::move(failure);
}

void TaskBoard::forget_failure(const std::string& id) {
  const auto lock = change();
  failures_.erase(id);
}

std::optional<std::string> TaskBoard::failure_of(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto known = failures_.find(id);
  return known == failures_.end() ? std::nullopt : std::optional(known->second.reason);
}

std::map<std::string, TaskBoard::Failure> TaskBoard::failures() const {
  const std::lock_guard lock(mutex_);
  return failures_;
}

void TaskBoard::want_tidying() {
  {
    const std::lock_guard lock(mutex_);
    tidying_wanted_ = true;
  }
  wake_.notify_one();
}

Turn TaskBoard::next() {
  std::unique_lock lock(mutex_);
  const std::chrono::seconds patience = failures_.empty() ? tidy_interval : retry_interval;
  wake_.wait_for(lock, patience, [&] { return stopping_ || tidying_wanted_ || !queue_.empty(); });
  if (stopping_) {
    return Turn::stop;
  }
  if (!queue_.empty()) {
    ++revision_;
    auto next = queue_.pop();
    running_ = std::make_unique<RunningSearch>(std::move(next.task), std::move(next.plan));
    run_began_ = std::chrono::steady_clock::now();
    return Turn::run;
  }
  const bool tidies = std::exchange(tidying_wanted_, false) || failures_.empty();
  return tidies ? Turn::tidy : Turn::retry;
}

void TaskBoard::end() {
  const auto lock = change();
  run_times_.add(std::chrono::steady_clock::now() - run_began_);
  running_.reset();
  tidying_wanted_ = true;  // there is one more that has ended
}

}  // namespace macrostep::server
