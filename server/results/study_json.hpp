// Rows of a trust study as JSON, to be kept in a file and read again, and what they tell.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "engine/study/scores.hpp"

namespace macrostep::server::json {

nlohmann::ordered_json study_row_json(const engine::StudyRow& row);
/// What study_row_json() wrote; nothing if it did not.
std::optional<engine::StudyRow> study_row_from(const nlohmann::json& json,
                                               engine::StudyRules rules);

nlohmann::ordered_json score_json(const engine::Score& score);
nlohmann::ordered_json check_count_json(const engine::CheckCount& count);

}  // namespace macrostep::server::json
