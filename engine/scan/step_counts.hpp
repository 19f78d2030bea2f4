// How many trials, macro-steps and micro-steps a curve takes: at most, as is usual, and in a single
// trial. They follow from the grid, the test and the coupling, whatever the integrators are.
//
// A trial of T at H has at most T/H + 1 macro-steps, and a subsystem at most H/h + N micro-steps in
// one with N substeps and the largest micro-step h. A curve walks up its grid, at worst to the
// largest H on the finest grid (curve_scan.hpp; every coarser grid is left at its fourth point).
#pragma once

#include <optional>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/trial/work.hpp"

namespace macrostep::engine {

/// What the curves of one coupling and test have in common: how they step, whoever steps.
class StepCounts {
 public:
  /// Plan and test must outlive it.
  StepCounts(const Plan& plan, const Configuration& configuration, const TestInput& test);

  /// Steps of a whole curve: no curve takes more.
  Steps most() const;
  /// Steps of a whole curve that ends a usual share of its grid after the beginning.
  Steps expected() const;
  Steps of_trial(double macro_step_s) const;

 private:
  struct Stepping {
    double substeps = 1;
    std::optional<double> micro_step_s;
  };

  double first_of(int halvings) const;
  double point(double k) const;
  Steps none() const;
  void add_trial(double macro_step_s, Steps& steps) const;

  const Job& job_;
  double duration_s_;
  double largest_s_ = 0;
  std::vector<Stepping> subsystems_;
};

}  // namespace macrostep::engine
