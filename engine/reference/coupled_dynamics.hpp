// The equations of all subsystems of a coupling as one system, for one solver:
//
//   ẋ = f(t, x, u, w),   y = g(t, x, u, w),   u = L y
//
// with x the states of all subsystems one after the other, and the inputs u resolved at every
// evaluation. Some subsystems may have events (models/integrators/dynamics.hpp): they happen to all
// of them at once, as what one does then changes the inputs of others.
//
// What comes from subsystems with events throws SubsystemFailed.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"
#include "models/integrators/dynamics.hpp"

namespace macrostep::engine {

class CoupledDynamics {
 public:
  /// The graph must outlive it.
  CoupledDynamics(const Coupling& coupling, const CouplingGraph& graph);

  std::size_t states() const { return initial_.size(); }
  bool linear() const { return linear_; }
  bool prefers_adams() const { return adams_; }
  /// Those of subsystems without events; start() gives all of them.
  std::span<const double> initial_states() const { return initial_; }
  std::span<const double> nominal_states() const { return nominal_; }

  /// w of all subsystems, one after the other, for all calls below.
  std::span<double> externals() { return w_; }
  void derivatives(double time_s, std::span<const double> x, std::span<double> rate);
  void find_outputs(double time_s, std::span<const double> x);
  /// A of ẋ = A x + B w, where all is linear and externals() are 0.
  Eigen::MatrixXd state_matrix();
  std::span<const double> outputs() const { return y_; }
  /// Whether all loops of direct feedthrough have settled so far; outputs are NaN where not.
  bool settled() const { return settled_; }

  // --- events
  bool has_events() const { return has_events_; }
  /// Before anything is evaluated; x becomes the initial state.
  void start(std::span<double> x);
  /// Something happens now; x may jump.
  void handle_event(double time_s, std::span<double> x);
  /// A step of the solver has ended. Whether there is an event now.
  bool end_step(double time_s, std::span<const double> x);
  /// ∞ if none is known.
  double next_event_s() const;
  std::size_t indicators() const { return indicators_; }
  /// Values whose changes of sign are events.
  void find_indicators(double time_s, std::span<const double> x, std::span<double> values);

 private:
  using Values = std::span<const double>;

  struct Part {
    models::Dynamics dynamics;
    std::size_t first_state = 0, states = 0;
    std::size_t first_external = 0, externals = 0;
    PortRange inputs, outputs;
    double next_event_s = 0;
    bool iterates = false;      ///< its discrete states have not settled
    std::vector<double> met_u;  ///< inputs at its last iteration

    Values state(Values x) const { return x.subspan(first_state, states); }
  };

  Values inputs_of(const Part& part) const {
    return Values(u_).subspan(part.inputs.first, part.inputs.count);
  }
  Values externals_of(const Part& part) const {
    return Values(w_).subspan(part.first_external, part.externals);
  }
  void set_time(double time_s);
  void resolve(Values x);
  void settle(std::span<double> x);
  bool must_iterate(const Part& part) const;

  const CouplingGraph& graph_;
  std::vector<Part> parts_;
  std::vector<double> initial_, nominal_, w_, u_, y_;
  bool linear_ = true, adams_ = false, has_events_ = false, settled_ = true;
  std::size_t indicators_ = 0;
};

}  // namespace macrostep::engine
