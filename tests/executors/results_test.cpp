// What comes out of worker processes is what comes out of this one, bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <limits>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/search/run_search.hpp"
#include "engine/studies/analysis.hpp"
#include "engine/trial/time_macro_steps.hpp"
#include "engine/trial/trial_spec.hpp"
#include "server/workers/task_json.hpp"
#include "tests/executors/pool_fixture.hpp"

using namespace macrostep;
using namespace macrostep::tests;
using server::ForeignSettings;
using server::WorkerPool;

namespace {

std::string digits(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%a ", value);
  return text;
}

std::string digits(const std::optional<double>& value) {
  return value ? digits(*value) : "- ";
}

/// All of it but the time it took.
std::string fingerprint(const engine::TrialResult& result) {
  std::string text = std::string(to_string(result.status)) + " " + result.reason + " ";
  for (const auto& value :
       {std::optional(result.residual_j), std::optional(result.startup_residual_j),
        result.applied_residual_j, std::optional(result.transmitted_j), result.initial_energy_j,
        result.final_energy_j, std::optional(result.cost), std::optional(result.final_time_s)}) {
    text += digits(value);
  }
  for (const double residual_j : result.bond_residuals_j) {
    text += digits(residual_j);
  }
  return text + std::to_string(result.macro_steps) + " " + std::to_string(result.rhs_evaluations);
}

/// A line per trial.
std::vector<std::string> search(const engine::Plan& plan, int threads,
                                const engine::TrialBackend& backend) {
  std::vector<std::string> lines;
  const auto found = engine::run_search(
      plan, {.threads = threads,
             .on_result =
                 [&](const engine::TrialRecord& record, const engine::SearchProgress&) {
                   lines.push_back(std::to_string(record.curve) + " " +
                                   std::to_string(record.index) + " " +
                                   digits(record.macro_step_s) + fingerprint(record.result));
                 },
             .stored = {},
             .options = {.measure_error = true},
             .backend = &backend});
  std::ranges::sort(lines);
  REQUIRE(found.answer.recommendation);
  const auto& answer = *found.answer.recommendation;
  lines.push_back(digits(answer.macro_step_s) + digits(answer.error->nrmse) +
                  digits(answer.error->largest) + answer.error->reference);
  return lines;
}

engine::MeasuredRun read_run(const std::string& text) {
  return std::get<engine::MeasuredRun>(server::read_measured(text, engine::MeasureRun{}));
}

}  // namespace

TEST_CASE("a search in workers gives what it gives in this process, for any number of them") {
  auto job = engine::find_built_in("double_actuator_crane")->default_job;
  job.space.extrapolation = {engine::Extrapolation::order_0, engine::Extrapolation::order_2};
  job.tests = {
      {.name = "step", .kind = engine::TestKind::step, .duration_s = 0.1},
      {.name = "impulse", .kind = engine::TestKind::impulse, .duration_s = 0.1, .width_s = 0.04}};
  job.stability_check = engine::StabilityCheck::none;  // below
  const auto plan = std::get<engine::Plan>(engine::make_plan(job));
  const auto here = search(plan, 2, engine::this_process());
  REQUIRE(here.size() > 20);
  struct Way {
    int workers, trials_per_worker;
  };
  for (const auto& [workers, trials_per_worker] : {Way{1, 100}, Way{2, 1}, Way{3, 100}}) {
    WorkerPool pool(usable({.trials_per_worker = trials_per_worker}), {&plan}, real_worker());
    CHECK(search(plan, workers, pool) == here);
    CHECK(pool.started() >= (trials_per_worker == 1 ? static_cast<int>(here.size()) : 1));
  }
}

TEST_CASE("the checks of an answer come from workers as from this process" *
          doctest::test_suite("slow")) {
  auto job = engine::find_built_in("linear_oscillator")->default_job;
  job.space.extrapolation = {engine::Extrapolation::order_0, engine::Extrapolation::order_1};
  job.stability_check = engine::StabilityCheck::identified;
  const auto plan = std::get<engine::Plan>(engine::make_plan(job));
  WorkerPool pool(usable(), {&plan}, real_worker());
  CHECK(search(plan, 2, pool) == search(plan, 2, engine::this_process()));
}

