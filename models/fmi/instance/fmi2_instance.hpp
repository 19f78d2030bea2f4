// One instance of an FMU through the C interface of FMI 2.0.
//
// Protocol: construct → set() parameters → enter_initialization() → set(), get() →
// exit_initialization() → co-simulation: do_step(), set(), get() in turns; model exchange: events()
// first, then continuous-time mode as model_exchange.hpp describes. After a call failed only
// destruction is allowed; an instance that answered Fatal is not even freed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/description/number_list.hpp"
#include "models/fmi/instance/fmi2.h"
#include "models/fmi/instance/instance.hpp"

namespace macrostep::models::fmi {

class Fmi2Instance {
 public:
  /// Throws FmuRefused where the library does not load and SubsystemFailed where the FMU does not
  /// instantiate.
  Fmi2Instance(const Fmu& fmu, InterfaceKind kind, const std::string& name,
               const StepServices& services = {});
  ~Fmi2Instance();
  Fmi2Instance(const Fmi2Instance&) = delete;
  Fmi2Instance& operator=(const Fmi2Instance&) = delete;

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
