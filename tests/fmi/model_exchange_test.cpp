// Events of FMUs, and Jacobians of model exchange.
//
// The ball of tests/fmus falls from h0 = 1 m with g = 9.81 m/s² and keeps e = 0.7 of its speed when
// it bounces: t1 = √(2 h0/g), v1 = √(2 g h0), and at t between the first two bounces
//   h(t) = e v1 (t − t1) − g/2 (t − t1)²
#include <doctest/doctest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/fmi/instance/fmi2_instance.hpp"
#include "models/fmi/instance/fmi3_instance.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "models/fmi/simulation/make_fmu.hpp"
#include "tests/fmi/test_fmus.hpp"

using namespace macrostep::models;
namespace fmi = macrostep::models::fmi;

namespace {

constexpr double g = 9.81;
constexpr double e = 0.7;
const double first_bounce_s = std::sqrt(2 / g);
const double impact_speed = std::sqrt(2 * g);

std::unique_ptr<Subsystem> make(const std::string& fmu, Integrator integrator,
                                std::optional<double> micro_step_s, const fmi::FmuUse& use) {
  return fmi::make_fmu(fmi::make_model(macrostep::tests::test_fmu(fmu), use), integrator,
                       micro_step_s);
}

/// h and v at the end.
std::array<double, 2> fall(Subsystem& ball, double until_s, double macro_step_s) {
  ball.start(0, {});
  std::vector<double> y(ball.describe().outputs.size());
  ball.outputs(0, {}, y);
  const int steps = static_cast<int>(std::lround(until_s / macro_step_s));
  for (int n = 0; n < steps; ++n) {
    const auto result =
        ball.step({.index = n, .start_s = n * macro_step_s, .size_s = macro_step_s}, {});
    REQUIRE(result.status == StepStatus::ok);
    ball.outputs((n + 1) * macro_step_s, {}, y);
  }
  return {y[0], y[1]};
}

/// The functions of mass_round_down that calculate, after each of which this process still rounds
/// to nearest.
template <class Instance>
void check_rounding(const std::string& name) {
  constexpr std::uint32_t force = 10;
  constexpr std::array<std::uint32_t, 1> acceleration{14};
  const auto rounds_to_nearest = [] {
    const bool to_nearest = std::fegetround() == FE_TONEAREST;
    std::fesetround(FE_TONEAREST);
    return to_nearest;
  };
  const auto fmu = macrostep::tests::test_fmu(name);
  Instance mass(*fmu, fmi::InterfaceKind::model_exchange, "mass");
  mass.enter_initialization(0);
  mass.exit_initialization();
  CHECK(rounds_to_nearest());
  mass.update_discrete_states();
  CHECK(rounds_to_nearest());
  mass.enter_continuous_time();
  std::array<double, 2> rate{};
  CHECK(mass.get_derivatives(rate) == fmi::CallStatus::ok);
  CHECK(rounds_to_nearest());
  std::array<double, 1> sensitivity{};
  mass.directional_derivative(acceleration, force, sensitivity);
  CHECK(sensitivity[0] == 1);
  CHECK(rounds_to_nearest());
  mass.get_event_indicators({});
  CHECK(rounds_to_nearest());
  CHECK_FALSE(mass.completed_step());
  CHECK(rounds_to_nearest());
}

}  // namespace

TEST_CASE("an FMU's rounding mode ends with its call in model exchange, too") {
  check_rounding<fmi::Fmi2Instance>("mass_round_down2");
  check_rounding<fmi::Fmi3Instance>("mass_round_down3");
}

TEST_CASE("CVODE locates the bounces of a ball") {
  for (const std::string version : {"2", "3"}) {
    const auto ball = make("ball" + version, Integrator::cvode, std::nullopt, {.name = "ball"});
    const auto [h, v] = fall(*ball, 1.0, 0.1);
    const double since_s = 1.0 - first_bounce_s;
    // Tolerance of the solver times some hundred steps.
    CHECK(h ==
          doctest::Approx(e * impact_speed * since_s - g / 2 * since_s * since_s).epsilon(1e-6));
    CHECK(v == doctest::Approx(e * impact_speed - g * since_s).epsilon(1e-6));
  }
}

TEST_CASE("CVODE stops at the time of an event that an FMU names") {
  const auto ball = make("ball2", Integrator::cvode, std::nullopt,
                         {.name = "ball", .parameters = {{"kick_at", 0.123}, {"kick", 2.0}}});
  const auto [h, v] = fall(*ball, 0.3, 0.1);
  CHECK(v == doctest::Approx(2 - g * 0.3).epsilon(1e-7));
  CHECK(h == doctest::Approx(1 + 2 * (0.3 - 0.123) - g / 2 * 0.09).epsilon(1e-7));
}

// Co-simulation of FMI 3.0 with event mode: the FMU returns early where it has looked for its
// bounce, and is stopped at the kick that it has named. Between them Runge-Kutta is exact.
TEST_CASE("a co-simulation FMU with event mode is kicked at the time that it has named") {
  const auto at = [](double time_s) {
    const auto ball = make(
        "ball3", Integrator::fmu, std::nullopt,
        {.name = "ball", .parameters = {{"kick_at", 0.123}, {"kick", 2.0}, {"micro_step", 0.1}}});
    return fall(*ball, time_s, 0.1);
  };
  const auto [h, v] = at(0.3);
  CHECK(v == doctest::Approx(2 - g * 0.3).epsilon(1e-12));
  CHECK(h == doctest::Approx(1 + 2 * (0.3 - 0.123) - g / 2 * 0.09).epsilon(1e-12));
}

