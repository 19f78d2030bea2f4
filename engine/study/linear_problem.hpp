// Problems of a trust study that are linear networks (linear_network.hpp): their parameters, their
// integrators and substeps, the scan and the tests.
#pragma once

#include "engine/base/random.hpp"
#include "engine/study/study_problem.hpp"

namespace macrostep::engine {

/// A pair, chain, star or any of them without damping, as the family of the problem wants it.
void draw_linear(Random& random, StudyProblem& problem);

}  // namespace macrostep::engine
