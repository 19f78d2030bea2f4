#include "engine/scan/linear_region.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <span>

using namespace macrostep::engine;

namespace {

std::vector<CurvePoint> curve(int count, const std::function<double(double)>& energy) {
  std::vector<CurvePoint> points;
  for (int i = 1; i <= count; ++i) {
    const double h = 1e-3 * i;
    points.push_back({.macro_step_s = h, .residual_j = energy(h)});
  }
  return points;
}

/// With residuals relative to 1 J.
std::vector<CurvePoint> relative(std::vector<CurvePoint> points) {
  for (auto& point : points) {
    point.relative_residual = point.residual_j;
  }
  return points;
}

/// E = 3·H^p up to the bend (in ms), `factor` times that from there on.
std::vector<CurvePoint> bent(int count, double exponent, int bend_ms, double factor) {
  return curve(count, [=](double h) {
    return 3 * std::pow(h, exponent) * (h > 1e-3 * (bend_ms + 0.5) ? factor : 1);
  });
}

}  // namespace

TEST_CASE("every rule finds a kink, for every slope it promises to follow") {
  for (const auto rule : {Rule::local_power_law, Rule::baseline_power_law, Rule::tangent}) {
    for (const double exponent : {1.0, 2.0, 3.0}) {
      // The tangent of H³ at the second point is 8 + 7 against 27: the rule ends there by design.
      if (rule == Rule::tangent && exponent > 1) {
        continue;
      }
      const auto region = find_linear_region(bent(20, exponent, 12, 1.6), {.rule = rule}, 2);
      CHECK(region.bend_s() == doctest::Approx(12e-3));
      CHECK(region.accepted == 12);
      CHECK(region.fit->exponent == doctest::Approx(exponent).epsilon(1e-9));
      CHECK_FALSE(region.cliff_s);  // 1.6 times the line is no cliff
    }
  }
}

TEST_CASE("the cliff is ten times the fit frozen at the bend, or a trial that does not complete") {
  auto points = bent(20, 1, 8, 1.6);
  for (auto& point : points) {
    point.residual_j *= point.macro_step_s > 14.5e-3 ? 10 : 1;
  }
  CHECK(find_linear_region(points, {}, 0).cliff_s == doctest::Approx(15e-3));
  points[10].status = TrialStatus::diverged;
  CHECK(find_linear_region(points, {}, 0).cliff_s == doctest::Approx(11e-3));
}

TEST_CASE("a trial that does not complete is bend and cliff at once") {
  auto points = bent(12, 1, 99, 1);
  points[7].status = TrialStatus::solver_failed;
  const auto region = find_linear_region(points, {}, 0);
  CHECK(region.bend_s() == doctest::Approx(7e-3));
  CHECK(region.cliff_s == doctest::Approx(8e-3));
  CHECK(region.reason() == "at H = 8 ms the trial failed in a solver");
}

TEST_CASE("a line that never ends has no bend, only a last point") {
  const auto region = find_linear_region(bent(9, 2, 99, 1), {}, 1);
  CHECK_FALSE(region.bend_s());
  CHECK(region.last_s == doctest::Approx(9e-3));
  CHECK(region.fit->coefficient == doctest::Approx(3));
}

TEST_CASE("fewer than four accepted points mean that the scan starts too large") {
  SUBCASE("the fourth point is off the line") {
    CHECK(find_linear_region(bent(6, 1, 3, 5), {}, 0).first_step_too_large);
  }
  SUBCASE("the first three grow faster than any linear region") {
    const auto region = find_linear_region(bent(6, 3.5, 99, 1), {}, 0);
    CHECK(region.first_step_too_large);
    CHECK(region.reason().find("H^3.5") != std::string::npos);
    CHECK_FALSE(find_linear_region(bent(6, 3.5, 99, 1), {}, 1).first_step_too_large);
  }
  SUBCASE("the first three do not grow at all") {
    CHECK(find_linear_region(curve(6, [](double) { return 1.0; }), {}, 0).first_step_too_large);
  }
  SUBCASE("a trial without any energy is no line either") {
    CHECK(find_linear_region(curve(6, [](double) { return 0.0; }), {}, 0).first_step_too_large);
  }
}