TEST_CASE("trace, step times and energies come from a worker as from this process") {
  // Its subsystems tell their energies.
  const auto job = engine::find_built_in("linear_oscillator")->default_job;
  const auto plan = std::get<engine::Plan>(engine::make_plan(job));
  WorkerPool pool(usable(), {&plan}, real_worker());
  const auto run = [&](const engine::TrialBackend& backend, engine::EnergyTrace& energies,
                       std::int64_t every = 1) {
    std::string points;
    const auto add = [&](std::size_t, const engine::TracePoint& point) {
      points += digits(point.time_s) + digits(point.residual_power_w) + digits(point.energy_j);
      for (const double y : point.outputs) {
        points += digits(y);
      }
    };
    const engine::MeasureRun wanted{
        .run = {.macro_step_s = 1e-3, .until_s = 3.0},  // some frames of trace
        .step_times = true,
        .energies = true};
    auto measured = backend.measure(plan, wanted, {.on_point = add, .points_every = every});
    REQUIRE(measured.step_times);
    CHECK(measured.step_times->median_s > 0);
    CHECK(measured.step_times->worst_s >= measured.step_times->median_s);
    energies = std::move(measured.energies.value());
    return fingerprint(measured.result) + points;
  };
  engine::EnergyTrace here, there;
  const auto expected = run(engine::this_process(), here);
  CHECK(run(pool, there) == expected);
  CHECK(run(pool, there, 7) == run(engine::this_process(), here, 7));
  REQUIRE(here.system_j.size() == 3001);
  CHECK(here.system_j == there.system_j);
  CHECK(here.interface_j == there.interface_j);
}

TEST_CASE("another correction than planned reaches the worker, and another duration") {
  const auto job = engine::find_built_in("linear_oscillator")->default_job;
  auto plan = std::get<engine::Plan>(engine::make_plan(job));
  plan.job.tests.front().duration_s = 0.5;
  WorkerPool pool(usable(), {&plan}, real_worker());
  engine::MeasureRun wanted{.run = {.macro_step_s = 1e-3},
                            .corrected = engine::CorrectionSetting{
                                .correction = engine::Correction::energy, .parameters = {}}};
  wanted.corrected->parameters.mu = 0.1 + 0.2;  // no short decimal
  wanted.corrected->parameters.nu = 0.3;
  const auto run = [&](const engine::TrialBackend& backend) {
    return fingerprint(backend.measure(plan, wanted).result);
  };
  const auto there = run(pool);
  CHECK(there == run(engine::this_process()));
  CHECK(there.find(" 500 ") != std::string::npos);  // macro-steps
  CHECK(there != fingerprint(pool.trial(plan, wanted.run)));
}

TEST_CASE("every variant of a run is in a worker what it is in this process") {
  auto job = engine::find_built_in("single_actuator_crane")->default_job;
  job.tests.resize(1);
  const auto plan = std::get<engine::Plan>(engine::make_plan(job));
  const auto variants = plan.variants();
  REQUIRE(variants.size() > 2);
  WorkerPool pool(usable(), {&plan}, real_worker());
  std::set<std::string> different;
  for (std::size_t variant = 0; variant < variants.size(); ++variant) {
    const engine::TrialSpec spec{
        .input = variants[variant].input, .macro_step_s = 1e-3, .until_s = 1.5, .variant = variant};
    const auto there = fingerprint(pool.trial(plan, spec));
    CHECK(there == fingerprint(engine::this_process().trial(plan, spec)));
    different.insert(there);
  }
  CHECK(different.size() == variants.size());
}

TEST_CASE("macro-steps are timed in a worker, and what stops that is told") {
  const auto job = engine::find_built_in("linear_oscillator")->default_job;
  const auto plan = std::get<engine::Plan>(engine::make_plan(job));
  WorkerPool pool(usable(), {&plan}, real_worker());
  const engine::TimeMacroSteps wanted{.run = {.macro_step_s = 1e-3}};
  const auto timed = pool.measure(plan, wanted);
  CHECK(timed.reason.empty());
  CHECK(timed.macro_steps > 0);
  CHECK(timed.macro_steps <= engine::max_timed_macro_steps);
  CHECK(timed.times.median_s > 0);
  CHECK(timed.times.p999_s >= timed.times.median_s);
  CHECK(timed.times.worst_s >= timed.times.p999_s);
  const std::atomic<bool> stop = true;
  const auto stopped = pool.measure(plan, wanted, {.stop = &stop});
  CHECK(stopped.macro_steps == 0);
  CHECK(stopped.reason.starts_with("cancelled"));
}

TEST_CASE("an analysis in a worker is that of this process") {
  const auto job = engine::find_built_in("linear_oscillator")->default_job;
  const auto plan = std::get<engine::Plan>(engine::make_plan(job));
  WorkerPool pool(usable(), {&plan}, real_worker());
  const std::vector steps_s{1e-3, 2e-3};
  const auto analyse = [&](const engine::TrialBackend& where) {
    std::string text;
    for (const auto& point : engine::analyse(plan, {}, steps_s, {where})) {
      text += digits(point.macro_step_s) + digits(point.spectral_radius) +
              digits(point.local_error) + digits(point.global_error) +
              digits(point.phase_margin_deg) +
              (point.growth
                   ? std::string(to_string(point.growth->kind)) + digits(point.growth->rate_per_s)
                   : "-");
    }
    return text;
  };
  const auto there = analyse(pool);
  CHECK(there == analyse(engine::this_process()));
  CHECK(pool.started() > 0);
}

