#include "models/integrators/linear_with_inputs.hpp"

namespace macrostep::models {

void LinearWithInputs::begin(const InputDynamics& dynamics, double macro_step_s, int micro_steps,
                             const Eigen::VectorXd& x) {
  const auto n = a_.rows();
  const auto count = static_cast<std::size_t>(micro_steps * instants_per_step()) + 1;
  const double h = macro_step_s / micro_steps;
  if (version_ != dynamics.version || micro_step_s_ != h || instants_.size() != count) {
    version_ = dynamics.version;
    micro_step_s_ = h;
    instants_.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      auto& instant = instants_[i];
      instant.coefficients.evaluate(dynamics, static_cast<double>(i) * h / instants_per_step());
      if (integrator_ == Integrator::trapezoidal) {
        factorise(instant, h);
      }
    }
  }
  for (auto& instant : instants_) {
    instant.drift.noalias() = instant.coefficients.by_rest_rate() * dynamics.rest.state_rate;
  }
  const auto size = n + b_.cols();
  start_.resize(size);
  start_.head(n) = x;
  rate_.resize(size);
  sum_.resize(size);
  g_.resize(n);
}

void LinearWithInputs::factorise(Instant& instant, double h) {
  const auto n = a_.rows();
  const auto m = b_.cols();
  const auto& c = instant.coefficients;
  jacobian_.resize(n + m, n + m);
  jacobian_.topLeftCorner(n, n) = a_;
  jacobian_.topRightCorner(n, m) = b_;
  jacobian_.bottomLeftCorner(m, n) = c.by_state();
  jacobian_.bottomLeftCorner(m, n).noalias() += c.by_rate() * a_;
  jacobian_.bottomRightCorner(m, m) = c.by_input();
  jacobian_.bottomRightCorner(m, m).noalias() += c.by_rate() * b_;
  jacobian_ *= -h / 2;
  jacobian_.diagonal().array() += 1;
  instant.factors.compute(jacobian_);
}

void LinearWithInputs::derivatives(const Instant& instant, const Eigen::VectorXd& z,
                                   Eigen::VectorXd& rate) {
  const auto n = a_.rows();
  const auto m = b_.cols();
  const auto& c = instant.coefficients;
  change_ = z - start_;
  auto x_rate = rate.head(n);
  x_rate = g_;
  x_rate.noalias() += a_ * z.head(n);
  x_rate.noalias() += b_ * z.tail(m);
  auto u_rate = rate.tail(m);
  u_rate = instant.drift;
  u_rate.noalias() += c.by_rate() * x_rate;
  u_rate.noalias() += c.by_state() * change_.head(n);
  u_rate.noalias() += c.by_input() * change_.tail(m);
}

}  // namespace macrostep::models
