// The co-simulation master: the non-iterative Jacobi macro-step, written once over the coupling
// graph.
//
// Over [t_n, t_n + H] every subsystem steps on its own, with inputs continued from values known at
// t_n. At t_{n+1} each gives its outputs for the inputs as applied there, and the exchange starts
// anew. t_n = t_0 + n·H with integer n. advance() does not allocate.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/coupling_graph.hpp"
#include "engine/extrapolation.hpp"
#include "models/subsystem.hpp"

namespace macrostep::engine {

class Master {
 public:
  /// Subsystems in problem order; `externals` holds the signals of each.
  Master(CouplingGraph graph, std::vector<std::unique_ptr<models::Subsystem>> subsystems,
         std::vector<std::vector<models::ExternalSignal>> externals, Extrapolation extrapolation,
         double macro_step_s);

  /// Starts the subsystems and finds outputs at t = 0 that agree with the inputs made of them.
  /// The reason when they do not settle.
  std::optional<std::string> start();

  /// One macro-step.
  models::StepResult advance();

  double time_s() const { return static_cast<double>(macro_steps_) * macro_step_s_; }
  std::int64_t macro_steps() const { return macro_steps_; }
  const CouplingGraph& graph() const { return graph_; }
  /// Outputs of all subsystems at time_s().
  std::span<const double> outputs() const { return y_; }
  /// Inputs of all subsystems as applied at time_s(): the end values of the last polynomials.
  std::span<const double> inputs() const { return u_; }
  /// Σ right-hand-side evaluations × the weight of their model.
  double cost() const { return cost_; }

 private:
  void extrapolate();
  models::InputPolynomial taylor_polynomial(const GraphInput& input) const;
  void read_outputs();
  void remember();

  CouplingGraph graph_;
  std::vector<std::unique_ptr<models::Subsystem>> subsystems_;
  std::vector<std::vector<models::ExternalSignal>> externals_;
  Extrapolation extrapolation_;
  double macro_step_s_;

  std::int64_t macro_steps_ = 0;
  double cost_ = 0;
  std::vector<double> y_;
  std::vector<double> u_;
  std::vector<models::InputPolynomial> polynomials_;  ///< by input
  std::vector<Differences> differences_;              ///< by input: of its source
  std::vector<double> weights_;                       ///< rhs_weight by subsystem
};

}  // namespace macrostep::engine
