// What a search will cost, as JSON. Units are in the names; what is unknown is null.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/cost/cost_estimate.hpp"

namespace macrostep::server::json {

nlohmann::ordered_json estimate_json(const engine::CostEstimate& estimate);

}  // namespace macrostep::server::json
