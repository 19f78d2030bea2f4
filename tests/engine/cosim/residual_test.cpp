#include "engine/cosim/residual.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace macrostep::engine;

namespace {

/// One bond: output 0 is the effort, carried to input 0; output 1 the flow, carried to input 1.
CouplingGraph one_bond(bool extrapolate_effort) {
  CouplingGraph graph;
  graph.inputs = {{.source = 0, .extrapolate = extrapolate_effort},
                  {.source = 1, .extrapolate = true}};
  graph.input_ranges = {{0, 1}, {1, 1}};
  graph.bonds = {{.components = {{0, 1, 0, 1}}}};
  graph.output_count = 2;
  return graph;
}

void add(ResidualSums& sums, std::int64_t macro_step, std::array<double, 2> y,
         std::array<double, 2> u, double share) {
  sums.add(macro_step, {.y = y, .u = u, .y_exchanged = y}, share);
}

}  // namespace

TEST_CASE("residual power is positive where the interface adds energy") {
  // Effort 10 N at its source, applied to the other side as 12 N; flow 2 m/s, applied as 2 m/s:
  // 24 W go in where 20 W came out.
  const auto sums_graph = one_bond(true);
  ResidualSums sums(sums_graph, {.extrapolation = Extrapolation::order_0}, 0.1);
  add(sums, 0, std::array{10.0, 2.0}, std::array{12.0, 2.0}, 1);
  CHECK(sums.power_w() == doctest::Approx(4));
}

TEST_CASE("held bonds use the rectangle, others the trapezoid") {
  const std::array y{10.0, 2.0};
  const std::array u{12.0, 2.0};
  const auto held_graph = one_bond(false);
  ResidualSums held(held_graph, {.extrapolation = Extrapolation::order_0}, 0.1);
  add(held, 2, y, u, 1);
  CHECK(held.residual_j() == doctest::Approx(0.1 * 4));
  // Order 1: δP(t_n) was 0, so half of it; a bond with one extrapolated input is not held.
  const auto extrapolated_graph = one_bond(false);
  ResidualSums extrapolated(extrapolated_graph, {.extrapolation = Extrapolation::order_1}, 0.1);
  add(extrapolated, 4, y, u, 1);
  CHECK(extrapolated.residual_j() == doctest::Approx(0.1 * 4 / 2));
  add(extrapolated, 5, y, u, 1);
  CHECK(extrapolated.residual_j() == doctest::Approx(0.1 * 4 * 1.5));
  // Integrated inputs are not held, whatever the extrapolation.
  ResidualSums integrated(held_graph, {.correction = Correction::linearly_implicit}, 0.1);
  add(integrated, 2, y, u, 1);
  CHECK(integrated.residual_j() == doctest::Approx(0.1 * 4 / 2));
}

TEST_CASE("macro-steps before 2(m + 1) are start-up") {
  const auto sums_graph = one_bond(true);
  ResidualSums sums(sums_graph, {.extrapolation = Extrapolation::order_2}, 0.1);
  for (int n = 0; n < 6; ++n) {
    add(sums, n, std::array{1.0, 1.0}, std::array{2.0, 1.0}, 1);
  }
  CHECK(sums.residual_j() == 0);
  CHECK(sums.startup_residual_j() > 0);
  add(sums, 6, std::array{1.0, 1.0}, std::array{2.0, 1.0}, 1);
  CHECK(sums.residual_j() == doctest::Approx(0.1));
}

TEST_CASE("the start-up lasts until every value that the extrapolation takes is full") {
  CHECK(first_counted_macro_step(Extrapolation::order_0) == 2);
  CHECK(first_counted_macro_step(Extrapolation::i2) == 6);              // as m = 2
  CHECK(first_counted_macro_step(Extrapolation::least_squares) == 10);  // of order 1, five values
}

TEST_CASE("E sums magnitudes over time of the sum over bonds, each bond its own magnitudes") {
  auto graph = one_bond(true);
  graph.bonds.push_back(graph.bonds[0]);
  graph.bonds[1].factor = -1;  // takes exactly what the first adds
  ResidualSums sums(graph, {.extrapolation = Extrapolation::order_0}, 0.1);
  add(sums, 2, std::array{10.0, 2.0}, std::array{12.0, 2.0}, 1);
  add(sums, 3, std::array{10.0, 2.0}, std::array{9.0, 2.0}, 1);
  CHECK(sums.residual_j() == 0);
  REQUIRE(sums.bond_residuals_j().size() == 2);
  CHECK(sums.bond_residuals_j()[0] == doctest::Approx(0.1 * (4 + 2)));
  CHECK(sums.bond_residuals_j()[1] == doctest::Approx(0.1 * (4 + 2)));
}

TEST_CASE("the last macro-step counts by the share inside the trial") {
  const auto sums_graph = one_bond(true);
  ResidualSums sums(sums_graph, {.extrapolation = Extrapolation::order_0}, 0.1);
  add(sums, 2, std::array{10.0, 2.0}, std::array{12.0, 2.0}, 0.25);
  CHECK(sums.residual_j() == doctest::Approx(0.25 * 0.1 * 4));
  CHECK(sums.transmitted_j() == doctest::Approx(0.25 * 0.1 * (24 + 20) / 2));
}

TEST_CASE("a computed effort is compared with the one for exchanged inputs") {
  // 12 N for the input as applied, 10 N for the exchanged one, at 2 m/s: 4 W too much go in.
  auto graph = one_bond(true);
  graph.bonds[0].computed = true;
  ResidualSums sums(graph, {.extrapolation = Extrapolation::order_0}, 0.1);
  REQUIRE(sums.compares_computed_efforts());
  const std::array y{12.0, 2.0};
  const std::array y_exchanged{10.0, 2.0};
  sums.add(2, {.y = y, .u = y, .y_exchanged = y_exchanged}, 1);
  CHECK(sums.power_w() == doctest::Approx(4));
  CHECK(sums.transmitted_j() == doctest::Approx(0.1 * (24 + 20) / 2));
}
