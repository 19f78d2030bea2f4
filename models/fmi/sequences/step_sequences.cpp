#include "models/fmi/sequences/step_sequences.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string>

#include "models/fmi/calls/called_modes.hpp"
#include "models/fmi/calls/called_steps.hpp"
#include "models/fmi/calls/called_values.hpp"
#include "models/fmi/calls/simulation.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::calls {

namespace {

bool is_co_simulation(const Applicability& a) {
  return a.kind == InterfaceKind::co_simulation;
}

bool has_variable_step(const Applicability& a) {
  return is_co_simulation(a) && a.interface.can_handle_variable_step;
}

bool has_input_derivatives(const Applicability& a) {
  return is_co_simulation(a) && a.version == Version::fmi2 &&
         a.interface.max_input_derivative_order > 0;
}

bool has_output_derivatives(const Applicability& a) {
  return is_co_simulation(a) && a.interface.max_output_derivative_order > 0;
}

/// Who wants no variable at intermediate updates does not use them, by the standard.
bool has_intermediate_update(const Applicability& a) {
  return is_co_simulation(a) && a.interface.provides_intermediate_update &&
         std::ranges::any_of(a.model.variables, &Variable::intermediate_update);
}

bool has_event_mode(const Applicability& a) {
  return is_co_simulation(a) && a.version == Version::fmi3 && a.interface.has_event_mode;
}

bool may_return_early(const Applicability& a) {
  return is_co_simulation(a) && a.version == Version::fmi3 && a.interface.may_return_early;
}

/// Sizes that are no multiples of each other, unless the FMU wants those of its internal step.
void steps_of_other_sizes(Session& session) {
  constexpr std::array any{1.0, 0.5, 0.25, 0.7, 1.0, 0.3};
  constexpr std::array whole{1.0, 2.0, 1.0, 3.0, 2.0, 1.0};
  const auto& shares = session.interface.fixed_internal_step_s ? whole : any;
  Simulation one(session);
  one.begin();
  double begun = 0;
  for (const double share : shares) {
    const double begin_s = one.time_of(0) + begun * one.step_s();
    begun += share;
    const double end_s = one.time_of(0) + begun * one.step_s();
    one.simulate(begin_s, end_s);
  }
  one.finish();
}

void set_input_derivatives(Session& session) {
  const auto inputs = continuous_inputs(session);
  std::vector<std::uint32_t> references;
  for (const auto* const input : inputs) {
    references.push_back(input->reference);
  }
  Simulation one(session);
  one.begin();
  if (!references.empty()) {
    set_input_derivatives(one.instance(), references, 1, 0);
  }
  one.steps(0, 1);
  for (const auto reference : references) {
    set_input_derivatives(one.instance(), std::array{reference}, 1, 0);
  }
  one.steps(1, run_steps);
  one.finish();
}

void get_output_derivatives(Session& session) {
  Simulation one(session);
  one.begin();
  one.steps(0, run_steps / 2);
  std::string without;
  for (const auto* const output : continuous_outputs(session)) {
    const std::string name = shown(std::string_view(output->name));
    for (int order = 1; order <= session.interface.max_output_derivative_order; ++order) {
      const auto value = output_derivative(one.instance(), output->reference, order);
      if (!value) {
        without += (without.empty() ? "" : ", ") + name;
        break;
      }
      if (!std::isfinite(*value)) {
        session.log.error("gave a number that is not finite for " + name);
      }
    }
  }
  if (!without.empty()) {
    session.log.warning("returned Discard for " + shown(std::string_view(without)) +
                        ": maxOutputDerivativeOrder does not hold for all outputs");
  }
  one.finish();
}

/// Those that the FMU takes or gives within a step.
Variables updated(Variables variables) {
  std::erase_if(variables, [](const Variable* variable) { return !variable->intermediate_update; });
  return variables;
}

/// What is asked of one instance at its intermediate updates.
class Updates {
 public:
  explicit Updates(Session& session)
      : session_(session),
        inputs_(updated(continuous_inputs(session))),
        all_(updated(continuous_outputs(session))) {
    all_.insert(all_.begin(), inputs_.begin(), inputs_.end());
  }