TEST_CASE("a refitted line follows a slow bend, the baseline does not") {
  // E = H·exp(H/4 ms): each new point is within 35 % of the fit through the last five, but not of
  // the fit through the first five.
  const auto points = curve(20, [](double h) { return h * std::exp(h / 4e-3); });
  const auto local = find_linear_region(points, {.rule = Rule::local_power_law, .points = 5}, 0);
  const auto baseline =
      find_linear_region(points, {.rule = Rule::baseline_power_law, .points = 5}, 0);
  REQUIRE(baseline.bend_s());
  CHECK(*baseline.bend_s() < 0.75 * *local.last_s);
}

TEST_CASE("a line that begins above a floor of rounding ends where it bends") {
  const auto energy = [](double h) {
    const double floor = 1e-6 * (1 + std::sin(1e5 * h));
    return (floor + 1e4 * std::pow(h, 4)) * (h > 14.5e-3 ? 3 : 1);
  };
  for (const auto rule : {Rule::local_power_law, Rule::baseline_power_law}) {
    const auto region = find_linear_region(relative(curve(20, energy)), {.rule = rule}, 3);
    CHECK_FALSE(region.first_step_too_large);
    CHECK(region.bend_s() == doctest::Approx(14e-3));
    CHECK(region.known.line_begin > 1);
  }
}

TEST_CASE("what jumps leave at small H is no bend where the line above it grows faster") {
  // From H² to H⁴, which are equal at 4 ms.
  const auto energy = [](double h) { return 6e-4 * h * h + 36 * std::pow(h, 4); };
  const auto points = relative(curve(12, energy));
  const auto region = find_linear_region(points, {.rule = Rule::baseline_power_law}, 3);
  CHECK_FALSE(region.bend_s());
  CHECK(region.last_s == doctest::Approx(12e-3));
  CHECK(region.fit->exponent > 3.5);

  auto clear = points;
  for (auto& point : clear) {
    *point.relative_residual *= 1e6;
  }
  CHECK(find_linear_region(clear, {.rule = Rule::baseline_power_law}, 3).bend_s() < 8e-3);
}

TEST_CASE("where no line follows, the last negligible residual is the bend") {
  auto points = relative(curve(9, [](double h) { return h < 6.5e-3 ? 1e-12 : 0.5; }));
  const auto region = find_linear_region(points, {}, 0);
  CHECK(region.bend_s() == doctest::Approx(6e-3));
  CHECK(region.cliff_s == doctest::Approx(7e-3));
  points[6].status = TrialStatus::diverged;
  CHECK(find_linear_region(points, {}, 0).bend_s() == doctest::Approx(6e-3));
  points[2].status = TrialStatus::diverged;
  CHECK(find_linear_region(points, {}, 0).first_step_too_large);
}

TEST_CASE("nothing and too little are no region") {
  CHECK_FALSE(find_linear_region({}, {}, 0).last_s);
  const auto two = bent(2, 1, 99, 1);
  CHECK_FALSE(find_linear_region(two, {}, 0).fit);
}

TEST_CASE("a region that is followed point by point is that of all points at once") {
  for (const auto rule : {Rule::local_power_law, Rule::baseline_power_law, Rule::tangent}) {
    auto points = bent(20, 1, 12, 1.6);
    points[16].residual_j *= 10;
    for (std::size_t i = 0; i < 2; ++i) {
      points[i].residual_j = 0.0065;  // a floor
      points[i].relative_residual = 1e-9;
    }
    LinearRegion followed;
    for (std::size_t count = 1; count <= points.size(); ++count) {
      const auto first = std::span(points).first(count);
      followed = find_linear_region(first, {.rule = rule}, 0, followed.known);
      const auto whole = find_linear_region(first, {.rule = rule}, 0);
      CHECK(followed.accepted == whole.accepted);
      CHECK(followed.bend_s() == whole.bend_s());
      CHECK(followed.cliff_s == whole.cliff_s);
      CHECK(followed.reasons == whole.reasons);
      REQUIRE(followed.fit.has_value() == whole.fit.has_value());
      if (whole.fit) {
        CHECK(followed.fit->coefficient == whole.fit->coefficient);
        CHECK(followed.fit->exponent == whole.fit->exponent);
      }
    }
    CHECK(followed.bend_s() == doctest::Approx(12e-3));
  }
}
