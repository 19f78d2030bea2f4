// Whether a configuration is stable at one macro-step, from runs alone: the external inputs jump
// once and stand still from then on, one input in each run, and what grows afterwards is told from
// the outputs (identified_growth.hpp). Holds for subsystems of which nothing but the outputs is
// known.
//
// Growing is a motion that grows by more than a tenth over the duration T, as in stability.hpp,
// whatever the exact system does by itself (run_checks.hpp holds a finer run against it). Where the
// problem is not linear, what grows depends on where it is and how far it moves, and the probe has
// no verdict: half a jump of the first input must make half the difference, and the outputs must
// follow a linear model.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/ensemble/executor.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

enum class GrowthVerdict { stable, growing, unknown };

struct ProbedGrowth {
  GrowthVerdict verdict = GrowthVerdict::unknown;
  /// ln of the growth over T of the fastest-growing motion; absent where a run did not complete, or
  /// no motion was identified.
  std::optional<double> log_growth;
  /// Share of the outputs that is not linear in the input, or that no linear model predicts.
  double unexplained = 0;
  /// Responding outputs that stand still in the free motion and after every jump, in the order of
  /// the graph: what depends on them alone was not seen, and what looks stable has no verdict.
  std::vector<std::size_t> still;
  std::string reason;  ///< of a verdict other than stable
  double cost = 0;     ///< of the runs
};

/// T = `duration_s`; the runs themselves may be shorter or longer. Jumps are those of the plan's
/// check inputs. The stop flag ends it early, with verdict unknown.
ProbedGrowth probe_growth(const Plan& plan, const Configuration& configuration, double macro_step_s,
                          double duration_s, const RunsOnThreads& runs);

}  // namespace macrostep::engine
