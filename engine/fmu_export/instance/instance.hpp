// One instance of an exported FMU: a built-in subsystem behind value references, for both versions
// of FMI and both of its interfaces. The entry points of the library (library/) call it and turn
// what it throws into a status.
//
// Call order, checked by the entry points with phase():
//   set, then enter_initialisation, set and value, exit_initialisation
//   co-simulation    set, do_step, value, …
//   model exchange   set_time, set_states, set, derivatives, value, …
//   save and restore at any time, reset to begin anew
// After a function has thrown CallRefused, only reset, restore and destruction are allowed, unless
// it is a discard, which has changed nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/fmu_export/instance/equations.hpp"
#include "engine/fmu_export/instance/fmu_state.hpp"
#include "engine/fmu_export/instance/phase.hpp"
#include "engine/fmu_export/instance/setup.hpp"
#include "engine/fmu_export/instance/slopes.hpp"
#include "engine/fmu_export/instance/step_inputs.hpp"
#include "engine/fmu_export/instance/variable_table.hpp"

namespace macrostep::engine {

class FmuInstance {
 public:
  /// Throws CallRefused if there is no such subsystem.
  FmuInstance(const FmuSetup& setup, FmuMode mode);
  FmuInstance(const FmuInstance&) = delete;
  FmuInstance& operator=(const FmuInstance&) = delete;

  Phase phase() const { return phase_; }
  FmuMode mode() const { return mode_; }
  const std::string& token() const { return setup_.token; }
  const VariableTable& variables() const { return table_; }
  /// For a transition that does nothing else.
  void set_phase(Phase phase) { phase_ = phase; }

  void enter_initialisation(double start_s, std::optional<double> stop_s);
  void exit_initialisation();
  /// As if just instantiated.
  void reset();

  double time_s() const { return time_s_; }
  double value(std::uint32_t reference);
  void set(std::uint32_t reference, double value);

  // Co-simulation.
  /// d^order u/dt^order at the communication point, for the next step only; order 1 … 4.
  void set_input_derivative(std::uint32_t reference, int order, double value);
  /// By outputs that are derivatives of each other.
  double output_derivative(std::uint32_t reference, int order);
  /// `sample`, if given, is called at instants of the step to set the inputs there.
  void do_step(double start_s, double size_s, const InputSampling& sample);

  // Model exchange.
  void set_time(double time_s);
  std::size_t states() const { return table_.count(VariableKind::state); }
  void set_states(std::span<const double> x);
  void read_states(std::span<double> x);
  void read_derivatives(std::span<double> rate);
  void read_nominals(std::span<double> nominal);

  /// Σ ∂unknown/∂known × seed, by unknown.
  void directional_derivative(const DirectionalDerivative& wanted, std::span<double> sensitivity);

  void save(FmuState& into);
  void restore(const FmuState& state);

 private:
  void build();
  void refresh();
  void start();
  void forget_results();
  void check_step(double start_s, double size_s) const;
  std::span<const double> outputs();
  std::span<const double> current_states();
  std::span<const double> rates();
  const Eigen::MatrixXd& jacobian();
  Equations& equations();

  FmuSetup setup_;
  FmuMode mode_;
  SubsystemDefinition definition_;
  std::unique_ptr<Equations> equations_;          ///< none if they are not known
  std::unique_ptr<models::Subsystem> subsystem_;  ///< of co-simulation
  VariableTable table_;

  Phase phase_ = instantiated;
  double time_s_ = 0;
  double stop_s_ = std::numeric_limits<double>::infinity();
  std::int64_t steps_ = 0;
  std::vector<double> parameters_, built_parameters_;
  std::vector<double> u_, w_;
  std::vector<models::Record> records_;  ///< of the external signals of subsystem_
  StepInputs step_inputs_;
  bool started_ = false;

  std::vector<double> x_, rate_, y_;
  models::SavedState saved_;
  bool outputs_known_ = false, states_known_ = false, rates_known_ = false, slopes_known_ = false;
  Eigen::MatrixXd slopes_;
};

}  // namespace macrostep::engine
