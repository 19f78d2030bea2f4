#include "server/batch/chunk_folder.hpp"

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "models/fmi/archive/sha256.hpp"
#include "server/base/durable_file.hpp"
#include "server/json/exact_json.hpp"

namespace macrostep::server {

namespace {

using Path = std::filesystem::path;

constexpr std::size_t shown_log_bytes = 500;
constexpr const char* waiting_name = "waiting.json";

Json waiting_json(const Chunk& chunk) {
  return {{"curves", chunk.curves},
          {"fills_gaps", chunk.fills_gaps},
          {"beside_s", chunk.beside_s ? Json(*chunk.beside_s) : Json()},
          {"tasks", chunk.tasks},
          {"most_trials", chunk.most_trials ? Json(*chunk.most_trials) : Json()},
          {"losses", chunk.losses}};
}

Chunk read_waiting_chunk(const Json& value) {
  const auto& beside = value.at("beside_s");
  const auto& most = value.at("most_trials");
  return {.curves = value.at("curves").get<std::vector<std::size_t>>(),
          .fills_gaps = value.at("fills_gaps").get<bool>(),
          .beside_s = beside.is_null() ? std::nullopt : std::optional(beside.get<double>()),
          .tasks = value.at("tasks").get<std::vector<std::string>>(),
          .most_trials = most.is_null() ? std::nullopt : std::optional(most.get<std::size_t>()),
          .losses = value.at("losses").get<int>()};
}

std::string read_part(const Path& file) {
  try {
    return read_whole(file);
  } catch (const NoRegularFile&) {
    throw BadChunk("it is not a regular file");
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::file_too_large) {
      throw BadChunk("it is larger than any file of a search may be");
    }
    throw;
  }
}

[[noreturn]] void refuse_other_search(const Path& folder, const Manifest& there) {
  const auto why = foreign_build("it", there.build_id, there.math_class);
  throw std::runtime_error(
      "the chunks in " + folder.string() + " cannot be gone on with: " +
      (why.empty() ? "they are of another job, or of other settings for FMUs" : why));
}

ChunkTask read_task(const Path& round, std::size_t task, const Manifest& search,
                    std::size_t curves) {
  const auto text = read_part(task_file(round, task, ".json"));
  auto manifest = read_manifest(text);
  if (!same_search(manifest, search)) {
    refuse_other_search(round, manifest);
  }
  for (const std::size_t curve : manifest.curves) {
    if (curve >= curves) {
      throw BadChunk("the job has no curve " + std::to_string(curve));
    }
  }
  return {.chunk = {.curves = std::move(manifest.curves),
                    .fills_gaps = manifest.fills_gaps,
                    .beside_s = manifest.beside_s,
                    .tasks = std::move(manifest.tasks),
                    .most_trials = manifest.most_trials,
                    .losses = manifest.losses},
          .shard = task_file(round, task, ".shard"),
          .manifest_sha256 = models::fmi::sha256_of(text),
          .damage = {}};
}

Path bad(const Path& file) {
  return file.string() + ".bad";
}

/// In its place may be anything, even a directory.
Path free_bad(const Path& file) {
  Path name = bad(file);
  for (int i = 2; std::filesystem::exists(std::filesystem::symlink_status(name)); ++i) {
    name = bad(file).string() + std::to_string(i);
  }
  return name;
}

}  // namespace

std::vector<Chunk> parts_of(const Chunk& chunk) {
  const auto halves = [&](auto member) {
    const auto& all = chunk.*member;
    const auto middle = all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2);
    std::vector<Chunk> parts(2, chunk);
    (parts[0].*member).assign(all.begin(), middle);
    (parts[1].*member).assign(middle, all.end());
    return parts;
  };
  if (chunk.tasks.size() > 1) {
    return halves(&Chunk::tasks);
  }
  if (chunk.curves.size() > 1) {
    return halves(&Chunk::curves);
  }
  if (!chunk.tasks.empty() || chunk.most_trials == 1) {
    return {};
  }
  auto part = chunk;
  part.most_trials = chunk.most_trials ? *chunk.most_trials / 2 : trials_of_divided_curve;
  return {part};
}

void claim_folder(const Path& folder, const std::string& manifest) {
  const auto file = folder / "search.json";
  if (!std::filesystem::exists(file)) {
    write_durably(file, manifest);
    return;
  }
  try {
    if (const auto text = read_part(file); text != manifest) {
      refuse_other_search(folder, read_manifest(text));
    }
  } catch (const BadChunk& damage) {
    throw std::runtime_error(file.string() + " cannot be used: " + damage.what() +
                             "; remove it, and the search goes on from the chunks beside it, or is "
                             "refused if they are another's");
  }
}

void refuse_folder(const Path& folder, bool taken, const std::system_error& error) {
  std::error_code ignored;
  const bool gone = taken && std::filesystem::status(folder, ignored).type() ==
                                 std::filesystem::file_type::not_found;
  throw std::runtime_error(
      "the folder of chunks " + folder.string() + " (--chunk-folder) cannot be used: " +
      (gone ? "it was removed while the search ran; start the search again, and leave the folder "
              "until it is done"
            : error.what()));
}

Path round_folder(const Path& folder, std::size_t round) {
  return folder / ("round-" + std::to_string(round));
}

Path task_file(const Path& round, std::size_t task, const char* extension) {
  return round / (std::to_string(task) + extension);
}

std::string set_aside(const Path& file, const std::string& why) {
  const auto name = free_bad(file);
  std::filesystem::rename(file, name);
  return file.string() + " cannot be used: " + why + "; it is now " + name.filename().string() +
         ", and what it was of is run again";
}

RoundTasks tasks_of(const Path& round, const Manifest& search, std::size_t curves) {
  RoundTasks found;
  for (std::size_t task = 0;; ++task) {
    const auto file = task_file(round, task, ".json");
    const bool is_there = std::filesystem::exists(file);
    if (!is_there && !std::filesystem::exists(std::filesystem::symlink_status(bad(file)))) {
      return found;
    }
    try {
      if (is_there) {
        found.tasks.push_back(read_task(round, task, search, curves));
      }
    } catch (const BadChunk& damage) {
      found.damages.push_back(set_aside(file, damage.what()));
    }
  }
}

Shard shard_of(const ChunkTask& task, ShardOrigin origin) {
  auto shard = read_shard(read_part(task.shard));
  if (shard.manifest_sha256 != task.manifest_sha256) {
    throw BadChunk("it is the shard of another chunk");
  }
  if (!shard.refusal.empty() && origin == ShardOrigin::earlier_run) {
    throw BadChunk("it was refused where it was to run: " + shard.refusal);
  }
  if (!shard.refusal.empty()) {
    throw std::runtime_error("a chunk was refused where it was to run: " + shard.refusal + " (" +
                             task.shard.string() + ")");
  }
  if (const auto why = foreign_build(task.shard.string(), shard.build_id, shard.math_class);
      !why.empty()) {
    throw std::runtime_error(why);
  }
  return shard;
}

std::string last_words(Path shard) {
  std::string text;
  try {
    text = read_whole(shard.replace_extension(".log"));
  } catch (const std::runtime_error&) {
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
  } catch (const Json::exception&) {
    throw std::runtime_error(
        (round / waiting_name).string() +
        " is damaged; remove it, and the search goes on, counting losses anew");
  }
}

std::string note_in(const Path& round, const char* name) {
  return std::filesystem::exists(round / name) ? read_whole(round / name) : "";
}

}  // namespace macrostep::server
