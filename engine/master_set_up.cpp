// What a master looks up once, before the first macro-step.
#include <algorithm>
#include <utility>

#include "engine/bond_order.hpp"
#include "engine/initial_outputs.hpp"
#include "engine/master.hpp"

namespace macrostep::engine {

namespace {

template <class Value>
std::span<Value> part(std::vector<Value>& values, const PortRange& range) {
  return std::span(values).subspan(range.first, range.count);
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
  set_up_actors();
}

void Master::set_up_inputs() {
  const auto extrapolation = settings_.extrapolation;
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
                  !input.known_ahead && input.delay_count == 0 && !corrects_ &&
                  settings_.scheme != Scheme::iterative;
    delayed += input.delay_count;
    inputs_.push_back(input);
  }
}

void Master::set_up_actors() {
  auto* integrated = std::get_if<LinearlyImplicit>(&correction_);
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    const int substep_ticks = schedule_.substep_ticks[s];
    const int substeps = schedule_.ticks / substep_ticks;
    const auto inputs = graph_.input_ranges[s];
    const auto outputs = graph_.output_ranges[s];
    const auto sources = part(inputs_, inputs);
    const bool holds = std::ranges::none_of(sources, &Input::extrapolate);
    actors_.push_back({.subsystem = subsystems_[s].get(),
                       .inputs = inputs,
                       .outputs = outputs,
                       .sources = sources,
                       .histories = part(state_.inputs, inputs),
                       .applied = part(applied_, inputs),
                       .u = part(state_.u, inputs),
                       .y = part(state_.y, outputs),
                       .rhs_weight = subsystems_[s]->describe().rhs_weight,
                       .substep_s = settings_.macro_step_s / substeps,
                       .substeps = substeps,
                       .substep_ticks = substep_ticks,
                       .degree = holds ? 0 : polynomial_degree(settings_.extrapolation),
                       .plain = std::ranges::all_of(sources, &Input::plain),
                       .dynamics = integrated ? integrated->of(s) : nullptr});
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
  save_subsystems();  // what it is written to has its size from here on
  return std::nullopt;
}

}  // namespace macrostep::engine
