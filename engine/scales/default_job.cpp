#include "engine/scales/default_job.hpp"

#include <algorithm>
#include <variant>

#include "engine/problem/coupling_graph.hpp"
#include "engine/scales/scales.hpp"

namespace macrostep::engine {

namespace {

/// Duration of a test where the scales are not known.
constexpr double assumed_duration_s = 1;
/// So many of the smallest macro-steps make the fastest time. Eight points of the line follow, to
/// less than half of it.
constexpr double smallest_per_fastest = 16;
/// A test holds no more of the smallest macro-steps. Deviation: with the 2e5 of a stable rung a
/// default search of a stiff problem takes minutes.
constexpr double most_macro_steps = 3e4;

TestInput test_of(TestKind kind, double duration_s) {
  TestInput test;
  test.name = to_string(kind);
  test.kind = kind;
  test.duration_s = duration_s;
  if (kind == TestKind::impulse) {
    test.width_s = usual_impulse_share * duration_s;
  }
  return test;
}

/// Those worth the time of a search that names none: an FMU's own solver, the one without an error
/// of its own, and the default of linear subsystems. Where none of them is offered, all are.
std::vector<models::Integrator> default_integrators(
    const std::vector<models::Integrator>& offered) {
  std::vector<models::Integrator> chosen;
  for (const auto worth :
       {models::Integrator::fmu, models::Integrator::exact, models::Integrator::trapezoidal}) {
    if (std::ranges::find(offered, worth) != offered.end()) {
      chosen.push_back(worth);
    }
  }
  return chosen.empty() ? offered : chosen;
}

/// Sets the nominal values of outputs that have none.
void set_nominal(const std::vector<double>& largest, const CouplingGraph& graph, OwnProblem& own) {
  for (std::size_t s = 0; s < own.subsystems.size(); ++s) {
    auto& outputs = own.subsystems[s].state_space.outputs;
    for (std::size_t k = 0; k < outputs.size(); ++k) {
      const double found = largest[graph.output_ranges[s].first + k];
      if (!outputs[k].nominal && found > 0) {
        outputs[k].nominal = found;
      }
    }
  }
}

/// Sets scan and grid, and returns the duration of a test [s].
double set_scales(const Scales& scales, Job& job) {
  const double smallest_s = scales.fastest_s / smallest_per_fastest;
  const double duration_s = std::min(2 * half_test_s(scales), most_macro_steps * smallest_s);
  job.linear_region.scan = ScanKind::refined;
  job.linear_region.ratio = third_of_octave;
  job.macro_step = {.initial_s = smallest_s,
                    .increment_s = smallest_s,
                    .maximum_s = duration_s / job.minimum_macro_steps};
  return duration_s;
}

}  // namespace

Job default_job(const OwnProblem& own, const Problem& problem) {
  using enum Extrapolation;
  Job job;
  job.name = "own problem";
  job.own_problem = own;
  job.space.couplings = {own_coupling};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2, order_3, order_4};
  for (const auto& subsystem : problem.subsystems()) {
    job.space.integrators[subsystem.group] = default_integrators(subsystem.integrators);
  }
  job.space.integrator_sets = IntegratorSets::one_at_a_time;
  job.space.corrections = {Correction::none};
  job.macro_step = assumed_grid;
  double duration_s = assumed_duration_s;
  if (!problem.couplings.empty()) {
    const auto& coupling = problem.couplings.front();
    const auto graph = build_coupling_graph(problem, coupling);
    if (const auto* built = std::get_if<CouplingGraph>(&graph)) {
      if (const auto scales = scales_of(problem, coupling, *built)) {
        duration_s = set_scales(*scales, job);
        set_nominal(scales->largest_outputs, *built, *job.own_problem);
      }
    }
  }
  if (own.external_inputs.empty()) {
    job.tests = {test_of(TestKind::none, duration_s)};
  } else {
    job.tests = {test_of(TestKind::step, duration_s), test_of(TestKind::ramp, duration_s),
                 test_of(TestKind::impulse, duration_s)};
  }
  return job;
}

void fit_to_tests(Job& job, GivenGrid given) {
  if (!job.own_problem || job.linear_region.scan != ScanKind::refined || job.tests.empty()) {
    return;
  }
  const auto [shortest, longest] =
      std::ranges::minmax_element(job.tests, {}, &TestInput::duration_s);
  auto& grid = job.macro_step;
  if (!given.initial) {
    const double least_s = longest->duration_s / most_macro_steps;
    grid.initial_s = std::min(std::max(grid.initial_s, least_s), shortest->duration_s);
    if (!job.allowed_macro_steps_s.empty()) {
      grid.initial_s = std::min(grid.initial_s, std::ranges::min(job.allowed_macro_steps_s));
    }
    if (given.maximum) {
      grid.initial_s = std::min(grid.initial_s, grid.maximum_s / smallest_per_fastest);
    }
  }
  if (!given.maximum) {
    grid.maximum_s = std::max(longest->duration_s / job.minimum_macro_steps, grid.initial_s);
  }
}

}  // namespace macrostep::engine
