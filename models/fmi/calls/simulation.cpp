#include "models/fmi/calls/simulation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

#include "models/fmi/calls/called_modes.hpp"
#include "models/fmi/calls/called_steps.hpp"
#include "models/fmi/calls/called_values.hpp"
#include "models/fmi/description/model_description.hpp"
#include "models/fmi/xml/xml_text.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::calls {

namespace {

/// Most rounds of an event iteration before it counts as endless.
constexpr int max_event_iterations = 1000;
/// Parts of a step that may end early, before it counts as stuck.
constexpr int max_parts_of_step = 1000;
/// Where the description proposes no step: of the duration of its experiment, or in seconds.
constexpr double step_share = 0.01;
constexpr double default_step_s = 1e-3;
/// By how much of its nominal a state may move in a step of model exchange.
constexpr double movement_share = 0.01;
/// The smallest share of the proposed step that is taken.
constexpr double least_step_share = 1e-6;
/// The share of a time that is taken for a rounding.
constexpr double time_share = 1e-9;

double proposed_step(const Session& session) {
  return proposed_step_s(session.fmu.description, session.interface);
}

/// "1.2e-05".
std::string short_digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2g", value);
  return text.data();
}

/// Outputs and local variables that may be set, too, are the FMU's own.
Variables set_by_importers(const Session& session, Phase phase) {
  auto variables = settable(session, phase);
  std::erase_if(variables, [](const Variable* variable) {
    return variable->causality != Causality::parameter && variable->causality != Causality::input;
  });
  return variables;
}

double start_of(const Session& session) {
  return session.fmu.description.experiment.start_s.value_or(0);
}

}  // namespace

double proposed_step_s(const ModelDescription& model, const Interface& interface) {
  const auto& experiment = model.experiment;
  const double start_s = experiment.start_s.value_or(0);
  double step_s = default_step_s;
  if (experiment.step_size_s && *experiment.step_size_s > 0) {
    step_s = *experiment.step_size_s;
  } else if (experiment.stop_s && *experiment.stop_s > start_s) {
    step_s = step_share * (*experiment.stop_s - start_s);
  }
  if (const auto internal_s = interface.fixed_internal_step_s) {
    step_s = std::max(1.0, std::round(step_s / *internal_s)) * *internal_s;
  }
  return step_s;
}

Simulation::Simulation(Session& session, InstanceOptions options)
    : session_(session),
      instance_(session, std::move(options)),
      observed_(observed(session)),
      step_s_(proposed_step(session)) {}

double Simulation::time_of(int step) const {
  return start_of(session_) + step * step_s_;
}

void Simulation::begin() {
  const auto parameters = set_by_importers(session_, Phase::instantiated);
  set(instance_, parameters, starts_of(session_, parameters));
  begin_initialization();
  const auto inputs = set_by_importers(session_, Phase::initialization);
  set(instance_, inputs, starts_of(session_, inputs));
  end_initialization();
}

void Simulation::begin_initialization() {
  const auto& experiment = session_.fmu.description.experiment;
  // An end is told only if all steps stay before it.
  const bool has_end = experiment.stop_s && *experiment.stop_s >= time_of(2 * run_steps);
  instance_.enter_initialization(start_of(session_), has_end ? experiment.stop_s : std::nullopt,
                                 experiment.tolerance);
}

void Simulation::end_initialization() {
  instance_.exit_initialization();
  memory_ = {.time_s = start_of(session_)};
  if (session_.is_co_simulation()) {
    if (instance_.uses_event_mode()) {
      settle();
      enter_step_mode(instance_);
    }
    return;
  }
  settle();
  enter_continuous_time(instance_);
  choose_exchange_step();
  memory_.indicators = get_event_indicators(instance_);
}

void Simulation::settle() {
  for (int i = 0; i < max_event_iterations; ++i) {
    const auto outcome = update_discrete_states(instance_);
    if (outcome.terminated) {
      session_.log.warning("asked to end the simulation");
      throw SequenceEnded();
    }
    // While discrete states settle, the next event has not been found yet.
    if (!outcome.again && outcome.next_event_s && *outcome.next_event_s < memory_.time_s) {
      session_.log.error("names a next event before the present time");
    }
    memory_.next_event_s = outcome.next_event_s;
    if (!outcome.again) {
      return;
    }
  }
  session_.log.error("wanted to be called more than " + std::to_string(max_event_iterations) +
                     " times at one instant");
  throw SequenceEnded();
}

void Simulation::choose_exchange_step() {
  const auto nominals = get_nominals(instance_);
  const auto rates = get_derivatives(instance_);
  double step_s = proposed_step(session_);
  const double least_s = least_step_share * step_s;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    if (std::isfinite(rates[i]) && rates[i] != 0) {
      step_s = std::min(step_s, movement_share * nominals[i] / std::abs(rates[i]));
    }
  }
  step_s_ = std::max(step_s, least_s);
}

