// The first thing that a driver does with a plan: what its job leaves open is found by short runs.
#pragma once

#include <atomic>

#include "engine/plan/plan.hpp"
#include "server/process/foreign_settings.hpp"

namespace macrostep::server {

/// The plan that is run, of one whose job leaves numbers open. Soon after the stop flag is set it
/// is the plan as it was asked for. Throws std::runtime_error where the job does not allow the
/// numbers that were found.
engine::Plan resolved_plan(const engine::Plan& asked, const ForeignSettings& foreign, int threads,
                           const std::atomic<bool>& stop);

}  // namespace macrostep::server
