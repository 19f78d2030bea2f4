// The monolithic solution of problems with model-exchange FMUs.
#include "engine/reference/reference.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/trial/trial.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "tests/fmi/fmu_oscillator.hpp"

using namespace macrostep;
using namespace macrostep::engine;
using models::Integrator;
using tests::fmu_subsystem;
using tests::job_of;
using tests::plan_of;

namespace {

std::unique_ptr<Reference> reference_of(const Plan& plan) {
  auto made = Reference::make(plan, plan.configurations.front(), plan.job.tests.front());
  if (const auto* reason = std::get_if<std::string>(&made)) {
    FAIL(*reason);
  }
  return std::get<std::unique_ptr<Reference>>(std::move(made));
}

std::string why_none(const OwnProblem& own, Integrator integrator) {
  const auto plan = plan_of(job_of(own, integrator));
  const auto made = Reference::make(plan, plan.configurations.front(), plan.job.tests.front());
  return std::holds_alternative<std::string>(made) ? std::get<std::string>(made) : "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t place_of(const Plan& plan, const std::string& output) {
  const auto names = output_names(plan.coupling(plan.configurations.front()));
  const auto found = std::ranges::find(names, output);
  REQUIRE(found != names.end());
  return static_cast<std::size_t>(found - names.begin());
}

/// What CVODE leaves of an output of the oscillator at 100 times within half a second, in which it
/// swings 2.5 times, over the output's largest value.
double error_of_solver(const Plan& plan, const Plan& exact_plan) {
  const auto solved = reference_of(plan);
  const auto exact = reference_of(exact_plan);
  CHECK(solved->method() == "CVODE BDF, events located");
  CHECK(exact->method() == "matrix exponential");
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (const char* output : {"m1.x", "m1.v", "m1.f", "m2.x", "m2.v"}) {
    places.emplace_back(place_of(plan, output), place_of(exact_plan, output));
  }
  std::vector<double> errors(places.size()), sizes(places.size());
  for (int n = 0; n <= 100; ++n) {
    REQUIRE(solved->advance_to(n * tests::duration_s / 100));
    REQUIRE(exact->advance_to(n * tests::duration_s / 100));
    for (std::size_t i = 0; i < places.size(); ++i) {
      const double value = exact->outputs()[places[i].second];
      errors[i] = std::max(errors[i], std::abs(solved->outputs()[places[i].first] - value));
      sizes[i] = std::max(sizes[i], std::abs(value));
    }
  }
  double largest = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    largest = std::max(largest, errors[i] / sizes[i]);
  }
  return largest;
}

/// Some hundred steps with errors of 1e-10 each: measured 2e-8.
constexpr double solver_error = 1e-7;

/// The ball of tests/fmus under w(t) = 5 m/s² e^(−t/s), which the other subsystem makes; that one
/// also integrates the velocity, q = ∫ v dt.
OwnProblem ball_and_force(const std::string& version) {
  models::StateSpace force;
  force.a = Eigen::Matrix2d{{-1, 0}, {0, 0}};
  force.b = Eigen::Vector2d(0, 1);
  force.c = Eigen::Matrix2d{{5, 0}, {0, 1}};
  force.d = Eigen::Vector2d::Zero();
  force.x0 = Eigen::Vector2d(1, 0);
  force.inputs = {{"v", "m/s"}};
  force.outputs = {{"w", "m/s2"}, {"q", "m"}};
  OwnProblem own;
  own.subsystems = {fmu_subsystem("ball", "ball" + version),
                    {.name = "force", .state_space = force, .fmu = {}}};
  own.connections = {{.from = {"force", "w"}, .to = {"ball", "w"}},
                     {.from = {"ball", "v"}, .to = {"force", "v"}}};
  own.power_bonds = {{.effort = {{"force", "w"}}, .flow = {{"ball", "v"}}, .factor = 1}};
  return own;
}

constexpr double g = 9.81;
constexpr double rebound = 0.7;

/// The exact flight of the ball under that force from h and v at t = from_s, without a bounce.
struct Flight {
  double from_s, h, v;

  double v_at(double t) const {
    return v - g * (t - from_s) + 5 * (std::exp(-from_s) - std::exp(-t));
  }
  double h_at(double t) const {
    const double past = t - from_s;
    return h + (v + 5 * std::exp(-from_s)) * past - g / 2 * past * past +
           5 * (std::exp(-t) - std::exp(-from_s));
  }
  /// Where h = 0, between two times.
  double landing_s(double above_s, double below_s) const {
    for (int i = 0; i < 100; ++i) {
      const double middle_s = (above_s + below_s) / 2;
      (h_at(middle_s) > 0 ? above_s : below_s) = middle_s;
    }
    return below_s;
  }
};

}  // namespace

