#include "engine/scan/curve_scan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "engine/benchmarks/catalogue.hpp"

using namespace macrostep::engine;

namespace {

Plan plan_with(const MacroStepGrid& grid, ScanKind scan = ScanKind::arithmetic) {
  Job job = find_built_in("double_actuator_crane")->default_job;
  job.macro_step = grid;
  job.linear_region.scan = scan;
  return std::get<Plan>(make_plan(job));
}

/// Walks a curve on made-up residuals; a residual of infinity stands for a diverged trial. Unless
/// told otherwise, so little energy is transmitted that no residual is negligible.
std::vector<double> walk(CurveScan& scan, const std::function<double(double)>& energy,
                         double transmitted_j = 1e-6) {
  std::vector<double> asked;
  while (const auto macro_step_s = scan.next()) {
    REQUIRE(asked.size() < 10'000);
    asked.push_back(*macro_step_s);
    const double value = energy(*macro_step_s);
    TrialResult result{.residual_j = std::isfinite(value) ? value : 0,
                       .transmitted_j = transmitted_j};
    result.status = std::isfinite(value) ? TrialStatus::complete : TrialStatus::diverged;
    scan.add(result);
  }
  return asked;
}

constexpr double diverged = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("the scan walks up its grid in integers, past the bend, to the cliff") {
  const auto plan = plan_with({.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02});
  CurveScan scan(plan, 0);
  const auto asked = walk(scan, [](double h) {
    return h < 1.7e-3 ? h : h < 2.5e-3 ? 3 * h : diverged;
  });
  CHECK(asked.size() == 13);
  CHECK(asked[8] == 0.0018);  // exactly the double of the decimal: no sum of increments
  CHECK(scan.region().bend_s() == 0.0016);
  CHECK(scan.region().cliff_s == 0.0026);
}

TEST_CASE("a scan without a bend ends at the maximum or where the test gets too short") {
  const auto plan = plan_with({.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 5e-3});
  CurveScan scan(plan, 0);
  CHECK(walk(scan, [](double h) { return h; }).back() == 0.005);
  CHECK_FALSE(scan.region().bend_s());

  const auto whole = plan_with({.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02});
  CurveScan sine(whole, 5);  // order 0, 70 Hz: 14.3 ms hold 3 macro-steps only up to 4.76 ms
  CHECK(walk(sine, [](double h) { return h; }).back() == 0.0046);
}

TEST_CASE("the scan reaches its maximum where that is a multiple but for rounding") {
  const double tenth_s = 0.0012140332270786356;
  const auto plan =
      plan_with({.initial_s = tenth_s, .increment_s = tenth_s, .maximum_s = 0.012140332270786357});
  CurveScan scan(plan, 0);
  CHECK(walk(scan, [](double h) { return h; }).back() == 0.012140332270786357);
}

TEST_CASE("a scan that starts beyond the linear region halves its grid and reuses what it has") {
  const auto plan = plan_with({.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02});
  CurveScan scan(plan, 0);
  const auto asked = walk(scan, [](double h) { return h < 2.1e-4 ? h : diverged; });
  // 0.2 and 0.4 ms, then 0.1, (0.2), 0.3, then 0.05, (0.1), 0.15, (0.2), 0.25.
  CHECK(asked == std::vector{2e-4, 4e-4, 1e-4, 3e-4, 5e-5, 1.5e-4, 2.5e-4});
  CHECK(scan.region().bend_s() == 2e-4);
}

TEST_CASE("points of a coarser grid that are not on the halved one are left out of its region") {
  // Stable up to 0.6 ms. From 0.8 ms by steps of 0.6 ms, halved until four points fit: 0.1 ms +
  // k·0.075 ms, without the 0.2, 0.35 and 0.5 ms before; by factors 0.2 ms·1.25^k, without 0.4 ms.
  const auto energy = [](double h) { return h < 6e-4 ? h * h : diverged; };
  const auto region_of = [&](const MacroStepGrid& grid, ScanKind scan) {
    const auto plan = plan_with(grid, scan);
    CurveScan walked(plan, 0);
    walk(walked, energy);
    return walked.region();
  };
  for (const auto scan : {ScanKind::arithmetic, ScanKind::geometric}) {
    const bool by_steps = scan == ScanKind::arithmetic;
    const auto found = region_of({8e-4, by_steps ? 6e-4 : 0, 0.02}, scan);
    const auto expected = region_of({by_steps ? 1e-4 : 2e-4, by_steps ? 7.5e-5 : 0, 0.02}, scan);
    CHECK(found.accepted == expected.accepted);
    CHECK(found.last_s == expected.last_s);
    CHECK(found.bend_s() == expected.bend_s());
    CHECK(found.cliff_s == expected.cliff_s);
    CHECK(expected.bend_s());
  }
}

TEST_CASE("a scan that never finds a linear region ends after ten halvings") {
  const auto plan = plan_with({.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02});
  CurveScan scan(plan, 0);
  const auto asked = walk(scan, [](double) { return diverged; });
  CHECK(asked.size() == 11);
  CHECK(scan.region().first_step_too_large);
  CHECK_FALSE(scan.region().last_s);
}

TEST_CASE("a scan does not halve its grid into residuals that tell nothing") {
  // A floor up to 1 ms and a line of order 4 above it.
  const auto energy = [](double h) {
    return h > 1.5e-3 ? diverged : std::max(1e-6, 1e6 * std::pow(h, 4));
  };
  for (const double initial_s : {2e-4, 1e-4, 2e-5, 1e-6}) {
    const auto plan = plan_with({.initial_s = initial_s, .increment_s = 4e-4, .maximum_s = 0.02});
    CurveScan scan(plan, 0);
    const auto asked = walk(scan, energy, 1);
    CHECK(*std::ranges::min_element(asked) == initial_s);
    REQUIRE(scan.region().bend_s());
    CHECK(*scan.region().bend_s() > 1.5e-3 - 4e-4);
    CHECK(*scan.region().bend_s() <= 1.5e-3);
  }
}

TEST_CASE("a grid that leaps from a negligible residual to divergence is refined between them") {
  const auto plan = plan_with({.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.02});
  CurveScan scan(plan, 0);
  const auto asked = walk(
      scan, [](double h) { return h < 1.6e-3 ? 1e-9 : diverged; }, 1);
  CHECK(asked == std::vector{1e-3, 2e-3, 5e-4, 1.5e-3, 7.5e-4, 1.25e-3, 1.75e-3});
  CHECK(scan.region().bend_s() == 1.5e-3);
  CHECK(scan.region().cliff_s == 1.75e-3);
  CHECK(scan.region().halvings == 2);
}

TEST_CASE("a geometric scan multiplies") {
  const auto plan =
      plan_with({.initial_s = 1e-4, .increment_s = 0, .maximum_s = 4e-4}, ScanKind::geometric);
  CurveScan scan(plan, 0);
  const auto asked = walk(scan, [](double h) { return h; });
  REQUIRE(asked.size() == 7);
  CHECK(asked[1] == doctest::Approx(1.25e-4));
  CHECK(asked[6] == doctest::Approx(1e-4 * std::pow(1.25, 6)));
}

TEST_CASE("a grid too coarse for a short test is halved until four points fit") {
  const auto plan = plan_with({.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.02});
  CurveScan sine(plan, 5);  // 70 Hz: 14.3 ms, 3 macro-steps up to 4.76 ms
  const auto asked = walk(sine, [](double h) { return h; });
  CHECK(sine.region().last_s == 4e-3);
  CurveScan order_4(plan, 4 * 4 * 6 + 5);  // the same with order 4: 11 macro-steps up to 1.3 ms
  walk(order_4, [](double h) { return h; });
  CHECK(order_4.region().accepted >= 4);
}

TEST_CASE("a test in which no energy crosses the bonds ends after three points") {
  const auto plan = plan_with({.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02});
  CurveScan scan(plan, 0);
  int asked = 0;
  while (scan.next()) {
    REQUIRE(++asked < 100);
    scan.add({.residual_j = 1e-16});
  }
  CHECK(asked == 3);
}

TEST_CASE("halving ends where divergence does not depend on H, and goes on where it does") {
  // From 0.2 ms on, halved ten times unless it is pointless: 11 trials. A problem that is unstable
  // itself diverges at 0.7 s; a coupling with an unstable loop after so many exchanges.
  const auto plan = plan_with({.initial_s = 2e-4, .increment_s = 2e-4, .maximum_s = 0.02});
  const auto trials = [&](const std::function<double(double)>& diverged_s) {
    CurveScan scan(plan, 0);
    int count = 0;
    for (auto h = scan.next(); h; h = scan.next()) {
      REQUIRE(++count < 100);
      scan.add({.status = TrialStatus::diverged, .macro_steps = std::llround(diverged_s(*h) / *h)});
    }
    return std::pair(count, scan.region().reason());
  };
  const auto own = trials([](double) { return 0.7; });
  CHECK(own.first == 3);
  CHECK(own.second.find("the problem itself grows beyond bounds") != std::string::npos);
  const auto loop = trials([](double h) { return 50 * h; });
  CHECK(loop.first == 1 + max_grid_halvings);
  CHECK(loop.second.find("the problem itself") == std::string::npos);
  CHECK(trials([](double h) { return 0.1 + 2e-6 / h; }).first == 1 + max_grid_halvings);
}
