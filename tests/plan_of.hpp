// The plan of a job that is meant to have one.
#pragma once

#include <doctest/doctest.h>

#include <utility>
#include <variant>

#include "engine/plan/plan.hpp"

namespace macrostep::tests {

/// For a job without a plan it tells the mistakes and throws std::bad_variant_access.
inline engine::Plan plan_of(const engine::Job& job) {
  auto made = engine::make_plan(job);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&made)) {
    for (const auto& [pointer, message] : *errors) {
      MESSAGE(pointer << ": " << message);
    }
  }
  return std::get<engine::Plan>(std::move(made));
}

}  // namespace macrostep::tests
