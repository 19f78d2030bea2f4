#include "engine/fmu_export/initial_inputs.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <utility>
#include <variant>

#include "engine/cosim/initial_outputs.hpp"
#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

namespace {

std::vector<models::ExternalSignal> constant_externals(const Problem& problem,
                                                       const SubsystemDefinition& subsystem) {
  std::vector<models::ExternalSignal> signals;
  for (const auto& port : subsystem.description.externals) {
    const PortName name{subsystem.name, port.name};
    const auto input = std::ranges::find(problem.external_inputs, name, &ExternalInput::to);
    const bool known = input != problem.external_inputs.end();
    signals.push_back({.signal = {.base = known ? input->initial : 0}});
  }
  return signals;
}

}  // namespace

std::map<std::string, std::vector<double>> initial_inputs(const Problem& problem,
                                                          const Coupling& coupling) {
  const auto built = build_coupling_graph(problem, coupling);
  std::vector<double> u;
  if (const auto* graph = std::get_if<CouplingGraph>(&built)) {
    std::vector<std::vector<models::ExternalSignal>> signals;
    std::vector<std::unique_ptr<models::Subsystem>> subsystems;
    for (const auto& subsystem : coupling.subsystems) {
      signals.push_back(constant_externals(problem, subsystem));
      subsystems.push_back(subsystem.make(subsystem.integrators.front(), subsystem.micro_step_s));
      subsystems.back()->start(0, signals.back());
    }
    const auto evaluate = [&](std::span<const double> all_u, std::span<double> all_y) {
      for (std::size_t s = 0; s < subsystems.size(); ++s) {
        const auto [in, in_count] = graph->input_ranges[s];
        const auto [out, out_count] = graph->output_ranges[s];
        subsystems[s]->outputs(0, all_u.subspan(in, in_count), all_y.subspan(out, out_count));
      }
    };
    u.resize(graph->inputs.size());
    std::vector<double> y(graph->output_count);
    if (find_initial_outputs(*graph, evaluate, u, y)) {
      std::ranges::fill(u, 0.0);
    }
  }
  std::map<std::string, std::vector<double>> inputs;
  std::size_t next = 0;
  for (const auto& subsystem : coupling.subsystems) {
    auto& own = inputs[subsystem.name];
    for (std::size_t i = 0; i < subsystem.description.inputs.size(); ++i) {
      own.push_back(next < u.size() ? u[next] : 0);
      ++next;
    }
  }
  return inputs;
}

}  // namespace macrostep::engine
