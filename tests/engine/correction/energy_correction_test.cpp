// The energy correction on the linear oscillator and its relatives (Rodríguez et al. 2022, sections
// 3.2, 3.3 and 4), and its formulas on numbers.
#include "engine/correction/energy_correction.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "engine/correction/make_correction.hpp"
#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
namespace tests = macrostep::tests;

namespace {

constexpr double macro_step_s = 1e-3;
constexpr double duration_s = 10;

/// Force–displacement with the energy correction and its settings.
Configuration corrected(const Plan& plan, std::optional<double> mu, double nu) {
  auto configuration = tests::first_with(plan, "force_displacement");
  configuration.correction = Correction::energy;
  configuration.correction_parameters.mu = mu;
  configuration.correction_parameters.nu = nu;
  return configuration;
}

double energy_ratio(const Plan& plan, const Configuration& configuration) {
  const auto motion = tests::run(plan, configuration, tests::free_motion(duration_s), macro_step_s);
  REQUIRE(motion.result.status == TrialStatus::complete);
  return *motion.result.final_energy_j / *motion.result.initial_energy_j;
}

/// Why a configuration of a plan cannot have its correction, if it cannot.
std::optional<std::string> why_refused(const Plan& plan, const Configuration& configuration) {
  return why_not_corrected(plan.graph(configuration), plan.coupling(configuration), plan.job,
                           configuration);
}

/// By the formula, which must hold.
std::vector<double> formula(const Plan& plan, const Configuration& configuration) {
  const auto shares =
      shares_of(plan.graph(configuration), plan.coupling(configuration), plan.job, configuration);
  if (const auto* why = std::get_if<std::string>(&shares)) {
    MESSAGE(*why);
  }
  REQUIRE(std::holds_alternative<std::vector<double>>(shares));
  return std::get<std::vector<double>>(shares);
}

/// As connections with extrapolate = false do.
void hold_inputs_of_m1(Plan& plan) {
  auto& graph = plan.graphs.front();
  for (std::size_t i = 0; i < graph.input_ranges[0].count; ++i) {
    graph.inputs[graph.input_ranges[0].first + i].extrapolate = false;
  }
}

/// On the linear oscillator, with m1 or m2 in substeps; a slow m1 holds its inputs.
double share(const std::string& faster, int substeps, Extrapolation extrapolation) {
  auto plan = tests::built_in("linear_oscillator");
  if (faster == "m2") {
    hold_inputs_of_m1(plan);
  }
  auto configuration = corrected(plan, std::nullopt, 0);
  configuration.extrapolation = extrapolation;
  configuration.substeps = {{faster, substeps}};
  return formula(plan, configuration).front();
}

bool says(const std::optional<std::string>& refused, const std::string& words) {
  if (refused) {
    INFO(*refused);
  }
  return refused && refused->find(words) != std::string::npos;
}

/// What the graph of a problem and settings make of the correction.
struct Corrector {
  Corrector(const std::string& problem, const std::map<std::string, double>& values,
            const std::vector<double>& mu, const CorrectionParameters& parameters)
      : plan(tests::built_in(problem, values)),
        graph(plan.graph(tests::first_with(plan, "force_displacement"))),
        correction(graph, mu, parameters, /*macro_step_s=*/0.1),
        y(graph.output_count),
        offsets(graph.inputs.size()) {}

  BondComponent at(std::size_t bond, std::size_t component = 0) const {
    return graph.bonds[bond].components[component];
  }
  void set(const BondComponent& component, double effort, double flow) {
    y[component.effort_output] = effort;
    y[component.flow_output] = flow;
  }
  double force(const BondComponent& component) const { return offsets[component.effort_input]; }
  void end_macro_step() { correction.end_macro_step(y, offsets); }

