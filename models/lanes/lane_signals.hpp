// External inputs of several trials. Lanes with equal signals at one time evaluate them once.
#pragma once

#include <array>
#include <cstddef>

#include "models/lanes/lane_subsystem.hpp"

namespace macrostep::models {

class LaneSignals {
 public:
  LaneSignals();

  void bind(std::size_t lane, const ExternalSignal& external);

  /// Before the micro-steps of a macro-step; held inputs keep what they have at its start.
  void begin(const LaneValues& start_s, double length_s);
  /// Whether no lane's input moves until its end.
  bool stand_still() const { return moving_ == 0; }
  void values(double after_s, LaneValues& into) const;

 private:
  bool is_still(std::size_t lane, double length_s) const {
    return start_s_[lane] >= still_from_s_[lane] &&
           start_s_[lane] + length_s < still_until_s_[lane];
  }

  std::array<ExternalSignal, lane_count> externals_{};
  std::array<std::size_t, lane_count> same_signal_{};  ///< the first lane with this signal
  /// Between these a lane's input is known to keep what it holds; empty where nothing is known.
  LaneValues still_from_s_, still_until_s_;
  LaneValues held_{};

  // What belongs to the present macro-step.
  LaneValues start_s_{};
  std::size_t moving_ = 0, following_ = 0;
  std::array<std::size_t, lane_count> moves_{};    ///< lanes whose input moves
  std::array<std::size_t, lane_count> follows_{};  ///< that have one like the first with its signal
};

}  // namespace macrostep::models
