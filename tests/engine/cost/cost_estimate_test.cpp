#include "engine/cost/cost_estimate.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/cost/cost_limit.hpp"
#include "engine/ensemble/sharing.hpp"
#include "engine/search/run_search.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/studies/map.hpp"
#include "engine/studies/tuning.hpp"
#include "engine/trial/trial.hpp"
#include "models/lanes/lane_count.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;

namespace {
Job default_job(const std::string& problem) {
  return find_built_in(problem)->default_job;
}

CostEstimate estimate_of(const Plan& plan, int threads = 1) {
  return estimate_cost(plan, {.speed = {1e-9, 1e-7}, .threads = threads});
}

/// What every curve of a search really took.
std::vector<Work> work_of_search(const Plan& plan) {
  std::vector<Work> work(plan.curves.size());
  run_search(plan, {.on_result = [&](const TrialRecord& record, const SearchProgress&) {
               work[record.curve] +=
                   {.trials = 1,
                    .macro_steps = static_cast<double>(record.result.macro_steps),
                    .rhs_evaluations = static_cast<double>(record.result.rhs_evaluations),
                    .cost = record.result.cost};
             }});
  return work;
}

/// No curve of a search of the plan takes more than its bound says. Returns all that it took.
Work check_bounds(const Plan& plan) {
  const auto curves = estimate_curves(plan);
  const auto real = work_of_search(plan);
  REQUIRE(curves.size() == real.size());
  Work all;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    CAPTURE(plan.problem.name);
    CAPTURE(describe(plan.configurations[plan.curves[i].configuration]));
    CHECK(real[i].trials <= curves[i].most.trials);
    CHECK(real[i].macro_steps <= curves[i].most.macro_steps);
    if (curves[i].evaluations_bounded) {
      CHECK(real[i].rhs_evaluations <= curves[i].most.rhs_evaluations);
    }
    all += real[i];
  }
  return all;
}

}  // namespace

TEST_CASE("the expected trials and evaluations of the cranes lie within a factor of three" *
          doctest::test_suite("slow")) {
  for (const char* crane : {"single_actuator_crane", "double_actuator_crane"}) {
    CAPTURE(crane);
    const auto plan = planned(default_job(crane));
    const auto estimate = estimate_of(plan);
    Work real;
    for (const auto& curve : work_of_search(plan)) {
      real += curve;
    }
    const auto within = [](double expected, double measured) {
      CHECK(expected < 3 * measured);
      CHECK(measured < 3 * expected);
    };
    within(estimate.expected.trials, real.trials);
    within(*estimate.rhs_evaluations_expected, real.rhs_evaluations);
    within(estimate.expected.cost, real.cost);
  }
}

TEST_CASE("no search of a built-in problem takes more than its bound" *
          doctest::test_suite("slow")) {
  for (const auto& built_in : catalogue()) {
    auto job = built_in.default_job;
    job.tests.resize(1);
    const auto plan = planned(job);
    const auto real = check_bounds(plan);
    CHECK(real.trials > 0);
  }
}

TEST_CASE("bounds hold for every scheme, scan, substep and integrator") {
  auto job = default_job("linear_oscillator");
  job.tests.resize(1);
  job.tests[0].duration_s = 0.1;
  job.space.couplings.resize(1);
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_2};
  SUBCASE("iterative") {
    job.linear_region.scan = ScanKind::geometric;
    job.space.schemes = {Scheme::iterative, Scheme::gauss_seidel};
    job.iteration.maximum = 7;
  }
  SUBCASE("repeats") {
    job.linear_region.scan = ScanKind::geometric;
    job.linear_region.ratio = 2;
    job.space.schemes = {Scheme::iterative};
    job.iteration.repeats = 3;
  }
  SUBCASE("geometric, from far too large an H") {
    job.linear_region.scan = ScanKind::geometric;
    job.macro_step.initial_s *= 20;
    job.macro_step.maximum_s *= 20;
  }
  SUBCASE("substeps") {
    job.substeps = {{"m1", 3}};
    job.micro_steps = {{"m1", 3e-4}, {"m2", 7e-4}};
  }
  SUBCASE("integrators") {
    using macrostep::models::Integrator;
    job.linear_region.scan = ScanKind::geometric;
    job.space.integrators["m1"] = {Integrator::forward_euler, Integrator::trapezoidal,
                                   Integrator::rk4, Integrator::exact, Integrator::cvode};
  }
  SUBCASE("a short test on a coarse grid") {
    job.tests[0].duration_s = 5 * job.macro_step.initial_s;
  }
  check_bounds(planned(job));
}

