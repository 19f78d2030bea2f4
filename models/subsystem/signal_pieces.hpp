// A signal between two of its events, where it is smooth: what solvers need that must not step
// across a jump or a kink.
#pragma once

#include "models/subsystem/signal.hpp"

namespace macrostep::models {

/// The signal from one event to the next, continued beyond both: at the end of the piece it has the
/// value from before the event.
struct SignalPiece {
  Signal signal;  ///< the sine; a line has no amplitude
  double line_s = 0;
  double line_value = 0;
  double slope_per_s = 0;

  bool is_line() const { return signal.amplitude == 0; }
  double value(double time_s) const {
    return is_line() ? line_value + slope_per_s * (time_s - line_s) : signal.value(time_s);
  }
};

/// The piece that begins at time_s (an event, or within a piece).
inline SignalPiece piece_from(const Signal& signal, double time_s) {
  SignalPiece piece{.signal = signal, .line_s = time_s, .line_value = signal.value(time_s)};
  if (signal.record) {
    piece.slope_per_s = signal.record->slope_per_s(signal.record->points_until(time_s));
    return piece;
  }
  const double t = time_s + event_tolerance_s;
  if (t >= signal.begin_s && t < signal.full_s && t < signal.end_s) {
    piece.slope_per_s = (signal.peak - signal.base) / (signal.full_s - signal.begin_s);
  }
  return piece;
}

}  // namespace macrostep::models
