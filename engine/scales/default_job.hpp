// The search of a problem of the user's own, where the job leaves it open.
#pragma once

#include <optional>

#include "engine/job/job.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/own_problem.hpp"
#include "engine/problem/problem.hpp"
#include "engine/scales/scales.hpp"

namespace macrostep::engine {

/// Width of an impulse that does not say its own, as a share of its test: 0.4 s of 1 s (Rahikainen,
/// González and Naya 2019).
inline constexpr double usual_impulse_share = 0.4;

/// Where the scales are not known yet.
inline constexpr double assumed_duration_s = 1;
inline constexpr MacroStepGrid assumed_grid{
    .initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02};

/// The default search of a problem of the user's own. H, tests and the nominal values of outputs
/// without one are those of the problem's scales, where these are told, or known from its matrices
/// (scales.hpp): H goes up from a 16th of the fastest time; a jump comes after 30 of the slowest
/// times and leaves as many. Else they are open: H from 0.2 to 20 ms and tests of 1 s stand in
/// their places. `problem` is the one built from `own`.
Job default_job(const OwnProblem& own, const Problem& problem,
                const std::optional<KnownScales>& told = {});

/// Scales with which H goes up from 0.2 ms, and tests take 1 s.
inline constexpr KnownScales assumed_scales{.fastest_s = 3.2e-3,
                                            .slowest_s = assumed_duration_s / 60,
                                            .growing_per_s = {},
                                            .found_by = ScalesBy::assumed};

/// Sets the numbers that the job leaves open. Nothing is open then.
void take_scales(const KnownScales& times, Job& job);

/// Sets the nominal values of outputs that have none, also where their FMU says none.
void take_nominal_values(const Scales& scales, const Coupling& coupling, const CouplingGraph& graph,
                         OwnProblem& own);

/// Which ends of the grid the job gives itself.
struct GivenGrid {
  bool initial = false;
  bool maximum = false;
};

/// The ends of a refined grid that the job leaves open, by the tests that it has in the end: the
/// longest has no more of the first macro-step than a default one may have, and minimum_macro_steps
/// of the largest. The first is below what the job gives as largest, and none of its allowed ones
/// is below the first.
void fit_to_tests(Job& job, GivenGrid given);

}  // namespace macrostep::engine
