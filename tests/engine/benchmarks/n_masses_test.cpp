// The oscillator of n masses.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
namespace tests = macrostep::tests;

namespace {

constexpr double macro_step_s = 1e-3;

Plan masses(int n, std::map<std::string, double> parameters = {}) {
  parameters["n"] = n;
  return tests::built_in("n_mass_oscillator", parameters);
}

std::string pointers(const std::map<std::string, double>& parameters) {
  const auto built = find_built_in("n_mass_oscillator")->build(parameters);
  std::string text;
  if (const auto* errors = std::get_if<FieldErrors>(&built)) {
    for (const auto& error : *errors) {
      text += (text.empty() ? "" : " ") + error.pointer;
    }
  }
  return text;
}

}  // namespace

TEST_CASE("n masses are as many subsystems, with a bond less, and all parts move as one") {
  // The parts are m1 of the linear oscillator, divided: they move as it does and their residual
  // powers add up to its own. Rounding grows with the energy over 2000 steps, to less than 1e-9.
  const auto linear = tests::built_in("linear_oscillator");
  const auto free = tests::free_motion(2);
  const auto whole = tests::run(linear, linear.configurations.front(), free, macro_step_s);
  for (const int n : {2, 3, 7, 16}) {
    CAPTURE(n);
    const auto plan = masses(n);
    const auto& coupling = plan.problem.couplings.front();
    CHECK(coupling.subsystems.size() == static_cast<std::size_t>(n));
    CHECK(coupling.power_bonds.size() == static_cast<std::size_t>(n - 1));
    CHECK(plan.problem.external_inputs.size() == static_cast<std::size_t>(n));
    const auto divided = tests::run(plan, plan.configurations.front(), free, macro_step_s);
    REQUIRE(divided.result.status == TrialStatus::complete);
    const std::string last = "m" + std::to_string(n);
    CHECK(divided.outputs.at("m1.x").back() ==
          doctest::Approx(whole.outputs.at("m1.x").back()).epsilon(1e-9));
    CHECK(divided.outputs.at(last + ".x").back() ==
          doctest::Approx(whole.outputs.at("m2.x").back()).epsilon(1e-9));
    CHECK(divided.result.residual_j == doctest::Approx(whole.result.residual_j).epsilon(1e-9));
    CHECK(divided.result.bond_residuals_j.size() == static_cast<std::size_t>(n - 1));
    CHECK(*divided.result.final_energy_j ==
          doctest::Approx(*whole.result.final_energy_j).epsilon(1e-9));
  }
}

TEST_CASE("E of n masses is that of the sum over their bonds, which may cancel") {
  // Parts that start against each other: the bonds' residual powers differ, and their sum is at
  // most the sum of their magnitudes.
  const auto plan = masses(3, {{"m1.v0", 100}, {"m2.v0", -100}});
  const auto motion =
      tests::run(plan, plan.configurations.front(), tests::free_motion(2), macro_step_s);
  const auto& bonds = motion.result.bond_residuals_j;
  REQUIRE(bonds.size() == 2);
  CHECK(motion.outputs.at("m1.x").back() != motion.outputs.at("m2.x").back());
  CHECK(motion.result.residual_j < 0.99 * (bonds[0] + bonds[1]));
  CHECK(motion.result.residual_j >= std::abs(bonds[0] - bonds[1]));
}

TEST_CASE("parameters of n masses are set for all parts, for one of them, and for the last") {
  CHECK(pointers({{"n", 6}, {"m5.k", 1}, {"parts.k", 2}, {"last.k", 3}, {"m6.v0", 4}}).empty());
  CHECK(pointers({{"n", 6}, {"m7.k", 1}}) == "/parameters/m7.k");
  CHECK(pointers({{"m4.k", 1}}) == "/parameters/m4.k");
  CHECK(pointers({{"parts.m", -1}}) == "/parameters/parts.m");
  CHECK(pointers({{"m2.m", -1}}) == "/parameters/m2.m");
  for (const double n : {1.0, 17.0, 2.5, std::nan("")}) {
    CHECK(pointers({{"n", n}}) == "/parameters/n");
  }
  const auto velocity = [](const Plan& plan, const std::string& mass) {
    return tests::run(plan, plan.configurations.front(), tests::free_motion(macro_step_s),
                      macro_step_s)
        .outputs.at(mass + ".v")
        .front();
  };
  const auto plan = masses(3, {{"parts.v0", 1}, {"m2.v0", 2}, {"last.v0", 3}});
  CHECK(velocity(plan, "m1") == 1);
  CHECK(velocity(plan, "m2") == 2);
  CHECK(velocity(plan, "m3") == 3);
}
