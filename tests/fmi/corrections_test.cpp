// Corrections and propagation matrices with model-exchange FMUs, which give their Jacobians, by
// themselves or by differences: as with the native subsystems that have the same equations.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "engine/studies/analysis.hpp"
#include "tests/fmi/fmu_oscillator.hpp"

using namespace macrostep;
using namespace macrostep::engine;
using models::Integrator;
using tests::fmu_subsystem;
using tests::job_of;
using tests::oscillator_of;
using tests::plan_of;

namespace {

struct Case {
  Correction correction;
  Integrator integrator = Integrator::rk4;
  Extrapolation extrapolation = Extrapolation::order_0;
};

constexpr Case cases[] = {
    {Correction::none, Integrator::rk4, Extrapolation::order_2},
    {Correction::energy, Integrator::rk4},
    {Correction::nepce, Integrator::trapezoidal, Extrapolation::order_1},
    {Correction::model_based, Integrator::rk4},
    {Correction::model_based, Integrator::trapezoidal, Extrapolation::order_1},
    {Correction::linearly_implicit, Integrator::forward_euler},
    {Correction::linearly_implicit, Integrator::trapezoidal},
    {Correction::linearly_implicit, Integrator::rk4},
};

Plan plan_with(OwnProblem own, const Case& which) {
  auto job = job_of(std::move(own), which.integrator);
  job.micro_steps = {{"m1", tests::micro_step_s}, {"m2", tests::micro_step_s}};
  job.space.extrapolation = {which.extrapolation};
  job.space.corrections = {which.correction};
  job.space.correction_parameters.mu = 0.5;
  return plan_of(job);
}

OwnProblem native() {
  return oscillator_of(tests::spring_mass_of_matrices(), tests::mass_of_matrices());
}

tests::Motion run(const Plan& plan) {
  return tests::run(plan, plan.configurations.front(), plan.job.tests.front(), tests::macro_step_s);
}

/// The largest difference of an output over its largest value.
double difference(const tests::Motion& fmu, const tests::Motion& native) {
  double largest = 0;
  for (const std::string name : {"m1.x", "m2.x", "m1.v", "m2.v", "m1.f"}) {
    const auto& ours = fmu.outputs.at(name);
    const auto& theirs = native.outputs.at(name);
    REQUIRE(ours.size() == theirs.size());
    double size = 0;
    double error = 0;
    for (std::size_t i = 0; i < ours.size(); ++i) {
      size = std::max(size, std::abs(theirs[i]));
      error = std::max(error, std::abs(ours[i] - theirs[i]));
    }
    largest = std::max(largest, error / size);
  }
  return largest;
}

std::string refusal(const OwnProblem& own, const Case& which) {
  const auto plan = plan_of(job_of(own, which.integrator));
  auto configuration = plan.configurations.front();
  configuration.correction = which.correction;
  const auto made = schedule_of(plan, configuration);
  return std::holds_alternative<FieldError>(made) ? std::get<FieldError>(made).message : "";
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

double radius_of(const std::variant<Eigen::MatrixXd, std::string>& phi) {
  if (const auto* reason = std::get_if<std::string>(&phi)) {
    FAIL(*reason);
  }
  return spectral_radius(std::get<Eigen::MatrixXd>(phi));
}

}  // namespace

// With exact Jacobians the same sums in another order. Jacobians by differences are wrong by 1e-10:
// measured are 8e-11 and less.
TEST_CASE("corrected FMUs swing as corrected native subsystems do") {
  for (const auto& which : cases) {
    CAPTURE(to_string(which.correction));
    CAPTURE(to_string(which.integrator));
    const auto expected = run(plan_with(native(), which));
    REQUIRE(expected.result.status == TrialStatus::complete);
    for (const std::string version : {"2", "3"}) {
      CAPTURE(version);
      const auto own = run(plan_with(oscillator_of(version), which));
      REQUIRE(own.result.status == TrialStatus::complete);
      CHECK(difference(own, expected) < 1e-13);
      CHECK(own.result.residual_j == doctest::Approx(expected.result.residual_j).epsilon(1e-10));
      const auto by_differences = run(plan_with(oscillator_of(version, "_exchange"), which));
      REQUIRE(by_differences.result.status == TrialStatus::complete);
      CHECK(difference(by_differences, expected) < 1e-9);
    }
  }
}

// The matrix of FMUs is found by differences about their reference, as nobody says that they are
// linear: measured are 3e-11 and less, and 3e-10 where the FMU's own Jacobians are differences.
TEST_CASE("macro-steps of FMUs have the spectral radius of native ones") {
  for (const auto& which : cases) {
    if (which.correction == Correction::energy) {
      continue;  // it is not linear
    }
    CAPTURE(to_string(which.correction));
    CAPTURE(to_string(which.integrator));
    for (const double macro_step_s : {1e-3, 1e-2}) {
      CAPTURE(macro_step_s);
      const auto native_plan = plan_with(native(), which);
      const double expected = radius_of(
          propagation_matrix(native_plan, native_plan.configurations.front(), macro_step_s));
      for (const std::string fmus : {"2", "3", "_exchange2", "_exchange3"}) {
        CAPTURE(fmus);
        const auto plan = plan_with(oscillator_of(fmus), which);
        const double found = radius_of(linearised_propagation_matrix(
            plan, plan.configurations.front(), plan.job.tests.front(), macro_step_s, 0.1));
        CHECK(std::abs(found - expected) < 1e-9);
      }
    }
  }
}

// The reference of the FMUs is CVODE's, wrong by 2e-8 where that of the built-in problem is exact:
// of errors of 1e-3 and more that is 1e-5.
TEST_CASE("FMUs are analysed as the built-in oscillator is") {
  const Case which{Correction::none, Integrator::rk4, Extrapolation::order_1};
  auto built_in = tests::native_oscillator(Integrator::rk4, true);
  built_in.configurations.front().extrapolation = which.extrapolation;
  const std::array macro_steps_s{2e-3, 1e-2};
  const TrialBackend one_by_one;
  const auto points_of = [&](Plan plan) {
    plan.job.tests = {tests::free_motion(tests::duration_s)};
    return analyse(plan, {.linearise_at_s = 0.1}, macro_steps_s, {one_by_one});
  };
  const auto expected = points_of(built_in);
  for (const std::string version : {"2", "3"}) {
    const auto found = points_of(plan_with(oscillator_of(version), which));
    for (std::size_t i = 0; i < found.size(); ++i) {
      CAPTURE(found[i].no_radius_reason);
      REQUIRE(found[i].spectral_radius);
      CHECK(std::abs(*found[i].spectral_radius - *expected[i].spectral_radius) < 1e-9);
      REQUIRE(found[i].local_error);
      REQUIRE(found[i].global_error);
      CHECK(*found[i].local_error == doctest::Approx(*expected[i].local_error).epsilon(1e-5));
      CHECK(*found[i].global_error == doctest::Approx(*expected[i].global_error).epsilon(1e-5));
    }
  }
}

// A spring of 100 N/m and damper of 1 N s/m without a state on the mass of 1 kg and 1000 N/m, that
// is ω = 33/s. The trapezoidal rule by which the spring foresees the mass errs by (ωH)³/12 in a
// macro-step, 3e-6 of the amplitude at 1 ms, and that is all that is wrong: micro-steps of Runge
// and Kutta leave 1e-9.
TEST_CASE("an FMU without states gives its Jacobians, too") {
  for (const std::string version : {"2", "3"}) {
    OwnProblem own;
    own.subsystems = {fmu_subsystem("m2", "mass" + version),
                      fmu_subsystem("m1", "spring" + version)};
    own.connections = {{.from = {"m2", "x"}, .to = {"m1", "x"}},
                       {.from = {"m2", "v"}, .to = {"m1", "v"}},
                       {.from = {"m1", "f"}, .to = {"m2", "f"}}};
    own.power_bonds = {{.effort = {{"m1", "f"}}, .flow = {{"m2", "v"}}, .factor = {}}};
    const auto error_with = [&](Correction correction, double macro_step_s) {
      const auto plan = plan_with(own, {correction, Integrator::rk4});
      const auto error = error_in_test(plan, plan.configurations.front(), plan.job.tests.front(),
                                       macro_step_s, nullptr);
      CAPTURE(error.reason);
      REQUIRE(error.nrmse);
      return *error.nrmse;
    };
    const double uncorrected = error_with(Correction::none, 1e-3);
    CHECK(uncorrected > 1e-2);
    CHECK(error_with(Correction::model_based, 1e-3) < uncorrected / 100);
    const double integrated = error_with(Correction::linearly_implicit, 1e-3);
    CHECK(integrated < 3e-6);
    const double order = std::log2(error_with(Correction::linearly_implicit, 2e-3) / integrated);
    CHECK(order == doctest::Approx(3).epsilon(0.05));
  }
}

TEST_CASE("what FMUs cannot have is refused with the reason") {
  const auto own = oscillator_of("2");
  CHECK(refusal(own, {Correction::model_based, Integrator::fmu}) ==
        "the correction model_based needs Jacobians, and subsystem 'm1' does not provide them; "
        "search.correction_parameters.jacobians identified needs none");
  CHECK(refusal(own, {Correction::linearly_implicit, Integrator::fmu}) ==
        "the correction linearly_implicit needs Jacobians, and subsystem 'm1' does not provide "
        "them");
  CHECK(contains(refusal(own, {Correction::linearly_implicit, Integrator::cvode}),
                 "'m1' cannot with the integrator cvode"));
  CHECK(refusal(own, {Correction::nepce, Integrator::fmu}) == "");
  CHECK(refusal(own, {Correction::model_based, Integrator::cvode}) == "");
}
