#include "engine/fmu_export/instance.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::engine {

namespace {

SubsystemDefinition built(const FmuSetup& setup, std::span<const double> parameters) {
  auto made = build_subsystem(setup, parameters);
  if (const auto* errors = std::get_if<FieldErrors>(&made)) {
    throw Refused(text_of(setup, *errors));
  }
  return std::get<SubsystemDefinition>(std::move(made));
}

std::vector<double> starts_of(const FmuSetup& setup) {
  std::vector<double> starts;
  for (const auto& parameter : setup.parameters) {
    starts.push_back(parameter.start);
  }
  return starts;
}

VariableTable::Counts counts_of(const FmuSetup& setup, const SubsystemDefinition& definition) {
  const auto& ports = definition.description;
  const auto states = definition.dynamics ? definition.dynamics().initial_state.size() : 0;
  return {.inputs = ports.inputs.size(),
          .externals = ports.externals.size(),
          .outputs = ports.outputs.size(),
          .parameters = setup.parameters.size(),
          .states = static_cast<std::size_t>(states)};
}

}  // namespace

const char* name_of(Phase phase) {
  switch (phase) {
    case instantiated:
      return "before the initialisation";
    case initialisation:
      return "in the initialisation mode";
    case event_mode:
      return "in the event mode";
    case continuous_time:
      return "in the continuous-time mode";
    case step_mode:
      return "between communication steps";
    case intermediate_update:
      return "within a communication step";
    case terminated:
      return "after the end";
    default:
      return "after an error";
  }
}

FmuInstance::FmuInstance(const FmuSetup& setup, FmuMode mode)
    : setup_(setup),
      mode_(mode),
      definition_(built(setup, starts_of(setup))),
      table_(counts_of(setup, definition_)),
      built_parameters_(starts_of(setup)),
      u_(table_.count(VariableKind::input)),
      w_(table_.count(VariableKind::external)),
      records_(held_records(w_.size())),
      input_derivatives_(u_.size()),
      polynomials_(u_.size()),
      x_(states()),
      rate_(states()),
      y_(table_.count(VariableKind::output)) {
  if (mode == FmuMode::model_exchange && !definition_.dynamics) {
    throw Refused("the equations of the subsystem are not known: it has no model exchange");
  }
  build();
  reset();
}

void FmuInstance::build() {
  equations_.reset();
  if (definition_.dynamics) {
    equations_.emplace(definition_);
  }
  if (mode_ == FmuMode::co_simulation) {
    subsystem_ = definition_.make(setup_.integrator, setup_.micro_step_s);
    if (!subsystem_) {
      throw Refused("the subsystem does not offer the integrator " +
                    std::string(to_string(setup_.integrator)));
    }
  }
}

void FmuInstance::reset() {
  phase_ = instantiated;
  time_s_ = 0;
  stop_s_ = std::numeric_limits<double>::infinity();
  parameters_ = starts_of(setup_);
  for (std::size_t i = 0; i < u_.size(); ++i) {
    u_[i] = setup_.inputs[i].start;
  }
  for (std::size_t i = 0; i < w_.size(); ++i) {
    w_[i] = setup_.inputs[u_.size() + i].start;
  }
  std::ranges::fill(input_derivatives_, InputDerivatives{});
  has_derivatives_ = false;
  started_ = false;
  forget_results();
}

void FmuInstance::enter_initialisation(double start_s, std::optional<double> stop_s) {
  if (!std::isfinite(start_s) || (stop_s && !(*stop_s >= start_s))) {
    throw Refused("the start time must be finite and not beyond the stop time");
  }
  time_s_ = start_s;
  stop_s_ = stop_s.value_or(std::numeric_limits<double>::infinity());
  started_ = false;
  phase_ = initialisation;
  refresh();
}

void FmuInstance::exit_initialisation() {
  if (subsystem_) {
    outputs();  // a subsystem may take from them what it begins with, as accelerations
  } else {
    refresh();
  }
  phase_ = mode_ == FmuMode::co_simulation ? step_mode : event_mode;
}

