// What holds for every built-in problem.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
namespace tests = macrostep::tests;

namespace {

/// Macro-steps of each trial; enough for every order to start up and every scheme to go wrong.
constexpr int macro_steps = 40;

/// Far below the limits of the coarsest default search.
double small_macro_step_s(const BuiltInProblem& problem) {
  return problem.default_job.macro_step.initial_s / 2;
}

/// Parameters with which the problem is at rest, where it is not by default.
std::map<std::string, double> at_rest(const BuiltInProblem& problem) {
  std::map<std::string, double> parameters;
  for (const auto& parameter : problem.parameters) {
    if (parameter.path.ends_with(".v0") || parameter.path.ends_with(".x0")) {
      parameters[parameter.path] = 0;
    }
    if (problem.name == "coupled_pendula" && parameter.path.ends_with(".theta")) {
      parameters[parameter.path] = 0;
    }
  }
  return parameters;
}

/// The first choice of everything, with each integrator for all groups that offer it.
std::vector<Configuration> integrators_of(const Plan& plan, const Coupling& coupling) {
  std::set<Integrator> all;
  for (const auto& subsystem : coupling.subsystems) {
    all.insert(subsystem.integrators.begin(), subsystem.integrators.end());
  }
  std::vector<Configuration> list;
  for (const auto integrator : all) {
    list.push_back(tests::first_with(plan, coupling.name));
    for (const auto& subsystem : coupling.subsystems) {
      if (std::ranges::find(subsystem.integrators, integrator) != subsystem.integrators.end()) {
        list.back().integrators[subsystem.group] = integrator;
      }
    }
  }
  return list;
}

}  // namespace

TEST_CASE("every problem runs in every coupling, integrator and scheme") {
  for (const auto& problem : catalogue()) {
    const auto plan = tests::built_in(problem.name);
    const double macro_step_s = small_macro_step_s(problem);
    const auto free = tests::free_motion(macro_steps * macro_step_s);
    for (const auto& coupling : plan.problem.couplings) {
      for (auto& chosen : integrators_of(plan, coupling)) {
        for (const auto scheme : all_schemes) {
          for (const auto extrapolation : {Extrapolation::order_0, Extrapolation::order_1}) {
            chosen.scheme = scheme;
            chosen.extrapolation = extrapolation;
            CAPTURE(problem.name);
            CAPTURE(describe(chosen));
            const auto motion = tests::run(plan, chosen, free, macro_step_s);
            CHECK_MESSAGE(motion.result.status == TrialStatus::complete, motion.result.reason);
            CHECK(std::isfinite(motion.result.residual_j));
          }
        }
      }
    }
  }
}

TEST_CASE("every problem that is at rest stays at rest") {
  // Rounding of equilibrium forces is amplified by at most the duration: 1e-9 of the nominal value
  // stands for it after 200 macro-steps.
  for (const auto& problem : catalogue()) {
    const auto plan = tests::built_in(problem.name, at_rest(problem));
    const double macro_step_s = small_macro_step_s(problem);
    const auto free = tests::free_motion(200 * macro_step_s);
    for (const auto& coupling : plan.problem.couplings) {
      const auto chosen = tests::first_with(plan, coupling.name);
      const auto motion = tests::run(plan, chosen, free, macro_step_s);
      CAPTURE(problem.name);
      CAPTURE(coupling.name);
      REQUIRE(motion.result.status == TrialStatus::complete);
      for (const auto& subsystem : coupling.subsystems) {
        for (const auto& port : subsystem.description.outputs) {
          CAPTURE(subsystem.name);
          CAPTURE(port.name);
          const auto& values = motion.outputs.at(subsystem.name + "." + port.name);
          CHECK(std::abs(values.back() - values.front()) < 1e-9 * port.nominal);
        }
      }
    }
  }
}

TEST_CASE("every test input of every default job moves something") {
  for (const auto& problem : catalogue()) {
    const auto plan = tests::built_in(problem.name);
    for (const auto& test : plan.job.tests) {
      CAPTURE(problem.name);
      CAPTURE(test.name);
      const auto motion =
          tests::run(plan, plan.configurations.front(), test, plan.job.macro_step.initial_s);
      CHECK(motion.result.status == TrialStatus::complete);
      CHECK(motion.result.transmitted_j > 0);
    }
  }
}

