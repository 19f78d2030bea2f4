#include "engine/study/physical_families.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "engine/study/linear_problem.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

namespace {

using enum PhysicalDomain;
using std::numbers::pi;

std::size_t add_part(PhysicalNetwork& network, std::string name) {
  network.parts.push_back(std::move(name));
  return network.parts.size() - 1;
}

std::size_t add_node(PhysicalNetwork& network, const PhysicalNode& node) {
  network.nodes.push_back(node);
  return network.nodes.size() - 1;
}

double& source_of(PhysicalNetwork& network, std::size_t node) {
  return network.nodes[node].largest_source;
}

/// Half of the problems begin with all nodes off their rest.
void displace(Random& random, PhysicalNetwork& network) {
  if (random.chance(0.5)) {
    for (auto& node : network.nodes) {
      node.initial = node.typical * random.uniform(-1, 1);
    }
  }
}

/// Between node i − 1, or the first one, and node i.
std::size_t neighbour(std::size_t i, bool star) {
  return star ? 0 : i - 1;
}

std::string shape_of(bool star, std::size_t count) {
  return (star ? "star of " : "chain of ") + std::to_string(count);
}

PhysicalNetwork draw_thermal(Random& random) {
  constexpr double rise_k = 50;  // of a steady temperature under the largest heat
  PhysicalNetwork network;
  const auto bodies = static_cast<std::size_t>(random.whole(2, 5));
  const bool star = random.chance(0.5);
  double leaks = 0;
  for (std::size_t i = 0; i < bodies; ++i) {
    const auto part = add_part(network, "body_" + std::to_string(i + 1));
    PhysicalNode body{.domain = thermal, .part = part, .typical = 10};
    body.capacity = random.log_uniform(10, 1e5);
    body.leak = random.log_uniform(0.01, 1);
    leaks += body.leak;
    add_node(network, body);
  }
  for (std::size_t i = 1; i < bodies; ++i) {
    const auto before = neighbour(i, star);
    const auto& [one, other] = std::pair(network.nodes[before], network.nodes[i]);
    const bool larger = random.chance(0.75);
    network.branches.push_back({.domain = thermal,
                                .part = (one.capacity > other.capacity) == larger ? before : i,
                                .conductance = random.log_uniform(1, 100),
                                .reaches = {{before, 1}, {i, -1}}});
  }
  source_of(network, 0) = rise_k * leaks;
  if (random.chance(0.5)) {
    source_of(network, bodies - 1) = rise_k * leaks;
  }
  network.description = "thermal, " + shape_of(star, bodies);
  return network;
}

/// A section of a line: an inertance (0: none) from the section before, then a capacity.
struct Section {
  std::size_t part = 0;
  double inertance = 0;
  double resistance = 0;
  double capacity = 1;
  double leak = 0;
};

/// Where the line is cut, the branch belongs to the part before the cut if `cut_behind_branch`,
/// else to the one behind it.
void add_line(PhysicalNetwork& network, PhysicalDomain domain, const std::vector<Section>& sections,
              double typical, bool cut_behind_branch) {
  for (std::size_t k = 0; k < sections.size(); ++k) {
    const auto& [part, inertance, resistance, capacity, leak] = sections[k];
    const auto node = add_node(
        network,
        {.domain = domain, .part = part, .capacity = capacity, .leak = leak, .typical = typical});
    if (inertance == 0) {
      continue;
    }
    PhysicalBranch branch{
        .domain = domain, .part = part, .inertance = inertance, .resistance = resistance};
    if (k > 0) {
      branch.reaches.push_back({node - 1, 1});
      branch.part = cut_behind_branch ? sections[k - 1].part : part;
    }
    branch.reaches.push_back({node, -1});
    network.branches.push_back(std::move(branch));
  }
}

PhysicalNetwork draw_rlc_ladder(Random& random) {
  constexpr double voltage_v = 24;
  PhysicalNetwork network;
  const auto count = static_cast<std::size_t>(random.whole(2, 6));
  const auto parts =
      static_cast<std::size_t>(random.whole(2, std::min(3, static_cast<int>(count))));
  for (std::size_t k = 0; k < parts; ++k) {
    add_part(network, "circuit_" + std::to_string(k + 1));
  }
  const double inductance = random.log_uniform(1e-5, 1e-2);
  const double capacity = random.log_uniform(1e-8, 1e-4);
  std::vector<Section> sections;
  for (std::size_t k = 0; k < count; ++k) {
    Section section{.part = k * parts / count};
    section.inertance = inductance * random.log_uniform(0.1, 10);
    section.capacity = capacity * random.log_uniform(0.1, 10);
    const double impedance = std::sqrt(section.inertance / section.capacity);
    section.resistance = 2 * random.log_uniform(1e-3, 0.3) * impedance;
    if (k + 1 == count) {
      section.leak = 1 / (impedance * random.log_uniform(0.3, 30));
    }
    sections.push_back(section);
  }
  add_line(network, electrical, sections, voltage_v, random.chance(0.5));
  network.branches.front().largest_source = voltage_v;
  network.description =
      "RLC ladder of " + std::to_string(count) + " in " + std::to_string(parts) + " parts";
  return network;
}

/// A spring and a damper between two inertias, or masses, as a natural frequency and its damping
/// ratio tell.
PhysicalBranch shaft(double inertia_1, double inertia_2, double frequency_hz, double ratio) {
  const double reduced = inertia_1 * inertia_2 / (inertia_1 + inertia_2);
  const double stiffness = reduced * std::pow(2 * pi * frequency_hz, 2);
  return {.domain = rotation,
          .inertance = 1 / stiffness,
          .conductance = 2 * ratio * std::sqrt(stiffness * reduced)};
}

PhysicalNetwork draw_gear_train(Random& random) {
  constexpr double speed_rad_per_s = 100;  // of the motor
  constexpr double start_s = 1;            // the largest torque reaches it so fast without a load
  PhysicalNetwork network;
  const auto count = static_cast<std::size_t>(random.whole(2, 4));
  double inertia = random.log_uniform(1e-4, 0.1);
  double speed = speed_rad_per_s;
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = add_part(network, "inertia_" + std::to_string(i + 1));
    if (i == 0) {
      add_node(network, {.domain = rotation,
                         .part = part,
                         .capacity = inertia,
                         .leak = inertia / random.log_uniform(0.5, 50),
                         .typical = speed});
      continue;
    }
    const double gear = random.log_uniform(1, 50);
    const double before = inertia * gear * gear;  // as seen from behind the gear
    inertia = before * random.log_uniform(0.1, 10);
    speed /= gear;
    const double frequency_hz = random.log_uniform(5, 500);
    auto branch = shaft(before, inertia, frequency_hz, random.log_uniform(5e-3, 0.2));
    branch.part = random.chance(0.5) ? part - 1 : part;
    branch.reaches = {{i - 1, 1 / gear}, {i, -1}};
    network.branches.push_back(std::move(branch));
    add_node(network, {.domain = rotation,
                       .part = part,
                       .capacity = inertia,
                       .leak = inertia / random.log_uniform(0.5, 50),
                       .typical = speed});
  }
  source_of(network, 0) = network.nodes.front().capacity * speed_rad_per_s / start_s;
  source_of(network, count - 1) = network.nodes.back().capacity * speed / start_s;
  network.description = "gear train of " + std::to_string(count);
  return network;
}

