#include "engine/stability/stability.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <string>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/cosim/make_master.hpp"
#include "engine/problem/external_signals.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "engine/trial/trial.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/state_matrix.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/matrix_exponential.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;
namespace tests = macrostep::tests;
using macrostep::models::Integrator;

namespace {
/// The two masses with exact subsystems, and with so much damping of each [1/s].
Plan exact_masses(double damping_per_s = 0) {
  auto job = macrostep::tests::two_masses();
  for (auto& subsystem : job.own_problem->subsystems) {
    subsystem.state_space.a(1, 1) -= damping_per_s;
  }
  job.space.integrators = {{"m1", {Integrator::exact}}, {"m2", {Integrator::exact}}};
  job.tests = {{.name = "none", .kind = TestKind::none, .duration_s = 60}};
  return planned(job);
}

Eigen::MatrixXd phi_of(const Plan& plan, const Configuration& configuration, double macro_step_s) {
  return std::get<Eigen::MatrixXd>(propagation_matrix(plan, configuration, macro_step_s));
}

/// [e^{A H}, ∫_0^H e^{A s} ds B] for a held input.
Eigen::MatrixXd held_step(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b, double size_s) {
  const auto n = a.rows();
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(n + b.cols(), n + b.cols());
  m.topLeftCorner(n, n) = a * size_s;
  m.topRightCorner(n, b.cols()) = b * size_s;
  return tests::matrix_exponential(m).topRows(n);
}

/// Largest outputs of m2 within so many macro-steps after each of two, as a ratio.
double measured_growth(const Plan& plan, const Configuration& configuration, double macro_step_s,
                       std::int64_t from, std::int64_t to, std::int64_t within) {
  double before = 0, after = 0;
  std::int64_t n = 0;
  run_trial(plan, {.configuration = &configuration,
                   .test = &plan.job.tests.front(),
                   .macro_step_s = macro_step_s,
                   .until_s = static_cast<double>(to + within) * macro_step_s,
                   .trace = [&](const TracePoint& point) {
                     const double size = std::abs(point.outputs[2]);
                     before = n >= from && n < from + within ? std::max(before, size) : before;
                     after = n >= to ? std::max(after, size) : after;
                     ++n;
                   }});
  return after / before;
}

}  // namespace

TEST_CASE("with held inputs the propagation matrix is the closed form of exact subsystems") {
  const auto plan = exact_masses();
  const double h = 0.01;
  auto configuration = plan.configurations.front();
  configuration.extrapolation = Extrapolation::order_0;
  // z = x1, v1, x2, v2, then x, v of m2 held for m1, and f of m1 held for m2.
  const Eigen::Matrix2d a1{{0, 1}, {-110, 0}}, b1{{0, 0}, {100, 0}}, a2{{0, 1}, {-1000, 0}};
  const Eigen::Vector2d b2{0, 1};
  const auto first = held_step(a1, b1, h);
  const auto second = held_step(a2, b2, h);
  Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(7, 7);
  expected.block(0, 0, 2, 2) = first.leftCols(2);
  expected.block(0, 4, 2, 2) = first.rightCols(2);
  expected.block(2, 2, 2, 2) = second.leftCols(2);
  expected.block(2, 6, 2, 1) = second.rightCols(1);
  expected.row(4) = expected.row(2);
  expected.row(5) = expected.row(3);
  expected.row(6) = 100 * expected.row(0);  // f = 100 (x1 − x as applied)
  expected(6, 4) -= 100;
  const auto phi = phi_of(plan, configuration, h);
  REQUIRE(phi.rows() == expected.rows());
  CHECK((phi - expected).cwiseAbs().maxCoeff() <= 1e-9 * expected.cwiseAbs().maxCoeff());
}

TEST_CASE("the propagation matrix foretells what the master does, whatever the scheme") {
  auto plan = exact_masses();
  plan.job.iteration.repeats = 3;
  constexpr double h = 0.01;
  constexpr int steps = 5;
  for (const auto scheme : all_schemes) {
    for (const auto extrapolation : all_extrapolations) {
      if (extrapolation == Extrapolation::adaptive || needs_derivatives(extrapolation)) {
        continue;  // no matrix, and no derivatives in this problem
      }
      for (const int substeps : {1, 3}) {
        auto configuration = plan.configurations.front();
        configuration.scheme = scheme;
        configuration.extrapolation = extrapolation;
        configuration.substeps = {{"m2", substeps}};
        CAPTURE(to_string(scheme));
        CAPTURE(to_string(extrapolation));
        CAPTURE(substeps);
        auto made = make_master(
            plan, configuration,
            external_signals(plan.problem, plan.coupling(configuration), plan.job.tests.front()),
            h);
        auto& master = std::get<Master>(made);
        REQUIRE(!master.start());
        for (int n = 0; n < 10; ++n) {  // past the start-up
          REQUIRE(master.advance().status == macrostep::models::StepStatus::ok);
        }
        const std::vector<double> nominal_states(4, 1.0);
        Eigen::VectorXd z(
            static_cast<Eigen::Index>(master.memory_nominal(nominal_states).value().size()));
        const std::span memory(z.data(), static_cast<std::size_t>(z.size()));
        master.read_memory(memory);
        Eigen::VectorXd foretold = z;
        const auto phi = phi_of(plan, configuration, h);
        for (int n = 0; n < steps; ++n) {
          foretold = phi * foretold;
          master.advance();
        }
        master.read_memory(memory);
        CHECK((foretold - z).norm() <= 1e-12 * z.norm());
      }
    }
  }
}

