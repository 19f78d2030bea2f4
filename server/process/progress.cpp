#include "server/process/progress.hpp"

#include <algorithm>

namespace macrostep::server {

namespace {

/// So many times the longest interval so far is unusual.
constexpr double unusual_factor = 5;
/// But no less than this, some looks at a trial.
constexpr double least_stall_s = 0.1;
/// Before anything is known, and at most: a share of the timeout.
constexpr double stall_share = 0.25;
/// Slowed down by others, a macro-step as long as the longest takes at most this share of it.
constexpr double slowed_share = 0.25;

}  // namespace

void Pace::note_interval(double seconds) {
  double longest_s = longest_s_.load(std::memory_order_relaxed);
  while (seconds > longest_s && !longest_s_.compare_exchange_weak(longest_s, seconds)) {
  }
}

double Pace::stall_s() const {
  const double longest_s = longest_s_.load(std::memory_order_relaxed);
  const double most_s = stall_share * step_timeout_s_;
  return longest_s == 0 ? most_s
                        : std::min(most_s, std::max(least_stall_s, unusual_factor * longest_s));
}

int Pace::stalled_beside() const {
  const double longest_s = std::max(least_stall_s, longest_s_.load(std::memory_order_relaxed));
  const double processes = processors_ * slowed_share * step_timeout_s_ / longest_s;
  return static_cast<int>(std::clamp(processes - processors_, 0.0, double{max_stalled}));
}

void Progress::look() {
  const auto now = counter_.load(std::memory_order_relaxed);
  if (now != value_) {
    pace_.note_interval(since_last_s());
    value_ = now;
    last_ = Clock::now();
  }
  set_stalls(since_last_s() > pace_.stall_s());
}

void Progress::set_stalls(bool stalls) {
  if (stalls != stalls_) {
    stalls_ = stalls;
    on_stall_(stalls);
  }
}

}  // namespace macrostep::server
