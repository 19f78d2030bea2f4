// Searches of a server whose chunks run elsewhere (server/batch): what a job may ask for, where the
// chunks are, and what is told of them.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "engine/base/field_error.hpp"
#include "server/batch/coordinator.hpp"
#include "server/jobs/executor_choice.hpp"
#include "server/schedulers/offer.hpp"

namespace macrostep::server {

/// What a server has for searches, for those who write jobs: {"default": …, "executors": […]}.
std::string executors_json(const BatchOffer& offer);

/// Executors and templates that the server does not have.
engine::FieldErrors unknown_executor(const BatchOffer& offer, const json::ExecutorChoice& choice);

/// What the trials of a search run on: the job's choice, else the server's own.
/// Nothing: on the threads of this process.
struct ChunkRun {
  std::optional<std::string> template_name;
};
std::optional<ChunkRun> chunk_run(const BatchOffer& offer,
                                  const std::optional<json::ExecutorChoice>& choice);

std::filesystem::path chunk_folder(const BatchOffer& offer, const std::string& search);
/// What is left of a search that does not go on. A folder that cannot be removed stays.
void remove_chunks(const BatchOffer& offer, const std::string& search);

/// The member `batch` of a search.
std::string batch_json(const BatchOffer& offer, const ChunkRun& run, const BatchState& state);

}  // namespace macrostep::server
