// Corrections that make good the error of the extrapolated inputs in the next macro-step: the
// nearly energy-preserving coupling element (Benedikt et al. 2013) and the model-based corrector
// (Haid, Watzenig and Stettinger 2022, eqs. 10-25).
//
// Over the macro-step that ends at t_{n+1} an input of order p follows the polynomial through y_n …
// y_{n−p}, plus an offset δ_n. With the true value ȳ_{n+1} of its source and ũ_{n+1} the end of the
// polynomial, the true input differs from it by (θ = (t − t_n)/H)
//
//   (ȳ_{n+1} − ũ_{n+1}) θ(θ+1)…(θ+p)/(p+1)!     through all of y_{n+1} … y_{n−p}
//
// so that what the accumulated error of eqs. 20-22 asks for, for any order (24 and 25: p = 0, 1),
// is
//
//   δ_{n+1} = δ_n + α (γ_{p+1} (ȳ_{n+1} − ũ_{n+1}) − δ_n),     γ = 1/2, 5/12, 3/8, 251/720, 95/288
//
// nepce takes the subsystem's own outputs for ȳ. model_based corrects them first: with the true
// input on the polynomial of degree p through y_{n+1} … y_{n−p+1}, the difference is
// (ȳ_{n+1} − ũ_{n+1}) q_p(θ), q_p = θ(θ+1)…(θ+p−1)/p!, and its response
//
//   ȳ_{n+1} = y_{n+1} + G (L ȳ_{n+1} − ũ_{n+1}) − G_0 δ_n       (eqs. 14-19; G_0: p = 0)
//   G = C ∫₀ᴴ e^{A(H−τ)} B q_p(τ/H) dτ + D
//
// column by column with the order of the input. Without Jacobians the responses are identified from
// inputs and outputs (identification.hpp), with q_p taken for a ramp where p > 0. nepce with
// feedthrough corrected leaves but D of G.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/correction/identification.hpp"
#include "engine/job/correction.hpp"
#include "engine/job/extrapolation.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "models/integrators/propagator.hpp"
#include "models/subsystem/linearisation.hpp"

namespace macrostep::engine {

class SignalCorrection {
 public:
  SignalCorrection(const CouplingGraph& graph, Extrapolation extrapolation, Correction correction,
                   const CorrectionParameters& parameters, double macro_step_s);

  /// Whether outputs are corrected by the subsystems' Jacobians, which set_model() brings.
  bool needs_jacobians() const { return corrects_outputs_ && identified_.empty(); }
  /// The subsystems' Jacobians over the macro-steps to come.
  void set_model(std::span<const models::Linearisation> subsystems);

  struct End {
    std::span<const double> extrapolated;     ///< ũ_{n+1}, by input, without offsets
    std::span<const InputHistory> histories;  ///< as the inputs were continued from
  };
  /// Corrects outputs y at the end of a macro-step, and the offsets for the next one.
  void end_macro_step(const End& end, std::span<double> y, std::span<double> offsets);

 private:
  static constexpr std::size_t degrees = models::max_extrapolation_order + 1;

  /// A subsystem whose model is identified, with its exchanged outputs.
  struct Identified {
    InputOutputModel model;
    std::vector<std::size_t> outputs;
    Eigen::VectorXd start, change, end;  ///< working memory
  };

  static Identified identified_model(const CouplingGraph& graph, std::size_t subsystem,
                                     double forgetting);
  void set_orders(std::span<const InputHistory> histories);
  void identify(const End& end, std::span<const double> y, std::span<const double> offsets);
  void assemble();
  /// Responses of an output at the end to q_p on an input of the same subsystem, and to a constant.
  struct Response {
    double to_error = 0;
    double to_offset = 0;
  };
  Response response(std::size_t output, std::size_t input) const;

  const CouplingGraph& graph_;
  Extrapolation extrapolation_;
  double alpha_;
  double macro_step_s_;
  bool corrects_outputs_;
  bool dynamic_;             ///< G has the states' part, not D alone
  std::vector<int> orders_;  ///< p by input, in the macro-step that ends
  bool assembled_ = false;
  int refresh_;  ///< macro-steps between new responses of an identified model
  std::int64_t macro_steps_ = 0;
  std::vector<Identified> identified_;  ///< by subsystem; empty: Jacobians are given

  // Response of the outputs of a subsystem at the end to θ^k on its inputs: C W_k B + D.
  std::vector<models::Propagator<Eigen::Dynamic>> propagators_;
  std::vector<std::array<Eigen::MatrixXd, degrees>> responses_;
  std::vector<Eigen::MatrixXd> state_responses_;  ///< W_k B, working memory
  Eigen::MatrixXd to_error_, to_offset_;          ///< L G, L G_0: inputs × inputs
  Eigen::PartialPivLU<Eigen::MatrixXd> solver_;   ///< of I − L G
  Eigen::VectorXd right_, corrected_;
};

}  // namespace macrostep::engine