/// A wheel on its tyre, below a body at `lever` from its centre.
void add_wheel(Random& random, PhysicalNetwork& network, const std::string& name, double body_kg,
               double lever_m) {
  constexpr double road_m_per_s = 0.5;
  const auto part = add_part(network, name);
  const auto wheel = add_node(network, {.domain = translation,
                                        .part = part,
                                        .capacity = random.log_uniform(20, 60),
                                        .typical = road_m_per_s});
  const double stiffness = random.log_uniform(1e4, 5e4);
  const double ratio = random.log_uniform(0.1, 0.5);
  PhysicalBranch suspension{.domain = translation,
                            .part = random.chance(0.5) ? 0 : part,
                            .inertance = 1 / stiffness,
                            .conductance = 2 * ratio * std::sqrt(stiffness * body_kg),
                            .reaches = {{0, 1}}};
  if (lever_m != 0) {
    suspension.reaches.push_back({1, lever_m});
  }
  suspension.reaches.push_back({wheel, -1});
  network.branches.push_back(std::move(suspension));
  const double tyre = random.log_uniform(1e5, 3e5);
  network.branches.push_back({.domain = translation,
                              .part = part,
                              .inertance = 1 / tyre,
                              .conductance = random.log_uniform(50, 500),
                              .reaches = {{wheel, -1}},
                              .largest_source = road_m_per_s});
}

