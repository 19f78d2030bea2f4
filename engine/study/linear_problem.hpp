// Linear problems of a trust study: networks of oscillators (linear_network.hpp) and their
// parameters; and for every linear problem its integrators and substeps, the scan and the tests.
#pragma once

#include <cstddef>

#include "engine/base/random.hpp"
#include "engine/study/study_problem.hpp"

namespace macrostep::engine {

/// The shortest and the longest period of a problem's modes: 2π/|λ|, also where a mode decays only.
struct Periods {
  double fastest_s = 0;
  double slowest_s = 0;
};

/// A pair, chain, star or any of them without damping, as the family wants it.
void draw_linear(Random& random, Family family, StudyProblem& problem);

/// Draws all but the problem itself, which the job has: integrators, in three of ten jobs substeps
/// for one of the first `parts` subsystems, and unseen inputs. Returns whether there are substeps.
bool complete_linear_job(Random& random, const Periods& modes, std::size_t parts,
                         StudyProblem& problem);

}  // namespace macrostep::engine
