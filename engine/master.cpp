#include "engine/master.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/initial_outputs.hpp"
#include "models/ensure.hpp"
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

Master::Master(const CouplingGraph& graph, Schedule schedule,
               std::vector<std::unique_ptr<models::Subsystem>> subsystems,
               std::vector<std::vector<models::ExternalSignal>> externals,
               CouplingCorrection correction, const MasterSettings& settings)
    : graph_(graph),
      schedule_(std::move(schedule)),
      subsystems_(std::move(subsystems)),
      externals_(std::move(externals)),
      settings_(settings),
      saved_(subsystems_.size()),
      windows_(graph.inputs.size()),
      applied_(graph.inputs.size()),
      before_(graph.output_count),
      exchanged_u_(graph.inputs.size()),
      exchanged_y_(graph.output_count),
      correction_(std::move(correction)),
      corrects_(std::holds_alternative<EnergyCorrection>(correction_) ||
                std::holds_alternative<SignalCorrection>(correction_)),
      linearisations_(subsystems_.size()),
      own_y_(graph.output_count),
      extrapolated_(graph.inputs.size()) {
  const auto* signals = std::get_if<SignalCorrection>(&correction_);
  needs_model_ = signals && signals->needs_jacobians();
  set_up_actors();
  set_up_inputs();
  const std::size_t delayed =
      inputs_.empty() ? 0 : inputs_.back().delay_first + inputs_.back().delay_count;
  state_ = {.y = std::vector<double>(graph.output_count),
            .u = std::vector<double>(graph.inputs.size()),
            .offsets = std::vector<double>(graph.inputs.size()),
            .inputs = std::vector<InputHistory>(graph.inputs.size()),
            .delayed = std::vector<double>(delayed),
            .delay_head = std::vector<std::size_t>(graph.inputs.size()),
            .largest = std::vector<double>(graph.output_count)};
}

void Master::set_up_actors() {
  auto* integrated = std::get_if<LinearlyImplicit>(&correction_);
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    const int substep_ticks = schedule_.substep_ticks[s];
    const int substeps = schedule_.ticks / substep_ticks;
    actors_.push_back({.subsystem = subsystems_[s].get(),
                       .inputs = graph_.input_ranges[s],
                       .outputs = graph_.output_ranges[s],
                       .rhs_weight = subsystems_[s]->describe().rhs_weight,
                       .substep_s = settings_.macro_step_s / substeps,
                       .substeps = substeps,
                       .substep_ticks = substep_ticks,
                       .dynamics = integrated ? integrated->of(s) : nullptr});
  }
}

void Master::set_up_inputs() {
  const auto extrapolation = settings_.extrapolation;
  degree_ = polynomial_degree(extrapolation);
  older_values_ = older_values(extrapolation);
  smooth_ = extrapolation == Extrapolation::smooth || extrapolation == Extrapolation::smooth_c0;
  std::size_t delayed = 0;
  for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
    const auto& from = graph_.inputs[i];
    const auto& timing = schedule_.inputs[i];
    const int windows = schedule_.ticks / timing.window_ticks;
    const int degree = needs_derivatives(extrapolation) ? degree_of(from, extrapolation) : 0;
    Input input{.source = from.source,
                .extrapolate = from.extrapolate,
                .known_ahead = timing.known_ahead,
                .repeats_ahead = from.delay_macro_steps == 0,
                .whole_window = timing.window_ticks == schedule_.substep_ticks[from.subsystem],
                .window_ticks = timing.window_ticks,
                .slope_source = {},
                .curvature_source = {},
                .window_s = settings_.macro_step_s / windows,
                .delay_first = delayed,
                .delay_count = static_cast<std::size_t>(from.delay_macro_steps * windows)};
    if (degree >= 1) {
      input.slope_source = from.first_derivative;
    }
    if (degree >= 2 && integrates_derivatives(extrapolation)) {
      input.curvature_source = from.second_derivative;
    }
    input.plain = extrapolation <= Extrapolation::order_4 && input.whole_window &&
                  !input.known_ahead && input.delay_count == 0 &&
                  settings_.scheme != Scheme::iterative;
    delayed += input.delay_count;
    inputs_.push_back(input);
  }
}

std::optional<std::string> Master::start() {
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->start(0, externals_[s]);
  }
  const auto evaluate = [&](std::span<const double> u, std::span<double> y) { read_outputs(u, y); };
  if (auto reason = find_initial_outputs(graph_, evaluate, state_.u, state_.y)) {
    return reason;
  }
  for (std::size_t i = 0; i < graph_.inputs.size(); ++i) {
    const double value = state_.y[graph_.inputs[i].source];
    std::fill_n(state_.delayed.begin() + static_cast<std::ptrdiff_t>(inputs_[i].delay_first),
                inputs_[i].delay_count, value);
    windows_[i] = applied_[i] = {{value}};
    remember_input(i);
  }
  note_largest();
  restart_correction();
  if (settings_.scheme == Scheme::iterative) {
    save_subsystems();  // what it is written to has its size from here on
  }
  return std::nullopt;
}

