// Plans of jobs that must have one.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <variant>

#include "engine/plan/plan.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::tests {

inline engine::Plan planned(const engine::Job& job) {
  auto plan = engine::make_plan(job);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&plan)) {
    FAIL(errors->front().pointer, ": ", errors->front().message);
  }
  return std::get<engine::Plan>(std::move(plan));
}

/// Up to where all macro-steps of a linear problem are stable, at least within a session [s]; the
/// largest one of the job where that lies beyond it.
inline double limit_of(const engine::Plan& plan, std::size_t configuration) {
  const auto limit =
      engine::stability_limit(plan, plan.configurations[configuration],
                              plan.job.macro_step.initial_s, plan.job.macro_step.maximum_s);
  REQUIRE(std::holds_alternative<engine::StabilityLimit>(limit));
  return std::min(std::get<engine::StabilityLimit>(limit).range.session_s,
                  plan.job.macro_step.maximum_s);
}

/// The macro-step with which ρ(Φ) grows by a tenth over the duration [s]; nothing where the first
/// one of the job does, or none up to the largest.
inline std::optional<double> grown_by_a_tenth(const engine::Plan& plan,
                                              const engine::Configuration& configuration,
                                              double duration_s) {
  const auto grows = [&](double macro_step_s) {
    const auto phi = engine::propagation_matrix(plan, configuration, macro_step_s);
    return !std::holds_alternative<Eigen::MatrixXd>(phi) ||
           std::log(engine::spectral_radius(std::get<Eigen::MatrixXd>(phi))) * duration_s >
               std::log(1.1) * macro_step_s;
  };
  double below_s = plan.job.macro_step.initial_s / 10;
  double above_s = below_s;
  while (!grows(above_s)) {
    below_s = above_s;
    above_s *= 1.02;
    if (above_s > plan.job.macro_step.maximum_s) {
      return std::nullopt;
    }
  }
  while (above_s - below_s > 1e-6 * below_s) {
    const double middle_s = (below_s + above_s) / 2;
    (grows(middle_s) ? above_s : below_s) = middle_s;
  }
  return above_s > plan.job.macro_step.initial_s / 10 ? std::optional(below_s) : std::nullopt;
}

}  // namespace macrostep::tests
