#include "engine/scales/default_job.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <variant>

#include "engine/problem/coupling_graph.hpp"
#include "engine/scales/scales.hpp"

namespace macrostep::engine {

namespace {

/// So many of the smallest macro-steps make the fastest time. Eight points of the line follow, to
/// less than half of it.
constexpr double smallest_per_fastest = 16;
/// A test holds no more of the smallest macro-steps. Deviation: with the 2e5 of a stable rung a
/// default search of a stiff problem takes minutes.
constexpr double most_macro_steps = 3e4;
/// Nor, where its duration is open, so many of a micro-step of the job.
constexpr double most_micro_steps = 1e7;
/// Nor so many of the smallest macro-step, where the job says that.
constexpr double most_given_macro_steps = 1e6;
/// An output that is a smaller share of the largest one of its subsystem is rounding.
constexpr double least_output_share = 1e-12;
constexpr double rounding_of_periods = 1e-9;

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

/// Whether the FMU says itself how large an output is.
bool has_nominal(const OwnFmu& own, const std::string& output) {
  const auto* variable = own.fmu ? own.fmu->description.find(output) : nullptr;
  return variable != nullptr && variable->nominal.value_or(0) != 0;
}

/// As long as the scales ask for, and as its own width and the micro-steps of the job allow.
double allowed_duration(double wanted_s, const TestInput& test, const Job& job) {
  double duration_s = wanted_s;
  for (const auto& [name, micro_step_s] : job.micro_steps) {
    duration_s = std::min(duration_s, most_micro_steps * micro_step_s);
  }
  if (!job.open.initial) {
    duration_s = std::min(duration_s, most_given_macro_steps * job.macro_step.initial_s);
  }
  if (test.width_s && !test.is_width_open) {
    duration_s = std::max(duration_s, *test.width_s / usual_impulse_share);
  }
  return duration_s;
}

/// A sine of so many periods that the largest H has enough of them.
void set_periods(const Job& job, TestInput& test) {
  const double shortest_s = job.minimum_macro_steps * job.macro_step.maximum_s;
  test.periods =
      std::max(1.0, std::ceil(shortest_s * *test.frequency_hz * (1 - rounding_of_periods)));
  test.duration_s = *test.periods / *test.frequency_hz;
}

void set_open_durations(double wanted_s, Job& job) {
  for (auto& test : job.tests) {
    if (!test.is_duration_open || test.kind == TestKind::sine) {
      continue;
    }
    test.duration_s = allowed_duration(wanted_s, test, job);
    if (test.is_width_open) {
      test.width_s = usual_impulse_share * test.duration_s;
    }
  }
}

}  // namespace

void take_scales(const KnownScales& times, Job& job) {
  const double smallest_s = times.fastest_s / smallest_per_fastest;
  const double duration_s = std::min(2 * half_test_s(times), most_macro_steps * smallest_s);
  set_open_durations(duration_s, job);
  auto& grid = job.macro_step;
  if (job.open.initial) {
    grid.initial_s = smallest_s;
  }
  if (job.open.increment) {
    grid.increment_s = grid.initial_s;
  }
  if (job.open.maximum) {
    grid.maximum_s = std::max(duration_s / job.minimum_macro_steps, grid.initial_s);
  }
  for (auto& test : job.tests) {
    if (test.is_duration_open && test.kind == TestKind::sine) {
      set_periods(job, test);
    }
    test.is_duration_open = false;
    test.is_width_open = false;
  }
  job.scales = times;
  job.open = {};
}

void take_nominal_values(const Scales& scales, const Coupling& coupling, const CouplingGraph& graph,
                         OwnProblem& own) {
  for (std::size_t s = 0; s < own.subsystems.size(); ++s) {
    auto& [name, model, fmu] = own.subsystems[s];
    const auto& ports = coupling.subsystems[s].description.outputs;
    const auto own_values =
        std::span(scales.largest_outputs)
            .subspan(graph.output_ranges[s].first, graph.output_ranges[s].count);
    for (std::size_t k = 0; k < ports.size(); ++k) {
      const double found = own_values[k];
      if (!(found > least_output_share * std::ranges::max(own_values))) {
        continue;
      }
      if (!fmu) {
        auto& nominal = model.outputs[k].nominal;
        nominal = nominal.value_or(found);
      } else if (!has_nominal(*fmu, ports[k].name)) {
        fmu->nominal.try_emplace(ports[k].name, found);
      }
    }
  }
}

Job default_job(const OwnProblem& own, const Problem& problem,
                const std::optional<KnownScales>& told) {
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
  job.linear_region.scan = ScanKind::refined;
  job.linear_region.ratio = third_of_octave;
  job.macro_step = assumed_grid;
  job.open = {.initial = true, .increment = true, .maximum = true};
  if (own.external_inputs.empty()) {
    job.tests = {test_of(TestKind::none, assumed_duration_s)};
  } else {
    job.tests = {test_of(TestKind::step, assumed_duration_s),
                 test_of(TestKind::ramp, assumed_duration_s),
                 test_of(TestKind::impulse, assumed_duration_s)};
  }
  for (auto& test : job.tests) {
    test.is_duration_open = true;
    test.is_width_open = test.width_s.has_value();
  }
  std::optional<Scales> scales;
  if (!problem.couplings.empty()) {
    const auto& coupling = problem.couplings.front();
    const auto graph = build_coupling_graph(problem, coupling);
    if (const auto* built = std::get_if<CouplingGraph>(&graph)) {
      scales = scales_of(problem, coupling, *built);
      if (scales) {
        take_nominal_values(*scales, coupling, *built, *job.own_problem);
      }
    }
  }
  if (told || scales) {
    take_scales(told ? *told : scales->times, job);
  }
  return job;
}

void fit_to_tests(Job& job, GivenGrid given) {
  if (!job.own_problem || job.tests.empty() ||
      (job.linear_region.scan != ScanKind::refined && !job.is_open())) {
    return;
  }
  if (job.is_open()) {
    set_open_durations(assumed_duration_s, job);
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
    grid.initial_s = std::min(grid.initial_s, job.session_s.value_or(grid.initial_s));
    if (given.maximum) {
      grid.initial_s = std::min(grid.initial_s, grid.maximum_s / smallest_per_fastest);
    }
  }
  if (!given.maximum) {
    grid.maximum_s = std::max(longest->duration_s / job.minimum_macro_steps, grid.initial_s);
  }
}

}  // namespace macrostep::engine
