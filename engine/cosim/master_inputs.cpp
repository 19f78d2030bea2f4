#include "engine/cosim/master_inputs.hpp"

#include <algorithm>

#include "engine/job/bond_order.hpp"

namespace macrostep::engine {

std::vector<MasterInput> master_inputs(const CouplingGraph& graph, const Schedule& schedule,
                                       const MasterSettings& settings, bool corrected) {
  const auto extrapolation = settings.extrapolation;
  std::vector<MasterInput> inputs;
  std::size_t delayed = 0;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    const auto& from = graph.inputs[i];
    const auto& timing = schedule.inputs[i];
    const int windows = schedule.ticks / timing.window_ticks;
    const int degree = needs_derivatives(extrapolation) ? degree_of(from, extrapolation) : 0;
    MasterInput input{.source = from.source,
                      .extrapolate = from.extrapolate,
                      .known_ahead = timing.known_ahead,
                      .repeats_ahead = from.delay_macro_steps == 0,
                      .whole_window = timing.window_ticks == schedule.substep_ticks[from.subsystem],
                      .window_ticks = timing.window_ticks,
                      .slope_source = {},
                      .curvature_source = {},
                      .window_s = settings.macro_step_s / windows,
                      .delay_first = delayed,
                      .delay_count = static_cast<std::size_t>(from.delay_macro_steps * windows)};
    if (degree >= 1) {
      input.slope_source = from.first_derivative;
    }
    if (degree >= 2 && integrates_derivatives(extrapolation)) {
      input.curvature_source = from.second_derivative;
    }
    input.plain = extrapolation <= Extrapolation::order_4 && input.whole_window &&
                  !input.known_ahead && input.delay_count == 0 && !corrected &&
                  settings.scheme != Scheme::iterative;
    delayed += input.delay_count;
    inputs.push_back(input);
  }
  return inputs;
}

int past_ticks(std::span<const MasterInput> inputs, Extrapolation extrapolation) {
  int ticks = 0;
  for (const auto& input : inputs) {
    const int windows = older_values(extrapolation) + static_cast<int>(input.delay_count);
    ticks = std::max(ticks, windows * input.window_ticks);
  }
  return ticks;
}

}  // namespace macrostep::engine
