// A linear subsystem of any size with its inputs as states of their own, z = [x; u]
// (input_dynamics.hpp), for the steppers of steppers.hpp:
//
//   ẋ = A x + B u + g(t),   u̇ = L ẋ_k + P ẋ + Q (x − x_k) + R (u − u_k)
//
// The right side f is affine in z, so that a step of the trapezoidal rule is one solution:
//   (I − h/2 J⁺)(z⁺ − z) = h/2 (f(t, z) + f(t + h, z)),   J = [A, B; P A + Q, P B + R]
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "models/integrators/input_dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/subsystem/input_polynomial.hpp"

namespace macrostep::models {

class LinearWithInputs {
 public:
  /// forward_euler, rk4, trapezoidal.
  static bool offers(Integrator integrator) {
    return integrator == Integrator::forward_euler || integrator == Integrator::rk4 ||
           integrator == Integrator::trapezoidal;
  }

  LinearWithInputs(Eigen::MatrixXd a, Eigen::MatrixXd b, Integrator integrator)
      : a_(std::move(a)), b_(std::move(b)), integrator_(integrator) {}

  /// Moves x over the macro-step and leaves the inputs in the dynamics; external(done, g) writes
  /// g(t_k + done·h). Evaluations of the right side. The first call sets sizes, and one with more
  /// micro-steps; others allocate nothing.
  template <class External>
  std::int64_t step(double macro_step_s, int micro_steps, const InputModel& input,
                    const External& external, Eigen::VectorXd& x) {
    const auto n = a_.rows();
    begin(*input.dynamics, macro_step_s, micro_steps, x);
    for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
      start_[n + static_cast<Eigen::Index>(i)] = input.polynomials[i].coefficients[0];
    }
    z_ = start_;
    const double h = macro_step_s / micro_steps;
    for (int k = 0; k < micro_steps; ++k) {
      const auto evaluate = [&](double c, const Eigen::VectorXd& z, Eigen::VectorXd& rate) {
        external(k + c, g_);
        derivatives(instants_[static_cast<std::size_t>((k + c) * instants_per_step())], z, rate);
      };
      integrator_ == Integrator::rk4           ? rk4(evaluate, h)
      : integrator_ == Integrator::trapezoidal ? trapezoidal(evaluate, k)
                                               : forward_euler(evaluate, h);
    }
    x = z_.head(n);
    input.dynamics->set_end({z_.data() + n, static_cast<std::size_t>(z_.size() - n)});
    return integrator_ == Integrator::rk4 ? 4 * micro_steps : micro_steps;
  }

 private:
  struct Instant {
    InputCoefficients coefficients;
    Eigen::VectorXd drift;                         ///< L ẋ_k
    Eigen::PartialPivLU<Eigen::MatrixXd> factors;  ///< of I − h/2 J, for the trapezoidal rule
  };

  int instants_per_step() const { return integrator_ == Integrator::rk4 ? 2 : 1; }

  void begin(const InputDynamics& dynamics, double macro_step_s, int micro_steps,
             const Eigen::VectorXd& x);
  void factorise(Instant& instant, double h);
  void derivatives(const Instant& instant, const Eigen::VectorXd& z, Eigen::VectorXd& rate);

  template <class Evaluate>
  void forward_euler(const Evaluate& evaluate, double h) {
    evaluate(0, z_, rate_);
    z_ += h * rate_;
  }

  template <class Evaluate>
  void rk4(const Evaluate& evaluate, double h) {
    constexpr std::array instants{0.0, 0.5, 0.5, 1.0};
    constexpr std::array weights{1.0, 2.0, 2.0, 1.0};
    sum_.setZero();
    rate_.setZero();
    for (std::size_t stage = 0; stage < 4; ++stage) {
      at_ = z_ + h * instants[stage] * rate_;
      evaluate(instants[stage], at_, rate_);
      sum_ += weights[stage] * rate_;
    }
    z_ += h / 6 * sum_;
  }

  template <class Evaluate>
  void trapezoidal(const Evaluate& evaluate, int k) {
    evaluate(0, z_, rate_);
    sum_ = rate_;
    evaluate(1, z_, rate_);
    sum_ += rate_;
    at_ = instants_[static_cast<std::size_t>(k) + 1].factors.solve(sum_);
    z_ += micro_step_s_ / 2 * at_;
  }

  Eigen::MatrixXd a_, b_, jacobian_;
  Integrator integrator_;
  std::vector<Instant> instants_;
  std::int64_t version_ = -1;
  double micro_step_s_ = 0;
  Eigen::VectorXd start_, z_, at_, rate_, sum_, g_, change_;
};

}  // namespace macrostep::models
