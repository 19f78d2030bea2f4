// FMUs in trials: the two halves of the linear oscillator as FMUs (tests/fmus) must swing as the
// native subsystems do, which compute the same equations with the same steppers.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/plan/fmu_roles.hpp"
#include "engine/plan/plan.hpp"
#include "tests/engine/benchmarks/built_in.hpp"
#include "tests/fmi/fmu_oscillator.hpp"

using namespace macrostep;
using namespace macrostep::engine;
using models::Integrator;
using tests::duration_s;
using tests::job_of;
using tests::macro_step_s;
using tests::micro_step_s;
using tests::oscillator_of;
using tests::plan_of;

namespace {

/// Sums in another order, and 500 macro-steps of them.
constexpr double rounding = 1e-10;

struct Case {
  Integrator integrator;
  Extrapolation extrapolation;
  Scheme scheme = Scheme::jacobi;
};

tests::Motion run(Plan plan, const Case& which) {
  auto configuration = plan.configurations.front();
  configuration.extrapolation = which.extrapolation;
  configuration.scheme = which.scheme;
  for (auto& [group, integrator] : configuration.integrators) {
    integrator = which.integrator;
  }
  return tests::run(plan, configuration, tests::free_motion(duration_s), macro_step_s);
}

void check_same(const tests::Motion& fmu, const tests::Motion& native, double tolerance) {
  REQUIRE(fmu.result.status == TrialStatus::complete);
  REQUIRE(native.result.status == TrialStatus::complete);
  for (const std::string name : {"m1.x", "m2.x", "m1.v", "m2.v", "m1.f"}) {
    const auto& ours = fmu.outputs.at(name);
    const auto& theirs = native.outputs.at(name);
    REQUIRE(ours.size() == theirs.size());
    double largest = 0;
    double difference = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      largest = std::max(largest, std::abs(theirs[i]));
      difference = std::max(difference, std::abs(ours[i] - theirs[i]));
    }
    INFO(name);
    CHECK(difference <= tolerance * largest);
  }
  CHECK(fmu.result.residual_j ==
        doctest::Approx(native.result.residual_j).epsilon(std::max(1e-7, tolerance)));
}

}  // namespace

TEST_CASE("model-exchange FMUs under our steppers swing as native subsystems do") {
  for (const std::string version : {"2", "3"}) {
    for (const Case& which : {Case{Integrator::forward_euler, Extrapolation::order_0},
                              Case{Integrator::trapezoidal, Extrapolation::order_1},
                              Case{Integrator::rk4, Extrapolation::order_2},
                              Case{Integrator::rk4, Extrapolation::order_1, Scheme::gauss_seidel},
                              Case{Integrator::rk4, Extrapolation::order_0, Scheme::iterative}}) {
      CAPTURE(version);
      CAPTURE(to_string(which.integrator));
      auto job = job_of(oscillator_of(version));
      job.micro_steps = {{"m1", micro_step_s}, {"m2", micro_step_s}};
      check_same(run(plan_of(job), which),
                 run(tests::native_oscillator(which.integrator, true), which), rounding);
    }
  }
}

// CVODE controls its error to 1e-8 in every macro-step.
TEST_CASE("a model-exchange FMU under CVODE swings as the native subsystem does") {
  const Case which{Integrator::cvode, Extrapolation::order_1};
  for (const std::string version : {"2", "3"}) {
    check_same(run(plan_of(job_of(oscillator_of(version))), which),
               run(tests::native_oscillator(Integrator::cvode, false), which), 1e-5);
  }
}

// Inside, the FMUs step by the classical Runge-Kutta method, and at its stages they see the
// polynomial: FMI 2 by its derivatives, FMI 3 because they ask.
TEST_CASE("co-simulation FMUs follow polynomials of every order") {
  for (const std::string version : {"2", "3"}) {
    for (const auto extrapolation :
         {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2,
          Extrapolation::order_3, Extrapolation::order_4}) {
      CAPTURE(version);
      CAPTURE(to_string(extrapolation));
      const auto plan = plan_of(job_of(oscillator_of(version)));
      check_same(
          run(plan, {Integrator::fmu, extrapolation}),
          run(tests::native_oscillator(Integrator::rk4, false), {Integrator::rk4, extrapolation}),
          rounding);
    }
  }
}

