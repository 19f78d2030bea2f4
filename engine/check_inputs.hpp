// External inputs that checks of a recommendation run with (run_checks.hpp), beside the tests of
// the job: jumps, and what a rig may meet. Made with the plan, so that every process that runs it
// has the same.
#pragma once

#include <vector>

#include "engine/problem.hpp"
#include "engine/test_input.hpp"

namespace macrostep::engine {

struct CheckInputs {
  /// The free motion, a jump of each input and, in third place, half of the first jump: for
  /// growth_probe.hpp. A jump may last as long as one likes.
  std::vector<TestInput> jumps;
  std::vector<TestInput> random;  ///< of random_input.hpp, longer than the longest test
  std::vector<TestInput> fast;    ///< as long as that, changing faster than most rigs
  std::vector<TestInput> unseen;  ///< others of them, for the last validation
};

/// No two, and none of them and of the tests, have the same name.
CheckInputs check_inputs(const Problem& problem, const std::vector<TestInput>& tests);

}  // namespace macrostep::engine
