// All of an instance of an exported FMU that a run depends on, as numbers: what an importer saves
// and restores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/fmu_export/instance/phase.hpp"

namespace macrostep::engine {

using FmuState = std::vector<double>;

/// What a state consists of, in its order.
struct FmuStateParts {
  Phase phase = instantiated;
  double time_s = 0;
  double stop_s = 0;
  std::int64_t steps = 0;
  bool started = false;
  std::span<const double> parameters;
  std::span<const double> inputs;
  std::span<const double> externals;
  std::span<const double> input_derivatives;
  std::span<const double> own;  ///< of the subsystem or its equations; empty: not started
};

/// How many numbers there are of each, but for those of the subsystem itself.
struct FmuStateSizes {
  std::size_t parameters = 0;
  std::size_t inputs = 0;
  std::size_t externals = 0;
  std::size_t input_derivatives = 0;
};

void write_state(const FmuStateParts& parts, FmuState& into);

/// The parts lie in the state. Throws CallRefused if it is none of an instance with these sizes.
FmuStateParts read_state(const FmuState& state, const FmuStateSizes& sizes);

}  // namespace macrostep::engine
