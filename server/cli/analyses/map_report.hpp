// A map as a person at a terminal reads it.
#pragma once

#include <string>

#include "engine/studies/map.hpp"
#include "server/analyses/map_json.hpp"

namespace macrostep::server {

/// What was mapped, and of every configuration a picture in letters and how much of the plane each
/// H leaves.
std::string map_report(const json::MapPlan& map, const engine::MapResult& result);

}  // namespace macrostep::server
