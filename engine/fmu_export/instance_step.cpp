// The communication step of an exported FMU: the subsystem's own step, with its inputs as the
// importer gives them.
//
//   held             what was set before the step
//   derivatives      u(t) = Σ_k u^(k) (t − t_n)^k/k!, hence c_k = u^(k) H^k/k! (FMI 2)
//   intermediate     the importer sets the inputs at five equidistant instants of the step, and the
//                    polynomial of degree 4 through them is taken: exact for every order that
//                    inputs are extrapolated with, and constants stay constants (FMI 3)
#include <algorithm>
#include <cmath>

#include "engine/fmu_export/instance.hpp"

namespace macrostep::engine {

namespace {

using models::InputPolynomial;

/// Communication points that an importer adds up drift by roundings: by this share of a step and of
/// the time at most.
constexpr double drift_share_of_step = 1e-6;
constexpr double drift_share_of_time = 1e-12;
/// More micro-steps than this in one step are a mistake in its size.
constexpr double max_micro_steps = 1e9;

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

void FmuInstance::set_input_derivative(std::uint32_t reference, int order, double value) {
  const auto [kind, index] = place(reference);
  if (order < 1 || order > models::max_extrapolation_order) {
    throw Refused("input derivatives have the orders 1 to 4, not " + std::to_string(order));
  }
  if (kind == VariableKind::external && value == 0) {
    return;
  }
  if (kind == VariableKind::external) {
    throw Refused("the external input " + setup_.inputs[u_.size() + index].name +
                  " is held over a step: it takes no derivatives");
  }
  if (kind != VariableKind::input) {
    throw Refused("the variable with the value reference " + std::to_string(reference) +
                  " is no input");
  }
  input_derivatives_[index][static_cast<std::size_t>(order) - 1] = value;
  has_derivatives_ = true;
}

double FmuInstance::output_derivative(std::uint32_t reference, int order) {
  const auto [kind, index] = place(reference);
  if (kind != VariableKind::output) {
    throw Refused("the variable with the value reference " + std::to_string(reference) +
                  " is no output");
  }
  const auto& ports = definition_.description.outputs;
  auto port = std::optional(index);
  for (int k = 0; k < order && port; ++k) {
    port = ports[*port].derivative;
  }
  if (order < 1 || !port) {
    throw Refused("the derivative of order " + std::to_string(order) + " of the output " +
                      ports[index].name + " is not known",
                  /*is_discard=*/true);
  }
  return outputs()[*port];
}

void FmuInstance::check_step(double start_s, double size_s) const {
  if (!std::isfinite(start_s) || !std::isfinite(size_s) || size_s <= 0) {
    throw Refused("a step must begin at a finite time and have a positive, finite size");
  }
  const double drift = drift_share_of_step * size_s + drift_share_of_time * std::abs(start_s);
  if (std::abs(start_s - time_s_) > drift) {
    throw Refused("the step begins at " + std::to_string(start_s) + " s, but the instance is at " +
                  std::to_string(time_s_) + " s");
  }
  if (start_s + size_s > stop_s_ + drift) {
    throw Refused("the step ends beyond the stop time of " + std::to_string(stop_s_) + " s");
  }
  if (setup_.micro_step_s && size_s / *setup_.micro_step_s > max_micro_steps) {
    throw Refused("the step has more than 1e9 micro-steps");
  }
}

void FmuInstance::sample_inputs(double start_s, double size_s, const Sampling& sample) {
  std::vector<Samples> samples(u_.size());
  constexpr std::size_t last = std::tuple_size_v<Samples> - 1;
  for (std::size_t k = 0; k <= last; ++k) {
    sample(k == last ? start_s + size_s : start_s + size_s * static_cast<double>(k) / last);
    for (std::size_t i = 0; i < u_.size(); ++i) {
      samples[i][k] = u_[i];
    }
  }
  degree_ = 0;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    const auto [polynomial, degree] = through(samples[i]);
    polynomials_[i] = polynomial;
    degree_ = std::max(degree_, degree);
  }
}

void FmuInstance::take_derivatives(double size_s) {
  degree_ = 0;
  for (std::size_t i = 0; i < u_.size(); ++i) {
    auto& c = polynomials_[i].coefficients;
    c = {u_[i]};
    double factor = 1;  // H^k/k!
    for (std::size_t k = 1; has_derivatives_ && k <= orders; ++k) {
      factor *= size_s / static_cast<double>(k);
      c[k] = factor * input_derivatives_[i][k - 1];
      degree_ = c[k] != 0 ? std::max(degree_, static_cast<int>(k)) : degree_;
    }
  }
}

void FmuInstance::do_step(double start_s, double size_s, const Sampling& sample) {
  check_step(start_s, size_s);
  if (sample) {
    phase_ = intermediate_update;
    sample_inputs(start_s, size_s, sample);
    phase_ = step_mode;
  } else {
    take_derivatives(size_s);
  }
  const auto result = subsystem_->step({.index = steps_, .start_s = start_s, .size_s = size_s},
                                       {polynomials_, degree_});
  forget_results();
  if (result.status != models::StepStatus::ok) {
    throw Refused(result.reason);
  }
  ++steps_;
  time_s_ = start_s + size_s;
  if (degree_ > 0) {
    for (std::size_t i = 0; i < u_.size(); ++i) {
      u_[i] = polynomials_[i].value(1);
    }
  }
  if (has_derivatives_) {
    std::ranges::fill(input_derivatives_, InputDerivatives{});
    has_derivatives_ = false;
  }
}

}  // namespace macrostep::engine
