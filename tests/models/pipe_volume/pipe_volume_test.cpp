#include "models/pipe_volume/pipe_volume.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <string>

using namespace macrostep::models;

namespace {

using Matrix = Eigen::Matrix4d;
constexpr std::array sides{PipeVolumeSide::left, PipeVolumeSide::right};

/// Eigenvalue solvers want entries of about one size: states in units of their nominal values.
Eigen::Vector4d scale_of(const Dynamics& left, const Dynamics& right) {
  Eigen::Vector4d scale;
  scale << left.nominal_state, right.nominal_state;
  return scale;
}

/// ẋ of the coupled system [q_1 p_1 q_2 p_2], inputs taken from the other's outputs.
Matrix coupled(const PipeVolumeParameters& parameters) {
  const auto left = pipe_volume_dynamics(parameters, PipeVolumeSide::left);
  const auto right = pipe_volume_dynamics(parameters, PipeVolumeSide::right);
  REQUIRE(left.linear);
  const std::array<double, 1> none{};
  const Eigen::Vector4d scale = scale_of(left, right);
  Matrix a;
  for (int i = 0; i < 4; ++i) {
    const Eigen::Vector4d x = scale[i] * Eigen::Vector4d::Unit(i);
    const std::span<const double> x1(x.data(), 2);
    const std::span<const double> x2(x.data() + 2, 2);
    std::array<double, 3> y1{};
    std::array<double, 3> y2{};
    left.outputs(x1, none, {}, y1);
    right.outputs(x2, none, none, y2);
    Eigen::Vector4d rate;
    left.derivatives(x1, std::span(y2).first(1), {}, {rate.data(), 2});
    right.derivatives(x2, std::span(y1).first(1), none, {rate.data() + 2, 2});
    a.col(i) = rate.cwiseQuotient(scale);
  }
  return a;
}

/// Spectral radius of the map of all states over one macro-step with inputs held, from unit states.
double spectral_radius(const PipeVolumeParameters& parameters, double macro_step_s) {
  // The subsystems start at rest and their state is not accessible: impulse responses of the
  // outputs (e_1, f_1) and (f_2, e_2) under unit inputs and from unit states come from their
  // dynamics.
  const auto left = pipe_volume_dynamics(parameters, PipeVolumeSide::left);
  const auto right = pipe_volume_dynamics(parameters, PipeVolumeSide::right);
  const Eigen::Vector4d scale = scale_of(left, right);
  const double h = macro_step_s / 64;
  Matrix phi;
  for (int i = 0; i < 4; ++i) {
    Eigen::Vector4d x = scale[i] * Eigen::Vector4d::Unit(i);
    std::array<double, 3> y1{};
    std::array<double, 3> y2{};
    const std::array<double, 1> none{};
    left.outputs({x.data(), 2}, none, {}, y1);
    right.outputs({x.data() + 2, 2}, none, none, y2);
    const auto rate = [&](const Eigen::Vector4d& at) {
      Eigen::Vector4d result;
      left.derivatives({at.data(), 2}, std::span(y2).first(1), {}, {result.data(), 2});
      right.derivatives({at.data() + 2, 2}, std::span(y1).first(1), none, {result.data() + 2, 2});
      return result;
    };
    for (int k = 0; k < 64; ++k) {  // Runge-Kutta of order 4: error (ω_0 h)⁵, 1e-17 at 5 µs
      const Eigen::Vector4d k1 = rate(x);
      const Eigen::Vector4d k2 = rate(x + h / 2 * k1);
      const Eigen::Vector4d k3 = rate(x + h / 2 * k2);
      x += h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + h * k3));
    }
    phi.col(i) = x.cwiseQuotient(scale);
  }
  return phi.eigenvalues().cwiseAbs().maxCoeff();
}

double stability_limit_s(const PipeVolumeParameters& parameters) {
  double stable = 1e-7;
  double unstable = 2e-5;
  for (int i = 0; i < 40; ++i) {
    const double middle = (stable + unstable) / 2;
    (spectral_radius(parameters, middle) <= 1 ? stable : unstable) = middle;
  }
  return stable;
}

}  // namespace

