// One instance of an FMU through the C interface of FMI 3.0: the same functions
// and protocol as Fmi2Instance, with two differences of the standard beneath them. Events inside a
// co-simulation step stay the FMU's own business (event mode is not used there), and a step that
// the FMU ends early is continued to its end.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/description/number_list.hpp"
#include "models/fmi/instance/fmi3.h"
#include "models/fmi/instance/instance.hpp"

namespace macrostep::models::fmi {

class Fmi3Instance {
 public:
  /// Throws FmuRefused where the library does not load and SubsystemFailed where the FMU does not
  /// instantiate.
  Fmi3Instance(const Fmu& fmu, InterfaceKind kind, const std::string& name,
               const StepServices& services = {});
  ~Fmi3Instance();
  Fmi3Instance(const Fmi3Instance&) = delete;
  Fmi3Instance& operator=(const Fmi3Instance&) = delete;

  void enter_initialization(double start_s);
  void exit_initialization();
  void get(NumberList& list, std::span<double> values);
  void set(NumberList& list, std::span<const double> values);
  void set_text(std::uint32_t reference, const std::string& text);
  /// d(unknowns)/d(known) at the present point.
  void directional_derivative(std::span<const std::uint32_t> unknowns, std::uint32_t known,
                              std::span<double> sensitivity);
  /// Keeps the present state, instead of one kept before.
  void save();
  void restore();

  // --- co-simulation
  DoStepEnd do_step(double time_s, double size_s);
  /// The order-th derivatives by time of inputs (float64), after set().
  void set_input_derivatives(std::span<const std::uint32_t> references, std::span<const int> orders,
                             std::span<const double> values);

  // --- model exchange
  void enter_event_mode();
  EventOutcome update_discrete_states();
  void enter_continuous_time();
  void set_time(double time_s);
  void set_states(std::span<const double> x);
  void get_states(std::span<double> x);
  void get_nominals(std::span<double> x);
  /// Discard: this point cannot be evaluated, others may.
  CallStatus get_derivatives(std::span<double> rate);
  void get_event_indicators(std::span<double> z);
  /// Whether the FMU asks for event mode.
  bool completed_step();

  /// A sentence on the call that failed last.
  const std::string& failure() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace macrostep::models::fmi
