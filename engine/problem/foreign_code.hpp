// Code that is not ours (FMUs): which problems have it, and which process may run it.
//
// A process that has not called permit_foreign_code() can describe and plan a problem with foreign
// code, but not run a trial of it: that is a backend's (trial_backend.hpp) to arrange.
#pragma once

#include "engine/problem/problem.hpp"
#include "models/fmi/archive/fmu.hpp"

namespace macrostep::engine {

/// Whether a subsystem of any of its couplings is foreign code.
bool has_foreign_code(const Problem& problem);

/// Whether a process can have but one instance of it, and run but one trial.
bool is_once_per_process(const models::fmi::Fmu& fmu);

/// This process may load foreign code from here on: it is made to be killed.
void permit_foreign_code();

/// Whether all code of the coupling may run in this process.
bool may_run_here(const Coupling& coupling);

}  // namespace macrostep::engine
