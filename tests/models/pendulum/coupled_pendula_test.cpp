#include "models/pendulum/coupled_pendula.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <type_traits>

#include "models/integrators/steppers.hpp"
#include "models/pendulum/pendula.hpp"

using namespace macrostep::models;

namespace {

constexpr std::array<ExternalSignal, 1> no_external_force{};

PendulumSetup setup(const CoupledPendula& pendula, std::size_t which, PendulumRole role) {
  return {.pendulum = pendula.pendula[which],
          .coupling = pendula.coupling,
          .natural_length_m = natural_length_m(pendula),
          .role = role,
          .counts_coupling_energy = which == 0};
}

/// Outputs for inputs held at u.
std::vector<double> outputs(Subsystem& pendulum, const std::vector<double>& u) {
  std::vector<double> y(pendulum.describe().outputs.size());
  pendulum.outputs(0, u, y);
  return y;
}

void step(Subsystem& pendulum, const std::vector<double>& u, long index, double size_s) {
  std::vector<InputPolynomial> held(u.size());
  for (std::size_t i = 0; i < u.size(); ++i) {
    held[i].coefficients[0] = u[i];
  }
  const MacroStep macro{
      .index = index, .start_s = static_cast<double>(index) * size_s, .size_s = size_s};
  REQUIRE(pendulum.step(macro, {.polynomials = held, .degree = 0}).status == StepStatus::ok);
}

std::vector<double> motion(const std::vector<double>& y) {
  return {y.begin(), y.begin() + 4};
}

struct Outcome {
  double energy_change_j = 0;   ///< at the end
  double largest_change_j = 0;  ///< on the way
  double residual_j = 0;        ///< Σ δP H, of force–displacement
  std::vector<double> tip_2;
};

/// Single-rate Jacobi with held inputs and h = H.
Outcome couple(PendulumRole role_1, Integrator integrator, double macro_step_s, double duration_s) {
  const CoupledPendula pendula;
  const bool by_force = role_1 == PendulumRole::owner;
  const auto first = make_pendulum(setup(pendula, 0, role_1), integrator, std::nullopt);
  const auto second = make_pendulum(setup(pendula, 1, by_force ? PendulumRole::receiver : role_1),
                                    integrator, std::nullopt);
  first->start(0, no_external_force);
  second->start(0, no_external_force);
  const auto exchanged = [&](const std::vector<double>& y_1) {
    return by_force ? std::vector<double>{y_1[4], y_1[5]} : motion(y_1);
  };
  // At rest in the start position the motion does not depend on the inputs.
  auto u_1 = motion(outputs(*second, std::vector<double>(second->describe().inputs.size())));
  auto u_2 = exchanged(outputs(*first, u_1));
  const auto energy = [&] { return outputs(*first, u_1).back() + outputs(*second, u_2).back(); };
  const double start_j = energy();
  Outcome outcome;
  const long steps = std::lround(duration_s / macro_step_s);
  for (long n = 0; n < steps; ++n) {
    step(*first, u_1, n, macro_step_s);
    step(*second, u_2, n, macro_step_s);
    const auto y_1 = outputs(*first, u_1);
    const auto y_2 = outputs(*second, u_2);
    if (by_force) {
      outcome.residual_j +=
          macro_step_s * (u_2[0] * y_2[2] + u_2[1] * y_2[3] - y_1[4] * u_1[2] - y_1[5] * u_1[3]);
    }
    u_1 = motion(y_2);
    u_2 = exchanged(y_1);
    outcome.energy_change_j = energy() - start_j;
    outcome.largest_change_j =
        std::max(outcome.largest_change_j, std::abs(outcome.energy_change_j));
  }
  outcome.tip_2 = u_1;
  return outcome;
}

/// One pendulum in the angle whose spring holds on to a moving point: forces of every kind.
struct Driven {
  CoupledPendula pendula{.coupling = {.stiffness_n_per_m = 30, .damping_ns_per_m = 2}};
  InAngle<SprungPendulum> model{};

  Driven() {
    const auto settings = setup(pendula, 0, PendulumRole::owner);
    model.setup = settings;
    model.motion = {settings.pendulum};
    model.spring = {30, 2, settings.natural_length_m};
    model.force_sign = -1;
    model.spring_share = 1;
  }
};

}  // namespace

