// A finished map as text for other programs: CSV and JSON, and how its configurations are called.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/studies/map.hpp"
#include "server/analyses/map_json.hpp"

namespace macrostep::server {

/// For every configuration what tells it from the others, in words: "extrapolation 0, without
/// correction".
std::vector<std::string> configuration_labels(const std::vector<engine::Configuration>& all);

/// Why a configuration has no value at all, the reason of its first point; empty if it has one.
std::string why_no_value(const engine::MapResult& result, std::size_t configuration);

/// "coupling.c_k [N/m]"
std::string axis_title(const json::MapPlan& map, const engine::MapAxis& axis);

/// A line per configuration, H and point; the two parameters with their units in the header.
std::string map_csv(const json::MapPlan& map, const engine::MapResult& result);

/// Quantity, limit, axes and configurations, and of each the largest H of every point: an array per
/// value of y, null where there is none. `values`: those of all layers, too, in the same order.
nlohmann::ordered_json map_json(const json::MapPlan& map, const engine::MapResult& result,
                                bool values);

}  // namespace macrostep::server