TEST_CASE("the coupled pipes and volumes have the printed eigenvalues") {
  // Viel (2014), eq. 6, exact for this system: −ζω_0 (1 + r) ± j ω_0 √(φ_i² − ζ² (1 − r)²) with
  // r = 1/(2ζω_0τ), φ_i² = (3 ± √5)/2.
  const PipeVolumeParameters p;
  const Eigen::Vector4cd eigenvalues = coupled(p).eigenvalues();
  const double zeta = p.pipe_damping_ratio;
  const double ratio = 1 / (2 * zeta * p.decay);
  for (const double phi_squared : {(3 + std::sqrt(5.0)) / 2, (3 - std::sqrt(5.0)) / 2}) {
    const std::complex<double> expected =
        p.frequency_rad_per_s *
        std::complex<double>(-zeta * (1 + ratio),
                             std::sqrt(phi_squared - zeta * zeta * (1 - ratio) * (1 - ratio)));
    const double distance = (eigenvalues.array() - expected).abs().minCoeff();
    CHECK(distance < 1e-9 * p.frequency_rad_per_s);
  }
}

TEST_CASE("explicit coupling is stable up to the macro-steps of the literature") {
  CHECK(stability_limit_s({}) == doctest::Approx(5.06e-6).epsilon(0.002));
  CHECK(stability_limit_s({.decay = 50}) == doctest::Approx(4.1e-6).epsilon(0.01));
  CHECK(spectral_radius({.decay = 0.5}, 2e-5) < 1);
}

TEST_CASE("the interface passes the power e_1 f_2 from left to right") {
  // dE/dt of both, without losses, is −e_1 f_2 and e_1 f_2 − e_2 f_3.
  const PipeVolumeParameters p{.pipe_damping_ratio = 0, .decay = 1e9};
  const double flow = 3e-5;
  const double effort = 2e5;
  for (const auto side : sides) {
    const bool left = side == PipeVolumeSide::left;
    const auto dynamics = pipe_volume_dynamics(p, side);
    const Eigen::Vector2d x = dynamics.nominal_state;
    const std::array u{left ? flow : effort};
    const std::array<double, 1> w{};
    const std::span<const double> externals = std::span(w).first(left ? 0 : 1);
    std::array<double, 3> y{};
    dynamics.outputs({x.data(), 2}, u, externals, y);
    Eigen::Vector2d rate;
    dynamics.derivatives({x.data(), 2}, u, externals, {rate.data(), 2});
    std::array<double, 3> ahead{};
    std::array<double, 3> behind{};
    const double h = 1e-9;
    const Eigen::Vector2d later = x + h * rate;
    const Eigen::Vector2d earlier = x - h * rate;
    dynamics.outputs({later.data(), 2}, u, externals, ahead);
    dynamics.outputs({earlier.data(), 2}, u, externals, behind);
    const double power = (ahead[2] - behind[2]) / (2 * h);
    CHECK(power == doctest::Approx(left ? -y[0] * flow : effort * y[0]).epsilon(1e-6));
  }
}

TEST_CASE("pipes at rest stay at rest, and a flow step moves them alike under every integrator") {
  // At 1 µs the slowest method, forward Euler, is within (ω_0 h)²/2 per step: 1 % after 1 ms.
  const std::array<InputPolynomial, 1> pressure{InputPolynomial{{1e5}}};
  const auto flow_after_1_ms = [&](Integrator integrator, const InputPolynomial& input,
                                   double f_3) {
    const auto right = make_pipe_volume({}, PipeVolumeSide::right, integrator, 1e-6);
    REQUIRE(right);
    const std::array externals{ExternalSignal{{.base = f_3}, {}}};
    right->start(0, externals);
    for (int n = 0; n < 10; ++n) {
      const std::array inputs{input};
      REQUIRE(right->step({.index = n, .start_s = n * 1e-4, .size_s = 1e-4}, {inputs}).status ==
              StepStatus::ok);
    }
    std::array<double, 3> y{};
    right->outputs(1e-3, std::array{0.0}, y);
    return y[0];
  };
  const double expected = flow_after_1_ms(Integrator::exact, pressure[0], 2e-5);
  for (const auto integrator : pipe_volume_integrators()) {
    CAPTURE(to_string(integrator));
    CHECK(flow_after_1_ms(integrator, {}, 0) == 0);
    const double tolerance = integrator == Integrator::forward_euler ? 0.02 : 1e-4;
    CHECK(std::abs(flow_after_1_ms(integrator, pressure[0], 2e-5) - expected) < tolerance * 3e-5);
  }
  CHECK(make_pipe_volume({}, PipeVolumeSide::left, Integrator::symplectic_euler, {}) == nullptr);
}

TEST_CASE("impossible pipes are named errors") {
  CHECK(check(PipeVolumeParameters{}).empty());
  const auto errors = check(PipeVolumeParameters{.frequency_rad_per_s = 0, .decay = -1});
  REQUIRE(errors.size() == 2);
  CHECK(errors[0].name == "omega_0");
  CHECK(errors[1].name == "omega_0_tau");
}
