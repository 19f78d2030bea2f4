// The catalogue of built-in problems as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "engine/benchmarks/catalogue.hpp"

namespace macrostep::server::json {

/// Subsystems with their ports, groups, parameters, couplings with their connections and power
/// bonds, external inputs and the complete default job.
nlohmann::ordered_json problem_json(const engine::BuiltInProblem& built_in);

/// The unit of an external input; empty where it has none.
std::string unit_of(const engine::Problem& problem, const engine::PortName& input);

/// {"problems": […]}
nlohmann::ordered_json problems_json();

}  // namespace macrostep::server::json
