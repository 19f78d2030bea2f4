// The energy correction (Rodríguez, Rahikainen, Mikkola, Kurvinen and González 2022, eqs. 13-17,
// 19-21).
//
// At each end of a macro-step the share μ of the residual energy of a power bond,
//
//   ς_{k+1} = μ ∫ δP dt,   δP_{k+1} = factor · (e_k f_{k+1} − f_k e_{k+1})
//
// counts as spurious: the inputs are taken as held whatever the extrapolation (the text after their
// eq. 9), and without the correction force. A force beside the effort, held over the next
// macro-step, takes it away:
//
//   e_corr = −(ς_{k+1} + ν U_k)/(factor |f|² H) · f,
//   U_{k+1} = U_k + ς_{k+1} + factor e_corr·f_{k+2} H       (what was left uncorrected so far)
//
// with f = f_{k+1}, or its linear prediction 2 f_{k+1} − f_k. Its magnitude is limited to a share
// of the effort's, or to a force.
#pragma once

#include <cstddef>
#include <span>
#include <variant>
#include <vector>

#include "engine/job/configuration.hpp"
#include "engine/job/correction.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"

namespace macrostep::engine {

/// μ of every bond by their eqs. 20 and 21, with μ_SR = 0.5. Why there is none: the formula holds
/// for symplectic Euler with h = H, Jacobi and exactly one side with direct feedthrough (neither:
/// 0), whose inputs are held unless it is the faster one: the orders in it are those of the faster
/// side. `micro_steps`: whether any subsystem of the coupling steps more finely than it
/// communicates.
std::variant<std::vector<double>, std::string> energy_shares(const CouplingGraph& graph,
                                                             const Coupling& coupling,
                                                             const Configuration& configuration,
                                                             bool micro_steps, bool held_within);

class EnergyCorrection {
 public:
  /// `shares`: μ by bond. Bonds exchange their efforts; the graph must outlive this.
  EnergyCorrection(const CouplingGraph& graph, std::span<const double> shares,
                   const CorrectionParameters& parameters, double macro_step_s);

  /// Forgets what was before outputs y at the start of a macro-step.
  void restart(std::span<const double> y);

  /// Takes the outputs at the end of a macro-step; writes into `offsets`, by input, what is added
  /// to the efforts over the next one.
  void end_macro_step(std::span<const double> y, std::span<double> offsets);

 private:
  struct Component {
    std::size_t effort_output = 0, flow_output = 0, effort_input = 0;
    double effort = 0;  ///< e_k
    double flow = 0;    ///< f_k
    double force = 0;   ///< e_corr over the macro-step that ends next
  };
  struct Bond {
    double factor = 1;
    double share = 0;          ///< μ
    double power_w = 0;        ///< δP_k
    double spurious_j = 0;     ///< ς_k
    double uncorrected_j = 0;  ///< U
    std::size_t first = 0;     ///< of its components
    std::size_t count = 0;
  };

  void correct(Bond& bond, std::span<const double> y, std::span<double> offsets);

  CorrectionParameters parameters_;
  double macro_step_s_;
  std::vector<Component> components_;
  std::vector<Bond> bonds_;
};

}  // namespace macrostep::engine
