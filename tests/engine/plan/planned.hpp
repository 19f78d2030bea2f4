// Plans of jobs that must have one.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "engine/plan/plan.hpp"
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

}  // namespace macrostep::tests
