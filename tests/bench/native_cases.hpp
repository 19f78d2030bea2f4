// Every native model but the crane and its actuator (crane_bench.cpp), with every integrator of a
// fixed step: micro-steps of the engine and of a loop written by hand (bare/steps.hpp), for those
// who time them, count their instructions, or compare what they compute. `exact` and `cvode` are
// solvers that choose their own steps and have no loop by hand.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace macrostep::bench {

/// Few macro-steps of many micro-steps, so that a call weighs nothing beside its steps.
inline constexpr int native_macro_steps = 5;
inline constexpr int native_micro_steps = 1000;

struct NativeCase {
  std::string name;  ///< model/integrator
  std::size_t states = 0;
  /// Both begin anew and write the state after all macro-steps; false if a step failed.
  std::function<bool(std::span<double> end)> engine, bare;
};

std::vector<NativeCase> native_cases();

/// The largest difference of two end states. Each half of a state, coordinates and velocities or
/// one pressure and the other, is held against its largest value: one of a pendulum's two
/// velocities may happen to pass through 0.
double relative_difference(std::span<const double> engine, std::span<const double> bare);

/// Engine and loop differ in the order of operations alone: by rounding.
inline constexpr double native_tolerance = 1e-12;

}  // namespace macrostep::bench
