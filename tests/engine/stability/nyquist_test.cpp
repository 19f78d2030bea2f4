#include "engine/stability/nyquist.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
namespace tests = macrostep::tests;

namespace {

OpenLoop loop_of(const Plan& plan, Extrapolation extrapolation, double macro_step_s) {
  auto configuration = plan.configurations.front();
  configuration.extrapolation = extrapolation;
  auto made = open_loop(plan, configuration, macro_step_s);
  REQUIRE_MESSAGE(std::holds_alternative<OpenLoop>(made), std::get<std::string>(made));
  return std::get<OpenLoop>(std::move(made));
}

}  // namespace

TEST_CASE("the phase margin of the pipe-volume coupling is that of the literature") {
  // 1.7° at 1 µs (the paper says 2°), none at the explicit limit of 5.06 µs.
  const auto plan = tests::built_in("pipe_volume");
  const auto at = [&](double macro_step_s) {
    return *loop_of(plan, Extrapolation::order_0, macro_step_s).phase_margin_deg;
  };
  CHECK(at(1e-6) == doctest::Approx(1.7).epsilon(0.03));
  CHECK(std::abs(at(5.06e-6)) < 0.02);
  CHECK(at(4e-6) > 0);
  CHECK(at(6e-6) < 0);
}

TEST_CASE("the open loop of held inputs is that of the continuous subsystems at low frequencies") {
  // G(s) = ω0² (s + α2)(s + α1)/((s + α1)(s + α2) + ω0²)², eqs. 7-11, α1 = 2 ζ ω0, α2 = 1/τ.
  const auto plan = tests::built_in("pipe_volume");
  constexpr double macro_step_s = 1e-7;
  const double phi_1 = std::sqrt((3 + std::sqrt(5.0)) / 2);
  const double omega_0 = std::numbers::pi / 425e-6 / phi_1;
  const double alpha_1 = 2 * 0.001 * omega_0;
  const double alpha_2 = omega_0 / 40;
  for (const auto& [frequency_hz, value] :
       loop_of(plan, Extrapolation::order_0, macro_step_s).points) {
    if (frequency_hz > 5000) {
      break;
    }
    const std::complex<double> s(0, 2 * std::numbers::pi * frequency_hz);
    const auto product = (s + alpha_1) * (s + alpha_2);
    const auto below = product + omega_0 * omega_0;
    const auto expected = omega_0 * omega_0 * product / (below * below);
    // Two holds delay by H/2 each: ω H = 0.003 at 5 kHz. Near the resonance the difference of two
    // large numbers decides, so the larger of both scales it.
    CHECK(std::abs(value - expected) <= 0.01 * std::abs(expected) + 1e-3);
  }
}

TEST_CASE("couplings without a single loop have no open loop, and say why") {
  const auto plan = tests::built_in("linear_oscillator");
  const auto reason = open_loop(plan, tests::first_with(plan, "displacement_displacement"), 1e-3);
  REQUIRE(std::holds_alternative<std::string>(reason));
  CHECK(std::get<std::string>(reason).find("single loop") != std::string::npos);
}