TEST_CASE("a co-simulation FMU with event mode bounces where the same FMU without it does") {
  // FMI 2.0 has no event mode: there the ball handles its bounces itself, at the same micro-steps.
  const auto end = [](const std::string& name) {
    const auto ball = make(name, Integrator::fmu, std::nullopt,
                           {.name = "ball", .parameters = {{"micro_step", 1e-3}}});
    return fall(*ball, 1.0, 0.05);
  };
  const auto with = end("ball3");
  const auto without = end("ball2");
  // What is left of a step after a bounce is divided anew: rounding of its times.
  CHECK(with[0] == doctest::Approx(without[0]).epsilon(1e-9));
  CHECK(with[1] == doctest::Approx(without[1]).epsilon(1e-9));
  CHECK(with[0] > 0);
}

// A fixed stepper sees the bounce at the end of the micro-step in which it happens: an error of
// first order in h, which the exact motion between bounces (Runge-Kutta) leaves to be seen alone.
TEST_CASE("fixed steppers bounce at the end of the micro-step") {
  const auto error = [](double micro_step_s) {
    const auto ball = make("ball2", Integrator::rk4, micro_step_s, {.name = "ball"});
    const auto [h, v] = fall(*ball, 1.0, 0.1);
    const double since_s = 1.0 - first_bounce_s;
    return std::abs(v - (e * impact_speed - g * since_s));
  };
  CHECK(error(1e-3) < g * (1 + e) * 1e-3);
  CHECK(error(1e-5) < g * (1 + e) * 1e-5);
  CHECK(error(1e-3) > 1e-6);  // it is there
}

TEST_CASE("a rolled back ball bounces again in the same way") {
  const auto ball = make("ball2", Integrator::cvode, std::nullopt, {.name = "ball"});
  fall(*ball, 0.4, 0.1);
  const auto go_on = [&] {
    std::vector<double> y(ball->describe().outputs.size());
    for (int n = 4; n < 6; ++n) {  // over the first bounce at 0.4515 s
      REQUIRE(ball->step({.index = n, .start_s = 0.1 * n, .size_s = 0.1}, {}).status ==
              StepStatus::ok);
    }
    ball->outputs(0.6, {}, y);
    return y;
  };
  SavedState saved;
  ball->save(saved);
  const auto first = go_on();
  ball->restore(saved);
  CHECK(go_on() == first);
}

// The outputs of tests/fmus' types repeat the inputs, and `real` adds `discrete_in`. In
// continuous-time mode it takes no values that jump, as the standard has it.
TEST_CASE("inputs that jump are taken over where a macro-step begins") {
  const fmi::FmuUse use{
      .name = "t", .inputs = {"real_in", "integer_in", "boolean_in", "mode_in", "discrete_in"}};
  for (const std::string fmu : {"types2", "types3"}) {
    for (const auto integrator : {Integrator::forward_euler, Integrator::cvode}) {
      CAPTURE(fmu);
      const auto types = make(fmu, integrator, std::nullopt, use);
      types->start(0, {});
      std::vector<double> y(4);
      types->outputs(0, std::array{0.5, 0.0, 0.0, 1.0, 0.0}, y);
      const std::array<InputPolynomial, 5> inputs{
          {{{1.5, 1.0}}, {{7.0}}, {{1.0}}, {{2.0}}, {{10.0}}}};
      const auto result = types->step({.index = 0, .start_s = 0, .size_s = 0.1},
                                      {.polynomials = inputs, .degree = 1});
      CAPTURE(std::string(result.reason));
      REQUIRE(result.status == StepStatus::ok);
      types->outputs(0.1, std::array{2.5, 7.0, 1.0, 2.0, 10.0}, y);
      CHECK(y == std::vector<double>{12.5, 7, 1, 2});
    }
  }
}

// m a = f − k x − c v with m = 1, k = 1000, c = 0 for x' = v.
TEST_CASE("Jacobians of an FMU, its own or by differences") {
  for (const std::string fmu : {"mass2", "mass3", "mass_exchange2", "mass_exchange3"}) {
    CAPTURE(fmu);
    const auto mass = make(fmu, Integrator::rk4, std::nullopt, {.name = "m", .inputs = {"f"}});
    REQUIRE(mass->describe().provides_jacobians);
    mass->start(0, {});
    const std::array u{3.0};
    std::vector<double> y(3);
    mass->outputs(0, u, y);
    Linearisation jacobians;
    REQUIRE(mass->linearise(0, u, jacobians));
    const double exact = fmu.find("exchange") == std::string::npos ? 1e-12 : 1e-6;
    const auto near = [&](const Eigen::MatrixXd& found, const Eigen::MatrixXd& expected) {
      return (found - expected).cwiseAbs().maxCoeff() <= exact * 1000;
    };
    CHECK(near(jacobians.a, Eigen::Matrix2d{{0, 1}, {-1000, 0}}));
    CHECK(near(jacobians.b, Eigen::Vector2d{0, 1}));
    CHECK(near(jacobians.c, Eigen::Matrix<double, 3, 2>{{1, 0}, {0, 1}, {-1000, 0}}));
    CHECK(near(jacobians.d, Eigen::Vector3d{0, 0, 1}));
    CHECK(jacobians.state_rate[0] == doctest::Approx(-100));
    CHECK(jacobians.state_rate[1] == doctest::Approx(3));
  }
}
