#include "engine/master.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/initial_outputs.hpp"
#include "models/names.hpp"

namespace macrostep::engine {

namespace {

template <class Value>
std::span<Value> part(std::vector<Value>& values, const PortRange& range) {
  return std::span(values).subspan(range.first, range.count);
}

/// p over the part of its window that begins at θ = from and is `length` long, as a polynomial over
/// that part; held: its value at the beginning.
models::InputPolynomial restricted(const models::InputPolynomial& p, double from, double length,
                                   WithinSubstep within_substep) {
  if (within_substep == WithinSubstep::held) {
    return {{p.value(from)}};
  }
  // Taylor's coefficients about θ = from by repeated synthetic division, then scaled.
  auto shifted = p.coefficients;
  for (std::size_t k = 0; k + 1 < shifted.size(); ++k) {
    for (std::size_t j = shifted.size() - 1; j > k; --j) {
      shifted[j - 1] += from * shifted[j];
    }
  }
  double scale = 1;
  for (auto& coefficient : shifted) {
    coefficient *= scale;
    scale *= length;
  }
  return {shifted};
}

/// The derivative by θ at θ = 1.
double end_slope(const models::InputPolynomial& p) {
  double slope = 0;
  for (std::size_t k = p.coefficients.size() - 1; k > 0; --k) {
    slope += static_cast<double>(k) * p.coefficients[k];
  }
  return slope;
}

/// What an output of a system at rest moves by rounding, as a share of its nominal value: no sign
/// that the iteration goes on.
constexpr double rounding_share = 1e-14;

constexpr models::Names<WithinSubstep, 2> within_substep_names{
    {{WithinSubstep::held, "held"}, {WithinSubstep::continuous, "continuous"}}};

}  // namespace

std::string_view to_string(WithinSubstep within_substep) {
  return models::name_of(within_substep_names, within_substep);
}

std::optional<WithinSubstep> within_substep_from(std::string_view name) {
  return models::value_of(within_substep_names, name);
}

Master::Master(const CouplingGraph& graph, const Schedule& schedule,
               std::vector<std::unique_ptr<models::Subsystem>> subsystems,
               std::vector<std::vector<models::ExternalSignal>> externals,
               const MasterSettings& settings)
    : graph_(graph),
      schedule_(schedule),
      subsystems_(std::move(subsystems)),
      externals_(std::move(externals)),
      settings_(settings),
      windows_(graph.input.size()),
      applied_(graph.input.size()),
      before_(graph.output_count),
      exchanged_u_(graph.input.size()),
      exchanged_y_(graph.output_count) {
  for (const auto& subsystem : subsystems_) {
    weights_.push_back(subsystem->describe().rhs_weight);
  }
  std::size_t late_values = 0;
  for (std::size_t i = 0; i < graph.input.size(); ++i) {
    const int windows = schedule.ticks / schedule.inputs[i].window_ticks;
    late_first_.push_back(late_values);
    late_count_.push_back(static_cast<std::size_t>(graph.input[i].delay_macro_steps * windows));
    late_values += late_count_.back();
  }
  state_ = {.y = std::vector<double>(graph.output_count),
            .u = std::vector<double>(graph.input.size()),
            .inputs = std::vector<InputHistory>(graph.input.size()),
            .late_values = std::vector<double>(late_values),
            .largest = std::vector<double>(graph.output_count)};
}

std::optional<std::string> Master::start() {
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->start(0, externals_[s]);
  }
  const auto evaluate = [&](std::span<const double> u, std::span<double> y) {
    for (std::size_t s = 0; s < subsystems_.size(); ++s) {
      const auto& in = graph_.inputs[s];
      const auto& out = graph_.outputs[s];
      subsystems_[s]->outputs(0, u.subspan(in.first, in.count), y.subspan(out.first, out.count));
    }
  };
  if (auto reason = find_initial_outputs(graph_, evaluate, state_.u, state_.y)) {
    return reason;
  }
  for (std::size_t i = 0; i < graph_.input.size(); ++i) {
    const double value = state_.y[graph_.input[i].source];
    std::fill_n(state_.late_values.begin() + static_cast<std::ptrdiff_t>(late_first_[i]),
                late_count_[i], value);
    windows_[i] = {{value}};
    remember_input(i);
  }
  return std::nullopt;
}

