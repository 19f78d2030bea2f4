#include "models/state_space/state_space.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <vector>

using namespace macrostep::models;

namespace {

/// A mass on a spring and damper: x'' = −4 x − 0.4 x' + u + w, outputs position and spring force.
StateSpace oscillator() {
  StateSpace model;
  model.a = Eigen::Matrix2d{{0, 1}, {-4, -0.4}};
  model.b = Eigen::Matrix2d{{0, 0}, {1, 1}};
  model.c = Eigen::Matrix2d{{1, 0}, {4, 0}};
  model.d = Eigen::Matrix2d{{0, 0}, {0.5, 0}};
  model.x0 = Eigen::Vector2d{1, 0};
  model.inputs = {{"u", "N"}, {"w", "N"}};
  model.outputs = {{"x", "m"}, {"f", "N"}};
  return model;
}

/// Position after 1 s under u = 2 and w = 1.
double position(Integrator integrator, int steps, Sampling sampling = Sampling::continuous) {
  const auto subsystem = make_state_space(oscillator(), {"w"}, integrator, std::nullopt);
  const std::array externals{ExternalSignal{Signal{.base = 1}, sampling}};
  subsystem->start(0, externals);
  const std::array inputs{InputPolynomial{{2}}};
  for (int i = 0; i < steps; ++i) {
    const double h = 1.0 / steps;
    REQUIRE(subsystem->step({.index = i, .start_s = i * h, .size_s = h}, {inputs}).status ==
            StepStatus::ok);
  }
  std::array<double, 2> y{};
  subsystem->outputs(1, std::array{2.0}, y);
  CHECK(y[1] == doctest::Approx(4 * y[0] + 0.5 * 2).epsilon(1e-14));
  return y[0];
}

/// The same in closed form: x = x∞ + e^(−δt)(a cos ωt + b sin ωt), δ = 0.2, ω² = 4 − δ², x∞ = 3/4.
double exact_position() {
  const double delta = 0.2;
  const double omega = std::sqrt(4 - delta * delta);
  const double a = 1 - 0.75;
  return 0.75 + std::exp(-delta) * (a * std::cos(omega) + a * delta / omega * std::sin(omega));
}

}  // namespace

TEST_CASE("a state space subsystem integrates with its integrator's order") {
  for (const auto& [integrator, order] :
       {std::pair{Integrator::forward_euler, 1.0}, {Integrator::trapezoidal, 2.0}}) {
    const double coarse = std::abs(position(integrator, 200) - exact_position());
    const double fine = std::abs(position(integrator, 400) - exact_position());
    CHECK(std::log2(coarse / fine) == doctest::Approx(order).epsilon(0.05));
  }
}

TEST_CASE("external inputs are ports of their own") {
  const auto description = describe_state_space(oscillator(), {"w"});
  REQUIRE(description.inputs.size() == 1);
  CHECK(description.inputs[0].name == "u");
  CHECK(description.outputs[1].direct_inputs == std::vector<std::size_t>{0});
  REQUIRE(description.externals.size() == 1);
  CHECK(description.externals[0].name == "w");
}

TEST_CASE("wrong shapes are named") {
  const auto names = [](auto change) {
    auto model = oscillator();
    change(model);
    std::string list;
    for (const auto& error : check(model)) {
      list += error.name + " ";
    }
    return list;
  };
  CHECK(names([](StateSpace&) {}) == "");
  CHECK(names([](StateSpace& m) {
          m.a.resize(2, 3);
          m.a.setZero();
        }) == "A ");
  CHECK(names([](StateSpace& m) {
          m.b.resize(2, 1);
          m.b.setZero();
        }) == "B ");
  CHECK(names([](StateSpace& m) { m.d(0, 0) = std::nan(""); }) == "D ");
  CHECK(names([](StateSpace& m) {
          m.x0.resize(3);
          m.x0.setZero();
        }) == "x0 ");
  CHECK(names([](StateSpace& m) { m.inputs[1].name = "u"; }) == "inputs ");
}
