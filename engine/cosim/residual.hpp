// Residual power and energy of the power bonds (Rahikainen, González and Naya 2019, eqs. 5-11;
// Sadjina et al. 2017).
//
// A bond joins subsystem A, which outputs the effort e and receives the flow, to B, which outputs
// the flow f and receives the effort. With ẽ and f̃ the inputs as applied (extrapolated) at the end
// of the macro-step, the residual power is
//
//   δP = factor · (ẽ f − f̃ e)      [W]; δP > 0: the interface adds energy
//
// summed over its components. Where a subsystem computes the effort from inputs of its own (both
// sides of a displacement-displacement coupling do), it is compared with the effort for the
// exchanged inputs u = L y instead: δP = factor · (e(ũ) − e(u)) f.
//
// The integral of δP over the macro-step, δE [J], is H δP(t_{n+1}) where all inputs of the bond are
// held and none integrated, else H/2 (δP(t_n) + δP(t_{n+1})). (The minus of eq. 11 is a misprint.)
// A trial sums
//
//   E = Σ_n |Σ_bonds δE_b|      and, bond by bond,      E_b = Σ_n |δE_b|
//
// from macro-step 2(max(m, v) + 1) on, with v the values that the extrapolation takes before the
// newest one (order m: v = m; least_squares: v = 4): the ones before start up with reduced order,
// which would leave a floor of O(H²). A last macro-step that reaches beyond the end of the trial
// counts by the share inside.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/job/configuration.hpp"
#include "engine/job/extrapolation.hpp"
#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

/// First macro-step (from 0) that counts in E(H).
std::int64_t first_counted_macro_step(Extrapolation extrapolation);

class ResidualSums {
 public:
  ResidualSums(const CouplingGraph& graph, const Configuration& configuration, double macro_step_s);

  /// Whether add() needs the outputs for exchanged inputs.
  bool compares_computed_efforts() const { return compares_computed_efforts_; }

  /// What is known at the end of a macro-step.
  struct End {
    std::span<const double> y;            ///< outputs
    std::span<const double> u;            ///< inputs as applied
    std::span<const double> y_exchanged;  ///< outputs for exchanged inputs, if compared
  };

  /// Takes the macro-step that just ended. `share` of it lies inside the trial.
  void add(std::int64_t macro_step, const End& end, double share);

  double power_w() const { return power_w_; }  ///< Σ_bonds δP at the present communication point
  double residual_j() const { return residual_j_; }
  double startup_residual_j() const { return startup_residual_j_; }
  double transmitted_j() const { return transmitted_j_; }
  std::vector<double> bond_residuals_j() const;

 private:
  /// What every macro-step needs of a bond, looked up once.
  struct Bond {
    std::span<const BondComponent> components;
    double factor = 1;
    bool computed = false;
    bool held = false;
    double power_w = 0;
    double residual_j = 0;
  };

  std::vector<Bond> bonds_;
  bool compares_computed_efforts_ = false;
  std::int64_t first_counted_;
  double macro_step_s_;
  double power_w_ = 0;
  double residual_j_ = 0;
  double startup_residual_j_ = 0;
  double transmitted_j_ = 0;
};

}  // namespace macrostep::engine