TEST_CASE("a worker ends a run where it is told to, and measures and analyses it up to there") {
  // Earlier and later than the test of 0.05 s, whose step stays at 0.025 s.
  const auto plan = plan_with_tests({"step"});
  WorkerPool pool(usable(), {&plan}, real_worker());
  const auto& configuration = plan.configurations.front();
  const auto& test = plan.job.tests.front();
  for (const double until_s : {0.02, 0.08}) {
    const auto here = engine::error_in_test(plan, configuration, test, 1e-3, nullptr, until_s);
    const engine::TrialSpec run{.macro_step_s = 1e-3, .until_s = until_s};
    const auto there = pool.measure(plan, engine::MeasureError{run});
    REQUIRE(here.nrmse);
    CHECK(digits(there.nrmse) == digits(here.nrmse));
    CHECK(digits(there.largest) == digits(here.largest));
    const engine::AnalysePoint wanted{.run = run, .linearise_at_s = {}};
    const auto worst =
        engine::error_at_every_phase(plan, configuration, test, 1e-3, nullptr, until_s);
    CHECK(digits(pool.measure(plan, wanted).global_error) == digits(worst.nrmse));
  }
}

TEST_CASE("a worker takes a job that holds for the end of its runs alone") {
  auto job = job_with_tests({"step"});
  job.macro_step = {.initial_s = 0.06, .increment_s = 0.06, .maximum_s = 0.06};
  CHECK(std::holds_alternative<engine::FieldErrors>(engine::make_plan(job)));
  const auto plan = std::get<engine::Plan>(engine::make_plan(job, 0.12));
  WorkerPool pool(usable(), {&plan}, real_worker());
  const engine::TrialSpec spec{.macro_step_s = 0.06, .until_s = plan.until_s};
  CHECK(fingerprint(pool.trial(plan, spec)) ==
        fingerprint(engine::this_process().trial(plan, spec)));
}

TEST_CASE("a worker runs an event as late as it is told to") {
  const auto plan = plan_with_tests({"step"});
  WorkerPool pool(usable(), {&plan}, real_worker());
  const engine::TrialSpec late{.macro_step_s = 1e-3, .delay_s = 3e-4};
  const engine::TrialSpec in_time{.macro_step_s = 1e-3};
  const auto there = fingerprint(pool.trial(plan, late));
  CHECK(there == fingerprint(engine::this_process().trial(plan, late)));
  CHECK(there != fingerprint(pool.trial(plan, in_time)));
}

TEST_CASE("replies keep infinite numbers, NaN, negative zero and text that is not UTF-8") {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  engine::MeasuredRun reply;
  reply.result.status = engine::TrialStatus::diverged;
  reply.result.reason =
      "gr\xf6\xdf"
      "er";  // Latin-1, as an FMU may write it
  reply.result.residual_j = infinity;
  reply.result.startup_residual_j = -infinity;
  reply.result.transmitted_j = std::numeric_limits<double>::quiet_NaN();
  reply.result.bond_residuals_j = {-0.0, 5e-324, 0.1};
  const auto back = read_run(server::reply_text(reply)).result;
  CHECK(back.residual_j == infinity);
  CHECK(back.startup_residual_j == -infinity);
  CHECK(std::isnan(back.transmitted_j));
  CHECK(std::signbit(back.bond_residuals_j[0]));
  CHECK(back.bond_residuals_j == reply.result.bond_residuals_j);
  CHECK(back.reason.starts_with("gr"));
  CHECK(back.reason.ends_with("er"));
}

TEST_CASE("a reply that would take memory is refused while it is read") {
  const std::string deep(std::size_t{1} << 20, '[');
  CHECK_THROWS(read_run(deep));
  CHECK_THROWS(server::read_finding(deep));
  std::string wide = "[0";
  for (int i = 0; i < 5'000'000; ++i) {
    wide += ",0";
  }
  CHECK_THROWS_WITH(read_run(wide + "]"), "an invalid reply");
  engine::TrialResult result;
  result.reason = std::string(std::size_t{1} << 20, 'x');
  CHECK_THROWS_WITH(read_run(server::reply_text(engine::MeasuredRun{result, {}, {}})),
                    "an invalid reply");
}