  InstanceOptions options() {
    InstanceOptions options{.update = [this](const Update& update) { return take(update); }};
    for (const auto* const variable : all_) {
      options.updated.push_back(variable->reference);
    }
    return options;
  }
  void attach(CalledInstance& instance) { instance_ = &instance; }
  /// Asks for it once, as soon as time has moved: an FMU asked at every update gets nowhere.
  void return_early_from_step(double begin_s) { return_after_s_ = begin_s; }
  /// A failed call inside the FMU's code ends the sequence outside of it.
  void end_if_failed() const {
    if (failed_) {
      throw SequenceEnded();
    }
  }
  /// Whether one should have come, and none did.
  bool missed() const { return !all_.empty() && !any_; }

 private:
  bool take(const Update& update) {
    any_ = true;
    if (instance_ == nullptr) {
      session_.log.error_of("intermediate update", "before the first step");
      return false;
    }
    try {
      if (update.may_set && !failed_) {
        set(*instance_, inputs_, starts_of(session_, inputs_));
      }
      if (update.may_get && !failed_) {
        get(*instance_, all_);
      }
    } catch (const SequenceEnded&) {
      failed_ = true;
    }
    if (!return_after_s_ || !update.may_return_early || !(update.time_s > *return_after_s_)) {
      return false;
    }
    return_after_s_.reset();
    return true;
  }

  Session& session_;
  Variables inputs_;
  Variables all_;  ///< inputs, and outputs
  CalledInstance* instance_ = nullptr;
  std::optional<double> return_after_s_;
  bool failed_ = false;
  bool any_ = false;
};

void update_inputs(Session& session) {
  Updates updates(session);
  Simulation one(session, updates.options());
  updates.attach(one.instance());
  one.begin();
  for (int step = 0; step < run_steps; ++step) {
    one.steps(step, 1);
    updates.end_if_failed();
  }
  if (updates.missed()) {
    session.log.error_of("intermediate update",
                         "is declared (providesIntermediateUpdate), and none ever came");
  }
  one.finish();
}

void return_after_updates(Session& session) {
  if (!session.can_return_early_after) {
    return;
  }
  Updates updates(session);
  auto options = updates.options();
  options.early_return = true;
  Simulation one(session, std::move(options));
  updates.attach(one.instance());
  one.begin();
  for (int step = 0; step < 2; ++step) {
    updates.return_early_from_step(one.time_of(step));
    one.steps(step, 1);
    updates.end_if_failed();
  }
  one.finish();
}

void use_event_mode(Session& session) {
  Simulation one(session, {.event_mode = true});
  one.begin();
  one.steps(0, run_steps / 2);
  auto& instance = one.instance();
  enter_event_mode(instance);
  const auto variables = settable(session, Phase::event);
  set(instance, variables, starts_of(session, variables));
  get(instance, gettable(session, Phase::event));
  one.settle();
  enter_step_mode(instance);
  const auto continuous = settable(session, Phase::step, true);
  set(instance, continuous, starts_of(session, continuous));
  one.steps(run_steps / 2, run_steps / 2);
  one.finish();
}

void allow_early_returns(Session& session) {
  Simulation one(session, {.event_mode = session.interface.has_event_mode, .early_return = true});
  one.begin();
  one.steps(0, run_steps);
  one.finish();
}

constexpr std::array sequences{
    Sequence{"steps of different sizes", has_variable_step, steps_of_other_sizes},
    Sequence{"steps with input derivatives", has_input_derivatives, set_input_derivatives},
    Sequence{"reading output derivatives", has_output_derivatives, get_output_derivatives},
    Sequence{"steps with intermediate updates", has_intermediate_update, update_inputs},
    Sequence{"early returns asked for at intermediate updates", has_intermediate_update,
             return_after_updates},
    Sequence{"steps with event mode", has_event_mode, use_event_mode},
    Sequence{"steps that may return early", may_return_early, allow_early_returns},
};

}  // namespace

std::span<const Sequence> step_sequences() {
  return sequences;
}

}  // namespace macrostep::models::fmi::calls
