// One instance of a model-exchange FMU, kept in the mode that a call needs (FMI 2.0.4 section 3.2,
// FMI 3.0 section 3.2): initialisation mode after start(), event mode between begin_event() and
// end_event(), continuous-time mode after that.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

#include "models/fmi/simulation/fmu_model.hpp"
#include "models/fmi/simulation/fmu_ports.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

template <class Instance>
class ExchangeInstance {
 public:
  explicit ExchangeInstance(const FmuModel& model) : model_(model), ports_(model) {}

  std::size_t states() const { return model_.fmu->description.derivatives.size(); }
  std::size_t event_indicators() const { return model_.fmu->description.event_indicators; }
  const Interface& interface() const { return *model_.fmu->description.model_exchange; }
  /// The ports; write_inputs() hands over the inputs in them.
  FmuPorts& ports() { return ports_; }
  const FmuPorts& ports() const { return ports_; }
  Instance& operator*() { return *instance_; }
  Instance* operator->() { return &*instance_; }

  /// A new instance, in initialisation mode.
  void start(double time_s) {
    mode_ = Mode::initialisation;
    next_event_s_ = never_s;
    instance_.emplace(*model_.fmu, InterfaceKind::model_exchange, model_.name);
    set_parameters(model_, *instance_);
    instance_->enter_initialization(time_s);
  }

  void begin_event() {
    states_changed_ = mode_ == Mode::initialisation;
    if (mode_ == Mode::initialisation) {
      instance_->exit_initialization();
    } else {
      instance_->enter_event_mode();
    }
    mode_ = Mode::event;
  }
  /// One step of the discrete states. Whether there must be another.
  bool iterate() {
    const auto outcome = instance_->update_discrete_states();
    if (outcome.terminated) {
      throw SubsystemFailed("FMU '" + model_.name + "' asked to end the simulation");
    }
    states_changed_ = states_changed_ || outcome.states_changed;
    next_event_s_ = outcome.next_event_s.value_or(never_s);
    return outcome.again;
  }
  /// x becomes the state where the event has changed it.
  void end_event(std::span<double> x) {
    instance_->enter_continuous_time();
    mode_ = Mode::continuous;
    if (states_changed_ && !x.empty()) {
      instance_->get_states(x);
    }
  }
  /// ∞ if the FMU names none.
  double next_event_s() const { return next_event_s_; }

  /// Between steps, of all that the FMU is.
  void save() {
    instance_->save();
    saved_next_event_s_ = next_event_s_;
  }
  void restore() {
    instance_->restore();
    next_event_s_ = saved_next_event_s_;
  }

  /// In continuous-time mode only, as the next two.
  void set_time(double time_s) { instance_->set_time(time_s); }
  void set_states(std::span<const double> x) {
    if (!x.empty()) {
      instance_->set_states(x);
    }
  }
  /// A step of an integrator has ended. Whether the FMU asks for an event.
  bool completed_step() {
    return interface().needs_completed_integrator_step && instance_->completed_step();
  }

  bool is_continuous() const { return mode_ == Mode::continuous; }
  /// Hands over the inputs; those that jump are only taken outside continuous-time mode.
  void write_inputs() {
    if (is_continuous()) {
      ports_.write_continuous(*instance_);
    } else {
      ports_.write(*instance_);
    }
  }

  /// Typical magnitudes of the states, above 0.
  void nominal_states(std::span<double> nominal) {
    if (nominal.empty()) {
      return;
    }
    instance_->get_nominals(nominal);
    for (double& value : nominal) {
      value = std::isfinite(value) && value != 0 ? std::abs(value) : 1;
    }
  }

 private:
  enum class Mode { initialisation, event, continuous };
  static constexpr double never_s = std::numeric_limits<double>::infinity();

  const FmuModel& model_;
  FmuPorts ports_;
  std::optional<Instance> instance_;
  Mode mode_ = Mode::initialisation;
  bool states_changed_ = false;
  double next_event_s_ = never_s;
  double saved_next_event_s_ = never_s;
};

}  // namespace macrostep::models::fmi
