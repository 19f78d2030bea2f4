// What steps cost: right-hand sides, and these times the weight of their model.
//
// The cost is the measure of all estimates and limits. It is deterministic, unlike time, and that
// of TrialResult::cost without what a correction adds.
#pragma once

#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// How many steps trials take, whatever the integrators are.
struct Steps {
  double trials = 0;
  double macro_steps = 0;
  std::vector<double> micro_steps;  ///< by subsystem of the coupling
};

/// Trials, and what happens in them.
struct Work {
  double trials = 0;
  double macro_steps = 0;
  double rhs_evaluations = 0;
  double cost = 0;  ///< Σ evaluations × the model's weight; of FMUs, whose code nobody sees, their
                    ///< micro-steps

  Work& operator+=(const Work& other);
  Work operator*(double times) const;
};

/// The work of trials with this test, where implicit micro-steps and iterated macro-steps take
/// their usual number of iterations.
Work usual_work(const Plan& plan, const Configuration& configuration, const TestInput& test,
                const Steps& steps);

/// The work where all of them end at their iteration limits; where there is none as usual_work().
Work most_work(const Plan& plan, const Configuration& configuration, const TestInput& test,
               const Steps& steps);

/// Whether most_work() is a bound: not of CVODE, which chooses its steps, and of FMUs.
bool is_bounded(const Plan& plan, const Configuration& configuration);

}  // namespace macrostep::engine
