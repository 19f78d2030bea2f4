#include "engine/fmu_export/instance/instance.hpp"

#include <algorithm>
#include <cmath>

#include "engine/fmu_export/instance/place_of.hpp"
#include "engine/fmu_export/instance/refused.hpp"

namespace macrostep::engine {

namespace {

/// Communication points that an importer adds up drift by roundings: by this share of a step and of
/// the time at most.
constexpr double drift_share_of_step = 1e-6;
constexpr double drift_share_of_time = 1e-12;
/// More micro-steps than this in one step are a mistake in its size.
constexpr double max_micro_steps = 1e9;

SubsystemDefinition built(const FmuSetup& setup, std::span<const double> parameters) {
  auto made = build_subsystem(setup, parameters);
  if (const auto* errors = std::get_if<FieldErrors>(&made)) {
    throw CallRefused(text_of(setup, *errors));
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

FmuInstance::FmuInstance(const FmuSetup& setup, FmuMode mode)
    : setup_(setup),
      mode_(mode),
      definition_(built(setup, starts_of(setup))),
      table_(counts_of(setup, definition_)),
      built_parameters_(starts_of(setup)),
      u_(table_.count(VariableKind::input)),
      w_(table_.count(VariableKind::external)),
      records_(held_records(w_.size())),
      step_inputs_(u_.size()),
      x_(states()),
      rate_(states()),
      y_(table_.count(VariableKind::output)) {
  if (mode == FmuMode::model_exchange && !definition_.dynamics) {
    throw CallRefused("the equations of the subsystem are not known: it has no model exchange");
  }
  build();
  reset();
}

void FmuInstance::build() {
  equations_.reset();
  if (definition_.dynamics) {
    equations_ = std::make_unique<Equations>(definition_);
  }
  if (mode_ == FmuMode::co_simulation) {
    subsystem_ = definition_.make(setup_.integrator, setup_.micro_step_s);
    if (!subsystem_) {
      throw CallRefused("the subsystem does not offer the integrator " +
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
  step_inputs_.forget_derivatives();
  started_ = false;
  forget_results();
}

void FmuInstance::enter_initialisation(double start_s, std::optional<double> stop_s) {
  if (!std::isfinite(start_s) || (stop_s && !(*stop_s >= start_s))) {
    throw CallRefused("the start time must be finite and not beyond the stop time");
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

Equations& FmuInstance::equations() {
  if (!equations_) {
    throw CallRefused("the equations of the subsystem are not known");
  }
  return *equations_;
}

double FmuInstance::value(std::uint32_t reference) {
  const auto [kind, index] = place_of(table_, reference);
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
  const auto [kind, index] = place_of(table_, reference);
  if (kind == VariableKind::input) {
    u_[index] = value;
    outputs_known_ = rates_known_ = slopes_known_ = false;
    return;
  }
  if (phase_ == intermediate_update) {
    throw CallRefused("only coupling inputs can be set within a step");
  }
  if (kind == VariableKind::external) {
    w_[index] = value;
    records_[index].value.front() = value;
    outputs_known_ = rates_known_ = slopes_known_ = false;
  } else if (kind == VariableKind::parameter) {
    if ((phase_ & (instantiated | initialisation)) == 0) {
      throw CallRefused("the parameter " + setup_.parameters[index].name +
                        " is fixed after the initialisation");
    }
    parameters_[index] = value;
    started_ = false;
    forget_results();
  } else {
    throw CallRefused("the variable with the value reference " + std::to_string(reference) +
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

/// Where a subsystem integrates other coordinates, its states are those of its equations.
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

void FmuInstance::set_input_derivative(std::uint32_t reference, int order, double value) {
  const auto [kind, index] = place_of(table_, reference);
  if (order < 1 || order > models::max_extrapolation_order) {
    throw CallRefused("input derivatives have the orders 1 to 4, not " + std::to_string(order));
  }
  if (kind == VariableKind::external && value == 0) {
    return;
  }
  if (kind == VariableKind::external) {
    throw CallRefused("the external input " + setup_.inputs[u_.size() + index].name +
                      " is held over a step: it takes no derivatives");
  }
  if (kind != VariableKind::input) {
    throw CallRefused("the variable with the value reference " + std::to_string(reference) +
                      " is no input");
  }
  step_inputs_.set_derivative(index, order, value);
}

double FmuInstance::output_derivative(std::uint32_t reference, int order) {
  const auto [kind, index] = place_of(table_, reference);
  if (kind != VariableKind::output) {
    throw CallRefused("the variable with the value reference " + std::to_string(reference) +
                      " is no output");
  }
  const auto& ports = definition_.description.outputs;
  auto port = std::optional(index);
  for (int k = 0; k < order && port; ++k) {
    port = ports[*port].derivative;
  }
  if (order < 1 || !port) {
    throw CallRefused("the derivative of order " + std::to_string(order) + " of the output " +
                          ports[index].name + " is not known",
                      /*is_discard=*/true);
  }
  return outputs()[*port];
}

void FmuInstance::check_step(double start_s, double size_s) const {
  if (!std::isfinite(start_s) || !std::isfinite(size_s) || size_s <= 0) {
    throw CallRefused("a step must begin at a finite time and have a positive, finite size");
  }
  const double drift = drift_share_of_step * size_s + drift_share_of_time * std::abs(start_s);
  if (std::abs(start_s - time_s_) > drift) {
    throw CallRefused("the step begins at " + std::to_string(start_s) +
                      " s, but the instance is at " + std::to_string(time_s_) + " s");
  }
  if (start_s + size_s > stop_s_ + drift) {
    throw CallRefused("the step ends beyond the stop time of " + std::to_string(stop_s_) + " s");
  }
  if (setup_.micro_step_s && size_s / *setup_.micro_step_s > max_micro_steps) {
    throw CallRefused("the step has more than 1e9 micro-steps");
  }
}

void FmuInstance::do_step(double start_s, double size_s, const InputSampling& sample) {
  check_step(start_s, size_s);
  if (sample) {
    phase_ = intermediate_update;
    step_inputs_.interpolate(start_s, size_s, sample, u_);
    phase_ = step_mode;
  } else {
    step_inputs_.extrapolate(size_s, u_);
  }
  const auto inputs = step_inputs_.model();
  const auto result =
      subsystem_->step({.index = steps_, .start_s = start_s, .size_s = size_s}, inputs);
  forget_results();
  if (result.status != models::StepStatus::ok) {
    throw CallRefused(result.reason);
  }
  ++steps_;
  time_s_ = start_s + size_s;
  if (inputs.degree > 0) {
    for (std::size_t i = 0; i < u_.size(); ++i) {
      u_[i] = inputs.polynomials[i].value(1);
    }
  }
  if (step_inputs_.has_derivatives()) {
    step_inputs_.forget_derivatives();
  }
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

/// Outputs of a subsystem with other coordinates may belong to its last step: how they depend on
/// the inputs is its own matter.
const Eigen::MatrixXd& FmuInstance::jacobian() {
  const auto x = current_states();
  if (!slopes_known_) {
    slopes_ = equations().jacobian(x, u_, w_);
    if (subsystem_ && !subsystem_->describe().provides_jacobians) {
      const auto first = static_cast<Eigen::Index>(states());
      write_own_feedthrough(*subsystem_, time_s_, u_,
                            slopes_.block(first, first, static_cast<Eigen::Index>(y_.size()),
                                          static_cast<Eigen::Index>(u_.size())));
      // Before its first step the outputs set what the step begins from.
      subsystem_->outputs(time_s_, u_, y_);
      outputs_known_ = true;
    }
    slopes_known_ = true;
  }
  return slopes_;
}

void FmuInstance::directional_derivative(const DirectionalDerivative& wanted,
                                         std::span<double> sensitivity) {
  engine::directional_derivative(jacobian(), table_, wanted, sensitivity);
}

void FmuInstance::save(FmuState& into) {
  std::span<const double> own;
  if (started_ && subsystem_) {
    subsystem_->save(saved_);
    own = saved_.values;
  } else if (started_) {
    own = x_;
  }
  write_state({.phase = phase_,
               .time_s = time_s_,
               .stop_s = stop_s_,
               .steps = steps_,
               .started = started_,
               .parameters = parameters_,
               .inputs = u_,
               .externals = w_,
               .input_derivatives = step_inputs_.derivatives(),
               .own = own},
              into);
}

void FmuInstance::restore(const FmuState& state) {
  const auto parts = read_state(state, {.parameters = parameters_.size(),
                                        .inputs = u_.size(),
                                        .externals = w_.size(),
                                        .input_derivatives = step_inputs_.derivatives().size()});
  time_s_ = parts.time_s;
  stop_s_ = parts.stop_s;
  // Starting anew is all but the state itself, which another run may have.
  started_ = started_ && std::ranges::equal(parts.parameters, built_parameters_);
  std::ranges::copy(parts.parameters, parameters_.begin());
  std::ranges::copy(parts.inputs, u_.begin());
  std::ranges::copy(parts.externals, w_.begin());
  step_inputs_.set_derivatives(parts.input_derivatives);
  if (parts.started) {
    refresh();
    if (subsystem_) {
      subsystem_->save(saved_);
    }
    auto& own = subsystem_ ? saved_.values : x_;
    if (own.size() != parts.own.size()) {
      throw CallRefused("the state is none of this FMU");
    }
    std::ranges::copy(parts.own, own.begin());
    if (subsystem_) {
      subsystem_->restore(saved_);
    }
  }
  for (std::size_t i = 0; i < w_.size(); ++i) {
    records_[i].value.front() = w_[i];
  }
  steps_ = parts.steps;
  started_ = parts.started;
  phase_ = parts.phase;
  forget_results();
}

}  // namespace macrostep::engine
