// A finished curve tells what limits it: the last of the cuts that were made, or why no H is left.
#include "engine/scan/finish_curve.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/usable_step.hpp"
#include "engine/search/run_search.hpp"
#include "engine/stability/stability.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/made_backends.hpp"

using namespace macrostep::engine;
using macrostep::tests::TrialsBy;

namespace {

/// A crane, which has no exact analysis; H from 0.2 to 4 ms in steps of 0.2 ms.
Plan crane() {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.space.extrapolation = {Extrapolation::order_0};
  job.tests.resize(1);
  job.macro_step = {.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 4e-3};
  return std::get<Plan>(make_plan(job));
}

/// The residual energy in J of a run that transmits 1 J.
using ResidualOf = std::function<double(double macro_step_s)>;

Curve finished(const Plan& plan, const ResidualOf& residual_of, double transmitted_j = 1) {
  CurveScan scan(plan, 0);
  for (auto h = scan.next(); h; h = scan.next()) {
    scan.add({.residual_j = residual_of(*h), .transmitted_j = transmitted_j});
  }
  StabilityVerdicts verdicts(plan);
  return finish_curve(plan, 0, scan, verdicts);
}

double parabola(double macro_step_s) {
  return 2500 * macro_step_s * macro_step_s;  // 4 % at 4 ms
}

/// Off the line of the parabola from 2 ms on.
double bent(double macro_step_s) {
  return (macro_step_s > 2.1e-3 ? 5 : 1) * parabola(macro_step_s);
}

Plan two_masses(bool by_rate) {
  auto job = macrostep::tests::two_masses();
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_2};
  job.tests = {{.name = "step", .kind = TestKind::step, .duration_s = 4}};
  job.accuracy = by_rate ? std::nullopt : std::optional(0.05);
  job.relative_residual_max = by_rate ? std::nullopt : std::optional(0.9);
  return std::get<Plan>(make_plan(job));
}

}  // namespace

TEST_CASE("what limits a curve is its bend, the end of its scan, its residual or the job") {
  auto plan = crane();
  CHECK(finished(plan, parabola).limited_by == limited_by_largest_tried);
  const auto bend = finished(plan, bent);
  CHECK(bend.usable_s == bend.region.bend_s());
  CHECK(bend.limited_by == limited_by_bend);
  CHECK(finished(plan, [](double h) { return 100 * parabola(h); }).limited_by ==
        cut_at_transmitted_energy);

  plan.job.relative_residual_max = 0.0101;
  CHECK(finished(plan, parabola).limited_by == cut_at_relative_residual);
  plan.job.relative_residual_max = 1e-9;
  CHECK(finished(plan, parabola).limited_by == relative_residual_exceeded);
  plan.job.relative_residual_max.reset();

  // A larger H is allowed, but beyond the bend; then none is.
  plan.job.allowed_macro_steps_s = {1e-3, 3e-3};
  CHECK(finished(plan, bent).usable_s == 1e-3);
  CHECK(finished(plan, bent).limited_by == limited_by_bend);
  plan.job.allowed_macro_steps_s = {1e-3};
  CHECK(finished(plan, bent).limited_by == limited_by_allowed);
  plan.job.allowed_macro_steps_s = {1e-5};
  CHECK(finished(plan, bent).limited_by == no_allowed_macro_step);
}

TEST_CASE("a curve of which no H may be used tells why") {
  const auto plan = crane();
  CHECK(finished(
            plan, [](double) { return 0.0; }, 0)
            .limited_by == no_energy);
  const auto flat = finished(plan, [](double) { return 0.5; });
  CHECK_FALSE(flat.usable_s);
  CHECK(flat.limited_by == no_linear_region);
}

