#include "engine/problem/external_signals.hpp"

namespace macrostep::engine {

ExternalSignals external_signals(const Problem& problem, const Coupling& coupling,
                                 const TestInput& test) {
  ExternalSignals signals;
  for (const auto& subsystem : coupling.subsystems) {
    auto& mine = signals.emplace_back();
    for (const auto& port : subsystem.description.externals) {
      models::ExternalSignal external;
      const PortName name{subsystem.name, port.name};
      for (const auto& input : problem.external_inputs) {
        if (input.to == name) {
          external = {signal(test, input), input.sampling};
        }
      }
      mine.push_back(external);
    }
  }
  return signals;
}

const ExternalSignals& SignalsOfTests::of(const TestInput& test) {
  const auto [known, is_new] = known_.try_emplace(&test);
  if (is_new) {
    known->second = external_signals(problem_, coupling_, test);
  }
  return known->second;
}

}  // namespace macrostep::engine
