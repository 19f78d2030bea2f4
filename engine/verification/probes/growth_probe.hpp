// Whether a configuration is stable at one macro-step, from runs alone: the external inputs jump
// once and stand still from then on, one input in each run, and the rates of what moves afterwards
// are told from the outputs (identified_growth.hpp). Holds for subsystems of which nothing but the
// outputs is known.
//
// With a rate λ that is known to ± u, as in growth.hpp:
//
//   stable    λ + u ≤ 0 for every motion, up to rounding
//   growing   λ − 3 u > 0 for one of them
//   unknown   else
//
// Deviation: 3 u and not u for "growing". u is the spread of a few estimates; a run that is
// rejected for a rate within it is lost, while one that is unknown ranks below what is verified.
//
// What a quarter of H shows, too, is the system's own, the integrators of its subsystems included:
// an oscillation that is not damped there, up to rounding, may grow by a tenth within a session,
// and a motion that grows there, too, has no verdict unless it grows clearly faster with H.
// Deviation: H and its part are not compared for u, as the rates of a stable coupling differ
// between them by about as much as they lie below 0.
//
// Where the problem is not linear, what grows depends on where it is and how far it moves, and the
// probe has no verdict: half a jump of the first input must make half the difference, and the
// outputs must follow a linear model. What jumps do not reach, as a stop, lasting inputs may
// (linearity.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/notices/notice.hpp"
#include "engine/plan/plan.hpp"
#include "engine/verification/probes/probe_runs.hpp"

namespace macrostep::engine {

/// The better ones first.
enum class GrowthVerdict { stable, within_session, unknown, growing };

/// A run that did not complete.
struct EndedJump {
  std::size_t jump = 0;  ///< of CheckInputs::jumps
  double time_s = 0;
};

struct ProbedGrowth {
  GrowthVerdict verdict = GrowthVerdict::unknown;
  double macro_step_s = 0;  ///< H
  /// Those that may grow fastest first; none where a run did not complete, or no motion was
  /// identified.
  std::vector<ProbedMotion> motions;
  std::size_t deciding = 0;  ///< the motion that the verdict is of
  /// What its rate may be: above 0 where a finer H has this growth, too, or the motion is an
  /// oscillation that is not damped.
  double limit_per_s = 0;
  double slowest_s = 0;  ///< period or time constant of the slowest one; 0: not known
  double session_s = 0;  ///< over which a growth is judged; 0 without motions
  /// Share of the outputs that is not linear in the input, or that no linear model predicts.
  double unexplained = 0;
  double unseen_share = smallest_share;  ///< motions below it were not seen
  /// Responding outputs that stand still in the free motion and after every jump, in the order of
  /// the graph: what depends on them alone was not seen.
  std::vector<std::size_t> still;
  std::optional<EndedJump> ended;  ///< the first run that did not complete
  std::vector<Notice> findings;    ///< why the verdict is another than stable
  double cost = 0;                 ///< of the runs
};

/// By the motions of runs with H / finer, looked at at the communication points of runs with H. The
/// runs take `duration_s` or what the slowest motion needs, within bounds. Jumps are those of the
/// plan's check inputs. `session_s`: where it is known already; `longest_s`: beyond it no run is
/// made longer. The stop flag ends it early, with verdict unknown.
ProbedGrowth probe_growth(const Plan& plan, std::size_t configuration, double macro_step_s,
                          double duration_s, const RunsOnThreads& runs, std::int64_t finer = 1,
                          std::optional<double> session_s = std::nullopt,
                          std::optional<double> longest_s = std::nullopt);

/// How long a session is: what is known, the job's, 1000 times the slowest motion that runs show
/// (0: none), or 1000 times the longest test.
double probed_session_s(const Plan& plan, const std::optional<double>& known_s, double slowest_s);

/// The verdict of motions, by those of a finer macro-step.
void hold_against_finer(ProbedGrowth& probed, const ProbedGrowth& fine);

}  // namespace macrostep::engine
