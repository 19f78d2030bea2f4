// What a user should know of the test inputs of a plan that no error tells.
#pragma once

#include <optional>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// Sines and records that leave the range of an external input that they drive, which the random
/// inputs of the checks do not. Empty where there is none.
std::vector<Notice> input_range_warning(const Plan& plan);

/// When the test first moves an external input from its value at the start [s]; nothing where it
/// moves none.
std::optional<double> driven_from_s(const Problem& problem, const TestInput& test);

}  // namespace macrostep::engine