TEST_CASE("runs grow as the spectral radius says") {
  const auto plan = exact_masses();
  auto configuration = plan.configurations.front();
  configuration.extrapolation = Extrapolation::order_1;
  constexpr double h = 0.03;
  constexpr std::int64_t n = 60;
  const double rho = spectral_radius(phi_of(plan, configuration, h));
  CHECK(measured_growth(plan, configuration, h, n, 2 * n, n) ==
        doctest::Approx(std::pow(rho, n)).epsilon(0.05));
}

TEST_CASE("the stability limit is where a mode begins to grow, whatever the tests") {
  auto plan = exact_masses(0.1);
  auto configuration = plan.configurations.front();
  configuration.extrapolation = Extrapolation::order_2;
  const auto found = stability_limit(plan, configuration, 1e-3, 0.2);
  REQUIRE(std::holds_alternative<StabilityLimit>(found));
  REQUIRE(std::get<StabilityLimit>(found).limit_s());
  const double limit_s = *std::get<StabilityLimit>(found).limit_s();
  const auto radius_at = [&](double macro_step_s) {
    return spectral_radius(phi_of(plan, configuration, macro_step_s));
  };
  CHECK(radius_at(0.999 * limit_s) <= 1);
  CHECK(radius_at(1.001 * limit_s) > 1);
  plan.job.tests.front().duration_s = 0.1;
  const auto shorter = stability_limit(plan, configuration, 1e-3, 0.2);
  CHECK(std::get<StabilityLimit>(shorter).limit_s() == limit_s);
}

TEST_CASE("the explicit limit of the pipe-volume coupling is that of the literature") {
  // Undamped by the coupling alone: H ω0 φ1/π = 0.0119 at ω0 τ = 40, and π/(ω0 φ1) = 425 µs.
  const auto plan = planned(find_built_in("pipe_volume")->default_job);
  auto configuration = plan.configurations.front();
  configuration.extrapolation = Extrapolation::order_0;
  const auto limit = stability_limit(plan, configuration, 1e-6, 1e-4);
  REQUIRE(std::holds_alternative<StabilityLimit>(limit));
  REQUIRE(std::get<StabilityLimit>(limit).limit_s());
  CHECK(*std::get<StabilityLimit>(limit).limit_s() / 425e-6 ==
        doctest::Approx(0.0119).epsilon(0.04));
}

TEST_CASE("problems without a propagation matrix say why") {
  auto plan = exact_masses();
  auto configuration = plan.configurations.front();
  const auto reason = [&] {
    return std::get<std::string>(propagation_matrix(plan, configuration, 0.01));
  };
  configuration.extrapolation = Extrapolation::adaptive;
  CHECK(reason().find("chooses by the values") != std::string::npos);
  plan = planned(find_built_in("coupled_pendula")->default_job);
  configuration = plan.configurations.front();
  CHECK(reason() == "subsystem 'm1' is not linear");
  CHECK(std::holds_alternative<std::string>(stability_limit(plan, configuration, 0.001, 0.1)));
}

TEST_CASE("the spectral radius keeps its digits where rows differ by many orders of magnitude") {
  // diag(1, 1e-9, 1e9)⁻¹ R diag(…) with R a rotation times 0.9.
  const double c = 0.9 * std::cos(0.3), s = 0.9 * std::sin(0.3);
  const Eigen::Matrix2d m{{c, -s * 1e9}, {s * 1e-9, c}};
  CHECK(spectral_radius(m) == doctest::Approx(0.9).epsilon(1e-14));
}

TEST_CASE("the growth of an exact system is found in whatever units its states are") {
  // The coupled pipes and volumes all decay at ζω_0 (1 + 1/(2ζω_0τ)), as small beside ω_0 as
  // rounding if pascals and cubic metres stand in one matrix as they are.
  auto job = find_built_in("pipe_volume")->default_job;
  const double omega = 4568.4;
  for (const double decay : {5.0, 40.0, 50.0, 1e3}) {
    CAPTURE(decay);
    job.parameters = {{"pipe.omega_0_tau", decay}, {"pipe.omega_0", omega}};
    const auto plan = planned(job);
    const auto& configuration = plan.configurations.front();
    CHECK(exact_modes(plan, configuration)->largest_rate_per_s() ==
          doctest::Approx(-omega * (1e-3 + 1 / (2 * decay))).epsilon(1e-9));
    CHECK(growth_rate_per_s(state_matrix(plan, configuration)) ==
          doctest::Approx(-omega * (1e-3 + 1 / (2 * decay))).epsilon(1e-9));
  }
}
