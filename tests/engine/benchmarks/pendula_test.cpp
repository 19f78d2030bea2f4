// The coupled pendula.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
namespace tests = macrostep::tests;

TEST_CASE("the pendula's bonds have two components") {
  const auto plan = tests::built_in("coupled_pendula");
  const auto& exchanged = plan.graph(tests::first_with(plan, "force_displacement")).bonds;
  REQUIRE(exchanged.size() == 1);
  CHECK(exchanged[0].components.size() == 2);
  CHECK_FALSE(exchanged[0].computed);
  const auto& computed = plan.graph(tests::first_with(plan, "displacement_displacement")).bonds;
  REQUIRE(computed.size() == 2);
  for (const auto& bond : computed) {
    CHECK(bond.components.size() == 2);
    CHECK(bond.computed);
  }
}

TEST_CASE("the interface adds the energy that the pendula gain") {
  // H = h = 1 ms, inputs held, 10 s, after the model's own loop: 0.113 J gained with force and
  // displacement, of which Σ H δP shows 0.101 J (δP is taken at the ends of macro-steps, the work
  // is done between them); hardly anything where no force is exchanged. The figures have three
  // digits.
  const auto plan = tests::built_in("coupled_pendula");
  const auto gained = [&](const std::string& coupling, double& residual_j) {
    const auto motion =
        tests::run(plan, tests::first_with(plan, coupling), tests::free_motion(10), 1e-3);
    REQUIRE(motion.result.status == TrialStatus::complete);
    residual_j = 0;
    for (const double power_w : motion.residual_powers_w) {
      residual_j += 1e-3 * power_w;
    }
    return *motion.result.final_energy_j - *motion.result.initial_energy_j;
  };
  double residual_j = 0;
  CHECK(std::abs(gained("force_displacement", residual_j) - 0.113) < 0.001);
  CHECK(std::abs(residual_j - 0.101) < 0.001);
  CHECK(std::abs(gained("displacement_displacement", residual_j)) < 0.002);
}

TEST_CASE("the residual energy of the pendula falls with H^(m + 1)") {
  // The tips' motion is smooth, with frequencies up to 5 rad/s by the spring: at 2 and 5 ms
  // H ω ≤ 0.025, and the slope is off by some times that. Pendula in the angle, of order 4.
  const auto plan = tests::built_in("coupled_pendula");
  for (const std::string coupling : {"force_displacement", "displacement_displacement"}) {
    for (const auto extrapolation :
         {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2}) {
      CAPTURE(coupling);
      auto chosen = tests::first_with(plan, coupling);
      chosen.extrapolation = extrapolation;
      tests::set_integrator(chosen, Integrator::rk4, {"m1", "m2"});
      const double slope = tests::residual_slope(plan, chosen, tests::free_motion(10), 2e-3, 5e-3);
      CHECK(std::abs(slope - (order(extrapolation) + 1)) < 0.1);
    }
  }
}

TEST_CASE("pendula that cannot be are refused by name") {
  const auto first_pointer = [](const std::map<std::string, double>& parameters) {
    const auto built = find_built_in("coupled_pendula")->build(parameters);
    REQUIRE(std::holds_alternative<FieldErrors>(built));
    return std::get<FieldErrors>(built).front().pointer;
  };
  CHECK(first_pointer({{"m2.x_p", 0}, {"m2.theta", 0}, {"m1.theta", 0}}) == "/parameters/m2.theta");
  CHECK(first_pointer({{"coupling.k_c", 0}}) == "/parameters/coupling.k_c");
}
