// What a tuning found, as JSON: objectives by test, null where a run did not complete.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/tuning.hpp"

namespace macrostep::server::json {

nlohmann::ordered_json tuning_json(const engine::TuningResult& result);

}  // namespace macrostep::server::json