TEST_CASE("two FMUs have the exact solution of the oscillator that they are") {
  const auto native = tests::native_oscillator(Integrator::rk4, false);
  for (const std::string version : {"2", "3"}) {
    for (const std::string kind : {"", "_exchange"}) {
      CAPTURE(version);
      CAPTURE(kind);
      const auto plan = plan_of(job_of(tests::oscillator_of(version, kind), Integrator::rk4));
      auto exact = native;
      exact.job.tests = plan.job.tests;
      CHECK(error_of_solver(plan, exact) < solver_error);
    }
  }
}

TEST_CASE("an FMU and matrices have one solution, with external inputs and their jumps") {
  const auto job_with = [](OwnSubsystem m1, OwnSubsystem m2) {
    auto own = tests::oscillator_of(std::move(m1), std::move(m2));
    own.external_inputs = {{.to = {"m2", "w"}, .initial = 0, .minimum = -5e4, .maximum = 5e4}};
    auto job = job_of(own, Integrator::rk4);
    job.tests = {{.name = "impulse",
                  .kind = TestKind::impulse,
                  .duration_s = tests::duration_s,
                  .width_s = 0.1}};
    return job;
  };
  const auto exact =
      plan_of(job_with(tests::spring_mass_of_matrices(), tests::mass_of_matrices(true)));
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    auto m2 = fmu_subsystem("m2", "mass" + version);
    const auto plan = plan_of(job_with(tests::spring_mass_of_matrices(), m2));
    CHECK(error_of_solver(plan, exact) < solver_error);
  }
}

TEST_CASE("a ball in a coupled system bounces when and as it must") {
  const Flight fall{0, 1, 0};
  const double bounce_s = fall.landing_s(0.5, 1);
  const Flight rise{bounce_s, 0, -rebound * fall.v_at(bounce_s)};
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    const auto plan = plan_of(job_of(ball_and_force(version), Integrator::rk4));
    const auto reference = reference_of(plan);
    const auto h = place_of(plan, "ball.h"), v = place_of(plan, "ball.v");
    const auto q = place_of(plan, "force.q");
    // It is located to the solver's error in h over the speed there, 1e-9 s; within 1e-8 s v moves
    // by 1e-7 m/s.
    REQUIRE(reference->advance_to(bounce_s - 1e-8));
    CHECK(reference->outputs()[v] == doctest::Approx(fall.v_at(bounce_s)).epsilon(1e-7));
    REQUIRE(reference->advance_to(bounce_s + 1e-8));
    CHECK(reference->outputs()[v] == doctest::Approx(rise.v).epsilon(1e-7));
    REQUIRE(reference->advance_to(1));
    CHECK(reference->outputs()[h] == doctest::Approx(rise.h_at(1)).epsilon(solver_error));
    CHECK(reference->outputs()[v] == doctest::Approx(rise.v_at(1)).epsilon(solver_error));
    CHECK(reference->outputs()[q] == doctest::Approx(rise.h_at(1) - 1).epsilon(solver_error));
  }
}

TEST_CASE("an event at a time that an FMU names is met exactly") {
  // The second one rounds to just after a communication point, which counts as the same time.
  for (const double kick_s : {0.1234567, std::nextafter(0.3, 1.0)}) {
    const Flight before{0, 1, 0};
    const Flight after{kick_s, before.h_at(kick_s), before.v_at(kick_s) + 3};
    for (const std::string version : {"2", "3"}) {
      CAPTURE(version);
      auto own = ball_and_force(version);
      own.subsystems[0].fmu->parameters = {{"kick_at", kick_s}, {"kick", 3.0}};
      const auto plan = plan_of(job_of(own, Integrator::rk4));
      const auto reference = reference_of(plan);
      const auto h = place_of(plan, "ball.h"), v = place_of(plan, "ball.v");
      REQUIRE(reference->advance_to(std::min(kick_s, 0.3)));
      CHECK(reference->outputs()[v] == doctest::Approx(after.v).epsilon(1e-9));
      REQUIRE(reference->advance_to(0.4));
      CHECK(reference->outputs()[h] == doctest::Approx(after.h_at(0.4)).epsilon(1e-9));
      CHECK(reference->outputs()[v] == doctest::Approx(after.v_at(0.4)).epsilon(1e-9));
    }
  }
}

