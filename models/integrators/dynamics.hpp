// The equations of a model as plain functions, without a stepper: what a monolithic reference
// solution couples and integrates.
//
//   ẋ = f(x, u, w),  y = g(x, u, w)
//
// with coupling inputs u and external inputs w in the order of the model's ports. Native models are
// no more than that. An FMU also has a time, discrete states and events: EventFunctions.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include "models/integrators/cvode_solver.hpp"

namespace macrostep::models {

using EquationFunction = std::function<void(std::span<const double> x, std::span<const double> u,
                                            std::span<const double> w, std::span<double> result)>;

/// Time and events of equations that have them.
///
/// Protocol, in call order:
///   1. start()        once, before anything is evaluated. From here to the first end_event() the
///                     initial state is being found: outputs() follow the inputs that they are
///                     given, whatever x.
///   2. begin_event()  the discrete states may change from here on to end_event(), and the state is
///                     kept inside: outputs() do not look at x.
///   3. iterate()      once, and again after inputs have changed (outputs() passes them) or where
///                     it asked for it.
///   4. end_event()    everything evolves continuously again, from the state that it leaves.
///   5. set_time(), then derivatives(), outputs() and indicators() for this time; times may go back
///      as far as the last event or end_step().
///   6. end_step()     after outputs() at the end of a step of the solver.
/// And on with 5 or 2; what was evaluated last before begin_event() is where the event happens. All
/// of them throw SubsystemFailed.
struct EventFunctions {
  std::size_t indicator_count = 0;
  std::function<void(double time_s)> start;
  std::function<void()> begin_event;
  /// Whether it must be called again.
  std::function<bool()> iterate;
  /// x becomes the state if that has jumped, and at the start. The time of the next event, ∞ if
  /// none is known.
  std::function<double(std::span<double> x)> end_event;
  /// Typical magnitudes of the states, any time after that.
  std::function<void(std::span<double> nominal)> nominal_states;
  std::function<void(double time_s)> set_time;
  EquationFunction indicators;  ///< values whose changes of sign are events, into `result`
  /// Whether there is an event now.
  std::function<bool()> end_step;
};

struct Dynamics {
  Eigen::VectorXd initial_state;  ///< where there are events, zeros: end_event() tells it
  Eigen::VectorXd nominal_state;  ///< typical magnitudes, for tolerances; likewise
  EquationFunction derivatives;   ///< f into `result`, of the size of x
  EquationFunction outputs;       ///< g into `result`, of the number of outputs
  /// f is linear in (x, u, w), without a constant part, and so is g but for an energy.
  bool linear = false;
  /// Rings with little damping, or has a Jacobian that is infinite somewhere: for Adams' method.
  bool prefers_adams = false;
  /// Nothing for equations that are the same at all times.
  std::optional<EventFunctions> events;
};

/// A model that says of itself that it is linear: `static constexpr bool linear = true`.
template <class Model>
concept LinearModel = Model::linear;

/// A model that is linear but for a constant part: `static constexpr bool affine = true`, or
/// linear.
template <class Model>
concept AffineModel = LinearModel<Model> || Model::affine;

/// A model that says `static constexpr CvodeMethod cvode_method = CvodeMethod::adams`.
template <class Model>
concept AdamsModel = Model::cvode_method == CvodeMethod::adams;

template <class Model>
Dynamics dynamics_of(Model model) {
  const auto forcing = [](std::span<const double> u, std::span<const double> w) {
    typename Model::Forcing values{};
    std::copy(u.begin(), u.end(), values.u.begin());
    std::copy(w.begin(), w.end(), values.w.begin());
    return values;
  };
  const auto state = [](std::span<const double> x) {
    typename Model::State values;
    std::copy(x.begin(), x.end(), values.begin());
    return values;
  };
  return {.initial_state = model.initial_state(),
          .nominal_state = model.nominal_state(),
          .derivatives =
              [=](auto x, auto u, auto w, std::span<double> rate) {
                const auto values = model.derivatives(state(x), forcing(u, w));
                std::copy(values.begin(), values.end(), rate.begin());
              },
          .outputs = [=](auto x, auto u, auto w,
                         std::span<double> y) { model.outputs(state(x), forcing(u, w), y); },
          .linear = LinearModel<Model>,
          .prefers_adams = AdamsModel<Model>};
}

}  // namespace macrostep::models
