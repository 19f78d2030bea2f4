#include "engine/stability/stability.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/reference/reference.hpp"
#include "engine/stability/spectrum.hpp"

namespace macrostep::engine {

namespace {

/// From one macro-step looked at to the next: islands of instability narrower than this are missed.
constexpr double scan_ratio = 1.02;
/// The limit is then found to this share of itself.
constexpr double bisection_share = 1e-6;

}  // namespace

double exact_log_growth(const Plan& plan, const Configuration& configuration, double duration_s) {
  if (!why_not_linear(plan.coupling(configuration)).empty()) {
    return 0;  // and no solver is set up for nothing
  }
  const auto made = Reference::make(plan, configuration, plan.job.tests.front());
  const auto* reference = std::get_if<std::unique_ptr<Reference>>(&made);
  if (!reference || !(*reference)->matrix()) {
    return 0;
  }
  return std::max(0.0, growth_rate_per_s(*(*reference)->matrix()) * duration_s);
}

Stability::Stability(const Plan& plan, const Configuration& configuration, double duration_s)
    : Stability(plan, configuration, duration_s,
                engine::exact_log_growth(plan, configuration, duration_s)) {}

Stability::Stability(const Plan& plan, const Configuration& configuration, double duration_s,
                     double exact_log_growth)
    : propagation_(plan, configuration),
      duration_s_(duration_s),
      exact_log_growth_(exact_log_growth) {}

std::variant<bool, std::string> Stability::is_stable(double macro_step_s) const {
  const auto phi = propagation_.matrix(macro_step_s);
  if (const auto* reason = std::get_if<std::string>(&phi)) {
    return *reason;
  }
  const double log_growth =
      std::log(spectral_radius(std::get<Eigen::MatrixXd>(phi))) * duration_s_ / macro_step_s;
  return log_growth <= std::log(allowed_growth) + exact_log_growth_;  // false for NaN
}

double longest_test_s(const Plan& plan) {
  double longest_s = 0;
  for (const auto& test : plan.job.tests) {
    longest_s = std::max(longest_s, test.duration_s);
  }
  return longest_s;
}

std::variant<StabilityLimit, std::string> stability_limit(const Plan& plan,
                                                          const Configuration& configuration,
                                                          double duration_s, double smallest_s,
                                                          double largest_s) {
  const Stability stability(plan, configuration, duration_s);
  const auto first = stability.is_stable(smallest_s);
  if (const auto* reason = std::get_if<std::string>(&first)) {
    return *reason;
  }
  if (!std::get<bool>(first)) {
    return "unstable already at " + milliseconds_text(smallest_s);
  }
  const auto is_stable = [&](double macro_step_s) {
    const auto judged = stability.is_stable(macro_step_s);
    return std::holds_alternative<bool>(judged) && std::get<bool>(judged);
  };
  double stable_s = smallest_s;
  while (stable_s < largest_s) {
    double unstable_s = std::min(stable_s * scan_ratio, largest_s);
    if (is_stable(unstable_s)) {
      stable_s = unstable_s;
      continue;
    }
    while (unstable_s - stable_s > bisection_share * stable_s) {
      const double middle_s = (stable_s + unstable_s) / 2;
      (is_stable(middle_s) ? stable_s : unstable_s) = middle_s;
    }
    return StabilityLimit{duration_s, stable_s, largest_s};
  }
  return StabilityLimit{duration_s, std::nullopt, largest_s};
}

}  // namespace macrostep::engine
