// A joystick record for the cranes: the voltage that a driver's lever gives to the valves, over
// 20 s, for want of the one behind fig. 8 of Rahikainen, González and Naya (2019), which is not
// public. The driver tries the lever with quick reversals, lowers the boom into its end dampers,
// raises it over the whole stroke into those at the other end, shakes it there, and lets go.
//
// Between two positions of the lever the hand moves as hands do, with the least jerk (Flash and
// Hogan 1985),
//
//   v(t) = v0 + (v1 − v0)(10 τ³ − 15 τ⁴ + 6 τ⁵),   τ = (t − t0)/(t1 − t0)
//
// and trembles in proportion to the deflection, as sin at 7.3 Hz (2 %) and 3.1 Hz (1 %). Sampled
// at 25 Hz with 0.01 V of resolution within ±10 V; straight lines between the samples.
#pragma once

#include "models/subsystem/signal.hpp"

namespace macrostep::models {

inline constexpr double joystick_duration_s = 20;

/// The points of joystick.csv.
Record joystick();

}  // namespace macrostep::models
