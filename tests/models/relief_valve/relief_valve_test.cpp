#include "models/relief_valve/relief_valve.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace macrostep::models;

TEST_CASE("a relief valve is shut, opens over its range and then is an orifice, without a jump") {
  const ReliefValveParameters p;
  const double orifice = p.valve_m3_per_s_sqrt_pa;
  CHECK(relief_flow_m3_per_s(p, -1e7) == 0);
  CHECK(relief_flow_m3_per_s(p, p.opening_pressure_pa) == 0);
  const double half_pa = 0.5 * (p.opening_pressure_pa + p.full_pressure_pa);
  CHECK(relief_flow_m3_per_s(p, half_pa) == doctest::Approx(0.5 * orifice * std::sqrt(half_pa)));
  CHECK(relief_flow_m3_per_s(p, 4e7) == doctest::Approx(orifice * std::sqrt(4e7)));
  // Across each kink 1 Pa changes the flow by less than the steepest slope in the range allows.
  const double steepest =
      orifice * std::sqrt(p.full_pressure_pa) / (p.full_pressure_pa - p.opening_pressure_pa) +
      orifice / std::sqrt(p.opening_pressure_pa);
  for (const double kink_pa : {p.opening_pressure_pa, p.full_pressure_pa}) {
    const double change =
        relief_flow_m3_per_s(p, kink_pa + 0.5) - relief_flow_m3_per_s(p, kink_pa - 0.5);
    CHECK(change >= 0);
    CHECK(change <= steepest);
  }
}

TEST_CASE("the cylinder rests where the load's pressure carries it") {
  const ReliefValveParameters p;
  const auto mechanics = relief_valve_dynamics(p, ReliefValveSide::mechanics);
  const auto hydraulics = relief_valve_dynamics(p, ReliefValveSide::hydraulics);
  const std::array<double, 2> x{0, 0};
  const std::array<double, 1> pressure{p.load_pressure_pa};
  const std::array<double, 1> at_rest{0};
  const std::array<double, 1> pump{p.leakage_m3_per_s_pa * p.load_pressure_pa};
  std::array<double, 2> rate{};
  mechanics.derivatives(x, pressure, {}, rate);
  CHECK(rate == std::array<double, 2>{0, 0});
  std::array<double, 1> pressure_rate{};
  hydraulics.derivatives(pressure, at_rest, pump, pressure_rate);
  CHECK(pressure_rate[0] == 0);
}

TEST_CASE("mass and oil exchange the power p q, and the rest is lost or fed") {
  // d/dt of both energies = p_0-free balance: q_p p − G p² − q_v p − d v².
  const ReliefValveParameters p;
  const auto mechanics = relief_valve_dynamics(p, ReliefValveSide::mechanics);
  const auto hydraulics = relief_valve_dynamics(p, ReliefValveSide::hydraulics);
  const std::array<double, 2> x{1e-3, 0.05};
  const std::array<double, 1> pressure{1.32e7};
  const std::array<double, 1> flow{p.area_m2 * x[1]};
  const std::array<double, 1> pump{3e-4};
  std::array<double, 2> rate{};
  std::array<double, 1> pressure_rate{};
  mechanics.derivatives(x, pressure, {}, rate);
  hydraulics.derivatives(pressure, flow, pump, pressure_rate);
  const double energy_rate = p.mass_kg * x[1] * rate[1] + p.stiffness_n_per_m * x[0] * x[1] +
                             p.area_m2 * p.load_pressure_pa * x[1] +
                             p.volume_m3 / p.bulk_modulus_pa * pressure[0] * pressure_rate[0];
  const double balance = pressure[0] * (pump[0] - p.leakage_m3_per_s_pa * pressure[0] -
                                        relief_flow_m3_per_s(p, pressure[0])) -
                         p.damping_ns_per_m * x[1] * x[1];
  CHECK(energy_rate == doctest::Approx(balance));
}

TEST_CASE(
    "a valve that opens before the motion begins is an error, and so is one that never is open") {
  CHECK(check({}, ReliefValveSide::mechanics).empty());
  CHECK(check({}, ReliefValveSide::hydraulics).empty());
  CHECK(check({.opening_pressure_pa = 9e6}, ReliefValveSide::hydraulics).at(0).name == "p_open");
  CHECK(check({.full_pressure_pa = 1.3e7}, ReliefValveSide::hydraulics).at(0).name == "p_full");
}