PhysicalNetwork draw_road_vehicle(Random& random) {
  PhysicalNetwork network;
  const bool half = random.chance(0.5);
  const double mass_kg = random.log_uniform(200, 600);  // above a wheel
  const auto body = add_part(network, "body");
  add_node(network, {.domain = translation,
                     .part = body,
                     .capacity = half ? 2 * mass_kg : mass_kg,
                     .typical = 0.2});
  if (half) {
    const double front_m = random.log_uniform(1, 1.8);
    const double rear_m = random.log_uniform(1, 1.8);
    const double inertia = 2 * mass_kg * front_m * rear_m * random.log_uniform(0.7, 1.3);
    add_node(network, {.domain = rotation, .part = body, .capacity = inertia, .typical = 0.2});
    add_wheel(random, network, "front_wheel", mass_kg, front_m);
    add_wheel(random, network, "rear_wheel", mass_kg, -rear_m);
  } else {
    add_wheel(random, network, "wheel", mass_kg, 0);
  }
  network.description = half ? "half car" : "quarter car";
  return network;
}

PhysicalNetwork draw_motor_shaft(Random& random) {
  constexpr double speed_rad_per_s = 100;
  PhysicalNetwork network;
  // Cut at the winding, at the shaft, or at both.
  const int cut = random.whole(0, 3);
  const auto electrics = add_part(network, cut == 1 ? "drive" : "electrics");
  const auto rotor_part = cut == 1 ? electrics : add_part(network, "rotor");
  const auto load_part = cut == 0 ? rotor_part : add_part(network, "load");
  const double resistance = random.log_uniform(0.05, 5);
  const double inductance = resistance * random.log_uniform(0.5e-3, 50e-3);
  const double constant = random.log_uniform(0.05, 2);
  const double inertia = random.log_uniform(5e-3, 0.5) * constant * constant / resistance;
  const double load = inertia * random.log_uniform(0.1, 10);
  const double frequency_hz = random.log_uniform(5, 200);
  auto branch = shaft(inertia, load, frequency_hz, random.log_uniform(5e-3, 0.1));
  for (const auto& [part, one] : {std::pair(rotor_part, inertia), std::pair(load_part, load)}) {
    add_node(network, {.domain = rotation,
                       .part = part,
                       .capacity = one,
                       .leak = one / random.log_uniform(1, 100),
                       .typical = speed_rad_per_s});
  }
  network.branches.push_back({.domain = electrical,
                              .part = electrics,
                              .inertance = inductance,
                              .resistance = resistance,
                              .reaches = {{0, -constant}},
                              .largest_source = constant * speed_rad_per_s});
  branch.part = random.chance(0.5) ? rotor_part : load_part;
  branch.reaches = {{0, 1}, {1, -1}};
  network.branches.push_back(std::move(branch));
  source_of(network, 1) = 0.1 * constant * constant * speed_rad_per_s / resistance;  // of a stall
  network.description = "motor and shaft in " + std::to_string(network.parts.size()) + " parts";
  return network;
}

/// In N m of two-pole machines: power over the speed of the grid, angles in electrical rad.
PhysicalNetwork draw_swing(Random& random) {
  constexpr double grid_rad_per_s = 2 * pi * 50;
  constexpr double deviation_rad_per_s = 1;
  constexpr double largest_step = 0.1;  // of the power of a machine
  PhysicalNetwork network;
  const auto count = static_cast<std::size_t>(random.whole(2, 5));
  const bool star = random.chance(0.5);
  std::vector<double> unit;  // power over the square of the grid's speed: 1 pu of torque per speed
  for (std::size_t i = 0; i < count; ++i) {
    const auto part = add_part(network, "generator_" + std::to_string(i + 1));
    unit.push_back(random.log_uniform(10e6, 1000e6) / (grid_rad_per_s * grid_rad_per_s));
    PhysicalNode generator{.domain = rotation, .part = part, .typical = deviation_rad_per_s};
    generator.capacity = 2 * random.log_uniform(2, 8) * unit[i];
    generator.leak = random.log_uniform(0.5, 3) * unit[i];
    generator.largest_source = largest_step * unit[i] * grid_rad_per_s;
    add_node(network, generator);
    const double droop = random.log_uniform(0.04, 0.06) / unit[i];
    network.branches.push_back({.domain = rotation,
                                .part = part,
                                .inertance = droop * random.log_uniform(0.2, 10),
                                .resistance = droop,
                                .reaches = {{i, 1}}});
  }
  const bool has_grid = random.chance(0.5);
  const auto grid = has_grid ? add_part(network, "grid") : 0;
  const auto line = [&](double power, std::size_t owner, std::vector<Reach> reaches) {
    // Torque per rad, of 0.5 to 3 times the power.
    const double stiffness = random.log_uniform(0.5, 3) * power * grid_rad_per_s;
    network.branches.push_back({.domain = rotation,
                                .part = has_grid ? grid : owner,
                                .inertance = 1 / stiffness,
                                .reaches = std::move(reaches)});
  };
  for (std::size_t i = 1; i < count; ++i) {
    const auto before = neighbour(i, star);
    const auto owner = random.chance(0.5) ? before : i;
    line(std::min(unit[before], unit[i]), owner, {{before, 1}, {i, -1}});
  }
  const bool infinite_bus = random.chance(0.5);
  if (infinite_bus) {
    line(unit[0], 0, {{0, 1}});
  }
  network.description = std::string("swing, ") + shape_of(star, count) +
                        (has_grid ? ", grid" : "") + (infinite_bus ? ", infinite bus" : "");
  return network;
}

