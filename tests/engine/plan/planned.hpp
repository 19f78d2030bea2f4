// Plans of jobs that must have one.
#pragma once

#include <doctest/doctest.h>

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

/// The exact limit of stability of a linear problem [s]; the largest macro-step of the job where it
/// lies beyond that.
inline double limit_of(const engine::Plan& plan, std::size_t configuration) {
  const auto limit = engine::stability_limit(
      plan, plan.configurations[configuration], engine::longest_test_s(plan),
      plan.job.macro_step.initial_s / 10, plan.job.macro_step.maximum_s);
  REQUIRE(std::holds_alternative<engine::StabilityLimit>(limit));
  return std::get<engine::StabilityLimit>(limit).limit_s.value_or(plan.job.macro_step.maximum_s);
}

}  // namespace macrostep::tests
