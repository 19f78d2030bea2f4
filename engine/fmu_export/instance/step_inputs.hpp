// The coupling inputs of an exported FMU within a communication step, as the importer gives them.
//
//   held             what was set before the step
//   derivatives      u(t) = Σ_k u^(k) (t − t_n)^k/k!, hence c_k = u^(k) H^k/k! (FMI 2)
//   intermediate     the importer sets the inputs at five equidistant instants of the step, and the
//                    polynomial of degree 4 through them is taken: exact for every order that
//                    inputs are extrapolated with, and constants stay constants (FMI 3)
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "models/subsystem/input_polynomial.hpp"

namespace macrostep::engine {

/// Called at instants of a step to set the inputs there.
using InputSampling = std::function<void(double time_s)>;

class StepInputs {
 public:
  explicit StepInputs(std::size_t inputs);

  /// d^order u/dt^order at the communication point, for the next step only; order 1 … 4.
  void set_derivative(std::size_t input, int order, double value);
  /// The derivatives of order 1 … 4 of one input after the other.
  std::span<const double> derivatives() const { return derivatives_; }
  /// As many as derivatives() has.
  void set_derivatives(std::span<const double> derivatives);
  bool has_derivatives() const { return has_derivatives_; }
  void forget_derivatives();

  /// Takes the polynomials of a step from values at instants of it: `sample` sets them in `u`.
  void interpolate(double start_s, double size_s, const InputSampling& sample,
                   std::span<const double> u);
  /// Takes the polynomials of a step from the inputs at its beginning and their derivatives.
  void extrapolate(double size_s, std::span<const double> u);

  models::InputModel model() const { return {polynomials_, degree_}; }

 private:
  static constexpr std::size_t orders = models::max_extrapolation_order;

  std::vector<double> derivatives_;
  bool has_derivatives_ = false;
  std::vector<models::InputPolynomial> polynomials_;
  int degree_ = 0;
};

}  // namespace macrostep::engine
