#include "models/integrators/exact.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "models/integrators/propagator.hpp"
#include "models/oscillator/oscillator.hpp"
#include "tests/allocation_count.hpp"
#include "tests/matrix_exponential.hpp"

using namespace macrostep::models;

namespace {

/// x'' = −4 x + u1-forces + f_ext: m = 1 kg, k = 3 N/m to the ground, k_c = 1 N/m to x_in.
constexpr MassSetup undamped{
    .mass = {.stiffness_n_per_m = 3, .position_m = 1, .velocity_m_per_s = 0},
    .coupling = {.stiffness_n_per_m = 1},
    .role = MassRole::owner};

struct Motion {
  double x, v, energy;
};

/// The mass after 2 s in `steps` steps under x_in = Σ_k c_k t^k and the external force.
Motion motion(int steps, const std::array<double, 5>& c, const ExternalSignal& force,
              std::optional<double> micro_step_s = std::nullopt) {
  const auto mass = make_mass(undamped, Integrator::exact, micro_step_s);
  REQUIRE(mass);
  const std::array externals{force};
  mass->start(0, externals);
  const double h = 2.0 / steps;
  for (int n = 0; n < steps; ++n) {
    // The polynomial in t, about t_n and scaled by h.
    const double start = n * h;
    std::array<InputPolynomial, 2> inputs{};
    inputs[0] = part_of({c}, start, h);
    REQUIRE(mass->step({.index = n, .start_s = start, .size_s = h}, {inputs}).status ==
            StepStatus::ok);
  }
  std::array<double, 4> y{};
  mass->outputs(2, std::array{0.0, 0.0}, y);
  return {y[0], y[1], y[3]};
}

constexpr ExternalSignal no_force{};

}  // namespace

