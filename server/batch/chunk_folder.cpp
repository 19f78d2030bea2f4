#include "server/batch/chunk_folder.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "server/batch/chunk.hpp"
#include "server/batch/durable_file.hpp"
#include "server/executors/exact_json.hpp"

namespace macrostep::server::batch {

namespace {

using Path = std::filesystem::path;
using executors::Json;

constexpr std::size_t shown_log_bytes = 500;
constexpr const char* waiting_name = "waiting.json";

Json waiting_json(const Chunk& chunk) {
  return {{"curves", chunk.curves},
          {"most_trials", chunk.most_trials ? Json(*chunk.most_trials) : Json()},
          {"losses", chunk.losses}};
}

Chunk read_waiting_chunk(const Json& value) {
  const auto& most = value.at("most_trials");
  return {.curves = value.at("curves").get<std::vector<std::size_t>>(),
          .most_trials = most.is_null() ? std::nullopt : std::optional(most.get<std::size_t>()),
          .losses = value.at("losses").get<int>()};
}

}  // namespace

void claim_folder(const Path& folder, const std::string& manifest) {
  const auto file = folder / "search.json";
  if (!std::filesystem::exists(file)) {
    write_durably(file, manifest);
  } else if (const auto text = read_whole(file); text != manifest) {
    const auto there = read_manifest(text);
    const auto why = foreign_build("it", there.build_id, there.math_class);
    throw std::runtime_error(
        "the chunks in " + folder.string() + " cannot be gone on with: " +
        (why.empty() ? "they are of another job, or of other settings for FMUs" : why));
  }
}

Path round_folder(const Path& folder, std::size_t round) {
  return folder / ("round-" + std::to_string(round));
}

Path task_file(const Path& round, std::size_t task, const char* extension) {
  return round / (std::to_string(task) + extension);
}

std::vector<Task> tasks_of(const Path& round) {
  std::vector<Task> tasks;
  for (Path file = task_file(round, 0, ".json"); std::filesystem::exists(file);
       file = task_file(round, tasks.size(), ".json")) {
    const auto text = read_whole(file);
    auto manifest = read_manifest(text);
    tasks.push_back({.chunk = {.curves = std::move(manifest.curves),
                               .most_trials = manifest.most_trials,
                               .losses = manifest.losses},
                     .shard = task_file(round, tasks.size(), ".shard"),
                     .manifest_sha256 = sha256_of(text)});
  }
  return tasks;
}

std::string last_words(Path shard) {
  std::string text;
  try {
    text = read_whole(shard.replace_extension(".log"));
  } catch (const std::system_error&) {
    return "";
  }
  text = text.substr(text.size() - std::min(text.size(), shown_log_bytes));
  std::ranges::replace(text, '\n', ' ');
  return text.empty() ? "" : "; it wrote: " + text;
}

void write_waiting(const Path& round, const std::vector<Chunk>& chunks) {
  Json list = Json::array();
  for (const auto& chunk : chunks) {
    list.push_back(waiting_json(chunk));
  }
  write_durably(round / waiting_name, list.dump() + "\n");
}

std::optional<std::vector<Chunk>> read_waiting(const Path& round) {
  const auto text = note_in(round, waiting_name);
  if (text.empty()) {
    return std::nullopt;
  }
  try {
    std::vector<Chunk> chunks;
    for (const auto& value : Json::parse(text)) {
      chunks.push_back(read_waiting_chunk(value));
    }
    return chunks;
  } catch (const Json::exception& error) {
    throw BadChunk((round / waiting_name).string() + " is damaged: " + error.what());
  }
}

std::string note_in(const Path& round, const char* name) {
  return std::filesystem::exists(round / name) ? read_whole(round / name) : "";
}

}  // namespace macrostep::server::batch
