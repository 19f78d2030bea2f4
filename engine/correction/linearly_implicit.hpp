// The linearly implicit stabilisation of a coupling: over a macro-step every subsystem integrates
// its inputs together with its state, by the linearised rest of the coupling
// (models/integrators/input_dynamics.hpp).
//
// For subsystem s with outputs y_s, and the others o with ξ̇ = ẋ_k + A_o ξ + B_o Δw, Δη = C_o ξ +
// D_o Δw, the connections K are Δw = K_oo Δη + K_os Δy_s and Δu_s = K_so Δη + K_ss Δy_s. Without
// algebraic loops M = (I − K_oo D_o)⁻¹ exists, and the rest is, from y_s to u_s,
//
//   A = A_o + B_o M K_oo C_o            B = B_o M K_os
//   C = K_so (C_o + D_o M K_oo C_o)     D = K_so D_o M K_os + K_ss
//
// Deviation: Viel (2014), eq. 26, holds what the others exchange among themselves (K_oo = 0), which
// matters beyond two subsystems only.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "engine/job/correction.hpp"
#include "engine/job/extrapolation.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "models/integrators/input_dynamics.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

/// p: inputs are met up to O(H²) by any θ method; up to O(H³) between linear subsystems by the
/// trapezoidal rule (measured in tests/engine/correction/linearly_implicit_test.cpp).
inline constexpr int linearly_implicit_order = 1;

class LinearlyImplicit {
 public:
  LinearlyImplicit(const CouplingGraph& graph, const CorrectionParameters& parameters);

  /// At a communication point, before any subsystem steps: linearises them all for the newest
  /// inputs. What that costs in right-hand sides, weighted by model. The first call sets sizes,
  /// later ones allocate nothing.
  double begin(std::span<const std::unique_ptr<models::Subsystem>> subsystems, double time_s,
               std::span<const InputHistory> inputs);

  /// The dynamics of the inputs of a subsystem over the macro-step that begins there; null if it
  /// has none.
  models::InputDynamics* of(std::size_t subsystem) {
    return rests_[subsystem].dynamics.end.empty() ? nullptr : &rests_[subsystem].dynamics;
  }

  LinearlyImplicit(LinearlyImplicit&&) = default;
  LinearlyImplicit& operator=(LinearlyImplicit&&) = delete;

 private:
  /// The others as one subsystem sees them.
  struct Rest {
    std::vector<std::size_t> others;
    Eigen::MatrixXd k_oo, k_os, k_so, k_ss;
    Eigen::MatrixXd a_o, b_o, c_o, d_o, m;  ///< block by block
    Eigen::MatrixXd b_m, d_m, k_c, k_d;     ///< products on the way
    Eigen::PartialPivLU<Eigen::MatrixXd> loop;
    models::InputDynamics dynamics;
  };

  void connect(std::size_t subsystem);
  void assemble(Rest& rest);

  const CouplingGraph& graph_;
  std::vector<models::Linearisation> linearised_;  ///< by subsystem; rests_ points to them
  std::vector<double> u_;                          ///< of all inputs
  std::vector<Rest> rests_;                        ///< likewise
};

}  // namespace macrostep::engine