TEST_CASE("a propagator's matrices are blocks of the exponential of the augmented system") {
  // [A I 0 …; 0 0 I …; …] with six block rows has φ_0 h⁰ … φ_5 h⁵ in its first block row. The
  // oracle is Eigen's Padé approximation of that large matrix. Cases: a stable, a singular, a
  // rotating and a badly scaled A (k/m = 1e6), steps from short to many times the slowest time.
  using Matrix = Eigen::Matrix3d;
  const std::array<Matrix, 4> systems{
      Matrix{{-1, 2, 0.5}, {0.3, -2, 1}, {0, 0.7, -3}}, Matrix{{0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
      Matrix{{0, 5, 0}, {-5, 0, 0}, {0, 0, 0}}, Matrix{{0, 1, 0}, {-1e6, 0, 1}, {0, 0, -10}}};
  for (const auto& a : systems) {
    Propagator<3> propagator(a);
    for (const double h : {1e-6, 1e-3, 0.05, 1.0}) {
      Eigen::MatrixXd augmented = Eigen::MatrixXd::Zero(18, 18);
      augmented.topLeftCorner(3, 3) = a * h;
      for (int k = 0; k < 5; ++k) {
        augmented.block(3 * k, 3 * k + 3, 3, 3).setIdentity();
      }
      const Eigen::MatrixXd oracle = macrostep::tests::matrix_exponential(augmented);
      propagator.prepare(h);
      // The oracle sums numbers of the size of ‖A h‖ e^‖A h‖ without balancing.
      const double tolerance = 1e-14 * (1 + (a * h).cwiseAbs().maxCoeff()) * 100;
      const Eigen::MatrixXd growth = oracle.topLeftCorner(3, 3) - Matrix::Identity();
      CHECK((propagator.growth() - growth).norm() < tolerance * (1 + growth.norm()));
      double factorial = 1;
      for (int k = 0; k < 5; ++k) {
        factorial *= std::max(k, 1);
        const Eigen::MatrixXd weight = h * factorial * oracle.block(0, 3 * k + 3, 3, 3);
        CHECK((propagator.weight(static_cast<std::size_t>(k)) - weight).norm() <
              tolerance * (h + weight.norm()));
      }
    }
  }
}

TEST_CASE("a propagator made of sizes works as one of a fixed size") {
  const Eigen::Matrix2d a{{0, 1}, {-4, -0.4}};
  Propagator<2> fixed(a);
  Propagator<Eigen::Dynamic> sized{Eigen::MatrixXd(a)};
  fixed.prepare(0.7);
  sized.prepare(0.7);
  CHECK(sized.growth() == fixed.growth());
  CHECK(sized.weight(4) == fixed.weight(4));
}

TEST_CASE("polynomial inputs up to degree 4 are integrated exactly, whatever the step") {
  // x'' + 4x = Σ c_k t^k has the particular solution p = Σ p_k t^k with 4 p_k + (k+2)(k+1) p_(k+2)
  // = c_k, and x = p + a cos 2t + b sin 2t from x(0) = 1, x'(0) = 0.
  const std::array<double, 5> c{2, -3, 1, 0.5, -0.25};
  std::array<double, 7> p{};
  for (std::size_t k = 5; k > 0; --k) {
    const auto n = static_cast<double>(k - 1);
    p[k - 1] = (c[k - 1] - (n + 2) * (n + 1) * p[k + 1]) / 4;
  }
  double x = (1 - p[0]) * std::cos(4) - p[1] / 2 * std::sin(4);
  double v = -2 * (1 - p[0]) * std::sin(4) - p[1] * std::cos(4);
  for (std::size_t k = 0; k < 5; ++k) {
    x += p[k] * std::pow(2, k);
    v += k == 0 ? 0 : static_cast<double>(k) * p[k] * std::pow(2, k - 1);
  }
  for (const int steps : {1, 7, 200}) {
    const auto end = motion(steps, c, no_force);
    CHECK(end.x == doctest::Approx(x).epsilon(1e-13));
    CHECK(end.v == doctest::Approx(v).epsilon(1e-13));
    CHECK(motion(steps, c, no_force, 0.01).x == doctest::Approx(x).epsilon(1e-13));
  }
}

TEST_CASE("an event inside a step splits it where it is") {
  // Impulse: a line from 0.3 s to 0.7 s up to 5 N, back to 1 N at 1.234 s. Steps that meet all
  // three events against one step and against steps that meet none.
  const ExternalSignal force{{.base = 1, .peak = 5, .begin_s = 0.3, .full_s = 0.7, .end_s = 1.234},
                             {}};
  const auto meets = motion(2000, {}, force);
  for (const int steps : {1, 3, 11}) {
    const auto end = motion(steps, {}, force);
    CHECK(end.x == doctest::Approx(meets.x).epsilon(1e-12));
    CHECK(end.v == doctest::Approx(meets.v).epsilon(1e-12));
  }
}

TEST_CASE("a held external input keeps its value of the communication point") {
  const ExternalSignal step{{.base = 0, .peak = 8, .begin_s = 0.5, .full_s = 0.5}, Sampling::held};
  // One step of 2 s from before the event: as if it never came.
  CHECK(motion(1, {}, step).x == doctest::Approx(std::cos(4)).epsilon(1e-14));
}

TEST_CASE("a sine as external force is followed to the fifth power of the micro-step") {
  // x'' + 4x = sin ωt: x = cos 2t + (sin ωt − ω/2 sin 2t)/(4 − ω²).
  const double frequency_hz = 3;
  const double omega = 2 * std::numbers::pi * frequency_hz;
  const ExternalSignal sine{{.amplitude = 1, .frequency_hz = frequency_hz}, {}};
  const double x =
      std::cos(4) + (std::sin(2 * omega) - omega / 2 * std::sin(4)) / (4 - omega * omega);
  const double coarse = std::abs(motion(50, {}, sine).x - x);
  const double fine = std::abs(motion(100, {}, sine).x - x);
  CHECK(coarse < std::pow(omega * 0.04, 5) / 3e5 * 2);
  CHECK(coarse / fine > 25);
}

TEST_CASE("an undamped mass keeps its energy to rounding") {
  // Over a time T the rounding of E adds up to about ωT = 330 roundings of 1.1e-16, those of the
  // state at random to the root of the number of steps: 1e-13 for 10⁵ steps.
  for (const int steps : {1000, 10000, 100000}) {
    const double h = 10.0 / steps;
    const auto mass = make_mass({.mass = {.stiffness_n_per_m = 1000}}, Integrator::exact, {});
    const std::array<ExternalSignal, 1> externals{};
    mass->start(0, externals);
    const std::array<InputPolynomial, 1> none{};
    std::array<double, 3> y{};
    double worst = 0;
    for (int n = 0; n < steps; ++n) {
      REQUIRE(mass->step({.index = n, .start_s = n * h, .size_s = h}, {none, 0}).status ==
              StepStatus::ok);
      mass->outputs(0, std::array{0.0}, y);
      worst = std::max(worst, std::abs(y[2] / 5000 - 1));
    }
    CAPTURE(steps);
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("an exact step can be taken back, and allocates nothing") {
  const auto mass = make_mass(undamped, Integrator::exact, 0.01);
  const std::array externals{
      ExternalSignal{{.base = 0, .peak = 1, .begin_s = 0.333, .full_s = 0.333}, {}}};
  mass->start(0, externals);
  const std::array inputs{InputPolynomial{{1, 2}}, InputPolynomial{}};
  std::array<double, 4> before{};
  std::array<double, 4> after{};
  std::array<double, 4> again{};
  SavedState saved;
  mass->save(saved);
  const auto allocations = macrostep::tests::allocation_count();
  const auto step = [&](double start, double size, std::span<double> y) {
    mass->step({.start_s = start, .size_s = size}, {inputs, 1});
    mass->outputs(start + size, std::array{0.0, 0.0}, y);
  };
  step(0, 0.3, before);
  mass->save(saved);
  step(0.3, 0.1, after);
  mass->restore(saved);
  step(0.3, 0.1, again);
  CHECK(macrostep::tests::allocation_count() == allocations);
  CHECK(after == again);
  CHECK(after != before);
}

TEST_CASE(
    "a system that leaves the range of numbers is not finite, and does not stop the program") {
  Propagator<1> explosive(Eigen::Matrix<double, 1, 1>(1e308));
  explosive.prepare(100);
  CHECK_FALSE(std::isfinite(explosive.growth()(0)));
  Propagator<1> fast(Eigen::Matrix<double, 1, 1>(1e6));
  fast.prepare(1);
  CHECK_FALSE(std::isfinite(fast.growth()(0)));
}
