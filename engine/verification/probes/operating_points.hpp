// Whether a configuration is stable at one macro-step where the problem is not linear: by the
// motions around states that the tests reach.
//
// The external inputs are those of a test until it has reached the state, and then at rest, but for
// one that is pushed a little up, and in another run as far down (CheckInputs::operating_points).
// Half the difference of both runs is the motion around the state, up to the square of the push: it
// follows a linear model whose rates are identified as those of a linear problem
// (identified_growth.hpp). Along a moving trajectory there would be no such model.
//
// Runs to the same states with a quarter of the macro-step show what is the system's own, that of
// its integrators included. With rates λ ± u, and λ' ± u' of the same motion there, 0 where it is
// not found and at least 0:
//
//   a motion grows       λ − 3 u > λ' + 3 u', or runs end that do not with a quarter
//   a state is verified  no motion grows, and motions whose rate is uncertain (λ + u > 0, with u
//                        not small beside the slowest rate) are less than a hundredth of the whole
//
//   growing   motions grow around two states at least
//   stable    five states at least are verified, more than are not, and around none a motion grows
//   unknown   else: contacts, chaos, runs that end at any macro-step
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "engine/verification/probes/growth_probe.hpp"

namespace macrostep::engine {

/// What the motions around one state say.
struct StateMotions {
  bool grows = false;
  bool is_verified = false;
  bool ended = false;
  bool has_motions = false;
  double rate_per_s = 0;  ///< of the motion that exceeds its limit the most
  double uncertainty_per_s = 0;
  double limit_per_s = 0;
  double slowest_s = 0;
  double unseen_share = smallest_share;  ///< motions below it were not seen
  std::vector<Notice> findings;          ///< that motion, or why there are none
  std::vector<std::size_t> still;        ///< responding outputs that no push moves
  double cost = 0;                       ///< of the runs
};

/// The motions around a state, one of CheckInputs::operating_points by its number, compared with
/// those of a quarter of H. The runs take `duration_s`
/// after the state or what the slowest motion needs, within bounds. Where the stop flag ends it
/// early there are no motions, and a finding says why.
StateMotions probe_state(const Plan& plan, std::size_t configuration, double macro_step_s,
                         double duration_s, const RunsOnThreads& runs, std::size_t point);

/// Where nothing is known around the first few states the others are not looked at.
struct AroundStates {
  GrowthVerdict verdict = GrowthVerdict::unknown;  ///< never within_session
  std::size_t states = 0;                          ///< looked at
  std::size_t verified = 0;
  /// Around none of the first few states does a linear model hold, nor does a run end: so it is,
  /// then, whatever the macro-step.
  bool is_linear_nowhere = false;
  /// λ of the motion that exceeds λ' the most, in 1/s, and λ' + 3 (u + u'): what it may be. Absent
  /// where runs end.
  std::optional<double> rate_per_s;
  std::optional<double> uncertainty_per_s;  ///< u
  std::optional<double> limit_per_s;
  double slowest_s = 0;  ///< period or time constant of the slowest motion; 0: not known
  double unseen_share = smallest_share;  ///< around the state where most was not seen
  std::vector<Notice> findings;          ///< where that rate is, or why there is no verdict
  double cost = 0;                       ///< of the runs
};

/// Motions around some states of the plan, in their order, by index.
using ProbeStates = std::function<std::vector<StateMotions>(const std::vector<std::size_t>&)>;

/// Asks for a few states first, and for the others unless a linear model holds around none of them.
AroundStates around_states(const Plan& plan, const Configuration& configuration,
                           const ProbeStates& probe);

}  // namespace macrostep::engine
