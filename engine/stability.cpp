#include "engine/stability.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/propagation.hpp"
#include "engine/reference.hpp"
#include "engine/text.hpp"

namespace macrostep::engine {

namespace {

/// Ours: a growth by a tenth over a whole run is not seen among the errors of the coupling.
constexpr double allowed_growth = 1.1;
/// From one macro-step looked at to the next: islands of instability narrower than this are missed.
constexpr double scan_ratio = 1.02;
/// The limit is then found to this share of itself.
constexpr double bisection_share = 1e-6;

/// ln of the growth of the exact system over T, at least 0; 0 where it is not known, as with
/// delays.
double exact_log_growth(const Plan& plan, const Configuration& configuration, double duration_s) {
  const auto made = Reference::make(plan, configuration, plan.job.tests.front());
  const auto* reference = std::get_if<std::unique_ptr<Reference>>(&made);
  if (!reference || !(*reference)->matrix()) {
    return 0;
  }
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(*(*reference)->matrix(), false);
  return std::max(0.0, solver.eigenvalues().real().maxCoeff() * duration_s);
}

}  // namespace

std::variant<StabilityLimit, std::string> stability_limit(const Plan& plan,
                                                          const Configuration& configuration,
                                                          double duration_s, double smallest_s,
                                                          double largest_s) {
  std::string reason;
  const double allowed =
      std::log(allowed_growth) + exact_log_growth(plan, configuration, duration_s);
  const auto is_stable = [&](double macro_step_s) {
    const auto phi = propagation_matrix(plan, configuration, macro_step_s);
    if (const auto* why = std::get_if<std::string>(&phi)) {
      reason = *why;
      return false;
    }
    const double rho = spectral_radius(std::get<Eigen::MatrixXd>(phi));
    return std::log(rho) * duration_s / macro_step_s <= allowed;  // false for NaN
  };
  if (!is_stable(smallest_s)) {
    return reason.empty() ? "unstable already at " + milliseconds_text(smallest_s)
                          : std::move(reason);
  }
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
