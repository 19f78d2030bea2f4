#include "engine/cosim/initial_outputs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace macrostep::engine;

namespace {

/// y_0 = g(u_0), y_1 = u_1, each fed by the other: the loop u_0 = u_1 = g(u_0).
struct Loop {
  std::optional<std::string> reason;
  std::vector<double> y;
};

Loop solve(double (*g)(double)) {
  CouplingGraph graph;
  graph.inputs = {{.source = 1}, {.source = 0}};
  graph.output_count = 2;
  graph.nominal = {1, 1};
  graph.algebraic_loop = "a.f → b.x → a.f";
  std::vector<double> u(2);
  Loop loop;
  loop.y.resize(2);
  loop.reason = find_initial_outputs(
      graph,
      [g](std::span<const double> inputs, std::span<double> y) {
        y[0] = g(inputs[0]);
        y[1] = inputs[1];
      },
      u, loop.y);
  return loop;
}

}  // namespace

TEST_CASE("a loop that contracts settles by passing outputs round") {
  const auto loop = solve([](double u) { return 3 + u / 2; });
  REQUIRE_FALSE(loop.reason);
  CHECK(loop.y[0] == doctest::Approx(6).epsilon(1e-12));
}

TEST_CASE("a loop that grows when passed round is solved by Newton's method") {
  const auto linear = solve([](double u) { return 3 - 4 * u; });
  REQUIRE_FALSE(linear.reason);
  CHECK(linear.y[0] == doctest::Approx(0.6).epsilon(1e-10));
  const auto curved = solve([](double u) { return 10 - u * u * u; });
  REQUIRE_FALSE(curved.reason);
  CHECK(curved.y[0] == doctest::Approx(2).epsilon(1e-10));
}

TEST_CASE("a loop without a solution is named") {
  const auto loop = solve([](double u) { return u + 1; });
  REQUIRE(loop.reason);
  CHECK(loop.reason->find("a.f → b.x → a.f") != std::string::npos);
}
