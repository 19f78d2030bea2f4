// External inputs of several trials. Lanes with equal signals evaluate them once.
#pragma once

#include <array>
#include <cstddef>

#include "models/lane_subsystem.hpp"

namespace macrostep::models {

class LaneSignals {
 public:
  void bind(std::size_t lane, const ExternalSignal& external);

  /// Before the micro-steps of a macro-step; held inputs keep what they have at its start.
  void begin(double start_s, double end_s);
  /// Whether no lane's input moves until its end.
  bool stand_still() const { return stand_still_; }
  void values(double time_s, LaneValues& into) const;

 private:
  std::array<ExternalSignal, lane_count> externals_{};
  std::array<std::size_t, lane_count> same_as_{};  ///< the first lane with this signal
  LaneValues held_{};                              ///< of inputs that do not move
  std::array<bool, lane_count> moves_{};
  bool stand_still_ = true;
};

}  // namespace macrostep::models