TEST_CASE("where the rates decide alone, they or the largest H tried limit a curve") {
  const auto plan = two_masses(/*by_rate=*/true);
  std::set<std::string_view> limits;
  for (const auto& curve : run_search(plan, {}).answer.curves) {
    REQUIRE(has_flag(curve, limited_by_rate));
    if (curve.usable_s) {
      // The last H may be one that was tried for being next to the limit with its margin.
      const bool is_last = *curve.usable_s == curve.points.back().macro_step_s &&
                           !(curve.exact_limit_s() &&
                             *curve.exact_limit_s() < stability_margin * 1.01 * *curve.usable_s);
      const auto by_rate =
          has_flag(curve, stable_within_session) ? stable_within_session : cut_at_stability_limit;
      CHECK(curve.limited_by == (is_last ? limited_by_largest_tried : by_rate));
    } else {
      CHECK(curve.limited_by == unstable);
    }
    limits.insert(curve.limited_by);
  }
  CHECK(limits.contains(stable_within_session));  // two masses without a damper
}

TEST_CASE("a coarse scan whose last H is that of the exact limit is limited by it") {
  auto job = macrostep::tests::slow_decay();
  job.stability_check = StabilityCheck::all;
  job.space.extrapolation = {Extrapolation::order_2};
  job.macro_step = {.initial_s = 1e-2, .increment_s = 1e-2, .maximum_s = 0.1};
  const TrialsBy cliff([](const Plan& of, const TrialSettings& run) {
    auto result = run_trial(of, run);
    result.residual_j *= run.macro_step_s > 0.055 ? 1e3 : 1;
    return result;
  });
  const auto plan = std::get<Plan>(make_plan(job));
  const auto curve = run_search(plan, {.backend = &cliff}).answer.curves.front();
  REQUIRE(curve.region.cliff_s);
  REQUIRE(curve.stability_limit_s);
  CHECK(curve.points.back().macro_step_s ==
        rounded_down(*curve.stability_limit_s / stability_margin));
  CHECK(curve.usable_s == curve.points.back().macro_step_s);
  CHECK(curve.limited_by == cut_at_stability_limit);
}

TEST_CASE("every finished curve of a search says what limits it, as its flags do") {
  std::set<std::string_view> limits;
  for (const bool by_rate : {false, true}) {
    for (const auto& curve : run_search(two_masses(by_rate), {}).answer.curves) {
      CAPTURE(curve.limited_by);
      CHECK((curve.limited_by == unstable) == !curve.usable_s);
      const bool is_flag =
          curve.limited_by != limited_by_bend && curve.limited_by != limited_by_largest_tried;
      CHECK(has_flag(curve, curve.limited_by) == is_flag);
      limits.insert(curve.limited_by);
    }
  }
  CHECK(limits.size() > 1);
}

TEST_CASE("a limit of stability that one curve finds holds for all of its configuration") {
  auto job = find_built_in("linear_oscillator")->default_job;
  job.tests.resize(2);
  const auto plan = std::get<Plan>(make_plan(job));
  const auto limited_to = [&](std::size_t test, double usable_s, double limit_s) {
    Curve curve{.key = {.configuration = 0, .test = test}};
    curve.points = {{.macro_step_s = 1e-3}, {.macro_step_s = 2e-3}};
    curve.region.last_s = usable_s;
    curve.usable_s = usable_s;
    curve.stability_limit_s = limit_s;
    return curve;
  };
  std::vector curves{limited_to(0, 2e-3, 4e-3), limited_to(1, 1e-3, 1.2e-3)};
  share_stability_limits(plan, curves);
  CHECK(curves[0].usable_s == 1e-3);
  CHECK(curves[0].stability_limit_s == 1.2e-3);
  CHECK(curves[0].limited_by == cut_at_stability_limit);
  CHECK(curves[1].usable_s == 1e-3);
  curves[1].stability_limit_s = 1.1e-3;  // the smallest point lies within the margin of it
  share_stability_limits(plan, curves);
  CHECK_FALSE(curves[0].usable_s);
  CHECK(curves[0].limited_by == unstable);
}
