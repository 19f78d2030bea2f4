#include "models/integrators/input_dynamics.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "models/oscillator/coupling_spring.hpp"
#include "models/oscillator/oscillator.hpp"
#include "models/state_space/make_state_space.hpp"
#include "models/state_space/state_space.hpp"
#include "tests/allocation_count.hpp"

using namespace macrostep::models;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// Any numbers, of the size of the letter.
MatrixXd numbers(Eigen::Index rows, Eigen::Index columns, double seed) {
  return MatrixXd::NullaryExpr(rows, columns, [&](Eigen::Index i, Eigen::Index k) {
    return std::sin(seed + 1.7 * static_cast<double>(i) + 2.9 * static_cast<double>(k));
  });
}

/// A rest of three states for a subsystem of so many states, inputs and outputs, of which an energy
/// is not connected.
InputDynamics rest_for(const Linearisation& own, ThetaDerivative derivative,
                       std::optional<std::size_t> energy_output = {}) {
  InputDynamics dynamics;
  dynamics.theta = 0.5;
  dynamics.derivative = derivative;
  dynamics.rest = {.a = numbers(3, 3, 1),
                   .b = numbers(3, own.c.rows(), 2),
                   .c = numbers(own.b.cols(), 3, 3),
                   .d = 0.3 * numbers(own.b.cols(), own.c.rows(), 4),
                   .state_rate = numbers(3, 1, 5)};
  if (energy_output) {
    dynamics.rest.b.col(static_cast<Eigen::Index>(*energy_output)).setZero();
    dynamics.rest.d.col(static_cast<Eigen::Index>(*energy_output)).setZero();
  }
  dynamics.own = &own;
  dynamics.nominal.assign(static_cast<std::size_t>(own.b.cols()), 1);
  dynamics.end.resize(static_cast<std::size_t>(own.b.cols()));
  return dynamics;
}

/// Two states, inputs and outputs with direct feedthrough.
Linearisation two_by_two() {
  return {.a = numbers(2, 2, 6),
          .b = numbers(2, 2, 7),
          .c = numbers(2, 2, 8),
          .d = 0.4 * numbers(2, 2, 9),
          .state_rate = numbers(2, 1, 10)};
}

/// A path of the state that begins at 0, and its slope.
VectorXd path(double t) {
  return Eigen::Vector2d(std::sin(3 * t), t * (1 - t));
}
VectorXd path_slope(double t) {
  return Eigen::Vector2d(3 * std::cos(3 * t), 1 - 2 * t);
}

VectorXd input_slope(const InputDynamics& dynamics, const InputCoefficients& at, double t,
                     const VectorXd& u) {
  return at.by_rest_rate() * dynamics.rest.state_rate + at.by_rate() * path_slope(t) +
         at.by_state() * path(t) + at.by_input() * u;
}

MatrixXd resolvent(const InputDynamics& dynamics, double t) {
  const auto& a = dynamics.rest.a;
  return (MatrixXd::Identity(3, 3) - dynamics.theta * t * a).inverse();
}

}  // namespace

TEST_CASE("with the exact derivative inputs follow one step of the theta method from t_k") {
  // The equation is the derivative of Δu = C τ 𝒜 (ẋ_k + θ B Δy) + D Δy with Δy = C_s Δx + D_s Δu,
  // which is solved for Δu here. Runge-Kutta with 400 steps of the former meets the latter to
  // 1e-10, its error being that of h⁴.
  const auto own = two_by_two();
  const auto dynamics = rest_for(own, ThetaDerivative::exact);
  constexpr int steps = 400;
  constexpr double h = 0.5 / steps;
  InputCoefficients at;
  VectorXd u = VectorXd::Zero(2);
  const auto slope = [&](double t, const VectorXd& value) -> VectorXd {
    at.evaluate(dynamics, t);
    return input_slope(dynamics, at, t, value);
  };
  for (int n = 0; n < steps; ++n) {
    const double t = n * h;
    const VectorXd k1 = slope(t, u);
    const VectorXd k2 = slope(t + h / 2, u + h / 2 * k1);
    const VectorXd k3 = slope(t + h / 2, u + h / 2 * k2);
    u += h / 6 * (k1 + 2 * k2 + 2 * k3 + slope(t + h, u + h * k3));
  }
  const double tau = steps * h;
  const auto& rest = dynamics.rest;
  const MatrixXd c_a = tau * rest.c * resolvent(dynamics, tau);
  const MatrixXd by_y = dynamics.theta * c_a * rest.b + rest.d;
  const VectorXd expected = (MatrixXd::Identity(2, 2) - by_y * own.d)
                                .lu()
                                .solve(VectorXd(c_a * rest.state_rate + by_y * own.c * path(tau)));
  CHECK((u - expected).norm() < 1e-10 * expected.norm());
}

