#include "engine/correction/identification.hpp"

namespace macrostep::engine {

namespace {

/// Variance of every parameter at the start, in units of nominal values: nothing is known yet.
constexpr double initial_variance = 1e6;

}  // namespace

InputOutputModel::InputOutputModel(const Eigen::VectorXd& nominal_outputs,
                                   const Eigen::VectorXd& nominal_inputs, double forgetting)
    : nominal_outputs_(nominal_outputs), nominal_inputs_(nominal_inputs), forgetting_(forgetting) {
  const Eigen::Index size = 2 * outputs() + 4 * inputs();
  regressors_.setZero(size);
  parameters_.setZero(size, outputs());
  covariance_.setIdentity(size, size);
  covariance_ *= initial_variance;
  gain_.setZero(size);
  past_.setZero(outputs() + 2 * inputs());
  error_.setZero(outputs());
}

void InputOutputModel::add(const Eigen::VectorXd& start, const Eigen::VectorXd& change,
                           const Eigen::VectorXd& end) {
  const Eigen::Index p = outputs();
  const Eigen::Index m = inputs();
  // past_ = y_n, u_{n−1}, Δu_{n−1}; what was y_n is y_{n−1} now.
  regressors_.segment(p, p) = regressors_.head(p);
  regressors_.head(p) = past_.head(p);
  regressors_.segment(2 * p, m) = start.cwiseQuotient(nominal_inputs_);
  regressors_.segment(2 * p + m, m) = change.cwiseQuotient(nominal_inputs_);
  regressors_.tail(2 * m) = past_.tail(2 * m);
  past_.head(p) = end.cwiseQuotient(nominal_outputs_);
  past_.tail(2 * m) = regressors_.segment(2 * p, 2 * m);
  if (++seen_ <= 2) {
    return;  // there is no y_{n−1} yet
  }
  gain_.noalias() = covariance_ * regressors_;
  // Forgets as far as the motion brings something new: without that, variances would grow without
  // bound where nothing is excited.
  const double novelty = regressors_.dot(gain_);
  const double forgetting = 1 - (1 - forgetting_) * novelty / (1 + novelty);
  const double weight = 1 / (forgetting + novelty);
  error_ = past_.head(p).transpose();
  error_.noalias() -= regressors_.transpose() * parameters_;
  parameters_.noalias() += (weight * gain_) * error_;
  covariance_.noalias() -= (weight * gain_) * gain_.transpose();
  covariance_ /= forgetting;
}

double InputOutputModel::response_to_offset(Eigen::Index output, Eigen::Index input) const {
  return parameters_(2 * outputs() + input, output) * nominal_outputs_[output] /
         nominal_inputs_[input];
}

double InputOutputModel::response_to_ramp(Eigen::Index output, Eigen::Index input) const {
  return parameters_(2 * outputs() + inputs() + input, output) * nominal_outputs_[output] /
         nominal_inputs_[input];
}

}  // namespace macrostep::engine