  Plan plan;
  const CouplingGraph& graph;
  EnergyCorrection correction;
  std::vector<double> y, offsets;
};

/// Two macro-steps of 0.1 s of a bond with e = 2, 5, 4 and f = 3, 7, 6 at the communication points:
///   δP_1 = 2·7 − 3·5 = −1,  δP_2 = 5·6 − 7·4 = 2  [W]
struct TwoForces {
  double first = 0, second = 0;
};
TwoForces two_forces(const CorrectionParameters& parameters) {
  Corrector c("linear_oscillator", {}, {0.5}, parameters);
  const auto bond = c.at(0);
  TwoForces forces;
  c.set(bond, 2, 3);
  c.correction.restart(c.y);
  c.set(bond, 5, 7);
  c.end_macro_step();
  forces.first = c.force(bond);
  c.set(bond, 4, 6);
  c.end_macro_step();
  forces.second = c.force(bond);
  return forces;
}

}  // namespace

TEST_CASE("the energy correction keeps the energy of the linear oscillator") {
  // H = h = 1 ms, Jacobi, inputs held, 10 s, limit 100 %: uncorrected 2.024; 0.990 with ν = 0 and
  // 0.976 with ν = 0.25 by an independent implementation.
  const auto plan = tests::built_in("linear_oscillator");
  CHECK(std::abs(energy_ratio(plan, corrected(plan, 0.5, 0)) - 0.990) < 0.005);
  CHECK(std::abs(energy_ratio(plan, corrected(plan, 0.5, 0.25)) - 0.976) < 0.005);
  // By the formula μ is 0.5 here.
  CHECK(energy_ratio(plan, corrected(plan, std::nullopt, 0)) ==
        energy_ratio(plan, corrected(plan, 0.5, 0)));
}