TEST_CASE("the printed derivative is that of the paper's equation 20") {
  const auto own = two_by_two();
  const auto dynamics = rest_for(own, ThetaDerivative::printed);
  constexpr double t = 0.4;
  InputCoefficients at;
  at.evaluate(dynamics, t);
  const VectorXd u = numbers(2, 1, 11);
  const VectorXd slope = input_slope(dynamics, at, t, u);
  // u̇ = C 𝒜 (ẋ_k + θ B Δy) + D ẏ, ẏ = C_s ẋ + D_s u̇.
  const auto& rest = dynamics.rest;
  const VectorXd y = own.c * path(t) + own.d * u;
  const VectorXd y_slope = own.c * path_slope(t) + own.d * slope;
  const VectorXd expected =
      rest.c * resolvent(dynamics, t) * (rest.state_rate + dynamics.theta * rest.b * y) +
      rest.d * y_slope;
  CHECK((slope - expected).norm() < 1e-13 * expected.norm());
}

namespace {

constexpr MassSetup owner{.mass = {.stiffness_n_per_m = 10},
                          .coupling = {.stiffness_n_per_m = 100, .damping_ns_per_m = 3},
                          .role = MassRole::owner};

/// The owner of the spring as matrices, with its force as the only output besides x and v.
StateSpace owner_matrices() {
  StateSpace model;
  model.a = Eigen::Matrix2d{{0, 1}, {-110, -3}};
  model.b = MatrixXd{{0, 0, 0}, {100, 3, 1}};
  model.c = MatrixXd{{1, 0}, {0, 1}, {100, 3}, {0, 0}};
  model.d = MatrixXd{{0, 0, 0}, {0, 0, 0}, {-100, -3, 0}, {0, 0, 0}};
  model.x0 = Eigen::Vector2d{0, 100};
  model.inputs = {{"x_in", "m"}, {"v_in", "m/s"}, {"f_ext", "N"}};
  model.outputs = {{"x", "m"}, {"v", "m/s"}, {"f", "N"}, {"energy", "J"}};
  return model;
}

/// State and inputs after a macro-step of 0.1 s among a rest of any numbers, with a push that
/// grows.
VectorXd end_of(Subsystem& subsystem, std::vector<double> u) {
  CHECK(subsystem.describe().integrates_inputs);
  const ExternalSignal push{{.peak = 40, .begin_s = 0, .full_s = 1}, {}};
  const std::vector externals(subsystem.describe().externals.size(), push);
  subsystem.start(0, externals);
  Linearisation own;
  REQUIRE(subsystem.linearise(0, u, own));
  auto dynamics = rest_for(own, ThetaDerivative::exact, subsystem.describe().outputs.size() - 1);
  std::vector<InputPolynomial> inputs;
  for (const double value : u) {
    inputs.push_back({{value}});
  }
  SavedState saved;
  subsystem.save(saved);
  REQUIRE(subsystem.step({.size_s = 0.1}, {inputs, 0, &dynamics}).status == StepStatus::ok);
  std::vector<double> y(subsystem.describe().outputs.size());
  subsystem.outputs(0.1, dynamics.end, y);
  VectorXd end(static_cast<Eigen::Index>(dynamics.end.size()) + 2);
  end[0] = y[0];
  end[1] = y[1];
  std::copy(dynamics.end.begin(), dynamics.end.end(), end.begin() + 2);

  // Once more, as the sizes are set: the same, and nothing allocated.
  subsystem.restore(saved);
  const auto allocations = macrostep::tests::allocation_count();
  subsystem.step({.size_s = 0.1}, {inputs, 0, &dynamics});
  CHECK(macrostep::tests::allocation_count() == allocations);
  CHECK(std::equal(dynamics.end.begin(), dynamics.end.end(), end.begin() + 2));
  return end;
}

/// log₂ of the ratio of the errors with this many micro-steps and with twice as many.
template <class Make>
double order_of(const Make& make, const VectorXd& expected, const std::vector<double>& u,
                int micro_steps) {
  const auto error = [&](double micro_step_s) {
    const auto subsystem = make(micro_step_s);
    REQUIRE(subsystem);
    return (end_of(*subsystem, u) - expected).norm();
  };
  return std::log2(error(0.1 / micro_steps) / error(0.05 / micro_steps));
}

struct Order {
  Integrator integrator;
  double order;
  int micro_steps;  ///< small enough for the leading term, and not for rounding
};
constexpr std::array orders{Order{Integrator::forward_euler, 1, 100},
                            Order{Integrator::trapezoidal, 2, 100}, Order{Integrator::rk4, 4, 20}};

}  // namespace

