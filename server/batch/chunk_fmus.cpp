#include "server/batch/chunk_fmus.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <exception>
#include <memory>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/plan/plan_fmus.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "server/base/descriptor.hpp"
#include "server/base/durable_file.hpp"

namespace macrostep::server {

namespace {

using Path = std::filesystem::path;

constexpr const char* fmus_name = "fmus";

Path place_of(const Path& folder, const std::string& sha256) {
  return folder / fmus_name / sha256;
}

/// On the disk with all that is in it, before it gets its name.
void settle(const Path& incoming, const Path& place) {
  const auto directory =
      owned(::open(incoming.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC), "open");
  if (::syncfs(directory.get()) != 0) {
    throw std::system_error(errno, std::generic_category(), incoming.string());
  }
  std::filesystem::rename(incoming, place);
}

bool is_there(const Path& place, const std::string& hash) {
  try {
    return std::filesystem::exists(place) && hash_of_files(place) == hash;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

std::string hash_of_files(const Path& directory) {
  std::vector<std::string> lines;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    const auto name = entry.path().lexically_relative(directory).string();
    if (entry.is_symlink() || !(entry.is_regular_file() || entry.is_directory())) {
      throw std::runtime_error(entry.path().string() + " is neither a file nor a directory");
    }
    lines.push_back(entry.is_directory()
                        ? "- " + name
                        : models::fmi::sha256_of(read_whole(entry.path())) + " " + name);
  }
  std::ranges::sort(lines);
  std::string text;
  for (const auto& line : lines) {
    text += line + '\0';
  }
  return models::fmi::sha256_of(text);
}

ForeignChunk foreign_chunk(const engine::Plan& plan, const ForeignSettings& settings) {
  ForeignChunk chunk{.fmus = {}, .settings = settings};
  for (const auto& fmu : engine::fmus_of(plan)) {
    chunk.fmus[fmu->sha256] = hash_of_files(fmu->directory);
  }
  return chunk;
}

void share_fmus(const engine::Plan& plan, const ForeignChunk& wanted, const Path& folder) {
  for (const auto& fmu : engine::fmus_of(plan)) {
    const auto place = place_of(folder, fmu->sha256);
    if (is_there(place, wanted.fmus.at(fmu->sha256))) {
      continue;
    }
    const Path incoming = place.string() + ".incoming";
    std::filesystem::create_directories(place.parent_path());
    std::filesystem::remove_all(incoming);
    std::filesystem::remove_all(place);
    std::filesystem::copy(fmu->directory, incoming, std::filesystem::copy_options::recursive);
    settle(incoming, place);
  }
}

engine::FmuSource shared_fmus(ForeignChunk wanted, const Path& folder) {
  return [wanted = std::move(wanted),
          folder](const std::string& called) -> std::variant<engine::FmuPointer, std::string> {
    const auto found = wanted.fmus.find(called);
    if (found == wanted.fmus.end()) {
      return "the manifest names no such FMU";
    }
    const auto place = place_of(folder, called);
    try {
      if (hash_of_files(place) != found->second) {
        return "its files in " + place.string() + " are not those of the search";
      }
      return std::make_shared<const models::fmi::Fmu>(models::fmi::open_unpacked(place, called));
    } catch (const std::exception& error) {
      return "its files in " + place.string() + " cannot be used: " + error.what();
    }
  };
}

}  // namespace macrostep::server