Path Simulation::steps(int first, int count, bool may_go_back) {
  Path path;
  for (int step = first; step < first + count; ++step) {
    if (session_.is_co_simulation()) {
      simulate(time_of(step), time_of(step + 1), may_go_back);
    } else {
      exchange_step(step, may_go_back);
    }
    path.push_back(look());
  }
  return path;
}

void Simulation::simulate(double begin_s, double end_s, bool may_go_back) {
  for (int part = 0; part < max_parts_of_step; ++part) {
    const auto end = do_step(instance_, begin_s, end_s - begin_s, !may_go_back);
    if (end.answer == Answer::discard || end.terminate) {
      if (end.terminate) {
        session_.log.warning("asked to end the simulation");
      }
      throw SequenceEnded();
    }
    memory_.time_s = end.reached_s;
    if (end.early && !instance_.may_return_early()) {
      session_.log.error("returned early, which it was not allowed to");
      throw SequenceEnded();
    }
    const double rest_s = end_s - end.reached_s;
    const double rounding_s = time_share * std::max(std::abs(end_s), step_s_);
    if (!end.early && std::abs(rest_s) > rounding_s) {
      session_.log.error("says that it did the whole step, and that it got to " +
                         digits_of(end.reached_s) + " s instead of " + digits_of(end_s) + " s");
      throw SequenceEnded();
    }
    if (end.event_needed && !instance_.uses_event_mode()) {
      session_.log.error("asks for event mode, which it was told not to be used");
    } else if (end.event_needed) {
      enter_event_mode(instance_);
      settle();
      enter_step_mode(instance_);
    }
    if (!end.early || rest_s <= rounding_s) {
      return;
    }
    begin_s = end.reached_s;
  }
  session_.log.error("returned early more than " + std::to_string(max_parts_of_step) +
                     " times in one step");
  throw SequenceEnded();
}

void Simulation::exchange_step(int step, bool may_go_back) {
  auto x = get_states(instance_);
  const auto rates = get_derivatives(instance_);
  double end_s = time_of(step + 1);
  const bool time_event = memory_.next_event_s && *memory_.next_event_s <= end_s;
  if (time_event) {
    end_s = std::max(memory_.time_s, *memory_.next_event_s);
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] += (end_s - memory_.time_s) * rates[i];
  }
  set_time(instance_, end_s);
  if (!x.empty()) {
    set_states(instance_, x);
  }
  memory_.time_s = end_s;
  const auto indicators = get_event_indicators(instance_);
  bool crossed = false;
  for (std::size_t i = 0; i < indicators.size(); ++i) {
    crossed = crossed || (indicators[i] > 0) != (memory_.indicators[i] > 0);
  }
  // Allowed even where the FMU says that it does not need it.
  const bool asked = completed_step(instance_, !may_go_back);
  if (crossed || asked || time_event) {
    enter_event_mode(instance_);
    settle();
    enter_continuous_time(instance_);
  }
  memory_.indicators = get_event_indicators(instance_);
}

Values Simulation::look() {
  auto values = get(instance_, observed_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_float(observed_[i]->type) && !std::isfinite(values[i].number)) {
      session_.log.error("gave " + digits_of(values[i].number) + " for the output " +
                         shown(std::string_view(observed_[i]->name)) + ", with the status OK");
    }
  }
  if (!session_.is_co_simulation()) {
    for (const double x : get_states(instance_)) {
      values.push_back({.number = x, .bytes = digits_of(x)});
    }
  }
  return values;
}

void compare(Session& session, const Path& one, const Path& other, const std::string& what) {
  double largest = 0;
  std::size_t where = 0;
  bool same = one.size() == other.size();
  for (std::size_t n = 0; n < std::min(one.size(), other.size()); ++n) {
    for (std::size_t i = 0; i < std::min(one[n].size(), other[n].size()); ++i) {
      const double a = one[n][i].number;
      const double b = other[n][i].number;
      if (one[n][i] == other[n][i] || a == b) {
        continue;
      }
      same = false;
      const double share = std::isfinite(a) && std::isfinite(b)
                               ? std::abs(a - b) / std::max(std::abs(a), std::abs(b))
                               : std::numeric_limits<double>::infinity();
      if (share > largest) {
        largest = share;
        where = i;
      }
    }
  }
  if (same) {
    return;
  }
  const auto outputs = observed(session);
  const std::string name = where < outputs.size()
                               ? "output " + shown(std::string_view(outputs[where]->name))
                               : "state " + std::to_string(where - outputs.size() + 1);
  session.log.warning_of(
      what, "gives other values: " + name +
                (std::isfinite(largest) ? " differs by " + short_digits(largest) + " of its size"
                                        : " is not a finite number in both"));
}

}  // namespace macrostep::models::fmi::calls
