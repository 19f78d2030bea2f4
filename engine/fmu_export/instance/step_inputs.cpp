#include "engine/fmu_export/instance/step_inputs.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace macrostep::engine {

namespace {

using models::InputPolynomial;

using Samples = std::array<double, models::max_extrapolation_order + 1>;

/// Differences of order k are zero if they are roundings of the values: 2^k of them, twice.
constexpr double rounding = 4.5e-16;

struct Interpolation {
  InputPolynomial polynomial;
  int degree = 0;
};

/// Through values at θ = 0, 1/4, … 1, by Newton's forward differences, without the digits that
/// polynomials of lower degree leave in those of higher order.
Interpolation through(Samples f) {
  constexpr std::size_t n = std::tuple_size_v<Samples>;
  double largest = 0;
  for (const double value : f) {
    largest = std::max(largest, std::abs(value));
  }
  for (std::size_t order = 1; order < n; ++order) {
    for (std::size_t i = n - 1; i >= order; --i) {
      f[i] -= f[i - 1];  // Δ^order f_0 stays in f[order]
    }
  }
  int degree = static_cast<int>(n) - 1;
  for (; degree > 0; --degree) {
    auto& difference = f[static_cast<std::size_t>(degree)];
    if (!(std::abs(difference) <= std::ldexp(rounding, degree) * largest)) {
      break;
    }
    difference = 0;
  }
  // Σ_k Δ^k f_0 binomial(s, k) with s = 4θ, multiplied out.
  const double s2 = f[2] / 2;
  const double s3 = f[3] / 6;
  const double s4 = f[4] / 24;
  return {{{f[0], 4 * (f[1] - s2 + 2 * s3 - 6 * s4), 16 * (s2 - 3 * s3 + 11 * s4),
            64 * (s3 - 6 * s4), 256 * s4}},
          degree};
}

}  // namespace

StepInputs::StepInputs(std::size_t inputs) : derivatives_(orders * inputs), polynomials_(inputs) {}

void StepInputs::set_derivative(std::size_t input, int order, double value) {
  derivatives_[input * orders + static_cast<std::size_t>(order) - 1] = value;
  has_derivatives_ = true;
}

void StepInputs::set_derivatives(std::span<const double> derivatives) {
  std::ranges::copy(derivatives, derivatives_.begin());
  has_derivatives_ = std::ranges::any_of(derivatives_, [](double d) { return d != 0; });
}

void StepInputs::forget_derivatives() {
  std::ranges::fill(derivatives_, 0);
  has_derivatives_ = false;
}

void StepInputs::interpolate(double start_s, double size_s, const InputSampling& sample,
                             std::span<const double> u) {
  std::vector<Samples> samples(u.size());
  constexpr std::size_t last = std::tuple_size_v<Samples> - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    sample(k == last ? start_s + size_s : start_s + size_s * static_cast<double>(k) / last);
    for (std::size_t i = 0; i < u.size(); ++i) {
      samples[i][k] = u[i];
    }
  }
  degree_ = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    const auto [polynomial, degree] = through(samples[i]);
    polynomials_[i] = polynomial;
    degree_ = std::max(degree_, degree);
  }
}

void StepInputs::extrapolate(double size_s, std::span<const double> u) {
  degree_ = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    auto& c = polynomials_[i].coefficients;
    c = {u[i]};
    double factor = 1;  // H^k/k!
    for (std::size_t k = 1; has_derivatives_ && k <= orders; ++k) {
      factor *= size_s / static_cast<double>(k);
      c[k] = factor * derivatives_[i * orders + k - 1];
      degree_ = c[k] != 0 ? std::max(degree_, static_cast<int>(k)) : degree_;
    }
  }
}

}  // namespace macrostep::engine
