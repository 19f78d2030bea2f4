// The search of a problem of the user's own of which nothing else is said.
#pragma once

#include "engine/job/job.hpp"
#include "engine/problem/own_problem.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// H, tests and the nominal values of outputs without one are those of the problem's scales, where
/// these are known (scales.hpp): H goes up from a 16th of the fastest time; a jump comes after 30
/// of the slowest times and leaves as many. Else H goes from 0.2 to 20 ms and tests take 1 s.
/// `problem` is the one built from `own`.
Job default_job(const OwnProblem& own, const Problem& problem);

}  // namespace macrostep::engine