/// Builds and starts anew where a parameter has been set since.
void FmuInstance::refresh() {
  if (started_) {
    return;
  }
  if (parameters_ != built_parameters_) {
    definition_ = built(setup_, parameters_);
    built_parameters_ = parameters_;
    build();
  }
  start();
}

void FmuInstance::start() {
  steps_ = 0;
  for (std::size_t i = 0; i < w_.size(); ++i) {
    records_[i].value.front() = w_[i];
  }
  if (subsystem_) {
    subsystem_->start(time_s_, signals_of(records_));
  } else {
    std::ranges::copy(equations().initial_state(), x_.begin());
  }
  started_ = true;
  forget_results();
}

void FmuInstance::forget_results() {
  outputs_known_ = states_known_ = rates_known_ = slopes_known_ = false;
}

VariablePlace FmuInstance::place(std::uint32_t reference) const {
  const auto found = table_.find(reference);
  if (!found) {
    throw Refused("there is no variable with the value reference " + std::to_string(reference));
  }
  return *found;
}

Equations& FmuInstance::equations() {
  if (!equations_) {
    throw Refused("the equations of the subsystem are not known");
  }
  return *equations_;
}

double FmuInstance::value(std::uint32_t reference) {
  const auto [kind, index] = place(reference);
  switch (kind) {
    case VariableKind::input:
      return u_[index];
    case VariableKind::external:
      return w_[index];
    case VariableKind::output:
      return outputs()[index];
    case VariableKind::parameter:
      return parameters_[index];
    case VariableKind::state:
      return current_states()[index];
    case VariableKind::derivative:
      return rates()[index];
    default:
      return time_s_;
  }
}

void FmuInstance::set(std::uint32_t reference, double value) {
  const auto [kind, index] = place(reference);
  if (kind == VariableKind::input) {
    u_[index] = value;
    outputs_known_ = rates_known_ = slopes_known_ = false;
    return;
  }
  if (phase_ == intermediate_update) {
    throw Refused("only coupling inputs can be set within a step");
  }
  if (kind == VariableKind::external) {
    w_[index] = value;
    records_[index].value.front() = value;
    outputs_known_ = rates_known_ = slopes_known_ = false;
  } else if (kind == VariableKind::parameter) {
    if ((phase_ & (instantiated | initialisation)) == 0) {
      throw Refused("the parameter " + setup_.parameters[index].name +
                    " is fixed after the initialisation");
    }
    parameters_[index] = value;
    started_ = false;
    forget_results();
  } else {
    throw Refused("the variable with the value reference " + std::to_string(reference) +
                  " is calculated and cannot be set");
  }
}

std::span<const double> FmuInstance::outputs() {
  refresh();
  if (!outputs_known_) {
    if (subsystem_) {
      subsystem_->outputs(time_s_, u_, y_);
    } else {
      equations().outputs(x_, u_, w_, y_);
    }
    outputs_known_ = true;
  }
  return y_;
}

/// Of a subsystem that integrates other coordinates: as its equations have them.
std::span<const double> FmuInstance::current_states() {
  refresh();
  if (subsystem_ && !states_known_) {
    subsystem_->save(saved_);
    if (definition_.dynamics_state) {
      definition_.dynamics_state(saved_.values, x_);
    } else {
      std::copy_n(saved_.values.begin(), x_.size(), x_.begin());
    }
    states_known_ = true;
  }
  return x_;
}

std::span<const double> FmuInstance::rates() {
  const auto x = current_states();
  if (!rates_known_) {
    equations().derivatives(x, u_, w_, rate_);
    rates_known_ = true;
  }
  return rate_;
}

void FmuInstance::set_time(double time_s) {
  time_s_ = time_s;
}

void FmuInstance::set_states(std::span<const double> x) {
  std::ranges::copy(x, x_.begin());
  forget_results();
}

void FmuInstance::read_states(std::span<double> x) {
  std::ranges::copy(current_states(), x.begin());
}

void FmuInstance::read_derivatives(std::span<double> rate) {
  std::ranges::copy(rates(), rate.begin());
}

void FmuInstance::read_nominals(std::span<double> nominal) {
  std::ranges::copy(equations().nominal_state(), nominal.begin());
}

}  // namespace macrostep::engine