// Each inverter's output is what its input is not, found in events alone; the first one goes up at
// a time of its own. The events that this is for the others follow at once, one by one.
TEST_CASE("an event in one FMU is passed on through others at the same time") {
  constexpr double toggle_s = 0.3;
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    OwnProblem own;
    for (const std::string name : {"c", "b", "a", "d"}) {  // against the order of the signal
      own.subsystems.push_back(fmu_subsystem(name, "inverter" + version));
    }
    own.subsystems[2].fmu->parameters = {{"toggle_at", toggle_s}};
    own.connections = {{.from = {"a", "out"}, .to = {"b", "in"}},
                       {.from = {"b", "out"}, .to = {"c", "in"}},
                       {.from = {"c", "out"}, .to = {"d", "in"}},
                       {.from = {"b", "out"}, .to = {"a", "in"}}};
    own.power_bonds = {{.effort = {{"a", "out"}}, .flow = {{"b", "out"}}, .factor = 1}};
    const auto plan = plan_of(job_of(own, Integrator::rk4));
    const auto reference = reference_of(plan);
    const auto at = [&](const std::string& output) {
      return reference->outputs()[place_of(plan, output)];
    };
    const auto outs = [&] {
      return std::vector<double>{at("a.out"), at("b.out"), at("c.out"), at("d.out")};
    };
    CHECK(outs() == std::vector<double>{0, 1, 0, 1});
    REQUIRE(reference->advance_to(0.2));
    CHECK(outs() == std::vector<double>{0, 1, 0, 1});
    REQUIRE(reference->advance_to(0.5));
    CHECK(outs() == std::vector<double>{1, 0, 1, 0});
    // 0.3 s down or up, then 0.2 s the other way.
    CHECK(at("a.x") == doctest::Approx(-0.1).epsilon(1e-9));
    CHECK(at("b.x") == doctest::Approx(0.1).epsilon(1e-9));
    CHECK(at("c.x") == doctest::Approx(-0.1).epsilon(1e-9));
    CHECK(at("d.x") == doctest::Approx(0.1).epsilon(1e-9));
  }
}

TEST_CASE("FMUs without known equations have no reference, and the reason says why") {
  CHECK(why_none(tests::oscillator_of("2", "_plain"), Integrator::fmu) ==
        "the equations of subsystem 'm1' are not known: its FMU offers co-simulation, which hides "
        "them, and not model exchange");
  const auto once =
      tests::oscillator_of(tests::spring_mass_of_matrices(), fmu_subsystem("m2", "mass_once3"));
  CHECK(contains(why_none(once, Integrator::rk4), "only once in a process"));
}

TEST_CASE("an FMU that is stepped by co-simulation has the reference of its model exchange") {
  CHECK(why_none(tests::oscillator_of("3"), Integrator::fmu) == "");
}

TEST_CASE("an FMU that does not load is found out when its equations are used, not before") {
  auto fmu = *tests::test_fmu("mass2");
  fmu.model_exchange_library = "/nowhere/mass2.so";
  auto own = tests::oscillator_of("2");
  own.subsystems[1].fmu->fmu = std::make_shared<const models::fmi::Fmu>(std::move(fmu));
  const auto plan = plan_of(job_of(own, Integrator::rk4));
  const auto dynamics = plan.problem.couplings[0].subsystems[1].dynamics();
  CHECK(dynamics.initial_state.size() == 2);
  CHECK(contains(why_none(own, Integrator::rk4), "cannot be loaded"));
}

TEST_CASE("an FMU with events has no propagation matrix, and no inputs as states") {
  const auto plan = plan_of(job_of(ball_and_force("2"), Integrator::rk4));
  auto configuration = plan.configurations.front();
  const auto found = linearised_propagation_matrix(plan, configuration, plan.job.tests.front(),
                                                   tests::macro_step_s, 0.1);
  REQUIRE(std::holds_alternative<std::string>(found));
  CHECK(contains(std::get<std::string>(found), "cannot be put into the state"));
  configuration.correction = Correction::linearly_implicit;
  const auto schedule = schedule_of(plan, configuration);
  REQUIRE(std::holds_alternative<FieldError>(schedule));
  CHECK(contains(std::get<FieldError>(schedule).message, "'ball' cannot with the integrator rk4"));
}