models::StepResult Master::advance() {
  const auto result =
      settings_.scheme == Scheme::iterative ? iterate() : run_actions(/*repeated=*/false);
  if (result.status == models::StepStatus::ok) {
    remember_windows(schedule_.ticks);
    ++state_.macro_steps;
  }
  return result;
}

models::StepResult Master::run_actions(bool repeated) {
  models::StepResult total;
  for (const auto& action : schedule_.actions) {
    switch (action.kind) {
      case Action::Kind::step: {
        const auto result = step(action.subsystem, action.tick, repeated);
        total.rhs_evaluations += result.rhs_evaluations;
        if (result.status != models::StepStatus::ok) {
          total.status = result.status;
          total.reason = result.reason;
          return total;
        }
        break;
      }
      case Action::Kind::exchange:
        exchange(action.subsystem, action.tick);
        break;
      case Action::Kind::remember:
        if (settings_.scheme != Scheme::iterative) {  // which repeats whole macro-steps
          remember_windows(action.tick);
        }
        break;
    }
  }
  return total;
}

models::StepResult Master::iterate() {
  for (auto& subsystem : subsystems_) {
    subsystem->save();
  }
  auto total = run_actions(/*repeated=*/false);
  const int limit = settings_.iteration.repeats.value_or(settings_.iteration.maximum);
  bool settled = limit == 0;
  for (int k = 0; k < limit && total.status == models::StepStatus::ok && !settled; ++k) {
    before_ = state_.y;
    for (auto& subsystem : subsystems_) {
      subsystem->restore();
    }
    const auto result = run_actions(/*repeated=*/true);
    total = {result.status, total.rhs_evaluations + result.rhs_evaluations, result.reason};
    settled = !settings_.iteration.repeats && stands_still();
  }
  if (total.status == models::StepStatus::ok && !settled && !settings_.iteration.repeats) {
    total.status = models::StepStatus::solver_failed;
    total.reason = "the iteration over the macro-step did not converge";
  }
  for (std::size_t i = 0; i < state_.y.size(); ++i) {
    state_.largest[i] = std::max(state_.largest[i], std::abs(state_.y[i]));
  }
  return total;
}

bool Master::stands_still() const {
  for (std::size_t i = 0; i < state_.y.size(); ++i) {
    const double scale = std::max(state_.largest[i], std::abs(state_.y[i]));
    const double allowed =
        settings_.iteration.tolerance * scale + rounding_share * graph_.nominal[i];
    if (!(std::abs(state_.y[i] - before_[i]) <= allowed)) {
      return false;
    }
  }
  return true;
}

models::StepResult Master::step(std::size_t subsystem, int tick, bool repeated) {
  const auto& range = graph_.inputs[subsystem];
  for (std::size_t i = range.first; i < range.first + range.count; ++i) {
    continue_input(i, tick, repeated);
  }
  const int ticks = schedule_.substep_ticks[subsystem];
  const auto substeps = schedule_.ticks / ticks;
  const models::MacroStep macro{.index = state_.macro_steps * substeps + tick / ticks,
                                .start_s = time_s(tick),
                                .size_s = settings_.macro_step_s / substeps};
  const models::InputModel input{part(applied_, range), polynomial_degree(settings_.extrapolation)};
  const auto result = subsystems_[subsystem]->step(macro, input);
  cost_ += static_cast<double>(result.rhs_evaluations) * weights_[subsystem];
  return result;
}

void Master::continue_input(std::size_t i, int tick, bool repeated) {
  const auto& timing = schedule_.inputs[i];
  const int into_window = tick % timing.window_ticks;
  if (into_window == 0) {
    const bool ahead = timing.known_ahead || (repeated && graph_.input[i].delay_macro_steps == 0);
    windows_[i] = window_polynomial(i, ahead);
  }
  const int ticks = schedule_.substep_ticks[graph_.input[i].subsystem];
  applied_[i] =
      ticks == timing.window_ticks
          ? windows_[i]
          : restricted(windows_[i], static_cast<double>(into_window) / timing.window_ticks,
                       static_cast<double>(ticks) / timing.window_ticks, settings_.within_substep);
}

