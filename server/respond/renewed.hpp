// A value that is costly to find, for many who ask: found again when it is old, by one of them.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <utility>

namespace macrostep::server {

/// From any thread. Nobody waits: while somebody finds it again, the others get the last one.
template <class Value>
class Renewed {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = std::function<Clock::time_point()>;

  Renewed(Clock::duration lifetime, std::function<Value()> find, Now now = Clock::now)
      : lifetime_(lifetime), find_(std::move(find)), now_(std::move(now)) {}

  /// Value{} for whoever comes while it is found for the first time.
  Value get() {
    const std::unique_lock finding(finding_, std::try_to_lock);
    if (finding.owns_lock() && now_() >= end_) {
      Value found = find_();
      const std::lock_guard lock(mutex_);
      value_ = std::move(found);
      end_ = now_() + lifetime_;
    }
    const std::lock_guard lock(mutex_);
    return value_;
  }

 private:
  const Clock::duration lifetime_;
  const std::function<Value()> find_;
  const Now now_;
  std::mutex finding_;
  Clock::time_point end_ = Clock::time_point::min();  // of the value's life; with finding_
  std::mutex mutex_;
  Value value_{};
};

}  // namespace macrostep::server
