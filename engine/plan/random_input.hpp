// Inputs as a rig may meet them, to hold a recommendation against that its search has found with
// others: what a person does at a lever, random switching, and a sweep over frequencies.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/base/random.hpp"
#include "engine/problem/problem.hpp"
#include "engine/problem/test_input.hpp"

namespace macrostep::engine {

/// The least time in which an input changes, how long it goes on, over how much of its range, the
/// longest time to the next change, as a multiple of the least, and how many inputs take turns.
struct RandomTimes {
  double shortest_s = 0;
  double duration_s = 0;
  double share = 1;
  double longest_per_shortest = 8;
  std::size_t most_alone = 1;  ///< inputs that switch alone while the others stand still
  double most_changes = 200;   ///< a longer input changes more rarely
};

/// `joystick` (levels held and left along straight lines), `prbs` (jumps between the extremes at
/// random times) and `chirp` (from once per duration to once per 2·shortest_s, or back) of all
/// external inputs, each on its own and in its own range; of more than one of them also "prbs of"
/// one alone, for `most_alone` of them. Without external inputs the free motion alone.
std::vector<TestInput> random_inputs(Random& random, const std::vector<ExternalInput>& inputs,
                                     const RandomTimes& times);

enum class Steady {
  levels,    ///< jumps to an end of the range, to rest, or to anything between
  joystick,  ///< as of random_inputs()
  sine,      ///< of one frequency, over a part of the range
  chirp,     ///< as of random_inputs()
  prbs       ///< as of random_inputs()
};

/// For every frequency [Hz] a sine of all external inputs at once, over a share of their ranges, of
/// so many periods, but no longer than `most_s`. None without external inputs.
std::vector<TestInput> sines(const std::vector<ExternalInput>& inputs, double share,
                             std::span<const double> frequencies_hz, double periods, double most_s);

/// Inputs of which every external input keeps to a pace of its own, drawn between shortest_s and
/// longest_per_shortest times that; of more than one sometimes one moves alone. The fastest of them
/// changes most_changes times, if the duration is long enough, and then the input ends. What is
/// amplified at one frequency or one size has time to grow. None without external inputs.
std::vector<TestInput> steady_random_inputs(Random& random,
                                            const std::vector<ExternalInput>& inputs,
                                            const RandomTimes& times,
                                            const std::vector<Steady>& kinds);

}  // namespace macrostep::engine
