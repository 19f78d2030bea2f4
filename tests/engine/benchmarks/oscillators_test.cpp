// The stiff and the nonlinear oscillator.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
namespace tests = macrostep::tests;

namespace {
const std::vector<std::string> couplings{"force_displacement", "displacement_displacement",
                                         "force_force"};
}

TEST_CASE("exact subsystems come first in the stiff oscillator") {
  const auto plan = tests::built_in("stiff_oscillator");
  for (const auto& subsystem : plan.problem.subsystems()) {
    CHECK(subsystem.integrators.front() == Integrator::exact);
  }
  for (const auto& configuration : plan.configurations) {
    CHECK(configuration.integrators.at("m2") == Integrator::exact);
  }
}

TEST_CASE("a linear damper of any size is linear") {
  // The clamp of the nonlinear damper is 1e9 N s/m unless set.
  const auto plan = tests::built_in("linear_oscillator", {{"coupling.c_c", 5e9}});
  CHECK(std::ranges::count(plan.problem.find_subsystem("m1")->integrators, Integrator::exact) == 1);
}

TEST_CASE("the residual energy of the stiff oscillator falls with H^(m + 1)") {
  // Between 10 and 20 µs, H ω ≤ 0.02 for the coupled system's ω = 1.01e3 rad/s: the next term moves
  // the slope by a few times that, within 0.1.
  const auto plan = tests::built_in("stiff_oscillator");
  for (const auto& coupling : couplings) {
    for (const auto extrapolation :
         {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2}) {
      CAPTURE(coupling);
      auto chosen = tests::first_with(plan, coupling);
      chosen.extrapolation = extrapolation;
      const double slope = tests::residual_slope(plan, chosen, tests::free_motion(0.3), 1e-5, 2e-5);
      CHECK(std::abs(slope - (order(extrapolation) + 1)) < 0.1);
    }
  }
}

TEST_CASE("the nonlinear oscillator with exponents of 1 is the linear one") {
  // Both have the same equations in other code (powers, products), hence the same motion but for
  // rounding, 1e-16 a step and growing with it over 1000 steps of an undamped system.
  const std::map<std::string, double> straight{{"m1.n_s", 1},       {"m1.n_d", 1},
                                               {"m2.n_s", 1},       {"m2.n_d", 1},
                                               {"coupling.n_s", 1}, {"coupling.n_d", 1}};
  const auto nonlinear = tests::built_in("nonlinear_oscillator", straight);
  const auto linear = tests::built_in("linear_oscillator");
  for (const auto& coupling : couplings) {
    CAPTURE(coupling);
    const auto free = tests::free_motion(1);
    const auto one = tests::run(nonlinear, tests::first_with(nonlinear, coupling), free, 1e-3);
    const auto other = tests::run(linear, tests::first_with(linear, coupling), free, 1e-3);
    for (const char* output : {"m1.x", "m1.v", "m2.x", "m2.v"}) {
      CHECK(one.outputs.at(output).back() ==
            doctest::Approx(other.outputs.at(output).back()).epsilon(1e-10));
    }
    CHECK(one.result.residual_j == doctest::Approx(other.result.residual_j).epsilon(1e-10));
  }
  // Linear masses may be exact; a nonlinear one may not, whichever mass owns the nonlinearity.
  const auto* exact = nonlinear.problem.find_subsystem("m2");
  CHECK(std::ranges::find(exact->integrators, Integrator::exact) != exact->integrators.end());
  const auto bent = tests::built_in("nonlinear_oscillator");
  for (const char* mass : {"m1", "m2"}) {
    const auto& offered = bent.problem.find_subsystem(mass)->integrators;
    CHECK(std::ranges::find(offered, Integrator::exact) == offered.end());
  }
}

TEST_CASE("the square root limits how fast the nonlinear residual energy falls") {
  // Held inputs leave O(H). The force of a square-root spring has a kink of the kind √|η| whenever
  // the masses pass each other: extrapolating it errs by O(√H) during O(H), in proportion to H^1.5,
  // whatever the order. Motions are smooth (twice differentiable), and where they alone are
  // exchanged order 1 leaves O(H²). Passages fall anywhere between communication points, which
  // scatters E by some 20 %; 0.2 on a slope over a factor of 8 allows twice 1.5 for that ratio.
  const auto plan = tests::built_in("nonlinear_oscillator");
  const auto slope = [&](const std::string& coupling, Extrapolation extrapolation) {
    auto chosen = tests::first_with(plan, coupling);
    chosen.extrapolation = extrapolation;
    return tests::residual_slope(plan, chosen, tests::free_motion(10), 1e-4, 8e-4);
  };
  for (const auto& coupling : couplings) {
    CAPTURE(coupling);
    CHECK(std::abs(slope(coupling, Extrapolation::order_0) - 1) < 0.1);
    if (coupling == "displacement_displacement") {
      CHECK(std::abs(slope(coupling, Extrapolation::order_1) - 2) < 0.2);
    } else {
      CHECK(std::abs(slope(coupling, Extrapolation::order_2) - 1.5) < 0.2);
    }
  }
}

TEST_CASE("a clamped damper between the masses takes energy within its limits") {
  // Haid et al. (2022), eq. 43, as in the model's README: d between 10 and 1e4 N s/m. Exchanged
  // without error the masses can only lose energy; at 2 µs the interface adds far less than the
  // damper takes in 50 ms.
  const auto plan = tests::built_in("nonlinear_oscillator", {{"m1.m", 10},
                                                             {"m2.m", 10},
                                                             {"m1.k", 1e6},
                                                             {"m2.k", 1e7},
                                                             {"m1.n_s", 1},
                                                             {"m2.n_s", 1},
                                                             {"m1.v0", 1},
                                                             {"m2.v0", -1},
                                                             {"coupling.n_s", 1},
                                                             {"coupling.k_c", 2e5},
                                                             {"coupling.c_c", 500},
                                                             {"coupling.d_min", 10},
                                                             {"coupling.d_max", 1e4}});
  for (const auto& coupling : couplings) {
    CAPTURE(coupling);
    auto chosen = tests::first_with(plan, coupling);
    tests::set_integrator(chosen, Integrator::rk4, {"m1", "m2"});
    const auto motion = tests::run(plan, chosen, tests::free_motion(0.05), 2e-6);
    REQUIRE(motion.result.status == TrialStatus::complete);
    CHECK(*motion.result.final_energy_j < 0.9 * *motion.result.initial_energy_j);
    CHECK(motion.result.residual_j < 0.05 * *motion.result.initial_energy_j);
  }
}
