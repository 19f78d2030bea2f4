#include "models/state_space/state_space.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "models/state_space/make_state_space.hpp"
#include "models/state_space/product.hpp"
#include "tests/allocation_count.hpp"

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

/// x_(k+1) = x_k/2 + u_k, y = x + 2 u, every 0.3 s from x = 8.
StateSpace controller() {
  StateSpace model;
  model.a = Eigen::MatrixXd::Constant(1, 1, 0.5);
  model.b = Eigen::MatrixXd::Constant(1, 1, 1);
  model.c = Eigen::MatrixXd::Constant(1, 1, 1);
  model.d = Eigen::MatrixXd::Constant(1, 1, 2);
  model.x0 = Eigen::VectorXd::Constant(1, 8);
  model.inputs = {{"u", "1"}};
  model.outputs = {{"y", "1"}};
  model.sample_time_s = 0.3;
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

/// The solution in closed form: x = x∞ + e^(−δt)(a cos ωt + b sin ωt), δ = 0.2, ω² = 4 − δ², x∞ =
/// 3/4.
double exact_position() {
  const double delta = 0.2;
  const double omega = std::sqrt(4 - delta * delta);
  const double a = 1 - 0.75;
  return 0.75 + std::exp(-delta) * (a * std::cos(omega) + a * delta / omega * std::sin(omega));
}

}  // namespace

TEST_CASE("a state space subsystem integrates with its integrator's order") {
  for (const auto& [integrator, order] : {std::pair{Integrator::forward_euler, 1.0},
                                          {Integrator::trapezoidal, 2.0},
                                          {Integrator::rk4, 4.0}}) {
    const double coarse = std::abs(position(integrator, 50) - exact_position());
    const double fine = std::abs(position(integrator, 100) - exact_position());
    CHECK(std::log2(coarse / fine) == doctest::Approx(order).epsilon(0.05));
  }
}

TEST_CASE("a state space subsystem is integrated exactly, or by CVODE to its tolerance") {
  for (const int steps : {1, 30}) {
    CHECK(position(Integrator::exact, steps) == doctest::Approx(exact_position()).epsilon(1e-14));
    // Some hundred steps with errors of 1e-8.
    CHECK(position(Integrator::cvode, steps) == doctest::Approx(exact_position()).epsilon(1e-6));
  }
}

TEST_CASE("integrators see polynomial inputs and events where they are") {
  // Against exact integration in one step; forward Euler as its order allows.
  const auto end = [](Integrator integrator, int steps) {
    const auto subsystem = make_state_space(oscillator(), {"w"}, integrator, 1.0 / steps);
    const std::array externals{
        ExternalSignal{{.base = 0, .peak = 3, .begin_s = 0.3, .full_s = 0.3, .end_s = 0.7}, {}}};
    subsystem->start(0, externals);
    const std::array inputs{InputPolynomial{{1, -2, 0.5}}};
    SavedState saved;
    subsystem->save(saved);
    std::array<double, 2> first{};
    std::array<double, 2> again{};
    REQUIRE(subsystem->step({.size_s = 1}, {inputs, 2}).status == StepStatus::ok);
    subsystem->outputs(1, std::array{0.0}, first);
    subsystem->restore(saved);
    const auto allocations = macrostep::tests::allocation_count();
    subsystem->step({.size_s = 1}, {inputs, 2});
    CHECK(macrostep::tests::allocation_count() == allocations);
    subsystem->outputs(1, std::array{0.0}, again);
    CHECK(first == again);
    return first[0];
  };
  const double exact = end(Integrator::exact, 1);
  for (const auto integrator : state_space_integrators()) {
    CAPTURE(to_string(integrator));
    const bool high_order = integrator == Integrator::exact || integrator == Integrator::cvode;
    // At an event a stepper of fixed steps is off by up to a step's share of the jump.
    CHECK(std::abs(end(integrator, 1000) - exact) < (high_order ? 1e-6 : 3e-3));
  }
  CHECK(end(Integrator::exact, 7) == doctest::Approx(exact).epsilon(1e-13));
}

TEST_CASE("integrators that are not offered make no subsystem") {
  CHECK(make_state_space(oscillator(), {}, Integrator::symplectic_euler, std::nullopt) == nullptr);
  CHECK(make_state_space(controller(), {}, Integrator::rk4, std::nullopt) == nullptr);
  CHECK(state_space_integrators(controller()).size() == 1);
}

TEST_CASE("a discrete unit samples where its times are, inside macro-steps too") {
  // Samples at 0, 0.3, 0.6, 0.9 … of u = t: x_(k+1) = x_k/2 + t_k, y = x + 2u, held between.
  std::array<double, 11> expected{};  // y after the sample of 0.3 k
  double x = 8;
  for (std::size_t k = 0; k < expected.size(); ++k) {
    const double t = 0.3 * static_cast<double>(k);
    expected[k] = x + 2 * t;
    x = x / 2 + t;
  }
  for (const double macro_step : {0.1, 0.3, 0.5, 1.0}) {  // below, equal to, above the sample time
    CAPTURE(macro_step);
    const auto unit = make_state_space(controller(), {}, Integrator::exact, std::nullopt);
    unit->start(0, {});
    const int count = static_cast<int>(std::lround(3 / macro_step));
    for (int n = 0; n < count; ++n) {
      const double start = n * macro_step;
      std::array<double, 1> y{};
      unit->outputs(start, std::array{start}, y);
      const auto sample = static_cast<std::size_t>(std::floor(start / 0.3 + 1e-9));
      CHECK(y[0] == doctest::Approx(expected[sample]).epsilon(1e-12));
      const std::array inputs{InputPolynomial{{start, macro_step}}};
      CHECK(unit->step({.index = n, .start_s = start, .size_s = macro_step}, {inputs, 1}).status ==
            StepStatus::ok);
    }
  }
}

