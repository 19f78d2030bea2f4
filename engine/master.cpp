#include "engine/master.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/initial_outputs.hpp"
#include "models/pieces.hpp"

namespace macrostep::engine {

namespace {

/// Changes of an output below this share of its nominal value are rounding, which no iteration
/// ends.
constexpr double rounding_share = 1e-13;

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
  return models::part_of(p, from, length);
}

}  // namespace

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
  std::size_t delayed = 0;
  for (std::size_t i = 0; i < graph.input.size(); ++i) {
    const int windows = schedule.ticks / schedule.inputs[i].window_ticks;
    delay_first_.push_back(delayed);
    delay_count_.push_back(static_cast<std::size_t>(graph.input[i].delay_macro_steps * windows));
    delayed += delay_count_.back();
  }
  state_ = {.y = std::vector<double>(graph.output_count),
            .u = std::vector<double>(graph.input.size()),
            .inputs = std::vector<InputHistory>(graph.input.size()),
            .delayed = std::vector<double>(delayed),
            .delay_head = std::vector<std::size_t>(graph.input.size()),
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
    std::fill_n(state_.delayed.begin() + static_cast<std::ptrdiff_t>(delay_first_[i]),
                delay_count_[i], value);
    windows_[i] = {{value}};
    remember_input(i);
  }
  note_largest();
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
        remember_windows(action.tick);
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
  note_largest();
  return total;
}

void Master::note_largest() {
  for (std::size_t i = 0; i < state_.y.size(); ++i) {
    state_.largest[i] = std::max(state_.largest[i], std::abs(state_.y[i]));
  }
}

bool Master::stands_still() const {
  for (std::size_t i = 0; i < state_.y.size(); ++i) {
    const double scale = std::max(state_.largest[i], std::abs(state_.y[i]));
    const double allowed =
        std::max(settings_.iteration.tolerance * scale, rounding_share * graph_.nominal[i]);
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
  // Ahead: who stepped before in this pass has exchanged its end, of the others the last iterate is
  // known.
  const auto& known = schedule_.inputs[i].known_ahead ? state_.y : before_;
  if (!input.extrapolate) {
    return {{ahead ? known[input.source] : history.differences[0]}};
  }
  if (!ahead) {
    return continued(history, settings_.extrapolation);
  }
  InputHistory with_end = history;
  remember(with_end, sample(i, known), settings_.extrapolation);
  return interpolated(with_end, settings_.extrapolation);
}

Sample Master::sample(std::size_t i, const std::vector<double>& y) const {
  const auto& input = graph_.input[i];
  Sample sample{.value = y[input.source]};
  if (needs_derivatives(settings_.extrapolation)) {
    const int degree = degree_of(input, settings_.extrapolation);
    const double window_s =
        settings_.macro_step_s * schedule_.inputs[i].window_ticks / schedule_.ticks;
    if (degree >= 1) {
      sample.slope = window_s * y[*input.first_derivative];
    }
    if (degree >= 2 && integrates_derivatives(settings_.extrapolation)) {
      sample.curvature = window_s * window_s * y[*input.second_derivative];
    }
  }
  return sample;
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
  auto newest = sample(i, state_.y);
  if (delay_count_[i] > 0) {
    // The ring's oldest value arrives and gives its place to the newest one.
    auto& oldest = state_.delayed[delay_first_[i] + state_.delay_head[i]];
    std::swap(newest.value, oldest);
    state_.delay_head[i] = (state_.delay_head[i] + 1) % delay_count_[i];
  }
  auto& history = state_.inputs[i];
  history.end_value = windows_[i].value(1);
  history.end_slope = models::end_slope(windows_[i]);
  remember(history, newest, settings_.extrapolation);
}

std::span<const double> Master::outputs_for_exchanged_inputs() {
  for (std::size_t i = 0; i < exchanged_u_.size(); ++i) {
    exchanged_u_[i] = state_.y[graph_.input[i].source];
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
