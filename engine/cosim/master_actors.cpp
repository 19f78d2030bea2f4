#include "engine/cosim/master_actors.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

template <class Value>
std::span<Value> part(std::span<Value> values, const PortRange& range) {
  return values.subspan(range.first, range.count);
}

}  // namespace

std::vector<MasterActor> master_actors(const CouplingGraph& graph, const Schedule& schedule,
                                       const MasterSettings& settings, const MasterMemory& memory,
                                       std::span<models::InputPolynomial> applied,
                                       LinearlyImplicit* integrated) {
  std::vector<MasterActor> actors;
  auto& state = memory.state;
  for (std::size_t s = 0; s < memory.subsystems.size(); ++s) {
    const int substep_ticks = schedule.substep_ticks[s];
    const int substeps = schedule.ticks / substep_ticks;
    const auto inputs = graph.input_ranges[s];
    const auto outputs = graph.output_ranges[s];
    const auto sources = part(memory.inputs, inputs);
    const bool holds = std::ranges::none_of(sources, &MasterInput::extrapolate);
    actors.push_back({.subsystem = memory.subsystems[s].get(),
                      .inputs = inputs,
                      .outputs = outputs,
                      .sources = sources,
                      .histories = part(std::span(state.inputs), inputs),
                      .applied = part(applied, inputs),
                      .u = part(std::span(state.u), inputs),
                      .y = part(std::span(state.y), outputs),
                      .rhs_weight = memory.subsystems[s]->describe().rhs_weight,
                      .substep_s = settings.macro_step_s / substeps,
                      .substeps = substeps,
                      .substep_ticks = substep_ticks,
                      .degree = holds ? 0 : polynomial_degree(settings.extrapolation),
                      .plain = std::ranges::all_of(sources, &MasterInput::plain),
                      .dynamics = integrated ? integrated->of(s) : nullptr});
  }
  return actors;
}

}  // namespace macrostep::engine