PhysicalNetwork draw_hydraulic_line(Random& random) {
  constexpr double density = 870;         // kg/m³
  constexpr double bulk_modulus = 1.4e9;  // Pa
  constexpr double viscosity = 0.04;      // Pa s
  constexpr double pressure_pa = 1e6;
  PhysicalNetwork network;
  const auto chamber = [&] {
    const double volume = random.log_uniform(0.1e-3, 5e-3) / bulk_modulus;
    const double pressure = random.log_uniform(5e6, 20e6);
    const double accumulator = random.log_uniform(0.1e-3, 10e-3) / pressure;
    return random.chance(0.5) ? volume + accumulator : volume;
  };
  const auto pipes = static_cast<std::size_t>(random.whole(2, 3));
  std::vector<Section> sections{{.capacity = chamber()}};  // of the pump
  for (std::size_t k = 0; k < pipes; ++k) {
    add_part(network, "pipe_" + std::to_string(k + 1));
    const int lumps = random.whole(1, 3);
    const double length_m = random.log_uniform(0.5, 20) / lumps;
    const double diameter_m = random.log_uniform(8e-3, 40e-3);
    const double area_m2 = pi / 4 * diameter_m * diameter_m;
    for (int lump = 0; lump < lumps; ++lump) {
      // Laminar flow (Hagen and Poiseuille).
      sections.push_back({.part = k,
                          .inertance = density * length_m / area_m2,
                          .resistance = 128 * viscosity * length_m / (pi * std::pow(diameter_m, 4)),
                          .capacity = area_m2 * length_m / bulk_modulus});
    }
    sections.back().capacity += chamber();
  }
  sections.back().leak = random.log_uniform(1e-12, 1e-10);
  add_line(network, hydraulic, sections, pressure_pa, random.chance(0.5));
  // In one period of the first pipe the pump raises its chamber's pressure by about a megapascal.
  const auto& first = network.branches.front();
  source_of(network, 0) = pressure_pa * std::sqrt(network.nodes.front().capacity / first.inertance);
  network.description = "hydraulic line of " + std::to_string(pipes) + " pipes";
  return network;
}

/// Periods of the modes of the uncut network.
Periods periods_of(const PhysicalNetwork& network) {
  constexpr double zero = 1e-12;                                // of the fastest rate
  const Eigen::VectorXd scale = storages(network).cwiseSqrt();  // energy: units no longer count
  const Eigen::MatrixXd scaled =
      scale.asDiagonal() * coupled_matrix(network) * scale.cwiseInverse().asDiagonal();
  const Eigen::VectorXd rates = scaled.eigenvalues().cwiseAbs();
  double slowest_rate = rates.maxCoeff();
  for (const double rate : rates) {
    slowest_rate = rate > zero * rates.maxCoeff() ? std::min(slowest_rate, rate) : slowest_rate;
  }
  return {.fastest_s = 2 * pi / rates.maxCoeff(), .slowest_s = 2 * pi / slowest_rate};
}

}  // namespace

PhysicalNetwork draw_physical_network(Random& random, Family family) {
  auto network = [&] {
    switch (family) {
      case Family::thermal:
        return draw_thermal(random);
      case Family::rlc_ladder:
        return draw_rlc_ladder(random);
      case Family::gear_train:
        return draw_gear_train(random);
      case Family::road_vehicle:
        return draw_road_vehicle(random);
      case Family::motor_shaft:
        return draw_motor_shaft(random);
      case Family::swing:
        return draw_swing(random);
      default:
        models::ensure(family == Family::hydraulic_line, "a physical family");
        return draw_hydraulic_line(random);
    }
  }();
  displace(random, network);
  return network;
}

void draw_physical(Random& random, Family family, StudyProblem& problem) {
  const auto network = draw_physical_network(random, family);
  problem.job.own_problem = physical_problem(network);
  const bool multi_rate =
      complete_linear_job(random, periods_of(network), network.parts.size(), problem);
  problem.description = network.description + (multi_rate ? ", multi-rate" : "");
}

}  // namespace macrostep::engine
