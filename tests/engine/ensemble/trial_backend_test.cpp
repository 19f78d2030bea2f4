#include "engine/ensemble/trial_backend.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/ensemble/sharing.hpp"
#include "models/lanes/lane_subsystem.hpp"
#include "tests/allocation_count.hpp"

using namespace macrostep::engine;

namespace {

/// Tests as long as this keep their events in the middle.
constexpr double test_duration_s = 0.3;

Plan crane(const std::string& name, std::vector<Extrapolation> extrapolation) {
  Job job = find_built_in(name)->default_job;
  job.space.extrapolation = std::move(extrapolation);
  for (auto& test : job.tests) {
    test.duration_s = test_duration_s;
    test.width_s = 0.1;
  }
  return std::get<Plan>(make_plan(job));
}

std::vector<TrialSettings> trials_of(const Plan& plan, double macro_step_s) {
  std::vector<TrialSettings> trials;
  for (const auto& [configuration, test] : plan.curves) {
    trials.push_back({.configuration = &plan.configurations[configuration],
                      .test = &plan.job.tests[test],
                      .macro_step_s = macro_step_s});
  }
  return trials;
}

bool is_same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Everything but the wall time, exactly.
void check_same(const TrialResult& together, const TrialResult& alone) {
  CHECK(together.status == alone.status);
  CHECK(together.reason == alone.reason);
  CHECK(is_same(together.residual_j, alone.residual_j));
  CHECK(is_same(together.startup_residual_j, alone.startup_residual_j));
  CHECK(together.applied_residual_j == alone.applied_residual_j);
  CHECK(is_same(together.transmitted_j, alone.transmitted_j));
  CHECK(std::ranges::equal(together.bond_residuals_j, alone.bond_residuals_j, is_same));
  CHECK(together.initial_energy_j == alone.initial_energy_j);
  CHECK(together.final_energy_j == alone.final_energy_j);
  CHECK(together.macro_steps == alone.macro_steps);
  CHECK(together.rhs_evaluations == alone.rhs_evaluations);
  CHECK(together.cost == alone.cost);
  CHECK(together.final_time_s == alone.final_time_s);
}

/// What trials give that run together; each is held against the trial that runs alone.
std::vector<TrialResult> checked(const Plan& plan, const std::vector<TrialSettings>& trials) {
  auto together = run_trials(plan, trials);
  REQUIRE(together.size() == trials.size());
  for (std::size_t i = 0; i < trials.size(); ++i) {
    CAPTURE(i);
    CAPTURE(plan.problem.name);
    CAPTURE(describe(*trials[i].configuration));
    CAPTURE(trials[i].test->name);
    CAPTURE(trials[i].macro_step_s);
    check_same(together[i], run_trial(plan, trials[i]));
  }
  return together;
}

using macrostep::models::LaneLevel;

/// Those of this processor; says so where there are none.
std::vector<LaneLevel> levels(const char* name) {
  std::vector<LaneLevel> list;
  for (const auto level : {LaneLevel::avx2, LaneLevel::avx512}) {
    if (level <= macrostep::models::lane_level()) {
      list.push_back(level);
    }
  }
  if (list.empty()) {
    std::printf("skipped: %s: no AVX2\n", name);
  }
  return list;
}

struct LimitedLevel {
  explicit LimitedLevel(LaneLevel most) { macrostep::models::limit_lane_level(most); }
  ~LimitedLevel() { macrostep::models::limit_lane_level(LaneLevel::avx512); }
};

using enum Extrapolation;

}  // namespace

TEST_CASE("trials that run together have the bits of trials that run alone") {
  std::vector<std::pair<LaneLevel, const char*>> cases;
  for (const auto level :
       levels("trials that run together have the bits of trials that run alone")) {
    cases.push_back({level, "single_actuator_crane"});
    cases.push_back({level, "double_actuator_crane"});
  }
  for (const auto& [level, name] : cases) {
    const LimitedLevel limited(level);
    CAPTURE(static_cast<int>(level));
    const auto plan = crane(name, {order_0, order_1, order_2, order_3, order_4, i1, i2});
    for (const auto& configuration : plan.configurations) {
      CHECK(steps_in_lanes(plan, configuration));
    }
    int failed = 0;
    // No multiple of the duration, so that a share of the last macro-step lies beyond the end; at
    // the larger ones some trials find no solution.
    for (const double macro_step_s : {7.1e-4, 2e-3, 4e-3, 8e-3}) {
      for (const auto& result : checked(plan, trials_of(plan, macro_step_s))) {
        failed += result.status == TrialStatus::solver_failed;
      }
    }
    CHECK(failed > 0);
  }
}

