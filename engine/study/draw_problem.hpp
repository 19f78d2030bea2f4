// Draws the problems of a trust study from their families, by a seed and a number; and unseen
// inputs for problems that are given.
#pragma once

#include <cstdint>

#include "engine/study/study_problem.hpp"

namespace macrostep::engine {

/// A seed and a number always give one and the same problem; the families recur in a fixed order.
/// Unseen inputs keep to `share` of their usual range: a smaller one for problems that have no
/// solution beyond.
StudyProblem make_study_problem(std::uint64_t seed, std::uint64_t number, double share = 1);

/// Only the unseen inputs of a given problem are drawn, as long as its longest test. It counts as
/// linear where the exact rates of its modes are known in all its configurations. Accuracy, real
/// time and unseen validation that its job asks for are left out.
StudyProblem make_study_problem(const GivenProblem& given, std::uint64_t seed, std::uint64_t number,
                                double share = 1);

}  // namespace macrostep::engine
