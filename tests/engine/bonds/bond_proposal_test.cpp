#include "engine/bonds/bond_proposal.hpp"

#include <doctest/doctest.h>

#include <string>
#include <utility>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
namespace models = macrostep::models;

namespace {

SubsystemDefinition subsystem(const std::string& name,
                              const std::vector<std::pair<std::string, std::string>>& outputs) {
  SubsystemDefinition definition;
  definition.name = name;
  for (const auto& [port, unit] : outputs) {
    definition.description.outputs.push_back({.name = port, .unit = unit, .direct_inputs = {}});
  }
  return definition;
}

}  // namespace

TEST_CASE("units and directions find the bonds of the built-in problems") {
  // The bonds of these problems are known; displacement and acceleration make no power with a
  // force.
  for (const std::string problem :
       {"single_actuator_crane", "double_actuator_crane", "linear_oscillator"}) {
    CAPTURE(problem);
    const auto plan = macrostep::tests::built_in(problem);
    const auto& coupling = plan.problem.couplings.front();
    const auto proposals = propose_bonds(coupling);
    REQUIRE(proposals.size() == coupling.power_bonds.size());
    for (std::size_t i = 0; i < proposals.size(); ++i) {
      CHECK(proposals[i].certain);
      CHECK(proposals[i].bond.effort == coupling.power_bonds[i].effort);
      CHECK(proposals[i].bond.flow == coupling.power_bonds[i].flow);
    }
  }
}

TEST_CASE("where units leave a choice, names decide, and the proposal says that it is one") {
  Coupling coupling{.name = "default",
                    .subsystems = {subsystem("body", {{"v_x", "m/s"}, {"v_y", "m/s"}}),
                                   subsystem("tyre", {{"f_y", "kN"}, {"f_x", "kN"}})},
                    .connections = {{{"body", "v_x"}, {"tyre", "v_x"}},
                                    {{"body", "v_y"}, {"tyre", "v_y"}},
                                    {{"tyre", "f_y"}, {"body", "f_y"}},
                                    {{"tyre", "f_x"}, {"body", "f_x"}}},
                    .power_bonds = {}};
  const auto proposals = propose_bonds(coupling);
  REQUIRE(proposals.size() == 2);
  CHECK_FALSE(proposals[0].certain);
  CHECK(proposals[0].bond.effort.front() == PortName{"tyre", "f_y"});
  CHECK(proposals[0].bond.flow.front() == PortName{"body", "v_y"});
  CHECK(proposals[0].bond.factor == 1000);
}

TEST_CASE("connections of one direction, or without units, make no bond") {
  Coupling coupling{.name = "default",
                    .subsystems = {subsystem("a", {{"f", "N"}, {"v", "m/s"}, {"p", "?"}}),
                                   subsystem("b", {{"q", "m^3/s"}})},
                    .connections = {{{"a", "f"}, {"b", "f"}},
                                    {{"a", "v"}, {"b", "v"}},
                                    {{"a", "p"}, {"b", "p"}},
                                    {{"b", "q"}, {"a", "q"}}},
                    .power_bonds = {}};
  CHECK(propose_bonds(coupling).empty());
}
