#include "engine/cosim/master.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/cosim/initial_outputs.hpp"
#include "models/subsystem/ensure.hpp"
#include "models/subsystem/pieces.hpp"

namespace macrostep::engine {

namespace {

/// Changes of an output below this share of its nominal value are rounding, which no iteration
/// ends.
constexpr double rounding_share = 1e-13;

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
      saved_(settings.scheme == Scheme::iterative ? subsystems_.size() : 0),
      windows_(graph.inputs.size()),
      applied_(graph.inputs.size()),
      before_(graph.output_count),
      exchanged_u_(graph.inputs.size()),
      exchanged_y_(graph.output_count),
      correction_(std::move(correction)),
      corrects_(std::holds_alternative<EnergyCorrection>(correction_) ||
                std::holds_alternative<SignalCorrection>(correction_)),
      own_y_(corrects_ ? graph.output_count : 0),
      extrapolated_(corrects_ ? graph.inputs.size() : 0),
      extrapolated_y_(own_y_.size()) {
  const auto* signals = std::get_if<SignalCorrection>(&correction_);
  needs_model_ = signals && signals->needs_jacobians();
  linearisations_.resize(needs_model_ ? subsystems_.size() : 0);
  inputs_ = master_inputs(graph_, schedule_, settings_, corrects_);
  older_values_ = older_values(settings_.extrapolation);
  smooth_ = starts_from_last_end(settings_.extrapolation);
  state_ = empty_state(graph_, inputs_);
  actors_ = master_actors(graph_, schedule_, settings_, memory(), applied_,
                          std::get_if<LinearlyImplicit>(&correction_));
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
  save_subsystems();  // what it is written to has its size from here on
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
  models::StepResult total;
  if (settings_.scheme == Scheme::iterative) {
    iterate<order>(total);
  } else {
    run_actions<order>(total, /*repeated=*/false);
  }
  if (total.status == models::StepStatus::ok) {
    for (std::size_t i = 0; i < disturbing_.size(); ++i) {
      const auto& [factor, at_zero, zero] = disturbing_[i];
      const bool is_zero = at_zero != 0 && std::abs(state_.y[i]) <= zero;
      state_.y[i] = is_zero ? at_zero : factor * state_.y[i];
    }
    if (corrects_) {
      correct();
    }
    remember_windows<order>(schedule_.ticks);
    ++state_.macro_steps;
  }
  return total;
}

template <int order>
void Master::run_actions(models::StepResult& total, bool repeated) {
  for (const auto& action : schedule_.actions) {
    switch (action.kind) {
      case Action::Kind::step:
        step<order>(actors_[action.subsystem], action.tick, repeated, total);
        if (total.status != models::StepStatus::ok) {
          return;
        }
        break;
      case Action::Kind::exchange:
        exchange(actors_[action.subsystem], action.tick);
        break;
      case Action::Kind::remember:
        remember_windows<order>(action.tick);
        break;
    }
  }
}

template <int order>
void Master::iterate(models::StepResult& total) {
  save_subsystems();
  run_actions<order>(total, /*repeated=*/false);
  const int limit = settings_.iteration.repeats.value_or(settings_.iteration.maximum);
  bool settled = limit == 0;
  for (int k = 0; k < limit && total.status == models::StepStatus::ok && !settled; ++k) {
    before_ = state_.y;
    for (std::size_t s = 0; s < subsystems_.size(); ++s) {
      subsystems_[s]->restore(saved_[s]);
    }
    run_actions<order>(total, /*repeated=*/true);
    settled = !settings_.iteration.repeats && stands_still();
  }
  if (total.status == models::StepStatus::ok && !settled && !settings_.iteration.repeats) {
    total.status = models::StepStatus::solver_failed;
    total.reason = "the iteration over the macro-step did not converge";
  }
  note_largest();
}

void Master::save_subsystems() {
  for (std::size_t s = 0; s < saved_.size(); ++s) {
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
void Master::step(const MasterActor& actor, int tick, bool repeated, models::StepResult& total) {
  if (actor.plain) {
    continue_plain_inputs<order>(actor);
  } else {
    for (std::size_t i = 0; i < actor.inputs.count; ++i) {
      continue_input(actor.inputs.first + i, tick, repeated);
    }
  }
  std::int64_t index = state_.macro_steps;
  if (actor.substeps > 1) {
    index = index * actor.substeps + tick / actor.substep_ticks;
  }
  const auto result =
      actor.subsystem->step({.index = index, .start_s = time_s(tick), .size_s = actor.substep_s},
                            models::InputModel{actor.applied, actor.degree, actor.dynamics});
  total.status = result.status;
  total.reason = result.reason;
  total.rhs_evaluations += result.rhs_evaluations;
  cost_ += static_cast<double>(result.rhs_evaluations) * actor.rhs_weight;
}

template <int order>
void Master::continue_plain_inputs(const MasterActor& actor) {
  for (std::size_t i = 0; i < actor.applied.size(); ++i) {
    const auto& differences = actor.histories[i].differences;
    if (actor.sources[i].extrapolate) {
      lagrange_polynomial<order>(differences, actor.applied[i]);
    } else {
      actor.applied[i].coefficients[0] = differences[0];
    }
  }
}

void Master::continue_input(std::size_t i, int tick, bool repeated) {
  const auto& input = inputs_[i];
  if (input.whole_window) {
    applied_[i] = window_polynomial(i, repeated);
  } else {
    const int into_window = tick % input.window_ticks;
    if (into_window == 0) {
      windows_[i] = window_polynomial(i, repeated);
    }
    const double window_ticks = input.window_ticks;
    applied_[i] = restricted(windows_[i], into_window / window_ticks,
                             actors_[graph_.inputs[i].subsystem].substep_ticks / window_ticks,
                             settings_.within_substep);
  }
  if (corrects_) {
    applied_[i].coefficients[0] += state_.offsets[i];
  }
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

void Master::exchange(const MasterActor& actor, int tick) {
  for (std::size_t i = 0; i < actor.u.size(); ++i) {
    actor.u[i] = actor.dynamics ? actor.dynamics->end[i] : actor.applied[i].value(1, actor.degree);
  }
  actor.subsystem->outputs(time_s(tick), actor.u, actor.y);
}

template <int order>
void Master::remember_windows(int tick) {
  for (const auto& actor : actors_) {
    for (std::size_t i = 0; i < actor.sources.size(); ++i) {
      const auto& input = actor.sources[i];
      if (tick != input.window_ticks && tick % input.window_ticks != 0) {
        continue;
      }
      if (input.plain) {
        remember<order>(actor.histories[i], state_.y[input.source]);
      } else {
        remember_input(actor.inputs.first + i);
      }
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

void Master::restart_correction() {
  std::ranges::fill(state_.offsets, 0.0);
  if (corrects_) {
    own_y_ = state_.y;
    extrapolated_ = state_.u;
  }
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
    const auto u = std::span(exchanged_u_).subspan(actor.inputs.first, actor.inputs.count);
    const bool provided = actor.subsystem->linearise(time_s(), u, linearisations_[s]);
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
  for (std::size_t i = 0; i < extrapolated_.size(); ++i) {
    extrapolated_[i] = state_.u[i] - state_.offsets[i];
  }
  if (auto* energy = std::get_if<EnergyCorrection>(&correction_)) {
    energy->end_macro_step(state_.y, state_.offsets);
  } else if (auto* signals = std::get_if<SignalCorrection>(&correction_)) {
    signals->end_macro_step({.extrapolated = extrapolated_, .histories = state_.inputs}, state_.y,
                            state_.offsets);
  }
}

std::span<const double> Master::outputs_for_extrapolated_inputs() {
  read_outputs(extrapolated_inputs(), extrapolated_y_);
  return extrapolated_y_;
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

MasterMemory Master::memory() {
  return {.subsystems = subsystems_,
          .inputs = inputs_,
          .state = state_,
          .extrapolation = settings_.extrapolation,
          .corrects = corrects_};
}

std::optional<std::vector<double>> Master::memory_nominal(std::span<const double> nominal_states) {
  return nominal_of(memory(), graph_, nominal_states);
}

void Master::read_memory(std::span<double> vector) {
  read(memory(), vector);
}

void Master::write_memory(std::span<const double> vector) {
  write(memory(), vector);
}

void Master::start_from(std::int64_t macro_step, std::span<const double> states,
                        const PastOutputs& past) {
  state_.macro_steps = macro_step;
  remember_past(memory(), states, past);
  restart_correction();  // there is nothing to make good
}

std::vector<models::SavedState> Master::saved_subsystems() const {
  std::vector<models::SavedState> saved(subsystems_.size());
  for (std::size_t s = 0; s < saved.size(); ++s) {
    subsystems_[s]->save(saved[s]);
  }
  return saved;
}

Master::Checkpoint Master::checkpoint() const {
  models::ensure(std::holds_alternative<std::monostate>(correction_),
                 "a correction's memory is its own");
  return {.state = state_, .windows = windows_, .subsystems = saved_subsystems(), .cost = cost_};
}

void Master::resume(const Checkpoint& checkpoint) {
  // Sizes stay, so the memory that the actors refer to stays where it is.
  state_ = checkpoint.state;
  windows_ = checkpoint.windows;
  cost_ = checkpoint.cost;
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    subsystems_[s]->restore(checkpoint.subsystems[s]);
  }
}

}  // namespace macrostep::engine
