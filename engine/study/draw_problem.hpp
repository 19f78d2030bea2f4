// Draws the problems of a trust study from their families, by a seed and a number.
#pragma once

#include <cstdint>

#include "engine/study/study_problem.hpp"

namespace macrostep::engine {

/// A seed and a number always give one and the same problem; the families recur in a fixed order.
/// Unseen inputs keep to `share` of their usual range: a smaller one for problems that have no
/// solution beyond.
StudyProblem make_study_problem(std::uint64_t seed, std::uint64_t number, double share = 1);

}  // namespace macrostep::engine
