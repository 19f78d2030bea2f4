// Linear networks of physical parts for the study: nodes that store an across variable x (velocity,
// voltage, temperature, pressure) and branches between them that carry a through variable q (force,
// current, heat flow, flow rate):
//
//   node i     C_i ẋ_i = −G_i x_i − Σ_b r_bi q_b + w_i
//   branch b   Δ_b = Σ_i r_bi x_i + w_b
//              L_b ḟ_b = Δ_b − R_b f_b,   q_b = f_b + g_b Δ_b     with inertance L_b > 0
//              q_b = g_b Δ_b                                      without one
//
// C is a mass, an inertia or a capacity, G what is lost to the surroundings; L an inductance or the
// compliance 1/k of a spring, R its resistance, g a damper or conductance beside it; w are external
// inputs. The factors r hold directions, gear ratios, lever arms and machine constants: a branch
// takes from its nodes the power Σ_i r_bi x_i q_b that it receives. So without inputs
//
//   E = ½ Σ_i C_i x_i² + ½ Σ_b L_b f_b²,   Ė = −Σ_i G_i x_i² − Σ_b R_b f_b² − Σ_b g_b Δ_b² ≤ 0
//
// (of thermal networks E is no energy, but it falls all the same). The network is cut into parts,
// which become subsystems: where a branch reaches into another part, that one sends the across
// variable and receives the through variable. Δ is exchanged, never its integral: a network must
// not have loops of springs or inductors alone, in which a wrong integral would never fade.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "engine/problem/own_problem.hpp"

namespace macrostep::engine {

/// Units of x and q. Their product is power; in thermal networks, where x is the temperature above
/// the surroundings' T_0, x q/T_0 is (temperature × flow of entropy, linearised).
enum class PhysicalDomain { translation, rotation, electrical, thermal, hydraulic };

inline constexpr double surroundings_k = 293.15;  ///< T_0 [K]

struct PhysicalNode {
  PhysicalDomain domain = PhysicalDomain::translation;
  std::size_t part = 0;
  double capacity = 1;        ///< C
  double leak = 0;            ///< G
  double typical = 1;         ///< magnitude of x
  double initial = 0;         ///< x(0)
  double largest_source = 0;  ///< range of w; 0: there is none
};

/// That a branch reaches a node, and by which factor r.
struct Reach {
  std::size_t node = 0;
  double factor = 1;
};

struct PhysicalBranch {
  PhysicalDomain domain = PhysicalDomain::translation;
  std::size_t part = 0;
  double inertance = 0;    ///< L
  double resistance = 0;   ///< R, in series
  double conductance = 0;  ///< g, in parallel
  std::vector<Reach> reaches;
  double largest_source = 0;  ///< range of w; 0: there is none
};

struct PhysicalNetwork {
  std::string description;  ///< "gear train of 3"
  std::vector<std::string> parts;
  std::vector<PhysicalNode> nodes;
  std::vector<PhysicalBranch> branches;
};

/// A of ẋ = A x of the uncut network: x of all nodes, then f of the branches with inertance.
Eigen::MatrixXd coupled_matrix(const PhysicalNetwork& network);

/// C and L in the same order.
Eigen::VectorXd storages(const PhysicalNetwork& network);

/// The parts as subsystems, states in the same order within each. Ports of the n-th place where a
/// branch reaches into another part are named after the variable and n, external inputs `w_1` …
OwnProblem physical_problem(const PhysicalNetwork& network);

}  // namespace macrostep::engine
