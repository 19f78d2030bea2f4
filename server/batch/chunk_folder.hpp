// The folder of a search that runs in chunks, as whoever goes on with it finds it: rounds of tasks
// (batch_system.hpp), and after each round what is left to be submitted.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "server/batch/chunk.hpp"

namespace macrostep::server {

/// Trials of a curve that is divided, to begin with.
inline constexpr std::size_t trials_of_divided_curve = 8;

/// Curves, or tasks of the search.
struct Chunk {
  std::vector<std::size_t> curves;
  bool fills_gaps = false;              ///< of the curves (Manifest)
  std::optional<double> beside_s = {};  ///< likewise
  std::vector<std::string> tasks;
  /// New trials to run of each curve; absent: to the end of its scan.
  std::optional<std::size_t> most_trials;
  /// Tasks that ended without a shard of it, or of a larger one that it is a part of.
  int losses = 0;

  bool operator==(const Chunk&) const = default;
};

struct ChunkTask {
  Chunk chunk;
  std::filesystem::path shard;
  std::string manifest_sha256;
  bool done = false;
  std::string damage;  ///< of a shard that was set aside
};

/// What a chunk that is lost again and again is divided into; nothing: it is a single trial or
/// task.
std::vector<Chunk> parts_of(const Chunk& chunk);

/// Throws std::runtime_error where the folder holds another search than that of the manifest, which
/// names no curves, or does not say which.
void claim_folder(const std::filesystem::path& folder, const std::string& manifest);

/// Throws why a search cannot go on with its folder. `taken`: it was there when the search began.
[[noreturn]] void refuse_folder(const std::filesystem::path& folder, bool taken,
                                const std::system_error& error);

std::filesystem::path round_folder(const std::filesystem::path& folder, std::size_t round);
std::filesystem::path task_file(const std::filesystem::path& round, std::size_t task,
                                const char* extension);

/// Renames a file that is damaged to NAME.bad, or NAME.bad2 … where that name is taken. Returns
/// what to tell of it.
std::string set_aside(const std::filesystem::path& file, const std::string& why);

struct RoundTasks {
  std::vector<ChunkTask> tasks;
  std::vector<std::string> damages;  ///< of manifests that were set aside: nothing is known of them
};
/// From the manifests of a round of the search, which has so many curves. Throws
/// std::runtime_error where one is of another search.
RoundTasks tasks_of(const std::filesystem::path& round, const Manifest& search, std::size_t curves);

/// Which run of the search a shard comes from.
enum class ShardOrigin { this_run, earlier_run };

/// What a task brought. Throws BadChunk where that is damaged or another chunk's, and
/// std::runtime_error where it says why the search cannot go on; a refusal of an earlier run is
/// BadChunk, because its cause may have been removed since.
Shard shard_of(const ChunkTask& task, ShardOrigin origin);

/// The end of what a task has written, on one line: "; it wrote: …", or "".
std::string last_words(std::filesystem::path shard);

/// The chunks that wait once a round is over, as a file in its folder.
void write_waiting(const std::filesystem::path& round, const std::vector<Chunk>& chunks);
/// Nothing where nobody has seen the end of the round. Throws std::runtime_error where it is
/// damaged.
std::optional<std::vector<Chunk>> read_waiting(const std::filesystem::path& round);

/// A small file of a round; "" where there is none.
std::string note_in(const std::filesystem::path& round, const char* name);

}  // namespace macrostep::server
