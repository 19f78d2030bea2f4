// One chunk of a search, on whatever machine: manifest in, shard out. No database, no network; what
// comes out depends on the manifest, and the FMUs that it names by their hashes, alone, but for the
// times that trials took.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>
#include <string_view>

#include "server/batch/chunk.hpp"

namespace macrostep::server {

struct RunChunkSettings {
  int threads = 1;  ///< 0: all processors
  const std::atomic<bool>* stop = nullptr;
  std::filesystem::path folder;  ///< of the search, where the FMUs of its job are
};

/// The shard as text; one with a refusal where the manifest is not for this program, or its job
/// cannot be run here: its FMUs are other ones, or there is no sandbox for them. Throws BadChunk
/// where the text is no manifest, std::runtime_error when stopped.
std::string run_chunk(std::string_view manifest_text, const RunChunkSettings& settings);

}  // namespace macrostep::server
