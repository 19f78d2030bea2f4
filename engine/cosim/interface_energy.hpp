// The energy that an interface really adds to the system, as far as outputs at communication points
// tell it: what the inputs as applied bring into one side of a power bond, less what they take out
// of the other,
//
//   ΔE_n = factor ∫ (ẽ f_B − f̃ e_A) dt
//        ≈ factor H/2 [ẽ(0) f_n + ẽ(1) f_{n+1} − f̃(0) e°_n − f̃(1) e_{n+1}]
//
// over the macro-step [t_n, t_{n+1}], by the trapezoidal rule, with the inputs at both ends as
// applied, corrections included, and the outputs there: e°_n is the effort at t_n for inputs as
// exchanged there, with which the macro-step begins, e_{n+1} the one for inputs as applied at its
// end. The residual energy (residual.hpp) takes the end of the macro-step for all of it and needs a
// share μ; this does not, so that its sum is 0 where a correction is right.
#pragma once

#include <span>
#include <vector>

#include "engine/problem/coupling_graph.hpp"

namespace macrostep::engine {

class InterfaceEnergy {
 public:
  /// Bonds whose effort is computed are left out. The graph must outlive this.
  InterfaceEnergy(const CouplingGraph& graph, double macro_step_s);

  /// Outputs at the start: as exchanged, and for these as inputs.
  void start(std::span<const double> y, std::span<const double> y_exchanged);

  struct End {
    std::span<const double> applied;      ///< inputs at the end of the macro-step, with offsets
    std::span<const double> offsets;      ///< of a correction, over the macro-step
    std::span<const double> y;            ///< outputs for these inputs
    std::span<const double> y_next;       ///< as exchanged, for the next macro-step
    std::span<const double> y_exchanged;  ///< outputs for the exchanged ones as inputs
  };
  void add(const End& end);

  double total_j() const { return total_j_; }

 private:
  const CouplingGraph& graph_;
  double macro_step_s_;
  double total_j_ = 0;
  std::vector<double> y_, y_exchanged_;  ///< at the start of the macro-step
};

}  // namespace macrostep::engine
