// How trials in workers get on, and what of it is unusual.
//
// A trial that hangs waits for its timeout, and meanwhile another one may work in its place. But
// one that is only slow must not get so much company that it comes to its timeout for lack of
// processors. What tells them apart is how long macro-steps have taken so far.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>

namespace macrostep::server {

/// At most so many trials wait for their timeouts beside those that work: each holds a process, its
/// memory and descriptors.
inline constexpr int max_stalled = 1;

/// How fast all trials of a pool progress; used from several threads.
class Pace {
 public:
  Pace(double step_timeout_s, int processors)
      : step_timeout_s_(step_timeout_s), processors_(processors) {}

  double step_timeout_s() const { return step_timeout_s_; }
  /// Between two signs of progress of a trial.
  void note_interval(double seconds);
  /// A trial without progress for longer stalls.
  double stall_s() const;
  /// How many may stall while others work in their place, lest macro-steps as long as the longest
  /// so far come near the timeout.
  int stalled_beside() const;

 private:
  const double step_timeout_s_;
  const int processors_;
  std::atomic<double> longest_s_ = 0;
};

/// The progress of one trial, looked at from time to time.
class Progress {
 public:
  /// `on_stall` is called with true when the trial stalls, and with false when it goes on or ends.
  Progress(const std::atomic<std::int64_t>& counter, Pace& pace,
           const std::function<void(bool stalls)>& on_stall)
      : counter_(counter), pace_(pace), on_stall_(on_stall) {}
  ~Progress() { set_stalls(false); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void look();
  bool is_timed_out() const { return since_last_s() > pace_.step_timeout_s(); }
  /// TrialSettings::progress, when it was looked at last.
  std::int64_t value() const { return value_; }

 private:
  using Clock = std::chrono::steady_clock;

  double since_last_s() const {
    return std::chrono::duration<double>(Clock::now() - last_).count();
  }
  void set_stalls(bool stalls);

  const std::atomic<std::int64_t>& counter_;
  Pace& pace_;
  const std::function<void(bool stalls)>& on_stall_;
  Clock::time_point last_ = Clock::now();
  std::int64_t value_ = 0;
  bool stalls_ = false;
};

}  // namespace macrostep::server