TEST_CASE("the pendula start with the natural length of the paper and an unloaded spring") {
  const CoupledPendula pendula;
  CHECK(std::abs(natural_length_m(pendula) - 8.756) < 5e-4);
  const auto first =
      make_pendulum(setup(pendula, 0, PendulumRole::owner), Integrator::al_symplectic_euler, {});
  first->start(0, no_external_force);
  const double angle = std::numbers::pi / 18;
  const auto y = outputs(*first, {10.5 - 2 * std::sin(angle), -2 * std::cos(angle), 0, 0});
  CHECK(y[0] == doctest::Approx(std::sqrt(2.0)));
  CHECK(y[1] == doctest::Approx(-std::sqrt(2.0)));
  CHECK(std::abs(y[4]) < 1e-12);
  CHECK(std::abs(y[5]) < 1e-12);
  CHECK(y[6] == doctest::Approx(-9.81 * std::sqrt(2.0)));
}

TEST_CASE("a stretched spring pulls the tips towards each other") {
  // The other tip 1 m above the natural length away along x, and receding at 0.5 m/s.
  const CoupledPendula pendula{.coupling = {.stiffness_n_per_m = 10, .damping_ns_per_m = 4}};
  const double far = std::sqrt(2.0) + natural_length_m(pendula) + 1;
  for (const auto role : {PendulumRole::owner, PendulumRole::displacement}) {
    const auto first = make_pendulum(setup(pendula, 0, role), Integrator::rk4, {});
    first->start(0, no_external_force);
    const auto y = outputs(*first, {far, -std::sqrt(2.0), 0.5, 0});
    // The owner says what acts on the other tip.
    CHECK(y[4] == doctest::Approx(role == PendulumRole::owner ? -12 : 12));
    CHECK(std::abs(y[5]) < 1e-12);
    CHECK(y[6] == doctest::Approx(-9.81 * std::sqrt(2.0) + 5));
  }
}

TEST_CASE("pendula that hang plumb stay at rest") {
  CoupledPendula pendula;
  pendula.pendula[0].angle_rad = 0;
  pendula.pendula[1].angle_rad = 0;
  for (const auto integrator : pendulum_integrators()) {
    const auto first = make_pendulum(setup(pendula, 0, PendulumRole::owner), integrator, {});
    first->start(0, no_external_force);
    for (long n = 0; n < 1000; ++n) {
      step(*first, {10.5, -2, 0, 0}, n, 1e-3);
    }
    const auto y = outputs(*first, {10.5, -2, 0, 0});
    CHECK(std::abs(y[0]) < 1e-12);
    CHECK(std::abs(y[1] + 2) < 1e-12);
    CHECK(std::hypot(y[2], y[3]) < 1e-12);
  }
}

TEST_CASE("the augmented Lagrangian moves the tip as symplectic Euler moves the angle") {
  // Both are discrete mechanics of one pendulum: they differ by O(h²) in one step, and the lengths
  // of the rods are kept to rounding.
  const auto al = couple(PendulumRole::owner, Integrator::al_symplectic_euler, 1e-3, 5);
  const auto angle = couple(PendulumRole::owner, Integrator::symplectic_euler, 1e-3, 5);
  for (std::size_t i = 0; i < al.tip_2.size(); ++i) {
    CHECK(std::abs(al.tip_2[i] - angle.tip_2[i]) < 2e-5 + (i < 2 ? 0 : 5e-3));
  }
  CHECK(std::abs(std::hypot(al.tip_2[0] - 10.5, al.tip_2[1]) - 2) < 1e-12);
}

TEST_CASE("the augmented Lagrangian with symplectic Euler is of order 1") {
  // The position of a pendulum pulled by a constant force; reference by Runge–Kutta in the angle.
  const auto tip = [](Integrator integrator, int steps) {
    const CoupledPendula pendula;
    const auto second = make_pendulum(setup(pendula, 1, PendulumRole::receiver), integrator, {});
    second->start(0, no_external_force);
    for (long n = 0; n < steps; ++n) {
      step(*second, {-3, 1}, n, 2.0 / steps);
    }
    const auto y = outputs(*second, {-3, 1});
    return Eigen::Vector2d(y[0], y[1]);
  };
  const auto reference = tip(Integrator::rk4, 1000);
  const auto al = Integrator::al_symplectic_euler;
  const double coarse = (tip(al, 400) - reference).norm();
  const double fine = (tip(al, 800) - reference).norm();
  CHECK(std::log2(coarse / fine) == doctest::Approx(1).epsilon(0.1));
}

TEST_CASE("the energy of a swing stays bounded under the augmented Lagrangian") {
  // 5.7 J of swing for 400 s, about 130 periods, at 5 ms. The method keeps an energy near the true
  // one exactly: the difference, of order h (0.03 J here), is as large early as late.
  CoupledPendula pendula;
  const auto swing =
      make_pendulum(setup(pendula, 0, PendulumRole::receiver), Integrator::al_symplectic_euler, {});
  swing->start(0, no_external_force);
  const double start_j = outputs(*swing, {0, 0}).back();
  std::array<double, 2> largest{};
  constexpr long steps = 80000;
  for (long n = 0; n < steps; ++n) {
    step(*swing, {0, 0}, n, 5e-3);
    const double error = std::abs(outputs(*swing, {0, 0}).back() - start_j);
    auto& half = largest[n < steps / 2 ? 0 : 1];
    half = std::max(half, error);
  }
  CHECK(largest[0] < 0.1);
  CHECK(largest[1] < 1.01 * largest[0]);
}

