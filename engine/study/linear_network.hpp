// Linear problems of any size for the study: chains and stars of oscillators
//
//   m_i ẍ_i = −k_i x_i − d_i ẋ_i − Σ_e ±F_e + w_i,   F_e = k_e (x_a − x_b) + d_e (ẋ_a − ẋ_b)
//
// joined by springs and dampers e between a and b. The same equations hold in four domains, with
// other units and magnitudes: masses on springs, inertias on torsion springs, meshes of coils,
// resistors and capacitors that share capacitors (x is a charge), and pipes between accumulators (x
// is a volume).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/problem/own_problem.hpp"

namespace macrostep::engine {

/// What is exchanged over a spring, as in models/oscillator/README.md.
enum class NetworkCoupling { force_displacement, displacement_displacement, force_force };

struct NetworkDomain {
  std::string name;  ///< "mechanical"
  std::string x_unit, v_unit, f_unit;
  double inertia = 1;    ///< of the first part, in SI units
  double stiffness = 1;  ///< likewise
  double x_scale = 1;    ///< of its deflections
};

inline constexpr std::size_t network_domains = 4;
const NetworkDomain& network_domain(std::size_t k);

struct NetworkPart {
  double inertia = 1;
  double stiffness = 1;
  double damping = 0;
  double x0 = 0;
  double v0 = 0;
};

struct NetworkSpring {
  std::size_t a = 0;  ///< owns it in force_displacement
  std::size_t b = 1;
  double stiffness = 1;
  double damping = 0;
};

struct LinearNetwork {
  NetworkDomain domain;
  NetworkCoupling coupling = NetworkCoupling::force_displacement;
  std::vector<NetworkPart> parts;
  std::vector<NetworkSpring> springs;
  std::vector<std::size_t> driven;  ///< parts with an external force
  double largest_force = 1;         ///< of it
};

/// Angular frequencies of the undamped network [rad/s], ascending.
std::vector<double> natural_frequencies(const LinearNetwork& network);

/// Its parts as subsystems `p1`, `p2` … of two states each, and in force_force the springs as
/// `s1` … without a state.
OwnProblem network_problem(const LinearNetwork& network);

}  // namespace macrostep::engine
