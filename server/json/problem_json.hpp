// The catalogue of built-in problems as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/catalogue.hpp"

namespace macrostep::server::json {

/// Subsystems with their ports, groups, parameters, couplings, external inputs and the complete
/// default job.
nlohmann::ordered_json problem_json(const engine::BuiltInProblem& built_in);

/// {"problems": […]}
nlohmann::ordered_json problems_json();

}  // namespace macrostep::server::json