models::StepResult Master::advance() {
  switch (settings_.extrapolation) {
    case Extrapolation::order_1:
      return advance<1>();
    case Extrapolation::order_2:
      return advance<2>();
    case Extrapolation::order_3:
      return advance<3>();
    case Extrapolation::order_4:
      return advance<4>();
    default:  // the others have no plain inputs
      return advance<0>();
  }
}

template <int order>
models::StepResult Master::advance() {
  if (needs_model_) {
    refresh_model();
  } else if (auto* inputs = std::get_if<LinearlyImplicit>(&correction_)) {
    cost_ += inputs->begin(subsystems_, time_s(), state_.inputs);
  }
  const auto result = settings_.scheme == Scheme::iterative
                          ? iterate<order>()
                          : run_actions<order>(/*repeated=*/false);
  if (result.status == models::StepStatus::ok) {
    if (corrects_) {
      correct();
    }
    remember_windows<order>(schedule_.ticks);
    ++state_.macro_steps;
  }
  return result;
}

template <int order>
models::StepResult Master::run_actions(bool repeated) {
  models::StepResult total;
  for (const auto& action : schedule_.actions) {
    switch (action.kind) {
      case Action::Kind::step: {
        const auto result = step<order>(actors_[action.subsystem], action.tick, repeated);
        total.rhs_evaluations += result.rhs_evaluations;
        if (result.status != models::StepStatus::ok) {
          total.status = result.status;
          total.reason = result.reason;
          return total;
        }
        break;
      }
      case Action::Kind::exchange:
        exchange(actors_[action.subsystem], action.tick);
        break;
      case Action::Kind::remember:
        remember_windows<order>(action.tick);
        break;
    }
  }
  return total;
}

template <int order>
models::StepResult Master::iterate() {
  save_subsystems();
  auto total = run_actions<order>(/*repeated=*/false);
  const int limit = settings_.iteration.repeats.value_or(settings_.iteration.maximum);
  bool settled = limit == 0;
  for (int k = 0; k < limit && total.status == models::StepStatus::ok && !settled; ++k) {
    before_ = state_.y;
    for (std::size_t s = 0; s < subsystems_.size(); ++s) {
      subsystems_[s]->restore(saved_[s]);
    }
    const auto result = run_actions<order>(/*repeated=*/true);
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

void Master::save_subsystems() {
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->save(saved_[s]);
  }
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

template <int order>
models::StepResult Master::step(const Actor& actor, int tick, bool repeated) {
  const auto [first, count] = actor.inputs;
  for (std::size_t i = first; i < first + count; ++i) {
    if (!inputs_[i].plain) {
      continue_input(i, tick, repeated);
    } else if (const auto& d = state_.inputs[i].differences; inputs_[i].extrapolate) {
      lagrange_polynomial<order>(d, applied_[i]);
    } else {
      applied_[i].coefficients[0] = d[0];
    }
    if (corrects_) {
      applied_[i].coefficients[0] += state_.offsets[i];
    }
  }
  std::int64_t index = state_.macro_steps;
  if (actor.substeps > 1) {
    index = index * actor.substeps + tick / actor.substep_ticks;
  }
  const auto result = actor.subsystem->step(
      {.index = index, .start_s = time_s(tick), .size_s = actor.substep_s},
      models::InputModel{part(applied_, actor.inputs), degree_, actor.dynamics});
  cost_ += static_cast<double>(result.rhs_evaluations) * actor.rhs_weight;
  return result;
}

void Master::continue_input(std::size_t i, int tick, bool repeated) {
  const auto& input = inputs_[i];
  if (input.whole_window) {
    applied_[i] = window_polynomial(i, repeated);
    return;
  }
  const int into_window = tick % input.window_ticks;
  if (into_window == 0) {
    windows_[i] = window_polynomial(i, repeated);
  }
  const double window_ticks = input.window_ticks;
  applied_[i] = restricted(windows_[i], into_window / window_ticks,
                           actors_[graph_.inputs[i].subsystem].substep_ticks / window_ticks,
                           settings_.within_substep);
}

models::InputPolynomial Master::window_polynomial(std::size_t i, bool repeated) const {
  const auto& input = inputs_[i];
  const auto& history = state_.inputs[i];
  if (!input.known_ahead && !(repeated && input.repeats_ahead)) {
    if (!input.extrapolate) {
      return {{history.differences[0]}};
    }
    return settings_.extrapolation <= Extrapolation::order_4
               ? lagrange_polynomial(history.differences)
               : continued(history, settings_.extrapolation);
  }
  // Who stepped before in this pass has exchanged its end, of the others the last iterate is known.
  const auto& known = input.known_ahead ? state_.y : before_;
  if (!input.extrapolate) {
    return {{known[input.source]}};
  }
  InputHistory with_end = history;
  remember(with_end, sample_of(input, known), older_values_);
  return interpolated(with_end, settings_.extrapolation);
}

void Master::exchange(const Actor& actor, int tick) {
  const auto u = part(state_.u, actor.inputs);
  const auto* applied = applied_.data() + actor.inputs.first;
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = actor.dynamics ? actor.dynamics->end[i] : applied[i].value(1);
  }
  if (corrects_) {
    for (std::size_t i = 0; i < u.size(); ++i) {
      const std::size_t input = actor.inputs.first + i;
      extrapolated_[input] = u[i] - state_.offsets[input];
    }
  }
  actor.subsystem->outputs(time_s(tick), u, part(state_.y, actor.outputs));
}

template <int order>
void Master::remember_windows(int tick) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto& input = inputs_[i];
    if (tick != input.window_ticks && tick % input.window_ticks != 0) {
      continue;
    }
    if (input.plain) {
      remember<order>(state_.inputs[i], state_.y[input.source]);
    } else {
      remember_input(i);
    }
  }
}

