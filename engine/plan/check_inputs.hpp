// External inputs that checks of a recommendation run with (run_checks.hpp), beside the tests of
// the job: jumps, and what a rig may meet. Made with the plan, so that every process that runs it
// has the same.
#pragma once

#include <vector>

#include "engine/problem/problem.hpp"
#include "engine/problem/test_input.hpp"

namespace macrostep::engine {

/// Inputs over all of their ranges, then the same ones over a half, a quarter and an eighth, in the
/// same order: a run that cannot follow an input over the whole range may follow it over a part.
using InputsByShare = std::vector<std::vector<TestInput>>;

struct CheckInputs {
  /// The free motion, a jump of each input and, in third place, half of the first jump: for
  /// growth_probe.hpp. A jump may last as long as one likes.
  std::vector<TestInput> jumps;
  InputsByShare random;  ///< of random_input.hpp, longer than the longest test
  InputsByShare fast;    ///< as long as that, changing faster than most rigs
  InputsByShare unseen;  ///< others of them, for the last validation
};

/// No two, and none of them and of the tests, have the same name.
CheckInputs check_inputs(const Problem& problem, const std::vector<TestInput>& tests);

}  // namespace macrostep::engine
