// What the engine found, as the JSON that the store keeps in its columns and hands back unchanged.
// Units are in the names of members; a number that is unknown or not finite is null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/base/provenance.hpp"
#include "engine/recommendation/recommendation.hpp"

namespace macrostep::server::json {

nlohmann::ordered_json configuration_json(const engine::Configuration& configuration);

/// How it uses its FMUs, by subsystem; empty where there is none.
nlohmann::ordered_json fmus_json(const engine::Plan& plan,
                                 const engine::Configuration& configuration);

/// The configuration's members, H with its margins, the rule, notices, reason, sentence and ties.
nlohmann::ordered_json recommendation_json(const engine::Plan& plan,
                                           const engine::Recommendation& recommendation);

/// Per test: all configurations that share the largest H, the preferred one first.
nlohmann::ordered_json table_json(const engine::Plan& plan,
                                  const std::vector<engine::TableRow>& table);

nlohmann::ordered_json provenance_json(const engine::Provenance& provenance);

}  // namespace macrostep::server::json