void Master::remember_input(std::size_t i) {
  const auto& input = inputs_[i];
  auto newest = sample_of(input, state_.y);
  if (input.delay_count > 0) {
    // The ring's oldest value arrives and gives its place to the newest one.
    auto& head = state_.delay_head[i];
    std::swap(newest.value, state_.delayed[input.delay_first + head]);
    head = (head + 1) % input.delay_count;
  }
  auto& history = state_.inputs[i];
  if (smooth_) {
    const auto& ended = input.whole_window ? applied_[i] : windows_[i];
    history.end_value = ended.value(1);
    history.end_slope = models::end_slope(ended);
  }
  remember(history, newest, older_values_);
}

Sample Master::sample_of(const Input& input, std::span<const double> y) {
  Sample sample{.value = y[input.source]};
  if (input.slope_source) {
    sample.slope = input.window_s * y[*input.slope_source];
    if (input.curvature_source) {
      sample.curvature = input.window_s * input.window_s * y[*input.curvature_source];
    }
  }
  return sample;
}

void Master::restart_correction() {
  std::ranges::fill(state_.offsets, 0.0);
  own_y_ = state_.y;
  extrapolated_ = state_.u;
  model_is_due_ = true;
  if (auto* energy = std::get_if<EnergyCorrection>(&correction_)) {
    energy->restart(state_.y);
  }
}

void Master::refresh_model() {
  const bool in_turn = model_changes_ && state_.macro_steps % settings_.model_refresh == 0;
  if (!model_is_due_ && !in_turn) {
    return;
  }
  for (std::size_t i = 0; i < exchanged_u_.size(); ++i) {
    exchanged_u_[i] = state_.y[graph_.inputs[i].source];
  }
  for (std::size_t s = 0; s < actors_.size(); ++s) {
    const auto& actor = actors_[s];
    const bool provided =
        actor.subsystem->linearise(time_s(), part(exchanged_u_, actor.inputs), linearisations_[s]);
    models::ensure(provided, "a configuration without Jacobians is refused");
    // Central differences: two evaluations for each state and input.
    const auto columns = linearisations_[s].a.cols() + linearisations_[s].b.cols();
    cost_ += 2 * static_cast<double>(columns) * actor.rhs_weight;
  }
  std::get<SignalCorrection>(correction_).set_model(linearisations_);
  model_is_due_ = false;
  model_changes_ = !std::ranges::all_of(linearisations_, &models::Linearisation::constant);
}

void Master::correct() {
  own_y_ = state_.y;
  if (auto* energy = std::get_if<EnergyCorrection>(&correction_)) {
    energy->end_macro_step(state_.y, state_.offsets);
  } else if (auto* signals = std::get_if<SignalCorrection>(&correction_)) {
    signals->end_macro_step({.extrapolated = extrapolated_, .histories = state_.inputs}, state_.y,
                            state_.offsets);
  }
}

std::span<const double> Master::outputs_for_extrapolated_inputs() {
  read_outputs(extrapolated_inputs(), exchanged_y_);
  return exchanged_y_;
}

std::span<const double> Master::outputs_for_exchanged_inputs() {
  for (std::size_t i = 0; i < exchanged_u_.size(); ++i) {
    exchanged_u_[i] = state_.y[graph_.inputs[i].source];
  }
  read_outputs(exchanged_u_, exchanged_y_);
  return exchanged_y_;
}

std::optional<double> Master::energy_j() {
  return graph_.energy_outputs.empty() ? std::nullopt
                                       : total_energy_j(graph_, outputs_for_exchanged_inputs());
}

void Master::read_outputs(std::span<const double> u, std::span<double> y) {
  for (const auto& actor : actors_) {
    actor.subsystem->outputs(time_s(), u.subspan(actor.inputs.first, actor.inputs.count),
                             y.subspan(actor.outputs.first, actor.outputs.count));
  }
}

double Master::time_s(int tick) const {
  const double steps = static_cast<double>(state_.macro_steps);
  if (tick == 0 || tick == schedule_.ticks) {
    return (tick == 0 ? steps : steps + 1) * settings_.macro_step_s;
  }
  return (steps + static_cast<double>(tick) / schedule_.ticks) * settings_.macro_step_s;
}

}  // namespace macrostep::engine