TEST_CASE("CVODE keeps the energy of a swing to 1e-9") {
  const auto swing =
      make_pendulum(setup(CoupledPendula{}, 0, PendulumRole::receiver), Integrator::cvode, {});
  swing->start(0, no_external_force);
  const double start_j = outputs(*swing, {0, 0}).back();
  for (long n = 0; n < 1000; ++n) {
    step(*swing, {0, 0}, n, 1e-2);
  }
  CHECK(std::abs(outputs(*swing, {0, 0}).back() / start_j - 1) < 1e-9);
}

TEST_CASE("force–displacement adds energy to the pendula, displacement–displacement none") {
  // h = H = 1 ms, 10 s. Without damping every joule gained is the interface's.
  const auto al = Integrator::al_symplectic_euler;
  const auto by_force = couple(PendulumRole::owner, al, 1e-3, 10);
  CHECK(by_force.energy_change_j == doctest::Approx(0.113).epsilon(0.02));
  CHECK(by_force.residual_j == doctest::Approx(0.101).epsilon(0.02));
  const auto by_motion = couple(PendulumRole::displacement, al, 1e-3, 10);
  CHECK(by_motion.largest_change_j < 0.005);
  // And the former halves with H.
  const auto finer = couple(PendulumRole::owner, al, 5e-4, 10);
  CHECK(by_force.energy_change_j / finer.energy_change_j == doctest::Approx(2).epsilon(0.03));
}

TEST_CASE("the pendulum's Jacobian is the derivative of its equations") {
  const Driven driven;
  const Eigen::Vector2d x(0.6, 1.3);
  const InAngle<SprungPendulum>::Forcing at{{9.5, -1, 0.7, -0.4}, {3}};
  const auto jacobian = driven.model.jacobian(x, at);
  constexpr double epsilon = 1e-6;
  for (int k = 0; k < 2; ++k) {
    const Eigen::Vector2d by = epsilon * Eigen::Vector2d::Unit(k);
    const Eigen::Vector2d slope =
        (driven.model.derivatives(x + by, at) - driven.model.derivatives(x - by, at)) /
        (2 * epsilon);
    CHECK((slope - jacobian.col(k)).norm() < 1e-7);
  }
}

TEST_CASE_TEMPLATE("a stepper shows its order on the pendulum's angle", Stepper, SymplecticEuler,
                   Trapezoidal, Rk4) {
  const Driven driven;
  const auto end = [&](int steps) {
    auto x = driven.model.initial_state();
    std::int64_t evaluations = 0;
    const double h = 1.0 / steps;
    for (int i = 0; i < steps; ++i) {
      const auto moving = [&](double c) {
        const double t = (i + c) * h;
        return InAngle<SprungPendulum>::Forcing{
            {10.2 + std::sin(2 * t), -2, 2 * std::cos(2 * t), 0}, {t}};
      };
      REQUIRE(Stepper::advance(driven.model, moving, h, x, evaluations));
    }
    return x;
  };
  const int count = std::is_same_v<Stepper, Rk4> ? 25 : 200;
  const auto reference = end(64 * count);
  const double order = std::is_same_v<Stepper, Rk4>           ? 4
                       : std::is_same_v<Stepper, Trapezoidal> ? 2
                                                              : 1;
  CHECK(std::log2((end(count) - reference).norm() / (end(2 * count) - reference).norm()) ==
        doctest::Approx(order).epsilon(0.1));
}

TEST_CASE("impossible pendula are named errors") {
  const auto names = [](const auto& errors) {
    std::string list;
    for (const auto& error : errors) {
      list += error.name + " ";
    }
    return list;
  };
  CHECK(names(check(PendulumParameters{.length_m = 0})) == "l ");
  CHECK(names(check(PendulumCouplingParameters{.stiffness_n_per_m = -1})) == "k_c ");
  CHECK(names(check(CoupledPendula{})) == "");
  CoupledPendula together;
  together.pendula[1] = together.pendula[0];
  CHECK(names(check(together)) == "theta ");
  const auto owner = setup(CoupledPendula{}, 0, PendulumRole::owner);
  CHECK(make_pendulum(owner, Integrator::forward_euler, std::nullopt) == nullptr);
}
