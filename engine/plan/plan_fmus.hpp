// The FMUs of a plan: whoever runs it must have them, and may have to run it elsewhere
// (foreign_code.hpp).
#pragma once

#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/problem/fmu_source.hpp"

namespace macrostep::engine {

/// Whether a subsystem of any of the couplings of its problem is foreign code.
bool has_foreign_code(const Plan& plan);

/// The FMUs of its problem, each once. Whoever runs it must be able to read their directories.
std::vector<FmuPointer> fmus_of(const Plan& plan);

/// Whether a process can run but one trial of it.
bool is_once_per_process(const Plan& plan);

}  // namespace macrostep::engine
