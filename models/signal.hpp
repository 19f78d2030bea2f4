// A scalar function of time that drives an external input of a subsystem.
//
// Two shapes cover the four test inputs of Rahikainen, González and Naya (2019), eqs. 12-15:
//   pulse  w(t) = base before begin_s and from end_s on, peak between full_s and end_s, and the
//          straight line from base to peak between begin_s and full_s (step: full = begin, end = ∞;
//          ramp: end = ∞; impulse: full = begin)
//   sine   w(t) = base + amplitude·sin(2π·frequency·t)
// A constant is a pulse that never begins.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>

namespace macrostep::models {

/// Events count as reached this much early, so that t = n·H rounded down still meets them.
inline constexpr double event_tolerance_s = 1e-12;

struct Signal {
  double base = 0;
  double peak = 0;
  double begin_s = std::numeric_limits<double>::infinity();
  double full_s = std::numeric_limits<double>::infinity();
  double end_s = std::numeric_limits<double>::infinity();
  double amplitude = 0;
  double frequency_hz = 0;

  double value(double time_s) const {
    if (amplitude != 0) {
      return base + amplitude * std::sin(2 * std::numbers::pi * frequency_hz * time_s);
    }
    const double t = time_s + event_tolerance_s;
    if (t < begin_s || t >= end_s) {
      return base;
    }
    return t >= full_s ? peak : base + (peak - base) * (time_s - begin_s) / (full_s - begin_s);
  }
};

/// When a subsystem sees its external input: exactly at every micro-step stage, or as a rig's
/// sample-and-hold does, only at the communication points.
enum class Sampling { continuous, held };

struct ExternalSignal {
  Signal signal;
  Sampling sampling = Sampling::continuous;
};

}  // namespace macrostep::models
