// A linear model of one subsystem, identified from its inputs and outputs while it runs, by
// recursive least squares with forgetting (Åström and Wittenmark, Adaptive Control, 1995, section
// 2.2):
//
//   y_{n+1} = A_1 y_n + A_2 y_{n−1} + B_1 u_n + B_2 Δu_n + B_3 u_{n−1} + B_4 Δu_{n−1}
//
// with y the exchanged outputs at the ends of macro-steps, u the input at the beginning of a
// macro-step and Δu its change over it. All in units of nominal values. What the motion does not
// excite keeps the value 0: a model of a smooth motion says less of the subsystem than its
// Jacobians.
#pragma once

#include <Eigen/Core>

namespace macrostep::engine {

class InputOutputModel {
 public:
  /// Nominal magnitudes of the outputs to be foretold and of the inputs.
  InputOutputModel(const Eigen::VectorXd& nominal_outputs, const Eigen::VectorXd& nominal_inputs,
                   double forgetting);

  /// Takes the macro-step that ended: the inputs at its beginning, their change, and the outputs
  /// at its end.
  void add(const Eigen::VectorXd& start, const Eigen::VectorXd& change, const Eigen::VectorXd& end);

  /// Whether enough macro-steps have been seen: three for each unknown of an output.
  bool is_known() const { return seen_ >= 3 * regressors_.size(); }
  /// Change of an output at the end by an input that is higher all along.
  double response_to_offset(Eigen::Index output, Eigen::Index input) const;
  /// Change of an output at the end by an input that rises from 0 to 1 over the macro-step.
  double response_to_ramp(Eigen::Index output, Eigen::Index input) const;

 private:
  Eigen::Index outputs() const { return nominal_outputs_.size(); }
  Eigen::Index inputs() const { return nominal_inputs_.size(); }

  Eigen::VectorXd nominal_outputs_, nominal_inputs_;
  double forgetting_;
  Eigen::Index seen_ = 0;
  Eigen::VectorXd regressors_;   ///< y_n, y_{n−1}, u_n, Δu_n, u_{n−1}, Δu_{n−1}
  Eigen::MatrixXd parameters_;   ///< regressors × outputs
  Eigen::MatrixXd covariance_;   ///< P
  Eigen::VectorXd gain_, past_;  ///< P φ, and the newest values for the next macro-step
  Eigen::RowVectorXd error_;
};

}  // namespace macrostep::engine
