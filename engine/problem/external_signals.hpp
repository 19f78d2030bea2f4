// Which signal drives which external port.
#pragma once

#include <map>
#include <vector>

#include "engine/problem/problem.hpp"
#include "engine/problem/test_input.hpp"

namespace macrostep::engine {

using ExternalSignals = std::vector<std::vector<models::ExternalSignal>>;  ///< by subsystem

/// The signals of every subsystem's external ports under the test; a port that nothing drives stays
/// at 0. The test must outlive them.
ExternalSignals external_signals(const Problem& problem, const Coupling& coupling,
                                 const TestInput& test);

/// Those of several tests, each worked out once.
class SignalsOfTests {
 public:
  SignalsOfTests(const Problem& problem, const Coupling& coupling)
      : problem_(problem), coupling_(coupling) {}

  const ExternalSignals& of(const TestInput& test);

 private:
  const Problem& problem_;
  const Coupling& coupling_;
  std::map<const TestInput*, ExternalSignals> known_;
};

}  // namespace macrostep::engine