TEST_CASE("every subsystem has its equations, and the same integrators in all couplings") {
  for (const auto& problem : catalogue()) {
    const auto plan = tests::built_in(problem.name);
    for (const auto& coupling : plan.problem.couplings) {
      for (const auto& subsystem : coupling.subsystems) {
        CAPTURE(problem.name);
        CAPTURE(subsystem.name);
        const auto& first = *plan.problem.find_subsystem(subsystem.name);
        CHECK(subsystem.group == first.group);
        CHECK(subsystem.integrators == first.integrators);
        REQUIRE(subsystem.dynamics);
        const auto dynamics = subsystem.dynamics();
        CHECK(dynamics.initial_state.size() == dynamics.nominal_state.size());
        for (const auto integrator : subsystem.integrators) {
          CHECK(subsystem.make(integrator, std::nullopt) != nullptr);
        }
      }
    }
  }
}

TEST_CASE("every parameter can be set within its range and not beyond, and is named if wrong") {
  for (const auto& problem : catalogue()) {
    for (const auto& parameter : problem.parameters) {
      CAPTURE(parameter.path);
      CHECK(parameter.default_value >= parameter.minimum);
      CHECK(parameter.default_value <= parameter.maximum);
      CHECK_FALSE(parameter.description.empty());
      CHECK(std::holds_alternative<Problem>(
          problem.build({{parameter.path, parameter.default_value}})));
      const double beyond = parameter.maximum + std::max(1.0, std::abs(parameter.maximum));
      for (const double value : {beyond, std::nan("")}) {
        const auto built = problem.build({{parameter.path, value}});
        REQUIRE(std::holds_alternative<FieldErrors>(built));
        CHECK(std::get<FieldErrors>(built).front().pointer == "/parameters/" + parameter.path);
      }
    }
    const auto unknown = problem.build({{"m1.colour", 1}});
    REQUIRE(std::holds_alternative<FieldErrors>(unknown));
    CHECK(std::get<FieldErrors>(unknown).front().pointer == "/parameters/m1.colour");
  }
}

TEST_CASE("masses without a spring between them are refused by name") {
  for (const auto& [name, stiffness, damping] :
       {std::tuple("linear_oscillator", "coupling.k_c", "coupling.c_c"),
        std::tuple("nonlinear_oscillator", "coupling.k_c", "coupling.c_c"),
        std::tuple("stiff_oscillator", "coupling.c_k", "coupling.d_k")}) {
    const auto built = find_built_in(name)->build({{stiffness, 0}, {damping, 0}});
    REQUIRE(std::holds_alternative<FieldErrors>(built));
    CHECK(std::get<FieldErrors>(built).front().pointer == std::string("/parameters/") + stiffness);
    CHECK(std::holds_alternative<Problem>(
        find_built_in(name)->build({{stiffness, 0}, {damping, 1}})));
  }
}

TEST_CASE("an order names the subsystems of the couplings that are tried") {
  Job job = find_built_in("linear_oscillator")->default_job;
  job.space.schemes = {Scheme::gauss_seidel};
  const auto refused = [&](std::vector<std::string> couplings, std::vector<std::string> order) {
    job.space.couplings = std::move(couplings);
    job.space.orders = {std::move(order)};
    return std::holds_alternative<FieldErrors>(make_plan(job));
  };
  CHECK_FALSE(refused({"force_displacement"}, {"m2", "m1"}));
  CHECK_FALSE(refused({"force_displacement"}, {"m2", "coupling", "m1"}));
  CHECK(refused({"force_displacement", "force_force"}, {"m2", "m1"}));
  CHECK(refused({"force_displacement"}, {"m2"}));
  CHECK(refused({"force_displacement"}, {"m2", "m1", "m2"}));
  CHECK(refused({"force_displacement"}, {"m2", "m1", "m3"}));
}