TEST_CASE("the result says how inputs reach an FMU") {
  const auto inputs = [](const std::string& version, const std::string& kind, double micro) {
    auto job = job_of(oscillator_of(version, kind));
    if (micro > 0) {
      job.micro_steps = {{"m1", micro}, {"m2", micro}};
    }
    job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1};
    const auto plan = plan_of(job);
    return fmu_roles(plan, plan.configurations.back()).front().inputs;
  };
  CHECK(inputs("2", "", 0) == models::InputMethod::input_derivatives);
  CHECK(inputs("3", "", 0) == models::InputMethod::intermediate_update);
  CHECK(inputs("2", "_plain", 1e-4) == models::InputMethod::micro_steps);
  CHECK(inputs("3", "_plain", 1e-4) == models::InputMethod::micro_steps);
}

TEST_CASE("an order that an FMU cannot follow is refused, not lowered") {
  auto job = job_of(oscillator_of("2", "_plain"));
  job.space.extrapolation = {Extrapolation::order_1};
  const auto made = make_plan(job);
  const auto& errors = std::get<FieldErrors>(made);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].pointer == "/search/extrapolation");
  CHECK(errors[0].message.find("/micro_steps/m1") != std::string::npos);
}

// The middle of a micro-step h stands for the polynomial with an error of second order in h: half
// the micro-step, a quarter of the difference to what follows the polynomial exactly.
TEST_CASE("values in the middle of micro-steps follow the polynomial to second order") {
  const Case which{Integrator::fmu, Extrapolation::order_2};
  const auto exact = run(plan_of(job_of(oscillator_of("2"))), which).outputs.at("m1.x");
  const auto error_with = [&](double micro) {
    auto job = job_of(oscillator_of("2", "_plain"));
    job.micro_steps = {{"m1", micro}, {"m2", micro}};
    const auto motion = run(plan_of(job), which);
    REQUIRE(motion.result.status == TrialStatus::complete);
    const auto& x = motion.outputs.at("m1.x");
    double error = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      error = std::max(error, std::abs(x[i] - exact[i]));
    }
    return error;
  };
  const double order = std::log2(error_with(macro_step_s / 2) / error_with(macro_step_s / 4));
  CHECK(order == doctest::Approx(2).epsilon(0.15));
}

TEST_CASE("an FMU that cannot go back is not iterated over") {
  auto job = job_of(oscillator_of("2", "_plain"));
  job.space.schemes = {Scheme::iterative};
  const auto made = make_plan(job);
  REQUIRE(std::holds_alternative<FieldErrors>(made));
  CHECK(std::get<FieldErrors>(made).front().message.find("cannot go back") != std::string::npos);
}

TEST_CASE("parameters of an FMU are set before it starts") {
  auto own = oscillator_of("3");
  own.subsystems[0].fmu->parameters = {{"v0", 0.0}};
  own.subsystems[1].fmu->parameters = {{"v0", 0.0}};
  const auto motion = run(plan_of(job_of(own)), {Integrator::fmu, Extrapolation::order_0});
  CHECK(motion.outputs.at("m1.x").back() == 0);
}

TEST_CASE("an FMU that is not known hides no mistake elsewhere") {
  auto own = oscillator_of("2");
  own.subsystems.push_back({.name = "m3", .state_space = {}, .fmu = OwnFmu{}});
  own.connections.push_back({.from = {"m3", "y"}, .to = {"m2", "w"}});
  own.connections.push_back({.from = {"m2", "x"}, .to = {"m1", "v_in"}});
  const auto made = make_plan(job_of(own));
  std::vector<std::string> pointers;
  for (const auto& error : std::get<FieldErrors>(made)) {
    pointers.push_back(error.pointer);
  }
  CHECK(pointers ==
        std::vector<std::string>{"/problem/subsystems/2/fmu", "/problem/connections/4/to"});
}

TEST_CASE("every mistake in the use of an FMU is told at once") {
  auto own = oscillator_of("2");
  own.subsystems[0].fmu->parameters = {{"mass", 1.0}, {"m", std::string("heavy")}, {"x", 1.0}};
  own.connections.push_back({.from = {"m2", "a"}, .to = {"m1", "nothing"}});
  own.connections.push_back({.from = {"m2", "v"}, .to = {"m1", "x_in"}});
  const auto made = make_plan(job_of(own));
  std::vector<std::string> pointers;
  for (const auto& error : std::get<FieldErrors>(made)) {
    pointers.push_back(error.pointer);
  }
  CHECK(pointers == std::vector<std::string>{"/problem/subsystems/0/parameters/m",
                                             "/problem/subsystems/0/parameters/mass",
                                             "/problem/subsystems/0/parameters/x",
                                             "/problem/connections/3/to",
                                             "/problem/connections/4/to"});
}
