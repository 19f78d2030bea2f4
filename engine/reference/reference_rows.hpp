// The monolithic solution (reference.hpp) at equal intervals of time, handed on as it is found.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

struct ReferenceRows {
  const Configuration* configuration = nullptr;  ///< its coupling decides the outputs
  const TestInput* test = nullptr;
  double interval_s = 0;
  std::int64_t rows = 0;  ///< at 0, one interval, two intervals …
  const std::atomic<bool>* stop = nullptr;
  std::function<void(double time_s, std::span<const double> outputs)> on_row;
};

/// Empty, or why there are not all rows: there is no solution, or it cannot be continued.
std::string follow_reference(const Plan& plan, const ReferenceRows& wanted);

}  // namespace macrostep::engine
