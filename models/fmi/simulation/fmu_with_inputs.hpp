// A model-exchange FMU with its inputs as states of their own over a macro-step, z = [x; u]
// (models/integrators/input_dynamics.hpp), for the steppers of fixed_stepper.hpp:
//
//   ẋ = f(t, x, u, w),   u̇ = L ẋ_k + P ẋ + Q (x − x_k) + R (u − u_k)
//
// Newton's method takes [A, B; P A + Q, P B + R] with the FMU's A and B of the macro-step's start.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "models/integrators/input_dynamics.hpp"
#include "models/subsystem/input_polynomial.hpp"

namespace macrostep::models::fmi {

template <class Equations>
class FmuWithInputs {
 public:
  /// The equations must outlive it.
  FmuWithInputs(Equations& equations, std::size_t inputs) : equations_(equations), u_(inputs) {}

  Eigen::Index size() const { return static_cast<Eigen::Index>(equations_.states() + u_.size()); }

  /// At the start of a macro-step, after the equations' own begin(). z becomes [x; u].
  void begin(const InputModel& input, const Eigen::VectorXd& x, Eigen::VectorXd& z) {
    dynamics_ = input.dynamics;
    const auto n = x.size();
    z.resize(size());
    z.head(n) = x;
    for (std::size_t i = 0; i < u_.size(); ++i) {
      z[n + static_cast<Eigen::Index>(i)] = input.polynomials[i].coefficients[0];
    }
    start_ = z;
    x_ = rate_ = x;
    nominal_.resize(size());
    nominal_.head(n) = equations_.nominal_states();
    nominal_.tail(size() - n) = Eigen::Map<const Eigen::VectorXd>(
        dynamics_->nominal.data(), static_cast<Eigen::Index>(u_.size()));
    coefficients_at_s_.reset();
  }

  bool derivatives(double t_s, const Eigen::VectorXd& z, Eigen::VectorXd& rate) {
    put(z);
    if (!equations_.derivatives(t_s, x_, rate_)) {
      return false;
    }
    const auto n = x_.size();
    const auto m = size() - n;
    evaluate_coefficients(t_s);
    rate.head(n) = rate_;
    change_ = z - start_;
    auto u_rate = rate.tail(m);
    u_rate.noalias() = coefficients_.by_rest_rate() * dynamics_->rest.state_rate;
    u_rate.noalias() += coefficients_.by_rate() * rate_;
    u_rate.noalias() += coefficients_.by_state() * change_.head(n);
    u_rate.noalias() += coefficients_.by_input() * change_.tail(m);
    return true;
  }

  void jacobian(double t_s, const Eigen::VectorXd&, const Eigen::VectorXd&,
                Eigen::MatrixXd& entries) {
    const auto& own = *dynamics_->own;
    const auto n = x_.size();
    const auto m = size() - n;
    evaluate_coefficients(t_s);
    const auto& c = coefficients_;
    entries.topLeftCorner(n, n) = own.a;
    entries.topRightCorner(n, m) = own.b;
    entries.bottomLeftCorner(m, n) = c.by_state();
    entries.bottomLeftCorner(m, n).noalias() += c.by_rate() * own.a;
    entries.bottomRightCorner(m, m) = c.by_input();
    entries.bottomRightCorner(m, m).noalias() += c.by_rate() * own.b;
  }

  const Eigen::VectorXd& nominal_states() const { return nominal_; }

  /// A micro-step has ended: x becomes the state in z, which the equations see with the inputs in
  /// z.
  void end_micro_step(double t_s, Eigen::VectorXd& z, Eigen::VectorXd& x) {
    put(z);
    x = x_;
    equations_.end_micro_step(t_s, x);
    z.head(x.size()) = x;
  }

  void end(const Eigen::VectorXd& z) {
    put(z);
    dynamics_->set_end(u_);
  }

 private:
  void put(const Eigen::VectorXd& z) {
    x_ = z.head(x_.size());
    std::copy_n(z.data() + x_.size(), u_.size(), u_.begin());
    equations_.use_inputs(u_);
  }

  /// Stages share instants, and the end of a micro-step is the start of the next.
  void evaluate_coefficients(double t_s) {
    if (coefficients_at_s_ != t_s) {
      coefficients_.evaluate(*dynamics_, t_s);
      coefficients_at_s_ = t_s;
    }
  }

  Equations& equations_;
  InputDynamics* dynamics_ = nullptr;
  std::vector<double> u_;
  Eigen::VectorXd start_, nominal_, x_, rate_, change_;
  InputCoefficients coefficients_;
  std::optional<double> coefficients_at_s_;
};

}  // namespace macrostep::models::fmi
