#include "models/lanes/lane_signals.hpp"

#include <limits>

namespace macrostep::models {

namespace {

constexpr double never_s = std::numeric_limits<double>::infinity();

}  // namespace

LaneSignals::LaneSignals() {
  still_from_s_.fill(never_s);
  still_until_s_.fill(-never_s);
}

void LaneSignals::bind(std::size_t lane, const ExternalSignal& external) {
  if (externals_[lane] == external) {
    return;
  }
  externals_[lane] = external;
  still_from_s_[lane] = never_s;
  for (std::size_t i = 0; i < lane_count; ++i) {
    same_signal_[i] = 0;
    while (same_signal_[i] < i && !(externals_[same_signal_[i]] == externals_[i])) {
      ++same_signal_[i];
    }
  }
}

void LaneSignals::begin(const LaneValues& start_s, double length_s) {
  start_s_ = start_s;
  moving_ = 0;
  following_ = 0;
  bool all_still = true;
  for (std::size_t i = 0; i < lane_count; ++i) {
    all_still &= is_still(i, length_s);
  }
  if (all_still) {
    return;
  }
  for (std::size_t i = 0; i < lane_count; ++i) {
    if (is_still(i, length_s)) {
      continue;
    }
    const auto& [signal, sampling] = externals_[i];
    const bool is_constant = signal.is_constant(start_s[i], start_s[i] + length_s);
    if (sampling == Sampling::continuous && !is_constant) {
      const std::size_t same = same_signal_[i];
      if (same != i && start_s[same] == start_s[i]) {
        follows_[following_++] = i;
      } else {
        moves_[moving_++] = i;
      }
      continue;
    }
    held_[i] = signal.value(start_s[i]);
    still_from_s_[i] = is_constant ? start_s[i] : never_s;
    // Within rounding of the event the signal itself is asked.
    still_until_s_[i] = signal.next_event_s(start_s[i]) - 2 * event_tolerance_s;
  }
}

void LaneSignals::values(double after_s, LaneValues& into) const {
  into = held_;
  for (std::size_t n = 0; n < moving_; ++n) {
    const std::size_t lane = moves_[n];
    into[lane] = externals_[lane].signal.value(start_s_[lane] + after_s);
  }
  for (std::size_t n = 0; n < following_; ++n) {
    into[follows_[n]] = into[same_signal_[follows_[n]]];
  }
}

}  // namespace macrostep::models
