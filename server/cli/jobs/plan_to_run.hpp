// The plan that a command runs where its job leaves numbers open: these are found first.
#pragma once

#include <atomic>

#include "engine/plan/plan.hpp"
#include "server/process/foreign_settings.hpp"

namespace macrostep::server {

/// As resolved_plan(), with a line on the terminal that short runs are made.
engine::Plan plan_to_run(const engine::Plan& asked, const ForeignSettings& foreign, int threads,
                         const std::atomic<bool>& stop);

}  // namespace macrostep::server