TEST_CASE("the trapezoidal rule of linear masses is expected to take what it takes") {
  auto job = default_job("linear_oscillator");
  job.tests.resize(1);
  job.tests[0].duration_s = 0.1;
  job.space.couplings.resize(1);
  job.space.extrapolation = {Extrapolation::order_0};
  for (const char* mass : {"m1", "m2"}) {
    job.space.integrators[mass] = {macrostep::models::Integrator::trapezoidal};
  }
  const auto plan = planned(job);
  const auto real = check_bounds(plan);
  const auto estimate = estimate_of(plan);
  // Two masses, no iteration: as much as two right-hand sides each.
  CHECK(real.rhs_evaluations == 4 * real.macro_steps);
  CHECK(*estimate.rhs_evaluations_expected ==
        doctest::Approx(4 * estimate.expected.macro_steps).epsilon(1e-12));
}

TEST_CASE("what nobody can bound is not bounded") {
  auto job = default_job("linear_oscillator");
  job.space.integrators["m1"] = {macrostep::models::Integrator::cvode};
  const auto estimate = estimate_of(planned(job));
  CHECK_FALSE(estimate.rhs_evaluations_max);
  CHECK_FALSE(estimate.seconds_max);
  CHECK(estimate.rhs_evaluations_expected);
  CHECK(estimate.seconds_expected);
  CHECK(estimate.most.macro_steps > 0);
}

TEST_CASE("two threads halve the time that is expected of many curves, not of one") {
  auto job = default_job("double_actuator_crane");
  const auto many = planned(job);
  CHECK(*estimate_of(many, 2).seconds_expected ==
        doctest::Approx(*estimate_of(many, 1).seconds_expected / 2));
  job.space.extrapolation = {Extrapolation::order_2};
  job.tests.resize(1);
  for (auto& [group, integrators] : job.space.integrators) {
    integrators.resize(1);
  }
  const auto one = planned(job);
  REQUIRE(one.curves.size() == 1);
  CHECK(*estimate_of(one, 2).seconds_expected == *estimate_of(one, 1).seconds_expected);
}

TEST_CASE("a job within the limit is not refused, one beyond it names how much it would take") {
  const auto plan = planned(default_job("single_actuator_crane"));
  const auto estimate = estimate_of(plan);
  const double cost = estimate.expected.cost;
  CHECK(cost > *estimate.rhs_evaluations_expected);
  CHECK_FALSE(too_costly(plan, estimate, cost, ""));
  CHECK_FALSE(too_costly(plan, estimate, default_max_job_cost, ""));
  const auto error = too_costly(plan, estimate, cost / 2, "Ask less.");
  REQUIRE(error);
  CHECK(error->pointer.starts_with("/"));
  CHECK(error->message.starts_with("makes the search cost about "));
  CHECK(error->message.find("right-hand sides × the weight of their model in ") !=
        std::string::npos);
  CHECK(error->message.ends_with("Ask less."));
}

