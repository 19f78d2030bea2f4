// What a person must know of the scales of a problem of their own.
#pragma once

#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// The fastest and the slowest motion that the inputs excite, and whether the tests are long enough
/// for the slowest. Where these are not known, that H is assumed, unless the job has its own.
/// Nothing of a built-in problem.
std::vector<Notice> scales_notices(const Plan& plan);

}  // namespace macrostep::engine