TEST_CASE("trials that diverge together do so as alone") {
  for (const auto level : levels("trials that diverge together do so as alone")) {
    const LimitedLevel limited(level);
    Job job = find_built_in("double_actuator_crane")->default_job;
    job.space.extrapolation = {order_0};
    const auto plan = std::get<Plan>(make_plan(job));
    int diverged = 0;
    for (const auto& result : checked(plan, trials_of(plan, 1.2e-3))) {
      diverged += result.status == TrialStatus::diverged;
    }
    CHECK(diverged > 0);
  }
}

TEST_CASE("held inputs and recorded ones run together, too") {
  if (levels("held inputs and recorded ones run together, too").empty()) {
    return;
  }
  auto plan = crane("double_actuator_crane", {order_1, order_2});
  for (auto& input : plan.problem.external_inputs) {
    input.sampling = macrostep::models::Sampling::held;
  }
  const auto* recorded = find_built_in("double_actuator_crane");
  auto trials = trials_of(plan, 1.3e-3);
  for (const auto& configuration : plan.configurations) {
    trials.push_back({.configuration = &configuration,
                      .test = &recorded->other_tests.front(),
                      .macro_step_s = 1.3e-3,
                      .until_s = test_duration_s});
  }
  checked(plan, trials);
}

TEST_CASE("tests that begin alike go on from one start with the bits of tests that run alone") {
  // Every built-in problem, with some of its configurations. With the larger macro-step some trials
  // end before the event, too.
  constexpr std::size_t configurations = 7;
  int problems_that_share = 0;
  for (const auto& problem : catalogue()) {
    const auto plan = std::get<Plan>(make_plan(problem.default_job));
    const std::size_t stride = 1 + plan.configurations.size() / configurations;
    std::int64_t shared = 0;
    for (const double macro_steps : {40.0, 200.0}) {
      std::vector<TrialSettings> trials;
      for (std::size_t c = 0; c < plan.configurations.size(); c += stride) {
        for (const auto& test : plan.job.tests) {
          trials.push_back({.configuration = &plan.configurations[c],
                            .test = &test,
                            .macro_step_s = plan.job.tests.front().duration_s / macro_steps});
        }
      }
      for (const auto& result : checked(plan, trials)) {
        shared += result.shared_evaluations;
      }
    }
    problems_that_share += shared > 0;
  }
  CHECK(problems_that_share >= 8);
}

TEST_CASE(
    "trials of different macro-steps, durations and problems without lanes keep their order") {
  const auto plan = crane("double_actuator_crane", {order_0, order_2});
  auto trials = trials_of(plan, 1e-3);
  for (std::size_t i = 0; i < trials.size(); i += 3) {
    trials[i].macro_step_s = 2e-3;
  }
  for (std::size_t i = 1; i < trials.size(); i += 5) {
    trials[i].until_s = 0.03;
  }
  // All tests of some configurations, which begin alike, once more and shorter.
  const auto given = trials.size();
  for (std::size_t i = 0; i < given / 2; ++i) {
    trials.push_back(trials[i]);
    trials.back().macro_step_s = 1e-3;
    trials.back().until_s = 0.04;
  }
  checked(plan, trials);
  const auto oscillator =
      std::get<Plan>(make_plan(find_built_in("linear_oscillator")->default_job));
  auto others = trials_of(oscillator, 5e-3);
  others.resize(4);
  checked(oscillator, others);
}

TEST_CASE("only the plain case steps in lanes") {
  if (levels("only the plain case steps in lanes").empty()) {
    return;
  }
  auto plan = crane("double_actuator_crane", {order_1});
  auto configuration = plan.configurations.front();
  CHECK(steps_in_lanes(plan, configuration));
  for (const auto scheme : {Scheme::gauss_seidel, Scheme::iterative}) {
    auto other = configuration;
    other.scheme = scheme;
    CHECK_FALSE(steps_in_lanes(plan, other));
  }
  for (const auto extrapolation : {least_squares, smooth, hermite, adaptive}) {
    auto other = configuration;
    other.extrapolation = extrapolation;
    CHECK_FALSE(steps_in_lanes(plan, other));
  }
  auto corrected = configuration;
  corrected.correction = Correction::energy;
  CHECK_FALSE(steps_in_lanes(plan, corrected));
  auto faster = configuration;
  faster.substeps["hydraulics"] = 2;
  CHECK_FALSE(steps_in_lanes(plan, faster));
  const auto oscillator =
      std::get<Plan>(make_plan(find_built_in("linear_oscillator")->default_job));
  CHECK_FALSE(steps_in_lanes(oscillator, oscillator.configurations.front()));
}

