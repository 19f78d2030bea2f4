// Problems made of the FMUs of tests/fmus, which this process describes and never loads.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "engine/plan/plan.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "tests/plan_of.hpp"

namespace macrostep::tests {

inline engine::OwnSubsystem fmu(const std::string& name, const std::string& file,
                                models::fmi::ParameterValues parameters = {}) {
  const auto directory = std::filesystem::path(MACROSTEP_TEST_FMUS) / "unpacked" / file;
  // A hash of this form, and another one for every FMU.
  std::string hash(64, 'a');
  std::ranges::copy(std::to_string(std::hash<std::string>()(file)), hash.begin());
  return {.name = name,
          .state_space = {},
          .fmu = engine::OwnFmu{
              std::make_shared<const models::fmi::Fmu>(models::fmi::open_unpacked(directory, hash)),
              std::move(parameters)}};
}

/// Two coupled masses, of which `second` is the one without the spring.
inline engine::Job oscillator(engine::OwnSubsystem second, const std::string& version = "2") {
  engine::Job job;
  job.name = "oscillator";
  job.own_problem = engine::OwnProblem{
      .subsystems = {fmu("m1", "spring_mass" + version), std::move(second)},
      .connections = {{{"m2", "x"}, {"m1", "x_in"}},
                      {{"m2", "v"}, {"m1", "v_in"}},
                      {{"m1", "f"}, {"m2", "f"}}},
      .power_bonds = {{.effort = {{"m1", "f"}}, .flow = {{"m2", "v"}}, .factor = {}}},
      .external_inputs = {}};
  job.space.couplings = {engine::own_coupling};
  job.space.schemes = {engine::Scheme::jacobi};
  job.space.extrapolation = {engine::Extrapolation::order_0, engine::Extrapolation::order_1};
  job.space.corrections = {engine::Correction::none};
  job.space.integrators = {{"m1", {models::Integrator::fmu}}, {"m2", {models::Integrator::fmu}}};
  job.macro_step = {.initial_s = 1e-3, .increment_s = 1e-3, .maximum_s = 0.05};
  job.tests = {{.name = "short", .kind = engine::TestKind::none, .duration_s = 0.2},
               {.name = "long", .kind = engine::TestKind::none, .duration_s = 0.6}};
  return job;
}

}  // namespace macrostep::tests