TEST_CASE("a discrete unit depends on its input at its samples only, and can be taken back") {
  const auto unit = make_state_space(controller(), {"u"}, Integrator::exact, std::nullopt);
  const std::array externals{
      ExternalSignal{{.base = 0, .peak = 1, .begin_s = 0.3, .full_s = 0.3}, {}}};
  unit->start(0, externals);
  std::array<double, 1> y{};
  unit->outputs(0, {}, y);
  CHECK(y[0] == 8);
  SavedState saved;
  unit->save(saved);
  const auto allocations = macrostep::tests::allocation_count();
  unit->step({.start_s = 0, .size_s = 0.2}, {});
  unit->outputs(0.2, {}, y);
  CHECK(y[0] == 8);
  unit->step({.start_s = 0.2, .size_s = 0.2}, {});
  unit->outputs(0.4, {}, y);
  CHECK(y[0] == 8 / 2 + 2 * 1);
  CHECK(macrostep::tests::allocation_count() == allocations);
  unit->restore(saved);
  unit->step({.start_s = 0, .size_s = 0.4}, {});
  unit->outputs(0.4, {}, y);
  CHECK(y[0] == 8 / 2 + 2 * 1);
}

TEST_CASE("the plain functions of a state space are its matrices") {
  const auto dynamics = state_space_dynamics(oscillator(), {"w"});
  std::array<double, 2> rate{};
  std::array<double, 2> y{};
  dynamics.derivatives(std::array{2.0, 3.0}, std::array{5.0}, std::array{7.0}, rate);
  dynamics.outputs(std::array{2.0, 3.0}, std::array{5.0}, std::array{7.0}, y);
  CHECK(rate[0] == 3);
  CHECK(rate[1] == doctest::Approx(-8 - 1.2 + 5 + 7));
  CHECK(y == std::array{2.0, 8 + 2.5});
  CHECK(dynamics.linear);
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
  auto wrong = oscillator();
  wrong.b.setZero(2, 1);
  wrong.c.setZero(1, 2);
  wrong.d.setZero(2, 3);
  wrong.x0.setZero(3);
  const auto errors = check(wrong);
  REQUIRE(errors.size() == 4);
  CHECK(errors[0].message ==
        "must be 2 × 2 (2 states, rows of A; 2 inputs, names in inputs), not 2 × 1");
  CHECK(errors[1].message ==
        "must be 2 × 2 (2 outputs, names in outputs; 2 states, rows of A), not 1 × 2");
  CHECK(errors[2].message ==
        "must be 2 × 2 (2 outputs, names in outputs; 2 inputs, names in inputs), not 2 × 3");
  CHECK(errors[3].message == "must be 2 × 1 (2 states, rows of A), not 3 × 1");
  CHECK(names([](StateSpace& m) { m.sample_time_s = 0; }) == "sample_time_s ");
}

TEST_CASE("a unit without a state gives its outputs at once and has nothing to integrate") {
  StateSpace gain;
  gain.a.resize(0, 0);
  gain.b.resize(0, 2);
  gain.c.resize(1, 0);
  gain.d = Eigen::MatrixXd{{3, -2}};
  gain.x0.resize(0);
  gain.inputs = {{"u", "N"}, {"w", "N"}};
  gain.outputs = {{"y", "N"}};
  CHECK(check(gain).empty());
  REQUIRE(state_space_integrators(gain).size() == 1);
  const auto subsystem = make_state_space(gain, {"w"}, Integrator::exact, std::nullopt);
  REQUIRE(subsystem);
  const std::array externals{ExternalSignal{Signal{.base = 5}, Sampling::continuous}};
  subsystem->start(0, externals);
  const std::array inputs{InputPolynomial{{7}}};
  CHECK(subsystem->step({.index = 0, .start_s = 0, .size_s = 1}, {inputs}).rhs_evaluations == 0);
  std::array<double, 1> y{};
  subsystem->outputs(1, std::array{7.0}, y);
  CHECK(y[0] == 3 * 7 - 2 * 5);
  CHECK(subsystem->state()->empty());
  CHECK(subsystem->describe().outputs[0].direct_inputs == std::vector<std::size_t>{0});
  gain.sample_time_s = 0.1;  // a recursion of nothing
  CHECK_FALSE(check(gain).empty());
}

TEST_CASE("products of small matrices have the bits of Eigen's kernel") {
  for (const Eigen::Index columns : {0, 1, 2, 3, 5, 8, 13, 32, 33}) {
    for (const Eigen::Index rows : {1, 2, 3, 4, 6, 9, 17}) {
      CAPTURE(rows);
      CAPTURE(columns);
      Eigen::MatrixXd m(rows, columns);
      Eigen::VectorXd x(columns);
      for (Eigen::Index j = 0; j < columns; ++j) {
        x[j] = std::sin(3.0 * static_cast<double>(j) + 0.5);
        for (Eigen::Index i = 0; i < rows; ++i) {
          m(i, j) = std::exp(5 * std::sin(static_cast<double>(7 * i + 11 * j)));
        }
      }
      Eigen::VectorXd expected = Eigen::VectorXd::Constant(rows, 0.1);
      Eigen::VectorXd y = expected;
      expected.noalias() += m * x;
      add_product(m, x, y);
      CHECK(y == expected);
      expected.noalias() = m * x;
      set_product(m, x, y);
      CHECK(y == expected);
    }
  }
}
