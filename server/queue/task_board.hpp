// What waits, what runs and what failed without being stored: what requests and the worker thread
// of a server tell each other, under one mutex that is never held while the store is used.
//
// Requests call everything but next() and end(), which are the worker's alone.
#pragma once

#include <atomic>
#include <chrono>
#include <compare>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/search/progress_count.hpp"
#include "server/base/time_text.hpp"
#include "server/searches/search_plan.hpp"
#include "server/searches/search_run.hpp"

namespace macrostep::server {

/// What a point of priority is worth.
inline constexpr std::chrono::minutes waiting_per_priority_point{1};

struct WaitingTask {
  QueuedTask task;
  int priority = 0;
  Milliseconds queued_at{};
  SharedSearchPlan plan = nullptr;  ///< of a search; null: it is read when it runs
};

/// So many of those that wait keep their plans, which may be large; what is queued behind them is
/// read when it runs.
inline constexpr std::size_t most_plans_in_queue = 16;

/// What waits, in the order in which it will be run. No two tasks in it have the same id.
///
/// The higher priority comes first, of the same priority what was queued earlier; and waiting
/// counts, too: a minute of it is worth a point of priority, so that nothing starves behind a
/// stream of what is more important. All that waits gains alike, hence two never change places
/// while both wait: their order is that of queued_at − priority · 1 min, and no clock is asked.
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

/// What is to be done next.
enum class Turn {
  run,    ///< running() has been taken out of the queue
  retry,  ///< nothing waits; the store may take the failures that it refused
  tidy,   ///< nothing waits; searches that are not to be kept may go
  stop
};

class TaskBoard {
 public:
  /// A failure that the store did not take yet.
  struct Failure {
    TaskKind kind = TaskKind::search;
    std::string reason;
  };

  // What is accepted.

  void open(std::vector<WaitingTask> waiting);
  /// Nothing new is accepted.
  void close();
  /// Nothing new is accepted, and what runs is interrupted; next() says stop.
  void stop();
  bool is_open() const;

  // The queue.

  void push(WaitingTask waiting);
  /// Asks what runs to end as cancelled, takes what waits out of the queue.
  std::optional<WaitingTask> stop_or_take(const QueuedTask& task);
  /// False: it runs. Else it does not wait any more; push() puts it back.
  bool take_unless_running(const QueuedTask& task, std::string_view stored_status,
                           std::optional<WaitingTask>& waiting);
  void set_priority(const std::string& id, int priority);
  std::size_t length() const;
  std::optional<std::size_t> position(const std::string& id) const;
  /// When there may be room in a full queue.
  std::chrono::seconds until_room() const;

  // What runs. Once its end is stored, or could not be, a search is no longer running, even if the
  // worker still tidies up; nor is one that waits to be resumed meanwhile.

  bool runs_or_waits(const std::string& id, std::string_view stored_status) const;
  /// Running, but asked to end as cancelled.
  bool is_stopping(const std::string& id, std::string_view stored_status) const;
  /// Nothing if it does not run.
  std::optional<engine::SearchProgress> progress(const std::string& id,
                                                 std::string_view stored_status) const;

  /// Nothing if it does not run, or here.
  std::optional<std::string> batch(const std::string& id, std::string_view stored_status) const;

  // Failures.

  void keep_failure(const std::string& id, Failure failure);
  void forget_failure(const std::string& id);
  std::optional<std::string> failure_of(const std::string& id) const;
  std::map<std::string, Failure> failures() const;

  /// Grows with every change of the queue, of what runs and of the failures, before its call
  /// returns. Takes no lock.
  std::uint64_t revision() const { return revision_; }

  /// There may be searches that are not to be kept: after what is queued, their turn comes.
  void want_tidying();

  // The worker.

  /// Waits until there is something to do, or might be after some time.
  Turn next();
  /// What was taken out of the queue by next().
  RunningSearch& running() const { return *running_; }
  void end();

 private:
  bool is_running(const std::string& id, std::string_view stored_status) const;
  /// Locks for a change, and counts it: who reads while it is made waits for it.
  std::unique_lock<std::mutex> change();

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  TaskQueue queue_;
  RunTimes run_times_;
  std::chrono::steady_clock::time_point run_began_;
  std::unique_ptr<RunningSearch> running_;
  std::map<std::string, Failure> failures_;  // by id
  std::atomic<std::uint64_t> revision_ = 0;
  bool open_ = false;
  bool stopping_ = false;
  bool tidying_wanted_ = true;
};

}  // namespace macrostep::server
