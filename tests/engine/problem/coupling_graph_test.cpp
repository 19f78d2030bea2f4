#include "engine/problem/coupling_graph.hpp"

#include <doctest/doctest.h>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/job/bond_order.hpp"

using namespace macrostep::engine;
using macrostep::models::Description;

namespace {

/// Two masses: "a" gives position and velocity, "b" the spring force between them.
Problem two_masses() {
  const Description a{
      .inputs = {{.name = "f", .unit = "N"}},
      .outputs = {{.name = "x", .unit = "m", .derivative = 1}, {.name = "v", .unit = "m/s"}}};
  const Description b{.inputs = {{.name = "x", .unit = "m"}, {.name = "v", .unit = "m/s"}},
                      .outputs = {{.name = "f", .unit = "N"}},
                      .externals = {{.name = "w", .unit = "N"}}};
  Problem problem;
  problem.couplings = {{.name = "force_displacement",
                        .subsystems = {{.name = "a", .group = "a", .description = a},
                                       {.name = "b", .group = "b", .description = b}},
                        .connections = {{{"a", "x"}, {"b", "x"}},
                                        {{"a", "v"}, {"b", "v"}},
                                        {{"b", "f"}, {"a", "f"}, false}},
                        .power_bonds = {{.effort = {{"b", "f"}}, .flow = {{"a", "v"}}}}}};
  problem.external_inputs = {{.to = {"b", "w"}}};
  return problem;
}

std::string first_error(const Problem& problem) {
  const auto graph = build_coupling_graph(problem, problem.couplings[0]);
  const auto* errors = std::get_if<FieldErrors>(&graph);
  return errors ? errors->front().pointer + ": " + errors->front().message : "";
}

}  // namespace

TEST_CASE("a graph knows sources, derivatives and bonds") {
  const auto problem = two_masses();
  const auto graph = std::get<CouplingGraph>(build_coupling_graph(problem, problem.couplings[0]));
  REQUIRE(graph.inputs.size() == 3);  // a.f, b.x, b.v
  CHECK(graph.output_count == 3);     // a.x, a.v, b.f
  CHECK(graph.inputs[0].source == 2);
  CHECK_FALSE(graph.inputs[0].extrapolate);
  CHECK(graph.inputs[1].first_derivative == 1);
  CHECK(graph.inputs[1].chain_depth == 0);
  CHECK(graph.inputs[2].chain_depth == 1);
  REQUIRE(graph.bonds.size() == 1);
  CHECK(graph.bonds[0].components[0].effort_input == 0);
  CHECK(graph.bonds[0].components[0].flow_input == 2);
}

TEST_CASE("a bond has the lowest degree of its inputs") {
  auto problem = two_masses();
  const auto order = [&](Extrapolation extrapolation) {
    const auto graph = build_coupling_graph(problem, problem.couplings[0]);
    return bond_order(std::get<CouplingGraph>(graph), extrapolation);
  };
  CHECK(order(Extrapolation::order_3) == 0);  // the force is held
  problem.couplings[0].connections[2].extrapolate = true;
  CHECK(order(Extrapolation::order_3) == 3);
  // v is the derivative of x: i2 integrates it once, i1 holds it.
  const auto graph = std::get<CouplingGraph>(build_coupling_graph(problem, problem.couplings[0]));
  CHECK(degree_of(graph.inputs[1], Extrapolation::i2) == 2);
  CHECK(degree_of(graph.inputs[2], Extrapolation::i2) == 1);
  CHECK(degree_of(graph.inputs[2], Extrapolation::i1) == 0);
}

TEST_CASE("all inputs without a source are named at once") {
  auto problem = two_masses();
  problem.couplings[0].connections.resize(1);
  const auto graph = build_coupling_graph(problem, problem.couplings[0]);
  CHECK(std::get<FieldErrors>(graph).size() == 2);
}

TEST_CASE("wrong couplings are refused at the member that is wrong") {
  SUBCASE("unknown subsystem") {
    auto problem = two_masses();
    problem.couplings[0].connections[0].from.subsystem = "c";
    CHECK(first_error(problem) ==
          "/connections/0/from: there is no subsystem 'c'; available: a, b");
  }
  SUBCASE("unknown port, with the ones there are") {
    auto problem = two_masses();
    problem.couplings[0].connections[1].to.port = "speed";
    CHECK(first_error(problem) ==
          "/connections/1/to: subsystem 'b' has no input 'speed'; it has: x, v");
  }
  SUBCASE("two sources for one input") {
    auto problem = two_masses();
    problem.couplings[0].connections.push_back({{"a", "v"}, {"b", "v"}});
    CHECK(first_error(problem) ==
          "/connections/3/to: input 'b.v' has two sources: /problem/connections/1 and this one");
  }
  SUBCASE("dangling input") {
    auto problem = two_masses();
    problem.couplings[0].connections.erase(problem.couplings[0].connections.begin());
    CHECK(first_error(problem) ==
          "/connections: input 'b.x' is not connected: connect an output to it, or list it under "
          "external_inputs");
  }
  SUBCASE("units that differ") {
    auto problem = two_masses();
    std::swap(problem.couplings[0].connections[0].from.port,
              problem.couplings[0].connections[1].from.port);
    CHECK(first_error(problem) == "/connections/0: 'a.v' is in m/s, 'b.x' in m");
  }
  SUBCASE("a bond whose flow does not come back") {
    auto problem = two_masses();
    problem.couplings[0].power_bonds[0].flow = {{"b", "f"}};
    CHECK(first_error(problem).starts_with("/power_bonds/0: effort 'b.f' and flow 'b.f' must be"));
  }
  SUBCASE("an effort and a flow that are multiplied twice") {
    auto problem = two_masses();
    auto& bonds = problem.couplings[0].power_bonds;
    bonds = {{.effort = {{"b", "f"}, {"b", "f"}}, .flow = {{"a", "v"}, {"a", "v"}}}};
    CHECK(first_error(problem) ==
          "/power_bonds/0: 'b.f' × 'a.v' is named before: its energy would count twice");
    bonds = {{.effort = {{"b", "f"}}, .flow = {{"a", "v"}}},
             {.effort = {{"a", "v"}}, .flow = {{"b", "f"}}}};
    CHECK(first_error(problem).starts_with("/power_bonds/1: 'a.v' × 'b.f' is named before"));
  }
  SUBCASE("unknown external input") {
    auto problem = two_masses();
    problem.external_inputs[0].to.port = "u";
    CHECK(first_error(problem) == "/external_inputs/0/to: there is no external input 'b.u'");
  }
}
