// One instance of an exported FMU: a built-in subsystem behind value references, for both versions
// of FMI and both of its interfaces. The entry points of the library (library/) call it and turn
// what it throws into a status.
//
// Call order, checked by the entry points with phase():
//   set, then enter_initialisation, set and value, exit_initialisation
//   co-simulation    set, do_step, value, …
//   model exchange   set_time, set_states, set, derivatives, value, …
//   save and restore at any time, reset to begin anew
// After a function has thrown Refused, only reset, restore and destruction are allowed, unless it
// is a discard, which has changed nothing.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/fmu_export/equations.hpp"
#include "engine/fmu_export/setup.hpp"
#include "engine/fmu_export/variable_table.hpp"
#include "models/input_polynomial.hpp"

namespace macrostep::engine {

/// Why a call cannot be carried out.
struct Refused : std::runtime_error {
  explicit Refused(const std::string& why, bool is_discard = false)
      : std::runtime_error(why), discard(is_discard) {}
  bool discard;  ///< the instance is as good as before
};

enum class FmuMode { co_simulation, model_exchange };

/// Bits, so that a function can name the phases it is allowed in.
enum Phase : unsigned {
  instantiated = 1,
  initialisation = 2,
  event_mode = 4,
  continuous_time = 8,
  step_mode = 16,
  intermediate_update = 32,
  terminated = 64,
  failed = 128,
};

/// "in the initialisation mode".
const char* name_of(Phase phase);

/// All of an instance that a run depends on, as numbers.
using FmuState = std::vector<double>;

class FmuInstance {
 public:
  /// Throws Refused if there is no such subsystem.
  FmuInstance(const FmuSetup& setup, FmuMode mode);
  FmuInstance(const FmuInstance&) = delete;
  FmuInstance& operator=(const FmuInstance&) = delete;

  Phase phase() const { return phase_; }
  FmuMode mode() const { return mode_; }
  const std::string& token() const { return setup_.token; }
  const VariableTable& variables() const { return table_; }
  /// Of a transition that does nothing else.
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
  /// Called at instants of the step to set the inputs there.
  using Sampling = std::function<void(double time_s)>;
  void do_step(double start_s, double size_s, const Sampling& sample);

  // Model exchange.
  void set_time(double time_s);
  std::size_t states() const { return table_.count(VariableKind::state); }
  void set_states(std::span<const double> x);
  void read_states(std::span<double> x);
  void read_derivatives(std::span<double> rate);
  void read_nominals(std::span<double> nominal);

  /// Σ ∂unknown/∂known × seed, by unknown.
  void directional_derivative(std::span<const std::uint32_t> unknown,
                              std::span<const std::uint32_t> known, std::span<const double> seed,
                              std::span<double> sensitivity);

  void save(FmuState& into);
  void restore(const FmuState& state);

 private:
  static constexpr std::size_t orders = models::max_extrapolation_order;
  using InputDerivatives = std::array<double, orders>;

  VariablePlace place(std::uint32_t reference) const;
  void build();
  void refresh();
  void start();
  void forget_results();
  void sample_inputs(double start_s, double size_s, const Sampling& sample);
  void take_derivatives(double size_s);
  void check_step(double start_s, double size_s) const;
  std::span<const double> outputs();
  std::span<const double> current_states();
  std::span<const double> rates();
  const Eigen::MatrixXd& jacobian();
  void write_own_feedthrough();
  Eigen::Index row_of(std::uint32_t unknown) const;
  Eigen::Index column_of(std::uint32_t known) const;
  Equations& equations();

  FmuSetup setup_;
  FmuMode mode_;
  SubsystemDefinition definition_;
  std::optional<Equations> equations_;            ///< none if they are not known
  std::unique_ptr<models::Subsystem> subsystem_;  ///< of co-simulation
  VariableTable table_;

  Phase phase_ = instantiated;
  double time_s_ = 0;
  double stop_s_ = std::numeric_limits<double>::infinity();
  std::int64_t steps_ = 0;
  std::vector<double> parameters_, built_parameters_;
  std::vector<double> u_, w_;
  std::vector<models::Record> records_;  ///< of the external signals of subsystem_
  std::vector<InputDerivatives> input_derivatives_;
  bool has_derivatives_ = false;
  std::vector<models::InputPolynomial> polynomials_;
  int degree_ = 0;
  bool started_ = false;

  std::vector<double> x_, rate_, y_;
  models::SavedState saved_;
  bool outputs_known_ = false, states_known_ = false, rates_known_ = false, slopes_known_ = false;
  Eigen::MatrixXd slopes_;
};

}  // namespace macrostep::engine
