// The tasks of a search (engine/verification/tasks.hpp) and their results as JSON. What is read is
// what was written, bit for bit. Readers throw std::exception where the JSON is something else.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/verification/tasks.hpp"

namespace macrostep::server {

nlohmann::ordered_json search_task_json(const engine::Task& task);
engine::Task read_search_task(const nlohmann::ordered_json& json);

nlohmann::ordered_json search_result_json(const engine::TaskResult& result);
/// What a task of this kind has come to.
engine::TaskResult read_search_result(const nlohmann::ordered_json& json, const engine::Task& task);

}  // namespace macrostep::server