TEST_CASE("with m2 ten times as fast eq. 20 gives a share of 0.725, which keeps the energy") {
  // Fig. 20. By an independent implementation: uncorrected 3.020; with μ = 0.725 0.990 at the end,
  // at most 1.3 % off on the way; with the share of equal rates, 0.5, 1.32. The monolithic solution
  // is undamped and keeps the energy that it begins with.
  const auto plan = tests::built_in("linear_oscillator");
  auto uncorrected = tests::first_with(plan, "force_displacement");
  uncorrected.substeps = {{"m2", 10}};
  CHECK(std::abs(energy_ratio(plan, uncorrected) - 3.020) < 0.01);
  auto by_formula = corrected(plan, std::nullopt, 0);
  by_formula.substeps = {{"m2", 10}};
  CHECK(formula(plan, by_formula).front() == doctest::Approx(0.725).epsilon(1e-12));
  const auto test = tests::free_motion(duration_s);
  EnergyTrace energies;
  const auto result = run_trial(plan, {.configuration = &by_formula,
                                       .test = &test,
                                       .macro_step_s = macro_step_s,
                                       .energies = &energies});
  REQUIRE(result.status == TrialStatus::complete);
  REQUIRE(energies.system_j.size() == 10'001);
  for (const double energy_j : energies.system_j) {
    CHECK(std::abs(energy_j / *result.initial_energy_j - 1) < 0.02);
  }
  CHECK(std::abs(energies.system_j.back() / *result.initial_energy_j - 0.990) < 0.005);
  auto single_rate = by_formula;
  single_rate.correction_parameters.mu = 0.5;
  CHECK(std::abs(energy_ratio(plan, single_rate) - 1.32) < 0.01);
}

TEST_CASE("a fast m2 whose force is extrapolated needs a share of 0.5, if m1 holds its inputs") {
  // By independent implementations: uncorrected 2.018; 0.988 with μ = 0.5, 1.365 if δP took the
  // inputs as extrapolated. With the inputs of m1 extrapolated, too, its force hardly errs: 0.9997
  // uncorrected, and μ = 0.5 takes away what is not spurious, 0.633. There eq. 20 says nothing.
  auto plan = tests::built_in("linear_oscillator");
  auto configuration = corrected(plan, std::nullopt, 0);
  configuration.extrapolation = Extrapolation::order_1;
  configuration.substeps = {{"m2", 10}};
  CHECK(says(why_refused(plan, configuration), "its inputs must be held"));
  configuration.correction_parameters.mu = 0.5;
  CHECK(std::abs(energy_ratio(plan, configuration) - 0.6327) < 1e-4);
  configuration.correction_parameters.mu.reset();

  hold_inputs_of_m1(plan);
  CHECK(formula(plan, configuration).front() == 0.5);
  CHECK(std::abs(energy_ratio(plan, configuration) - 0.988) < 0.005);
  configuration.correction = Correction::none;
  CHECK(std::abs(energy_ratio(plan, configuration) - 2.0177) < 1e-4);
}

TEST_CASE("a fast m1 needs the shares of eq. 21") {
  // By an independent implementation, m1 in ten substeps: inputs held, uncorrected 2.083, with
  // μ = 0.5 0.998; linear, 1.067, and with μ = 0.05 1.002.
  const auto plan = tests::built_in("linear_oscillator");
  for (const auto& [extrapolation, uncorrected, by_formula] :
       {std::tuple{Extrapolation::order_0, 2.0828, 0.9983},
        std::tuple{Extrapolation::order_1, 1.0674, 1.0018}}) {
    auto configuration = corrected(plan, std::nullopt, 0);
    configuration.extrapolation = extrapolation;
    configuration.substeps = {{"m1", 10}};
    CHECK(std::abs(energy_ratio(plan, configuration) - by_formula) < 1e-4);
    configuration.correction = Correction::none;
    CHECK(std::abs(energy_ratio(plan, configuration) - uncorrected) < 1e-4);
  }
}

TEST_CASE("the share of spurious energy follows eqs. 20 and 21") {
  using enum Extrapolation;
  // Direct feedthrough is with m1. Slow, R = 2, 4, 10: 0.5 (1.5 − 0.5/R) held, else 0.5.
  CHECK(share("m2", 1, order_0) == 0.5);
  CHECK(share("m2", 1, order_1) == 0.5);
  CHECK(share("m2", 2, order_0) == doctest::Approx(0.625).epsilon(1e-12));
  CHECK(share("m2", 4, order_0) == doctest::Approx(0.6875).epsilon(1e-12));
  CHECK(share("m2", 10, order_0) == doctest::Approx(0.725).epsilon(1e-12));
  CHECK(share("m2", 10, order_1) == 0.5);
  CHECK(share("m2", 10, order_2) == 0.5);
  // Fast, R = 1/4 and 1/40: 0.5 held, else 0.5 R (0.0125 in fig. 35).
  CHECK(share("m1", 4, order_0) == 0.5);
  CHECK(share("m1", 4, order_1) == doctest::Approx(0.125).epsilon(1e-12));
  CHECK(share("m1", 40, order_1) == doctest::Approx(0.0125).epsilon(1e-12));
  CHECK(share("m1", 40, order_2) == doctest::Approx(0.0125).epsilon(1e-12));
}

TEST_CASE("nothing is spurious where no side passes its input on at once") {
  // The manipulator's force without the viscous one depends on the pressures alone.
  const auto plan = tests::built_in("hydraulic_manipulator");
  for (const auto& [coupling, expected] :
       {std::pair{"pressure_displacement", 0.0}, std::pair{"force_displacement", 0.5}}) {
    auto configuration = tests::first_with(plan, coupling);
    tests::set_integrator(configuration, Integrator::symplectic_euler, {"hydraulics"});
    const auto shares = energy_shares(plan.graph(configuration), plan.coupling(configuration),
                                      configuration, /*micro_steps=*/false, /*held_within=*/true);
    REQUIRE(std::holds_alternative<std::vector<double>>(shares));
    CHECK(std::get<std::vector<double>>(shares) == std::vector<double>{expected});
  }
}

TEST_CASE("the formula is refused where it does not hold, by reason") {
  auto job = find_built_in("linear_oscillator")->default_job;
  const auto plan = std::get<Plan>(make_plan(job));
  const auto refusal = [&](auto change) {
    auto configuration = corrected(plan, std::nullopt, 0);
    change(configuration);
    const auto why = why_refused(plan, configuration);
    // A share that is given needs no formula.
    configuration.correction_parameters.mu = 0.5;
    CHECK(!why_refused(plan, configuration));
    return why;
  };
  CHECK(!refusal([](auto&) {}));
  CHECK(says(refusal([](auto& c) { c.integrators["m2"] = Integrator::rk4; }),
             "m2 is integrated by rk4"));
  CHECK(says(refusal([](auto& c) { c.scheme = Scheme::gauss_seidel; }), "scheme jacobi"));
  auto iterated = corrected(plan, 0.5, 0);  // knows its inputs ahead: given or not, no share helps
  iterated.scheme = Scheme::iterative;
  CHECK(says(why_refused(plan, iterated), "iterative knows them"));
  CHECK(
      says(refusal([](auto& c) { c.extrapolation = Extrapolation::i1; }), "extrapolation 0 to 4"));

  // One side alone must pass inputs on at once: here m2 is made to as well.
  const auto configuration = corrected(plan, std::nullopt, 0);
  auto both = plan.coupling(configuration);
  for (auto& output : both.subsystems[1].description.outputs) {
    output.direct_inputs = {0};
  }
  const auto shares = energy_shares(plan.graph(configuration), both, configuration, false, true);
  REQUIRE(std::holds_alternative<std::string>(shares));
  CHECK(says(std::get<std::string>(shares), "both sides"));

  job.micro_steps = {{"m1", 1e-4}};
  const auto finer = std::get<Plan>(make_plan(job));
  CHECK(says(why_refused(finer, corrected(finer, std::nullopt, 0)), "one micro-step"));

  job.micro_steps.clear();
  job.within_substep = WithinSubstep::continuous;
  const auto continuous = std::get<Plan>(make_plan(job));
  auto fast_owner = corrected(continuous, std::nullopt, 0);
  fast_owner.substeps = {{"m1", 10}};
  CHECK(!why_refused(continuous, fast_owner));  // a constant is held within a substep, too
  fast_owner.extrapolation = Extrapolation::order_1;
  CHECK(says(why_refused(continuous, fast_owner), "within_substep held"));

  auto no_force = corrected(plan, 0.5, 0);
  no_force.coupling = "displacement_displacement";
  CHECK(says(why_refused(plan, no_force), "exchanges none"));
}

TEST_CASE("parts of one mass are corrected as the mass") {
  // n − 1 equal parts with a share of the spring and of the coupling each move as the one mass of
  // the linear oscillator does; so every bond takes its share of the force away, and so does its
  // limit. Chaos there is none: rounding stays small over 10 s.
  const auto one = tests::built_in("linear_oscillator");
  for (const double limit : {1.0, 0.1}) {
    auto configuration = corrected(one, std::nullopt, 0.25);
    configuration.correction_parameters.limit = limit;
    const double expected = energy_ratio(one, configuration);
    for (const double n : {3.0, 5.0}) {
      const auto parts = tests::built_in("n_mass_oscillator", {{"n", n}});
      configuration = corrected(parts, std::nullopt, 0.25);
      configuration.correction_parameters.limit = limit;
      CHECK(formula(parts, configuration) ==
            std::vector<double>(static_cast<std::size_t>(n) - 1, 0.5));
      CHECK(energy_ratio(parts, configuration) == doctest::Approx(expected).epsilon(1e-8));
    }
  }
}

TEST_CASE("the force takes the share of the residual energy at the present flow") {
  // ς_1 = 0.5·0.1·(−1) = −0.05 J, e = −ς_1/(7·0.1); ς_2 = 0.1 J, e = −ς_2/(6·0.1).
  const auto [first, second] = two_forces({});
  CHECK(first == doctest::Approx(0.05 / 0.7));
  CHECK(second == doctest::Approx(-0.1 / 0.6));
}

TEST_CASE("what a force has left over is added by its share nu") {
  // U_1 = ς_1 + e_1 f_2 H = −0.05 + (0.05/0.7)·6·0.1 J.
  const double left_j = -0.05 + 0.05 / 0.7 * 6 * 0.1;
  CHECK(two_forces({.nu = 0.25}).second == doctest::Approx(-(0.1 + 0.25 * left_j) / 0.6));
}

TEST_CASE("the trapezoid takes the mean of both ends' residual power") {
  // δP_0 = 0: ς_1 = 0.05·(0 − 1)/2 J, ς_2 = 0.05·(−1 + 2)/2 J.
  const auto [first, second] = two_forces({.quadrature = Quadrature::trapezoid});
  CHECK(first == doctest::Approx(0.025 / 0.7));
  CHECK(second == doctest::Approx(-0.025 / 0.6));
}

TEST_CASE("the predicted flow is the linear one of the end of the next macro-step") {
  // 2·7 − 3 = 11 and 2·6 − 7 = 5 m/s.
  const auto [first, second] = two_forces({.flow = FlowEstimate::predicted});
  CHECK(first == doctest::Approx(0.05 / 1.1));
  CHECK(second == doctest::Approx(-0.1 / 0.5));
}

TEST_CASE("the force is limited to a share of the effort, or to a force") {
  // Wanted: 0.0714 and −0.1667 N, at efforts of 5 and 4 N.
  const auto shares = two_forces({.limit = 0.02});
  CHECK(shares.first == doctest::Approx(0.05 / 0.7));
  CHECK(shares.second == doctest::Approx(-0.02 * 4));
  const auto newtons = two_forces({.limit = 0, .limit_n = 0.06});
  CHECK(newtons.first == doctest::Approx(0.06));
  CHECK(newtons.second == doctest::Approx(-0.06));
}

TEST_CASE("a force that was limited leaves its rest to the next one") {
  // e = 2, 5, 10 and f = 3, 7, 14.1: δP = −1, then 5·14.1 − 7·10 = 0.5 W. Of the first force,
  // 0.0714 N, a hundredth of the effort is allowed, 0.05 N: U_1 = −0.05 + 0.05·14.1·0.1 J.
  Corrector c("linear_oscillator", {}, {0.5}, {.nu = 1, .limit = 0.01});
  const auto bond = c.at(0);
  c.set(bond, 2, 3);
  c.correction.restart(c.y);
  c.set(bond, 5, 7);
  c.end_macro_step();
  CHECK(c.force(bond) == doctest::Approx(0.05));
  c.set(bond, 10, 14.1);
  c.end_macro_step();
  CHECK(c.force(bond) == doctest::Approx(-(0.025 - 0.05 + 0.05 * 1.41) / 1.41));
}

TEST_CASE("nothing is corrected while nothing flows") {
  Corrector c("linear_oscillator", {}, {0.5}, {.nu = 1});
  const auto bond = c.at(0);
  c.set(bond, 2, 3);
  c.correction.restart(c.y);
  c.set(bond, 5, 0);
  c.end_macro_step();  // δP = −15 W
  CHECK(c.force(bond) == 0);
}

TEST_CASE("a bond of two components is corrected along its flow") {
  // e = (1, 2), f = (2, 0), then e = (3, 4), f = (3, 4): δP = 1·3 + 2·4 − 2·3 − 0·4 = 5 W,
  // ς = 0.25 J, force −0.25/(25·0.1) f.
  Corrector c("coupled_pendula", {}, {0.5}, {});
  REQUIRE(c.graph.bonds.size() == 1);
  c.set(c.at(0, 0), 1, 2);
  c.set(c.at(0, 1), 2, 0);
  c.correction.restart(c.y);
  c.set(c.at(0, 0), 3, 3);
  c.set(c.at(0, 1), 4, 4);
  c.end_macro_step();
  CHECK(c.force(c.at(0, 0)) == doctest::Approx(-0.1 * 3));
  CHECK(c.force(c.at(0, 1)) == doctest::Approx(-0.1 * 4));
}

TEST_CASE("every bond has an energy and a share of its own") {
  // One flow, 3 then 7. Bond 1 as above (δP = −1 W), bond 2 with e = 4 then 6: 4·7 − 3·6 = 10 W.
  Corrector c("n_mass_oscillator", {{"n", 3}}, {0.5, 0.2}, {});
  REQUIRE(c.graph.bonds.size() == 2);
  c.set(c.at(0), 2, 3);
  c.set(c.at(1), 4, 3);
  c.correction.restart(c.y);
  c.set(c.at(0), 5, 7);
  c.set(c.at(1), 6, 7);
  c.end_macro_step();
  CHECK(c.force(c.at(0)) == doctest::Approx(0.05 / 0.7));
  CHECK(c.force(c.at(1)) == doctest::Approx(-0.2 / 0.7));
}
