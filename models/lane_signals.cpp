#include "models/lane_signals.hpp"

namespace macrostep::models {

void LaneSignals::bind(std::size_t lane, const ExternalSignal& external) {
  externals_[lane] = external;
  for (std::size_t i = 0; i < lane_count; ++i) {
    same_as_[i] = 0;
    while (!(externals_[same_as_[i]] == externals_[i])) {
      ++same_as_[i];
    }
  }
}

void LaneSignals::begin(double start_s, double end_s) {
  stand_still_ = true;
  for (std::size_t i = 0; i < lane_count; ++i) {
    if (const std::size_t same = same_as_[i]; same != i) {
      held_[i] = held_[same];
      moves_[i] = moves_[same];
      continue;
    }
    const auto& [signal, sampling] = externals_[i];
    moves_[i] = sampling == Sampling::continuous && !signal.is_constant(start_s, end_s);
    stand_still_ &= !moves_[i];
    held_[i] = signal.value(start_s);
  }
}

void LaneSignals::values(double time_s, LaneValues& into) const {
  for (std::size_t i = 0; i < lane_count; ++i) {
    if (!moves_[i]) {
      into[i] = held_[i];
    } else if (same_as_[i] == i) {
      into[i] = externals_[i].signal.value(time_s);
    } else {
      into[i] = into[same_as_[i]];
    }
  }
}

}  // namespace macrostep::models
