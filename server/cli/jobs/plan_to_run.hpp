// The plan that a command runs: what its job leaves open is found first, and said to be.
#pragma once

#include <atomic>

#include "engine/plan/plan.hpp"
#include "server/process/foreign_settings.hpp"

namespace macrostep::server {

/// As resolved_plan(), with a line on the terminal where short runs are made.
engine::Plan plan_to_run(const engine::Plan& asked, const ForeignSettings& foreign, int threads,
                         const std::atomic<bool>& stop);

}  // namespace macrostep::server
