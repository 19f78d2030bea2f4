// Test inputs as the default jobs list them.
#pragma once

#include <string>
#include <vector>

#include "engine/problem/test_input.hpp"

namespace macrostep::engine {

/// No external input; `name` as in the contract of every problem.
inline TestInput free_motion(double duration_s) {
  return {.name = "none", .kind = TestKind::none, .duration_s = duration_s};
}

/// Step, ramp and impulse over the same time; the impulse lasts 0.4 of it, as in the paper of the
/// method.
inline std::vector<TestInput> step_ramp_impulse(double duration_s) {
  constexpr double impulse_share = 0.4;
  return {{.name = "step", .kind = TestKind::step, .duration_s = duration_s},
          {.name = "ramp", .kind = TestKind::ramp, .duration_s = duration_s},
          {.name = "impulse",
           .kind = TestKind::impulse,
           .duration_s = duration_s,
           .width_s = impulse_share * duration_s}};
}

/// "sine_2.5hz", over whole periods.
inline TestInput sine(const std::string& frequency, double periods) {
  const double frequency_hz = std::stod(frequency);
  return {.name = "sine_" + frequency + "hz",
          .kind = TestKind::sine,
          .duration_s = periods / frequency_hz,
          .frequency_hz = frequency_hz,
          .periods = periods};
}

}  // namespace macrostep::engine
