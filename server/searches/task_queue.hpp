// What waits to be run, searches and analyses, in the order in which it will be.
//
// The higher priority comes first, of the same priority what was queued earlier; and waiting
// counts, too: a minute of it is worth a point of priority, so that nothing starves behind a stream
// of what is more important. All that waits gains alike, hence two never change places while both
// wait: their order is that of queued_at − priority · 1 min, and no clock is asked.
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "server/base/time_text.hpp"
#include "server/searches/search_plan.hpp"

namespace macrostep::server {

/// What a point of priority is worth.
inline constexpr std::chrono::minutes waiting_per_priority_point{1};

/// Searches and analyses are queued and run alike.
enum class TaskKind { search, analysis };

struct QueuedTask {
  std::string id;
  TaskKind kind = TaskKind::search;
  std::string request_id = {};  ///< that asked for it; empty after a start

  bool operator==(const QueuedTask& other) const { return id == other.id && kind == other.kind; }
};

struct WaitingTask {
  QueuedTask task;
  int priority = 0;
  Milliseconds queued_at{};
  SharedSearchPlan plan = nullptr;  ///< of a search; null: it is read when it runs
};

/// So many of those that wait keep their plans, which may be large; what is queued behind them is
/// read when it runs.
inline constexpr std::size_t most_plans_in_queue = 16;

/// No two tasks in it have the same id.
class TaskQueue {
 public:
  bool empty() const { return order_.empty(); }
  std::size_t size() const { return order_.size(); }
  bool contains(const std::string& id) const { return keys_.contains(id); }
  /// 1 is the next; nothing if it does not wait. Takes no longer in a long queue.
  std::optional<std::size_t> position(const std::string& id) const;

  void push(WaitingTask waiting);
  /// Takes out the next; there must be one.
  WaitingTask pop();
  /// Takes it out, if it waits: push() puts it back where it was, but behind what was queued in the
  /// same moment with the same priority.
  std::optional<WaitingTask> take(const QueuedTask& task);
  /// As if it had been queued with it.
  void set_priority(const std::string& id, int priority);

 private:
  struct Key {
    std::chrono::milliseconds rank{};
    std::uint64_t arrival = 0;  ///< of equal ranks the one that came first

    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    Key key;
    WaitingTask waiting;
  };
  std::deque<Entry>::iterator find(const Key& key);

  std::deque<Entry> order_;
  std::map<std::string, Key> keys_;
  std::uint64_t arrivals_ = 0;
};

/// How long the last runs took: from that, when there is room in a full queue.
class RunTimes {
 public:
  static constexpr std::size_t remembered_runs = 20;
  static constexpr std::chrono::seconds shortest_wait{1};
  static constexpr std::chrono::seconds longest_wait{300};
  static constexpr std::chrono::seconds unknown_wait{10};  ///< before the first run has ended

  void add(std::chrono::duration<double> run);
  /// The mean of the last runs, in whole seconds within these limits.
  std::chrono::seconds until_room() const;

 private:
  std::deque<std::chrono::duration<double>> runs_;
};

}  // namespace macrostep::server
