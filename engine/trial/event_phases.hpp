// What happens on a rig happens at any time between two communication points. A jump that falls on
// one reaches the other side at once, or only a macro-step later: the residual and the error of a
// run depend on the phase of the macro-step in which the jump comes. So step, ramp and impulse are
// run with their first event at several phases, and the worst run counts.
//
// With n phases the k-th event comes (2k + 1)/(2n) of a macro-step after a communication point, at
// most a macro-step late; the points stay where they are, as FMUs may step on a grid of their own.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/trial/trial.hpp"
#include "engine/trial/trial_spec.hpp"

namespace macrostep::engine {

/// By phase, how late the events of a test are [s]: at least 0 and less than H. A single 0 where
/// nothing happens in the test, or with one phase: it runs as it is.
std::vector<double> event_delays_s(const TestInput& test, double macro_step_s, int phases);

/// How many runs each trial of a test of the job is.
std::size_t runs_of_trial(const Plan& plan, std::size_t test);

/// The runs of a trial: with tests of the job one for each phase, else itself.
std::vector<TrialSpec> at_every_phase(const Plan& plan, const TrialSpec& trial);

/// What the runs of a trial say together: the first that is not complete, or else the one with the
/// largest residual, with its delay; evaluations, cost and time are those of all. At least one.
TrialResult worst_of_phases(std::span<const TrialSpec> runs, std::span<const TrialResult> results);

}  // namespace macrostep::engine
