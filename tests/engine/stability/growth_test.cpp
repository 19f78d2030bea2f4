// Verdicts on rates, against systems whose modes are known in closed form.
#include "engine/stability/growth.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "engine/problem/own_problem.hpp"
#include "engine/stability/stability.hpp"
#include "engine/study/draw_problem.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;

namespace {

constexpr double h = 1e-3;
constexpr double pi = 3.14159265358979323846;

/// The eigenvalue of Φ of a mode with this rate and frequency.
Eigenvalue mode(double rate_per_s, double turn_rad_s, double condition = 1) {
  return {.value = std::exp(std::complex<double>(rate_per_s, turn_rad_s) * h),
          .condition = condition};
}

std::vector<Eigenvalue> pair(double rate_per_s, double turn_rad_s) {
  return {mode(rate_per_s, turn_rad_s), mode(rate_per_s, -turn_rad_s)};
}

std::vector<Eigenvalue> together(std::vector<Eigenvalue> one,
                                 const std::vector<Eigenvalue>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

/// Masses [kg], stiffnesses of their springs to the ground and between them [N/m], and a damper
/// beside each spring [N s/m].
struct Rig {
  double m1 = 1, m2 = 1, k1 = 0, k2 = 0, kc = 1000, c1 = 0, c2 = 0, cc = 0;
};

Plan rig(const Rig& r, const std::vector<Extrapolation>& orders) {
  using macrostep::models::Integrator;
  auto job = macrostep::tests::two_masses();
  auto& parts = job.own_problem->subsystems;
  auto& first = parts[0].state_space;
  first.a = Eigen::Matrix2d{{0, 1}, {-(r.k1 + r.kc) / r.m1, -(r.c1 + r.cc) / r.m1}};
  first.b = Eigen::MatrixXd{{0, 0, 0}, {r.kc / r.m1, 1 / r.m1, r.cc / r.m1}};
  first.c = Eigen::MatrixXd{{r.kc, r.cc}};
  first.d = Eigen::MatrixXd{{-r.kc, 0, -r.cc}};
  auto& second = parts[1].state_space;
  second.a = Eigen::Matrix2d{{0, 1}, {-r.k2 / r.m2, -r.c2 / r.m2}};
  second.b = Eigen::Vector2d{0, 1 / r.m2};
  job.space.extrapolation = orders;
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  return planned(job);
}

/// A motor's inertia that drives a load through a soft shaft; nothing holds the three inertias, and
/// only speeds and the twist of the shaft are states. All times are divided by `faster`.
Plan free_shaft(double faster) {
  using macrostep::models::Integrator;
  auto job = macrostep::tests::two_masses();
  auto& own = *job.own_problem;
  auto& motor = own.subsystems[0].state_space;  // w1' = 50 (M − T)
  motor.a = Eigen::MatrixXd{{0}};
  motor.b = faster * Eigen::MatrixXd{{50, -50}};
  motor.c = Eigen::MatrixXd{{1}};
  motor.d = Eigen::MatrixXd{{0, 0}};
  motor.x0 = Eigen::VectorXd::Zero(1);
  motor.inputs = {{"M", "N m"}, {"T", "N m"}};
  motor.outputs = {{"w", "rad/s"}};
  auto& load = own.subsystems[1].state_space;  // 900 N m/rad, 1e-3 N m s/rad; then 400, 1e-3
  load.a = faster *
           Eigen::Matrix4d{
               {0, -1, 0, 0}, {180000, -0.4, -80000, 0.2}, {0, 1, 0, -1}, {0, 0.02, 8000, -0.02}};
  load.b = faster * Eigen::Vector4d{1, 0.2, 0, 0};
  load.c = Eigen::MatrixXd{{900, -0.001, 0, 0}};
  load.d = Eigen::MatrixXd{{0.001}};
  load.x0 = Eigen::VectorXd::Zero(4);
  load.inputs = {{"w", "rad/s"}};
  load.outputs = {{"T", "N m"}};
  own.connections = {{{"m1", "w"}, {"m2", "w"}}, {{"m2", "T"}, {"m1", "T"}}};
  own.power_bonds = {{.effort = {{"m2", "T"}}, .flow = {{"m1", "w"}}}};
  own.external_inputs = {{.to = {"m1", "M"}, .minimum = -1, .maximum = 1}};
  job.space.extrapolation = {Extrapolation::order_1, Extrapolation::order_2};
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  return planned(job);
}

std::optional<Growth> growth_at(const Plan& plan, std::size_t configuration, double macro_step_s) {
  const auto& one = plan.configurations[configuration];
  const auto modes = exact_modes(plan, one);
  REQUIRE(modes);
  const Stability stability(plan, one, &*modes, session_s(plan, &*modes));
  return std::get<Growth>(stability.growth(macro_step_s));
}

double relative_distance(double one, double other) {
  return one == other ? 0 : std::abs(one - other) / other;  // both may be infinite
}

}  // namespace

TEST_CASE("all modes are compared: what drifts licenses no growth of others") {
  const ExactModes free_shaft{.rates_per_s = {0, 0, -1, -1}};
  const std::vector<Eigenvalue> drift{{.value = 1}, {.value = 1}};
  const auto kind = [&](double rate_per_s) {
    return growth_of(together(drift, pair(rate_per_s, 50)), h, &free_shaft, 100).kind;
  };
  CHECK(kind(-1) == GrowthKind::stable);
  CHECK(kind(0) == GrowthKind::stable);
  CHECK(kind(1e-5) == GrowthKind::growing);  // by a thousandth in a session: it grows all the same
}

TEST_CASE("undamped oscillations may grow by a tenth in a session, and nothing else may") {
  const double session_s = 100;
  const double allowed_per_s = std::log(1.1) / session_s;
  const ExactModes modes{.rates_per_s = {0, 0, -1, -1}, .undamped_rad_s = {50, 50}};
  const auto kind = [&](double rate_per_s, double turn_rad_s, double other_per_s) {
    return growth_of(together(pair(rate_per_s, turn_rad_s), pair(other_per_s, 300)), h, &modes,
                     session_s)
        .kind;
  };
  CHECK(kind(0.99 * allowed_per_s, 50, -1) == GrowthKind::within_session);
  CHECK(kind(1.01 * allowed_per_s, 50, -1) == GrowthKind::growing);
  CHECK(kind(0, 50, 0.5 * allowed_per_s) == GrowthKind::growing);  // of a damped one
  CHECK(kind(0.5 * allowed_per_s, 0, -1) == GrowthKind::growing);  // it does not oscillate
  CHECK(kind(0.5 * allowed_per_s, 50, 0.1 * allowed_per_s) == GrowthKind::growing);
}

TEST_CASE("an undamped oscillation is recognised by the nearest frequency, in any order") {
  const ExactModes modes{.rates_per_s = {0, 0}, .undamped_rad_s = {100, 120}};
  for (const bool reverse : {false, true}) {
    std::vector<Eigenvalue> values{mode(2e-5, 120), mode(1e-5, 80)};
    if (reverse) {
      std::ranges::reverse(values);
    }
    CHECK(growth_of(values, h, &modes, 100).kind == GrowthKind::within_session);
  }
}

TEST_CASE("rounding of an ill-conditioned eigenvalue is no growth, up to 1e-9 of the radius") {
  const ExactModes modes{.rates_per_s = {-1}};
  const auto kind = [&](double excess, double condition) {
    return growth_of({{.value = 1 + excess, .condition = condition}}, h, &modes, 100).kind;
  };
  CHECK(kind(1e-13, 1) == GrowthKind::growing);
  CHECK(kind(1e-13, 1e3) == GrowthKind::stable);
  CHECK(kind(0.9e-9, 1e12) == GrowthKind::stable);
  CHECK(kind(1.1e-9, 1e12) == GrowthKind::growing);
}

TEST_CASE("rounding hides no growth that a long session does not allow") {
  // A pair that grows by 1e-9 in a macro-step, which might be rounding of its condition.
  const ExactModes modes{.rates_per_s = {0, 0}, .undamped_rad_s = {50}};
  constexpr double rate_per_s = 1e-7;
  const auto kind = [&](double session_s, double condition) {
    const std::vector<Eigenvalue> values{mode(rate_per_s, 50, condition),
                                         mode(rate_per_s, -50, condition)};
    return growth_of(values, h, &modes, session_s).kind;
  };
  const double longest_s = std::log(allowed_session_growth) / rate_per_s;
  CHECK(kind(0.9 * longest_s, 1e4) == GrowthKind::stable);
  CHECK(kind(1.1 * longest_s, 1e4) == GrowthKind::growing);
  CHECK(kind(1e3 * longest_s, 1e4) == GrowthKind::growing);
  CHECK(kind(1e3 * longest_s, 1e12) == GrowthKind::stable);  // of a multiple root nothing is known
}

TEST_CASE("modes of the exact system are those of the equations") {
  // Two free masses: they drift, and swing with ω = √(k (1/m1 + 1/m2)), decay c/2 (1/m1 + 1/m2).
  const auto plan = rig({.m1 = 2, .m2 = 3, .kc = 1000, .cc = 0.2}, {Extrapolation::order_0});
  const auto modes = exact_modes(plan, plan.configurations.front());
  REQUIRE(modes);
  const double inverse = 1.0 / 2 + 1.0 / 3;
  const double decay = 0.1 * inverse;
  const double turn = std::sqrt(1000 * inverse - decay * decay);
  REQUIRE(modes->rates_per_s.size() == 4);
  CHECK(modes->rates_per_s[0] == 0);
  CHECK(modes->rates_per_s[1] == 0);
  CHECK(modes->rates_per_s[2] == doctest::Approx(-decay).epsilon(1e-9));
  CHECK(modes->drifts.size() == 2);
  CHECK(modes->undamped_rad_s.empty());
  REQUIRE(modes->slowest_s);
  CHECK(*modes->slowest_s == doctest::Approx(2 * pi / turn).epsilon(1e-9));
  CHECK(session_s(plan, &*modes) == doctest::Approx(1000 * *modes->slowest_s));
  auto told = plan;
  told.job.session_s = 60;
  CHECK(session_s(told, &*modes) == 60);
}

TEST_CASE("a free motion that decays slowly is no drift, however light its damping") {
  // Eigenvalues by numpy: 0, -4.178715e-5, and -0.0895 ± 8.912i per s.
  const auto plan = rig({.m1 = 1 / 16.236067063213163,
                         .m2 = 1 / 697.6822264618967,
                         .kc = 0.11125680534932625,
                         .c1 = 2.3679796e-6,
                         .c2 = 2.6563895e-7,
                         .cc = 2.5058644523548814e-4},
                        {Extrapolation::order_2});
  const auto modes = exact_modes(plan, plan.configurations.front());
  REQUIRE(modes);
  CHECK(modes->drifts.size() == 1);
  CHECK(*modes->slowest_s == doctest::Approx(1 / 4.178715e-5).epsilon(1e-4));
}

TEST_CASE("two free masses on a damped spring: every hold grows, orders 1 and 2 do not") {
  // ρ − 1 = 2.5e-8 at 10 µs by matrices of four numbers; the drift of order 2 alone is split by
  // 3e-10, which is rounding.
  const auto plan = rig({.kc = 1000, .cc = 0.2},
                        {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2});
  for (const double macro_step_s : {1e-5, 1e-4, 1e-3, 5e-3}) {
    CAPTURE(macro_step_s);
    CHECK(growth_at(plan, 0, macro_step_s)->kind == GrowthKind::growing);
    CHECK(growth_at(plan, 1, macro_step_s)->kind == GrowthKind::stable);
    CHECK(growth_at(plan, 2, macro_step_s)->kind == GrowthKind::stable);
  }
  CHECK(growth_at(plan, 0, 1e-5)->rate_per_s == doctest::Approx(2.5e-3).epsilon(1e-3));
}

TEST_CASE("what rotates freely has the same limit in every unit of time") {
  const auto limit_s = [](double faster, std::size_t configuration) {
    const auto plan = free_shaft(faster);
    const auto& one = plan.configurations[configuration];
    const auto modes = exact_modes(plan, one);
    REQUIRE(modes);
    CHECK(modes->drifts.size() == 1);
    const auto limit = stability_limit(plan, one, 1e-4 / faster, 0.02 / faster);
    REQUIRE(std::holds_alternative<StabilityLimit>(limit));
    return faster * std::get<StabilityLimit>(limit).range.stable_s;
  };
  for (const std::size_t configuration : {0, 1}) {
    const double own = limit_s(1, configuration);
    CHECK(own > 1e-4);
    CHECK(own < 0.02);
    for (const double faster : {1e-3, 1 / 3600.0, 26.62, 32.15, 1e3, 1e5, 1e6}) {
      CAPTURE(faster);
      CHECK(limit_s(faster, configuration) == doctest::Approx(own).epsilon(1e-6));
    }
  }
}

TEST_CASE("a rig that doubles every few seconds is unstable, however short its tests") {
  // Natural frequencies of 0.5 and 0.7 Hz with hardly any damping: with hold, ρ = 1 at 0.15127 ms
  // by matrices of our own outside the engine; at 3 ms it doubles every 7 s.
  const auto plan =
      rig({.k1 = 10, .k2 = 20, .kc = 50, .c1 = 0.01, .c2 = 0.01}, {Extrapolation::order_0});
  const auto limit = stability_limit(plan, plan.configurations.front(), 1e-3, 0.01);
  REQUIRE(std::holds_alternative<StabilityLimit>(limit));
  CHECK(std::get<StabilityLimit>(limit).range.stable_s ==
        doctest::Approx(1.5126937e-4).epsilon(1e-6));
  const auto growth = growth_at(plan, 0, 3e-3);
  CHECK(growth->kind == GrowthKind::growing);
  CHECK(std::log(2) / growth->rate_per_s == doctest::Approx(7).epsilon(0.1));
}

TEST_CASE("undamped rigs grow at every H, and are judged by what that comes to in a session") {
  // ρ − 1 = 3.03e-10 at 1 ms with order 2 by matrices of our own outside the engine, and falls with
  // H⁴: rounding hides it below 0.2 ms, which is no limit of stability.
  const auto plan = rig({.k1 = 10, .k2 = 1000, .kc = 100}, {Extrapolation::order_2});
  const auto found = stability_limit(plan, plan.configurations.front(), 1e-3, 0.05);
  REQUIRE(std::holds_alternative<StabilityLimit>(found));
  const auto& limit = std::get<StabilityLimit>(found);
  CHECK(limit.range.stable_s == 0);
  const auto at_limit = growth_at(plan, 0, 0.999 * limit.range.session_s);
  CHECK(at_limit->kind == GrowthKind::within_session);
  CHECK(std::exp(at_limit->rate_per_s * limit.session_s) == doctest::Approx(1.1).epsilon(0.01));
  CHECK(growth_at(plan, 0, 1e-3)->rate_per_s == doctest::Approx(3.03e-7).epsilon(0.01));
}

TEST_CASE("what grows by itself has a limit of stability, by what grows more than that") {
  // By matrices of our own outside the engine: 0.0994 ± 30.24i and 0.1006 ± 10.99i per s.
  const auto plan =
      rig({.k1 = 120, .k2 = 120, .kc = 400, .c1 = 2, .c2 = -2.4}, {Extrapolation::order_1});
  const auto modes = exact_modes(plan, plan.configurations.front());
  REQUIRE(modes);
  CHECK(modes->largest_rate_per_s() == doctest::Approx(0.1006).epsilon(1e-3));
  const auto found = stability_limit(plan, plan.configurations.front(), 1e-3, 0.1);
  REQUIRE(std::holds_alternative<StabilityLimit>(found));
  const auto& range = std::get<StabilityLimit>(found).range;
  CHECK(range.stable_s > 0);
  CHECK(range.session_s == range.stable_s);  // nothing is undamped
  CHECK(growth_at(plan, 0, 0.999 * range.stable_s)->kind == GrowthKind::stable);
  CHECK(growth_at(plan, 0, 1.001 * range.stable_s)->kind == GrowthKind::growing);
}

TEST_CASE("macro-steps above unstable ones are islands, and no macro-step above them is stable") {
  const auto range = stable_range(
      [](double macro_step_s) -> std::optional<Growth> {
        const bool grows = macro_step_s > 0.2 && macro_step_s < 0.21;
        return Growth{.kind = grows ? GrowthKind::growing : GrowthKind::stable};
      },
      0.01, 1);
  REQUIRE(range);
  CHECK(range->stable_s == doctest::Approx(0.2).epsilon(1e-5));
  CHECK(range->session_s == doctest::Approx(0.2).epsilon(1e-5));
  CHECK_FALSE(stable_range([](double) { return std::optional<Growth>(); }, 0.01, 1));
}

TEST_CASE("a band narrower than the grid ends the range where a macro-step in it is asked for") {
  const GrowthAt growth = [](double macro_step_s) -> std::optional<Growth> {
    const bool grows = macro_step_s > 0.2005 && macro_step_s < 0.2007;
    return Growth{.kind = grows ? GrowthKind::growing : GrowthKind::stable};
  };
  const double infinite = std::numeric_limits<double>::infinity();
  const auto limit_s = [&](std::vector<double> asked_s) {
    return stable_range(growth, 0.01, 1, asked_s)->stable_s;
  };
  CHECK(limit_s({}) == infinite);
  CHECK(limit_s({2.0, 0.5, 0.2004, 0.2008, 1e-6}) == infinite);
  CHECK(limit_s({2.0, 0.5, 0.2006, 1e-6}) == doctest::Approx(0.2005).epsilon(1e-5));
  CHECK(stable_range(growth, 50, 90, std::vector{0.2006})->stable_s == infinite);  // far below
}

TEST_CASE("where growth is smooth in H a tenth of the macro-steps tells the same limit" *
          doctest::test_suite("slow")) {
  int compared = 0;
  for (const std::uint64_t number : {2, 3, 6, 7, 14}) {
    const auto problem = make_study_problem(1, number);
    CAPTURE(problem.description);
    const auto plan = planned(problem.job);
    for (const auto& configuration : plan.configurations) {
      const Stability stability(plan, configuration);
      int looks = 0;
      const auto growth = [&](double macro_step_s) -> std::optional<Growth> {
        ++looks;
        return std::get<Growth>(stability.growth(macro_step_s));
      };
      const double smallest_s = plan.job.macro_step.initial_s;
      const double largest_s = plan.job.macro_step.maximum_s;
      const auto few = stable_range(growth, smallest_s, largest_s, {}, stability.grid());
      const int few_looks = looks;
      looks = 0;
      auto every = stability.grid();
      every.smooth_up_to_s = 0;
      const auto all = stable_range(growth, smallest_s, largest_s, {}, every);
      REQUIRE(few);
      REQUIRE(all);
      CHECK(relative_distance(few->stable_s, all->stable_s) < 1e-5);
      CHECK(relative_distance(few->session_s, all->session_s) < 1e-5);
      CHECK(few_looks < looks);
      ++compared;
    }
  }
  CHECK(compared > 20);
}

TEST_CASE("the fastest motion counts where a subsystem has it and the coupling takes it away") {
  // On its own the second mass turns with 100 rad/s; its neighbour's spring is as negative.
  const auto plan = rig({.m1 = 1e8, .k1 = 1, .k2 = 1e4, .kc = -9.999e3}, {Extrapolation::order_0});
  const auto modes = exact_modes(plan, plan.configurations.front());
  REQUIRE(modes);
  CHECK(modes->fastest_per_s == doctest::Approx(100));
  const Stability stability(plan, plan.configurations.front());
  CHECK(stability.grid().smooth_up_to_s == doctest::Approx(0.0025));
}

TEST_CASE("a new growth does not hide behind a faster one of the exact system") {
  // In the order of their rates 1.72 of the exact system would allow 0.555, and -0.319 all that
  // decays: but the motion that grows is not the one that grows by itself.
  const ExactModes modes{.rates_per_s = {1.72, 1.72, -0.319, -0.319},
                         .growing_per_s = {{1.72, 37.7}, {1.72, 37.7}}};
  const auto kind = [&](double slow_per_s, double fast_per_s) {
    return growth_of(together(pair(slow_per_s, 37.7), pair(fast_per_s, 119.2)), h, &modes, 100)
        .kind;
  };
  CHECK(kind(-3.17, 0.555) == GrowthKind::growing);
  CHECK(kind(1.72, -0.3) == GrowthKind::stable);
  CHECK(kind(1.75, -0.3) == GrowthKind::stable);  // within 5 %
  CHECK(kind(1.9, -0.3) == GrowthKind::growing);
  CHECK(kind(1.72, 1.72) == GrowthKind::growing);
  CHECK(kind(-0.3, -0.3) == GrowthKind::stable);
  CHECK(kind(0.2, -0.3) == GrowthKind::stable);  // what grows more slowly is no new growth
  // Two that do not oscillate, one of which a run makes slower.
  const ExactModes real{.rates_per_s = {1, 0.2}, .growing_per_s = {{1, 0}, {0.2, 0}}};
  const auto of_real = [&](double first_per_s, double second_per_s) {
    return growth_of({{.value = std::exp(first_per_s * h)}, {.value = std::exp(second_per_s * h)}},
                     h, &real, 100)
        .kind;
  };
  CHECK(of_real(0.6, 0.2) == GrowthKind::stable);
  CHECK(of_real(1, 0.3) == GrowthKind::growing);
}
