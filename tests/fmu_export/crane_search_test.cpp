// The double-actuator crane as exported FMUs, imported and searched: the table of the native
// search.
//
// External inputs are held in both, as an FMU of co-simulation has them. Inputs reach the FMUs as
// derivatives (FMI 2) or through five values (FMI 3), so that polynomials agree to roundings, and
// with them every residual that is no noise.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/problem/foreign_code.hpp"
#include "engine/problem/own_problem.hpp"
#include "engine/search/run_search.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "tests/fmu_export/exported.hpp"

using namespace macrostep::engine;
namespace models = macrostep::models;
namespace tests = macrostep::tests;

namespace {

using models::Integrator;

const std::string crane = "double_actuator_crane";
/// Up to the bend; beyond it, where the energy grows, roundings grow as well.
constexpr double residual_share = 1e-9;

struct Integrators {
  Integrator mechanics, hydraulics;
};

/// By the residual alone: checks cut no curve but those of what ranked first, and equal macro-steps
/// are ranked by cost, which FMUs count otherwise.
Plan plan_of(Job job) {
  job.stability_check = StabilityCheck::none;
  auto made = make_plan(job);
  if (const auto* errors = std::get_if<FieldErrors>(&made)) {
    FAIL(errors->front().pointer << ": " << errors->front().message);
  }
  return std::get<Plan>(std::move(made));
}

Plan native(const Integrators& integrators) {
  Job job = find_built_in(crane)->default_job;
  job.space.integrators = {{"mechanics", {integrators.mechanics}},
                           {"hydraulics", {integrators.hydraulics}}};
  Plan plan = plan_of(job);
  for (auto& input : plan.problem.external_inputs) {
    input.sampling = models::Sampling::held;
  }
  return plan;
}

/// The search of the crane with every subsystem as an FMU that has been exported and unpacked.
Plan of_fmus(const Plan& built_in, const Integrators& integrators, FmiVersion version,
             tests::Unpacked& unpacked) {
  const auto& coupling = built_in.problem.couplings.front();
  OwnProblem own{.subsystems = {},
                 .connections = coupling.connections,
                 .power_bonds = coupling.power_bonds,
                 .external_inputs = built_in.problem.external_inputs};
  Job job = built_in.job;
  job.problem.clear();
  job.parameters.clear();
  job.micro_steps.clear();  // they are the FMUs' own
  job.space.couplings = {own_coupling};
  job.space.integrators.clear();
  for (const auto& subsystem : coupling.subsystems) {
    const auto fmu =
        tests::exported({.problem = crane,
                         .subsystem = subsystem.name,
                         .version = version,
                         .integrator = subsystem.group == "mechanics" ? integrators.mechanics
                                                                      : integrators.hydraulics});
    const auto opened = models::fmi::open_unpacked(unpacked.add(fmu), std::string(64, '0'));
    own.subsystems.push_back({.name = subsystem.name,
                              .state_space = {},
                              .fmu = OwnFmu{std::make_shared<const models::fmi::Fmu>(opened), {}}});
    job.space.integrators[subsystem.name] = {Integrator::fmu};
  }
  job.own_problem = std::move(own);
  return plan_of(job);
}

using Row = std::pair<Extrapolation, std::string>;

std::map<Row, Curve> curves_of(const Plan& plan) {
  std::map<Row, Curve> curves;
  for (auto& curve : run_search(plan, {}).answer.curves) {
    const auto& [configuration, test] = curve.key;
    const Row row{plan.configurations[configuration].extrapolation, plan.job.tests[test].name};
    REQUIRE(curves.emplace(row, std::move(curve)).second);
  }
  return curves;
}

void check_same_table(const Plan& one, const Plan& other) {
  const auto theirs = curves_of(one);
  const auto ours = curves_of(other);
  REQUIRE(theirs.size() == ours.size());
  REQUIRE(theirs.size() == 6 * 6);
  for (const auto& [row, curve] : theirs) {
    CAPTURE(to_string(row.first));
    CAPTURE(row.second);
    const auto& mine = ours.at(row);
    CHECK_MESSAGE(mine.region.bend_s() == curve.region.bend_s(), mine.region.reason());
    CHECK(mine.region.cliff_s == curve.region.cliff_s);
    CHECK(mine.usable_s == curve.usable_s);
    REQUIRE(mine.points.size() >= static_cast<std::size_t>(curve.region.accepted));
    for (int i = 0; i < curve.region.accepted; ++i) {
      const auto& expected = curve.points[static_cast<std::size_t>(i)];
      const auto& point = mine.points[static_cast<std::size_t>(i)];
      CAPTURE(expected.macro_step_s);
      CHECK(point.macro_step_s == expected.macro_step_s);
      CHECK(std::abs(point.residual_j - expected.residual_j) <=
            residual_share * expected.residual_j);
    }
  }
}

}  // namespace

TEST_CASE("a search over the crane's exported FMUs gives the native search's table") {
  permit_foreign_code();
  tests::Unpacked unpacked;
  for (const auto mechanics : {Integrator::i1al, Integrator::i3al}) {
    for (const auto hydraulics : {Integrator::forward_euler, Integrator::trapezoidal}) {
      const Integrators integrators{mechanics, hydraulics};
      const auto plan = native(integrators);
      CAPTURE(to_string(mechanics));
      CAPTURE(to_string(hydraulics));
      for (const auto version : tests::both_versions) {
        CAPTURE(version == FmiVersion::fmi2);
        check_same_table(plan, of_fmus(plan, integrators, version, unpacked));
      }
    }
  }
}
