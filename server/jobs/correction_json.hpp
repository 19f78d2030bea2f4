// Settings of the corrections, as a job has them ("search.correction_parameters") and as results
// repeat them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/job/correction.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

/// Overwrites those settings that the object has.
void read_correction_parameters(const Value& value, engine::CorrectionParameters& parameters);

/// All of them.
nlohmann::ordered_json correction_parameters_json(const engine::CorrectionParameters& parameters);

/// Those that a correction reads.
nlohmann::ordered_json correction_parameters_json(engine::Correction correction,
                                                  const engine::CorrectionParameters& parameters);

}  // namespace macrostep::server::json
