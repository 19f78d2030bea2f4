// External inputs that checks of a recommendation run with (run_checks.hpp), beside the tests of
// the job: jumps, pushes at states that the tests reach, and what a rig may meet. Made with the
// plan, so that every process that runs it has the same.
#pragma once

#include <cstddef>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "engine/problem/problem.hpp"
#include "engine/problem/test_input.hpp"

namespace macrostep::engine {

/// Inputs over all of their ranges, then the same ones over a half, a quarter and an eighth, in the
/// same order: a run that cannot follow an input over the whole range may follow it over a part.
using InputsByShare = std::vector<std::vector<TestInput>>;

/// A state that a test reaches: until there the external inputs are those of the test, from there
/// on at rest, but one that is pushed a little up and, in another run, as far down.
struct OperatingPoint {
  std::string name;
  std::size_t test = 0;  ///< of the job
  double time_s = 0;
  std::vector<TestInput> pushed;  ///< up and down for each input pushed
};

struct CheckInputs {
  /// The free motion, a jump of each of the first few inputs, half of the first jump as the third,
  /// and a jump of all other inputs at once: for growth_probe.hpp. A jump may last as long as one
  /// likes.
  std::vector<TestInput> jumps;
  /// For operating_points.hpp, as jumps may last as long as one likes; none without inputs.
  std::vector<OperatingPoint> operating_points;
  /// The free motion and a part of the jump of each input, ten times as long as the longest test,
  /// and steady random inputs, at most half as long: what grows slowly, or rarely, shows in no
  /// test.
  InputsByShare long_motions;
  /// Sines up to three times as long as that test, from one to a hundred periods in it.
  InputsByShare sines;
  /// Many of two to three times that test: random switching, most of it from one end of the ranges
  /// to the other. What nearly goes over the top does so under few of them.
  InputsByShare switching;
  /// Random switching and levers, fast and then slow, up to fifty times as long as the longest
  /// test: how runs end, and how far they swing; the free motion where there are no inputs.
  InputsByShare lasting;
  /// Random switching, up to ten times as long as lasting ones: for a run over the session.
  std::vector<TestInput> session;
  /// Longest run over a session that the micro-steps of the job allow [s].
  double longest_session_s = std::numeric_limits<double>::infinity();
  InputsByShare random;  ///< of random_input.hpp, longer than the longest test
  InputsByShare fast;    ///< as long as that, changing faster than most rigs
  InputsByShare unseen;  ///< others of them, for the last validation
};

/// No two, and none of them and of the tests, have the same name.
/// Long ones, sines, switching and lasting ones are shorter where the micro-steps of the job [s]
/// make them expensive.
CheckInputs check_inputs(const Problem& problem, const std::vector<TestInput>& tests,
                         const std::map<std::string, double>& micro_steps);

}  // namespace macrostep::engine
