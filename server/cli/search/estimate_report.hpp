// What a search would cost, in words, for a terminal.
#pragma once

#include <string>

#include "engine/cost/cost_estimate.hpp"

namespace macrostep::server {

std::string estimate_report(const engine::Plan& plan, const engine::CostEstimate& estimate);

}  // namespace macrostep::server
