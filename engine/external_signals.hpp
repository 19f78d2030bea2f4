// Which signal drives which external port.
#pragma once

#include <vector>

#include "engine/problem.hpp"
#include "engine/test_input.hpp"

namespace macrostep::engine {

/// The signals of every subsystem's external ports under the test; a port that nothing drives stays
/// at 0. The test must outlive them.
std::vector<std::vector<models::ExternalSignal>> external_signals(const Problem& problem,
                                                                  const Coupling& coupling,
                                                                  const TestInput& test);

}  // namespace macrostep::engine