TEST_CASE("steppers integrate state and inputs together with their order") {
  const std::vector<double> u{0.3, 5};
  const VectorXd expected = end_of(*make_mass(owner, Integrator::cvode, {}), u);
  for (const auto& [integrator, order, steps] : orders) {
    CAPTURE(to_string(integrator));
    const auto native = [&, chosen = integrator](double h) { return make_mass(owner, chosen, h); };
    const auto sized = [&, chosen = integrator](double h) {
      return make_state_space(owner_matrices(), {"f_ext"}, chosen, h);
    };
    CHECK(order_of(native, expected, u, steps) == doctest::Approx(order).epsilon(0.05));
    CHECK(order_of(sized, expected, u, steps) == doctest::Approx(order).epsilon(0.05));
  }
}

TEST_CASE("a nonlinear model and one with room for more inputs integrate them, too") {
  MassSetup bent = owner;
  bent.mass.spring_exponent = 1.5;
  bent.mass.position_m = 50;  // far from where the spring's law has a kink
  bent.coupling.damper_exponent = 2;
  const MassSetup pushed{.forces = 3};
  for (const auto& [setup, u] :
       {std::pair{bent, std::vector{0.3, 5.0}}, std::pair{pushed, std::vector{1.0, -2.0, 3.0}}}) {
    const VectorXd expected = end_of(*make_mass(setup, Integrator::cvode, {}), u);
    for (const auto& [integrator, order, steps] : orders) {
      CAPTURE(to_string(integrator));
      const auto make = [&, &chosen_setup = setup, chosen = integrator](double h) {
        return make_mass(chosen_setup, chosen, h);
      };
      CHECK(order_of(make, expected, u, steps) == doctest::Approx(order).epsilon(0.1));
    }
  }
}

TEST_CASE("what has no state moves its inputs alone") {
  // Against the same law as matrices without a state is impossible; against small macro-steps of
  // the theta method's own closed form: one step of it is Δu = C τ 𝒜 (ẋ_k + θ B D_s Δu) + D D_s Δu.
  const CouplingSpringSetup setup{.coupling = {.stiffness_n_per_m = 2, .damping_ns_per_m = 0.5}};
  const auto spring = make_coupling_spring(setup, Integrator::exact);
  spring->start(0, {});
  const std::array u{0.2, 0.1, -0.3, 0.4};
  Linearisation own;
  REQUIRE(spring->linearise(0, u, own));
  auto dynamics = rest_for(own, ThetaDerivative::exact, 2);
  std::vector<InputPolynomial> inputs;
  for (const double value : u) {
    inputs.push_back({{value}});
  }
  constexpr double tau = 0.01;
  REQUIRE(spring->step({.size_s = tau}, {inputs, 0, &dynamics}).status == StepStatus::ok);
  const auto& rest = dynamics.rest;
  const MatrixXd c_a = tau * rest.c * resolvent(dynamics, tau);
  const MatrixXd by_y = dynamics.theta * c_a * rest.b + rest.d;
  const VectorXd change =
      (MatrixXd::Identity(4, 4) - by_y * own.d).lu().solve(VectorXd(c_a * rest.state_rate));
  for (std::size_t i = 0; i < u.size(); ++i) {
    // One step of Runge-Kutta: h⁵.
    CHECK(std::abs(dynamics.end[i] - u[i] - change[static_cast<Eigen::Index>(i)]) < 1e-9);
  }
}

TEST_CASE("integrators that cannot integrate inputs say so") {
  CHECK_FALSE(make_mass(owner, Integrator::exact, {})->describe().integrates_inputs);
  CHECK_FALSE(make_mass(owner, Integrator::symplectic_euler, {})->describe().integrates_inputs);
  CHECK_FALSE(make_state_space(owner_matrices(), {"f_ext"}, Integrator::exact, {})
                  ->describe()
                  .integrates_inputs);
}
