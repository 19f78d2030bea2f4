// The one interface between a coupled simulator and the co-simulation master.
//
// Protocol, in call order:
//   1. describe()  any time; ports never change afterwards.
//   2. start()     once, before anything below; sets the initial state and binds external inputs.
//   3. outputs()   any number of times at the current communication point: y = g(x, u, w). At the
//                  start the master calls it repeatedly to resolve direct feedthrough; after a step
//                  it passes the inputs as applied (extrapolated) at the end of that step.
//   4. step()      advances from macro.start_s by macro.size_s with inputs u(t) given as
//                  polynomials. Steps follow each other without gaps; micro-steps never
//                  communicate.
//   5. state()     the vector that step() advances, to be read and set between steps.
//   6. linearise() the Jacobians at the present state, between steps; only if the description says
//                  provides_jacobians.
//   7. save()      writes the present state down; restore() returns to it, any number of times.
//                  Both are called between steps, and only if the description says can_roll_back.
// A step that does not return StepStatus::ok leaves the state undefined: only restore() and
// destruction are allowed. An instance belongs to one trial and one thread. start() may allocate,
// and the first linearise(), and save() into what it has not written to before; nothing else does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/subsystem/input_polynomial.hpp"
#include "models/subsystem/linearisation.hpp"
#include "models/subsystem/signal.hpp"

namespace macrostep::models {

struct InputPort {
  std::string name;
  std::string unit;
  bool discrete = false;  ///< takes values that jump: held over a macro-step, never continued
  bool whole = false;     ///< takes integers or booleans
};

struct OutputPort {
  std::string name;
  std::string unit;
  double nominal = 1;  ///< typical magnitude, in `unit`; a trial diverges at a multiple of it
  /// Index of the output that is this one's time derivative.
  std::optional<std::size_t> derivative;
  /// Indices of the inputs it depends on without delay (direct feedthrough).
  std::vector<std::size_t> direct_inputs;
  bool discrete = false;  ///< its values jump
  bool whole = false;     ///< integers or booleans
};

struct ExternalPort {
  std::string name;
  std::string unit;
};

struct Description {
  std::vector<InputPort> inputs;
  std::vector<OutputPort> outputs;
  std::vector<ExternalPort> externals;
  double rhs_weight = 1;  ///< cost of one right-hand-side evaluation, in those of a spring and mass
  bool can_roll_back = true;
  bool affine = false;  ///< its derivatives, in state, inputs and external inputs
  std::optional<std::size_t> energy_output;  ///< index of the output that is its energy [J]
  /// Told by the subsystem itself, not by what it is made from: integrators differ.
  bool provides_jacobians = false;
  bool integrates_inputs = false;  ///< InputModel::dynamics; likewise
};

/// The macro-step [start_s, start_s + size_s], the index-th of its trial.
struct MacroStep {
  std::int64_t index = 0;
  double start_s = 0;
  double size_s = 0;
};

/// All that the way from here depends on, as save() tells it: another instance of the same
/// subsystem may be brought to it, too. What runs foreign code keeps its state to itself, the last
/// one saved, and tells nothing.
struct SavedState {
  std::vector<double> values;
};

enum class StepStatus { ok, solver_failed, subsystem_failed };

struct StepResult {
  StepStatus status = StepStatus::ok;
  std::int64_t rhs_evaluations = 0;
  const char* reason = "";  ///< valid until the next call of the subsystem
};

/// Foreign code that cannot go on, thrown by start(), outputs(), linearise() and save(); nothing
/// but destruction is allowed afterwards. What is ours does not fail there.
struct SubsystemFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Subsystem {
 public:
  virtual ~Subsystem() = default;

  virtual const Description& describe() const = 0;

  /// One signal per external port, in port order; the caller keeps them alive.
  virtual void start(double time_s, std::span<const ExternalSignal> externals) = 0;

  /// Outputs at time_s, the current communication point, for the input values u (input port order)
  /// into y (output port order).
  virtual void outputs(double time_s, std::span<const double> u, std::span<double> y) = 0;

  virtual StepResult step(const MacroStep& macro, const InputModel& input) = 0;

  /// Empty if there is no state; nothing if what goes on from here depends on more than a vector.
  virtual std::optional<std::span<double>> state() = 0;

  /// At time_s, the current communication point, for the input values u (input port order). False,
  /// with `into` as it was, if this subsystem does not provide Jacobians.
  virtual bool linearise(double time_s, std::span<const double> u, Linearisation& into) = 0;

  virtual void save(SavedState& into) = 0;
  virtual void restore(const SavedState& saved) = 0;
};

/// Number of equal micro-steps in a macro-step: the fewest not longer than the maximum.
/// `micro_step_s` absent means one micro-step per macro-step.
int micro_steps_in(double macro_step_s, std::optional<double> micro_step_s);

/// The micro-steps of a macro-step, kept while its size stays the same.
struct MicroSteps {
  double macro_step_s = 0;
  int count = 1;
  double size_s = 0;  ///< h
  double share = 1;   ///< h / H

  void fit(double size_of_macro_step_s, std::optional<double> micro_step_s) {
    if (size_of_macro_step_s != macro_step_s) {
      macro_step_s = size_of_macro_step_s;
      count = micro_steps_in(macro_step_s, micro_step_s);
      size_s = macro_step_s / count;
      share = 1.0 / count;
    }
  }
};

}  // namespace macrostep::models