models::InputPolynomial Master::window_polynomial(std::size_t i, bool ahead) const {
  const auto& input = graph_.input[i];
  const auto& history = state_.inputs[i];
  if (!input.extrapolate) {
    return {{ahead ? newest_value(i) : history.differences[0]}};
  }
  if (integrates_derivatives(settings_.extrapolation)) {
    const auto polynomial = taylor_polynomial(i);
    if (!ahead) {
      return polynomial;
    }
    const auto& c = polynomial.coefficients;  // about the window's end: p(θ − 1)
    return {{c[0] - c[1] + c[2], c[1] - 2 * c[2], c[2]}};
  }
  if (!ahead) {
    return continued(history, settings_.extrapolation);
  }
  InputHistory with_end = history;
  remember(with_end, newest_value(i), derivative_per_window(i), settings_.extrapolation);
  return interpolated(with_end, settings_.extrapolation);
}

models::InputPolynomial Master::taylor_polynomial(std::size_t i) const {
  const auto& input = graph_.input[i];
  const int degree = degree_of(input, settings_.extrapolation);
  const double h = settings_.macro_step_s * schedule_.inputs[i].window_ticks / schedule_.ticks;
  models::InputPolynomial polynomial{{state_.y[input.source]}};
  if (degree >= 1) {
    polynomial.coefficients[1] = h * state_.y[*input.first_derivative];
  }
  if (degree >= 2) {
    polynomial.coefficients[2] = h * h / 2 * state_.y[*input.second_derivative];
  }
  return polynomial;
}

double Master::newest_value(std::size_t i) const {
  return state_.y[graph_.input[i].source];
}

double Master::derivative_per_window(std::size_t i) const {
  if (settings_.extrapolation != Extrapolation::hermite || !graph_.input[i].first_derivative) {
    return 0;
  }
  const double window_s =
      settings_.macro_step_s * schedule_.inputs[i].window_ticks / schedule_.ticks;
  return window_s * state_.y[*graph_.input[i].first_derivative];
}

void Master::exchange(std::size_t subsystem, int tick) {
  const auto& range = graph_.inputs[subsystem];
  for (std::size_t i = range.first; i < range.first + range.count; ++i) {
    state_.u[i] = applied_[i].value(1);
  }
  subsystems_[subsystem]->outputs(time_s(tick), part(state_.u, range),
                                  part(state_.y, graph_.outputs[subsystem]));
}

void Master::remember_windows(int tick) {
  for (std::size_t i = 0; i < graph_.input.size(); ++i) {
    if (tick % schedule_.inputs[i].window_ticks == 0) {
      remember_input(i);
    }
  }
}

void Master::remember_input(std::size_t i) {
  double value = newest_value(i);
  if (late_count_[i] > 0) {
    // The ring's oldest value arrives and gives its place to the newest one.
    auto* ring = &state_.late_values[late_first_[i]];
    const double late = ring[0];
    std::copy(ring + 1, ring + late_count_[i], ring);
    ring[late_count_[i] - 1] = value;
    value = late;
  }
  auto& history = state_.inputs[i];
  history.end_value = windows_[i].value(1);
  history.end_slope = end_slope(windows_[i]);
  remember(history, value, derivative_per_window(i), settings_.extrapolation);
}

std::span<const double> Master::outputs_for_exchanged_inputs() {
  for (std::size_t i = 0; i < exchanged_u_.size(); ++i) {
    exchanged_u_[i] = newest_value(i);
  }
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->outputs(time_s(), part(exchanged_u_, graph_.inputs[s]),
                            part(exchanged_y_, graph_.outputs[s]));
  }
  return exchanged_y_;
}

std::optional<double> Master::energy_j() {
  double sum_j = 0;
  const auto values = outputs_for_exchanged_inputs();
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    const auto output = subsystems_[s]->describe().energy_output;
    if (!output) {
      return std::nullopt;
    }
    sum_j += values[graph_.outputs[s].first + *output];
  }
  return sum_j;
}

double Master::time_s(int tick) const {
  const double steps = static_cast<double>(state_.macro_steps);
  return tick == 0 ? steps * settings_.macro_step_s
                   : (steps + static_cast<double>(tick) / schedule_.ticks) * settings_.macro_step_s;
}

}  // namespace macrostep::engine