TEST_CASE("what a map of accuracy is expected to cost is what its runs cost") {
  auto job = default_job("stiff_oscillator");
  job.space.couplings.resize(1);
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1};
  job.tests.resize(1);
  job.tests[0].duration_s = 0.1;
  const auto plan = planned(job);
  const MapJob map{.x = {.count = 7},
                   .y = {.count = 3},
                   .macro_steps_s = {1e-4, 3e-4},
                   .quantity = MapQuantity::accuracy,
                   .test = job.tests[0].name};
  Work runs;
  for (const auto& configuration : plan.configurations) {
    for (const double macro_step_s : map.macro_steps_s) {
      const auto result = run_trial(plan, {.configuration = &configuration,
                                           .test = &plan.job.tests[0],
                                           .macro_step_s = macro_step_s});
      runs += {
          .trials = 1, .macro_steps = static_cast<double>(result.macro_steps), .cost = result.cost};
    }
  }
  const auto expected = usual_work(plan, map);
  CHECK(expected.trials == 21 * runs.trials);
  CHECK(expected.macro_steps == 21 * runs.macro_steps);
  CHECK(expected.cost < 3 * 21 * runs.cost);
  CHECK(21 * runs.cost < 3 * expected.cost);
}

TEST_CASE("a map of stability costs as many macro-steps as its matrices have columns") {
  auto job = default_job("stiff_oscillator");
  job.space.couplings.resize(1);
  job.space.extrapolation = {Extrapolation::order_1};
  const auto plan = planned(job);
  REQUIRE(plan.configurations.size() == 1);
  const MapJob map{.x = {.count = 5}, .y = {.count = 4}, .macro_steps_s = {1e-4, 3e-4}};
  const auto phi = propagation_matrix(plan, plan.configurations[0], 1e-4);
  const auto columns = static_cast<double>(std::get<Eigen::MatrixXd>(phi).cols());
  CHECK(usual_work(plan, map).macro_steps == doctest::Approx(5 * 4 * 2 * columns));
}

TEST_CASE("a tuning takes no more trials than are expected where all grids are tried") {
  auto job = default_job("nonlinear_oscillator");
  job.space.couplings = {"force_displacement"};
  job.space.extrapolation = {Extrapolation::order_0};
  job.tests.resize(1);
  job.tests[0].duration_s = 0.5;
  const auto plan = planned(job);
  REQUIRE(plan.configurations.size() == 1);
  TuningSettings settings{.macro_step_s = 0.002};
  const auto expected = usual_work(plan, settings);
  const auto result = tune(plan, settings);
  REQUIRE(result.best);
  const auto tried = result.landscape.size() + (result.by_formula ? 2 : 1);
  CHECK(expected.trials == static_cast<double>(tried));
  CHECK(expected.macro_steps == static_cast<double>(tried) * 250);
  settings.further_plans = {&plan, &plan};
  CHECK(usual_work(plan, settings).cost == doctest::Approx(3 * expected.cost));
}

TEST_CASE("the speed that is measured is that of a computer") {
  const auto speed = measure_trial_speed();
  CHECK(speed.seconds_per_cost > 1e-12);
  CHECK(speed.seconds_per_cost < 1e-4);
  CHECK(speed.seconds_per_macro_step >= 0);
  CHECK(speed.seconds_per_macro_step < 1e-3);
  CHECK(speed.gain_in_lanes <= 2.0 * macrostep::models::lane_count);
}

TEST_CASE("curves whose trials step side by side are expected to take less time, others are not") {
  const TrialSpeed alone{.seconds_per_cost = 1e-9, .seconds_per_macro_step = 1e-8};
  auto in_lanes = alone;
  in_lanes.gain_in_lanes = 4;
  for (const auto* name : {"double_actuator_crane", "linear_oscillator"}) {
    const auto plan = planned(default_job(name));
    const double gain = steps_in_lanes(plan, plan.configurations.front()) ? 4 : 1;
    const auto slow = estimate_cost(plan, {.speed = alone, .threads = 1});
    const auto fast = estimate_cost(plan, {.speed = in_lanes, .threads = 1});
    CHECK(*fast.seconds_expected == doctest::Approx(*slow.seconds_expected / gain));
    CHECK(fast.seconds_max == slow.seconds_max);
    // On many threads each has few curves, and few lanes are full.
    const int threads = static_cast<int>(plan.curves.size());
    CHECK(estimate_cost(plan, {.speed = in_lanes, .threads = threads}).seconds_expected ==
          estimate_cost(plan, {.speed = alone, .threads = threads}).seconds_expected);
  }
}
