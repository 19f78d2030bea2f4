#include "engine/external_signals.hpp"

namespace macrostep::engine {

std::vector<std::vector<models::ExternalSignal>> external_signals(const Problem& problem,
                                                                  const Coupling& coupling,
                                                                  const TestInput& test) {
  std::vector<std::vector<models::ExternalSignal>> signals;
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

}  // namespace macrostep::engine
