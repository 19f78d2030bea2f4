// The master of one configuration of a plan.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/cosim/master.hpp"
#include "engine/plan/plan.hpp"

namespace macrostep::engine {

/// Ready to start, with these signals by subsystem; the plan must outlive it. `repeats` instead of
/// the job's iteration, if given. The reason where the configuration cannot run.
std::variant<Master, std::string> make_master(
    const Plan& plan, const Configuration& configuration,
    std::vector<std::vector<models::ExternalSignal>> externals, double macro_step_s,
    std::optional<int> repeats = {});

}  // namespace macrostep::engine