TEST_CASE("traces of trials that run together have the bits of those that run alone") {
  const auto plan = crane("double_actuator_crane", {order_0, order_1, order_2, order_4, i2});
  // With the larger one some trials end before their time.
  for (const double macro_step_s : {7.1e-4, 8e-3}) {
    auto trials = trials_of(plan, macro_step_s);
    std::vector<std::vector<double>> together(trials.size()), alone(trials.size());
    const auto trace_into = [&](std::vector<std::vector<double>>& traces) {
      for (std::size_t i = 0; i < trials.size(); ++i) {
        trials[i].trace = [&trace = traces[i]](const TracePoint& point) {
          trace.push_back(point.time_s);
          trace.insert(trace.end(), point.outputs.begin(), point.outputs.end());
          trace.push_back(point.residual_power_w);
        };
      }
    };
    trace_into(together);
    run_trials(plan, trials);
    trace_into(alone);
    for (std::size_t i = 0; i < trials.size(); ++i) {
      run_trial(plan, trials[i]);
      CAPTURE(describe(*trials[i].configuration));
      CAPTURE(trials[i].test->name);
      CHECK(alone[i].size() > 2);
      CHECK(std::ranges::equal(together[i], alone[i], is_same));
    }
  }
}

TEST_CASE("trials that run together share their time by what they cost") {
  if (levels("trials that run together share their time by what they cost").empty()) {
    return;
  }
  auto plan = crane("double_actuator_crane", {order_1, order_2});
  std::vector<TrialSettings> trials;  // of one set of integrators, which share lanes
  for (const auto& trial : trials_of(plan, 1e-3)) {
    if (trial.configuration->integrators == plan.configurations.front().integrators) {
      trials.push_back(trial);
      trials.back().until_s = trials.size() % 2 == 0 ? 0.05 : test_duration_s;
    }
  }
  REQUIRE(trials.size() > 4);
  const auto results = run_trials(plan, trials);
  double least = std::numeric_limits<double>::infinity(), most = 0;
  for (const auto& result : results) {
    const auto own = static_cast<double>(result.rhs_evaluations - result.shared_evaluations);
    const double own_cost = result.cost * own / static_cast<double>(result.rhs_evaluations);
    if (own_cost > 0) {
      least = std::min(least, result.wall_s / own_cost);
      most = std::max(most, result.wall_s / own_cost);
    } else {
      CHECK(result.wall_s == 0);
    }
  }
  CHECK(least > 0);
  CHECK(most / least == doctest::Approx(1));
}

TEST_CASE("trials that run together are stopped together") {
  const auto plan = crane("double_actuator_crane", {order_1, order_2});
  const std::atomic<bool> stop = true;
  auto trials = trials_of(plan, 1e-3);
  for (auto& trial : trials) {
    trial.stop = &stop;
  }
  for (const auto& result : run_trials(plan, trials)) {
    CHECK(result.status == TrialStatus::cancelled);
    CHECK(result.macro_steps == 0);
  }
}

TEST_CASE("a stop reaches those that run and those that wait for a lane") {
  // 1e5 micro-steps a macro-step: the flag rises in the first one, and must end all soon after.
  auto plan = crane("double_actuator_crane", {order_1, order_2});
  plan.job.micro_steps = {{"hydraulics", 1e-8}};
  std::atomic<bool> stop = false;
  auto trials = trials_of(plan, 1e-3);
  REQUIRE(trials.size() > macrostep::models::lane_count);
  for (auto& trial : trials) {
    trial.stop = &stop;
    trial.trace = [&](const TracePoint& point) { stop = stop || point.time_s > 0; };
  }
  for (const auto& result : run_trials(plan, trials)) {
    CHECK(result.status == TrialStatus::cancelled);
    CHECK(result.macro_steps <= 4);
  }
}

TEST_CASE("macro-steps side by side allocate nothing") {
  if (levels("macro-steps side by side allocate nothing").empty()) {
    return;
  }
  const auto plan = crane("double_actuator_crane", {order_0, order_1, order_2, order_3, i2});
  const auto allocations = [&](double until_s) {
    auto trials = trials_of(plan, 5e-4);
    for (auto& trial : trials) {
      trial.until_s = until_s;
    }
    const auto before = macrostep::tests::allocation_count();
    const auto results = run_trials(plan, trials);
    return macrostep::tests::allocation_count() - before;
  };
  CHECK(allocations(0.02) == allocations(0.08));
}
