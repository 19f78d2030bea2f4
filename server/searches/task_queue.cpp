#include "server/searches/task_queue.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace macrostep::server {

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

}  // namespace macrostep::server
