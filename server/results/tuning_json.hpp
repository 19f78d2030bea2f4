// What a tuning found, as JSON and back: objectives by test, null where a run did not complete.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/studies/tuning.hpp"

namespace macrostep::server::json {

nlohmann::ordered_json tuning_json(const engine::TuningResult& result);

/// Reads what tuning_json() wrote, but for the reasons of no best setting. Throws
/// nlohmann::json::exception where it is something else.
engine::TuningResult tuning_from_json(const nlohmann::ordered_json& json);

}  // namespace macrostep::server::json
