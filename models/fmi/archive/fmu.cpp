#include "models/fmi/archive/fmu.hpp"

#include <algorithm>
#include <cstddef>
#include <fstream>
#include <ios>
#include <system_error>
#include <utility>
#include <vector>

#include "models/fmi/archive/platform_library.hpp"
#include "models/fmi/description/read_description.hpp"
#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_guard.hpp"

namespace macrostep::models::fmi {
namespace {

namespace fs = std::filesystem;

bool is_plain_file(const fs::path& path) {
  std::error_code missing;
  return fs::is_regular_file(fs::symlink_status(path, missing));
}

// At most `most` bytes.
std::string start_of(const fs::path& path, std::size_t most) {
  if (!is_plain_file(path)) throw FmuRefused(path.string() + " is missing");
  std::ifstream stream(path, std::ios::binary);
  std::string text(std::min<std::size_t>(most, fs::file_size(path)), '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (!stream) throw FmuRefused(path.string() + " cannot be read");
  return text;
}

std::vector<std::string> libraries_below(const fs::path& directory, Version version) {
  std::vector<std::string> files;
  std::error_code missing;
  const fs::path platform = directory / platform_directory(version);
  for (const fs::directory_entry& entry : fs::directory_iterator(platform, missing))
    if (is_plain_file(entry.path()))
      files.push_back(std::string(platform_directory(version)) + "/" +
                      entry.path().filename().string());
  return files;
}

}  // namespace

Fmu open_unpacked(const fs::path& directory, std::string sha256) {
  Fmu fmu{.sha256 = std::move(sha256), .directory = fs::absolute(directory)};
  fmu.description = read_model_description(
      start_of(fmu.directory / "modelDescription.xml", XmlLimits{}.bytes + 1));
  const PlatformLibraries found =
      find_libraries(fmu.description, libraries_below(fmu.directory, fmu.description.version));
  for (const std::string& note : found.notes) fmu.description.notes.push_back(note);
  const auto path_of =
      [&fmu](const std::optional<std::string>& library) -> std::optional<fs::path> {
    if (!library) return std::nullopt;
    const fs::path path = fmu.directory / *library;
    if (const std::string why = library_refusal(start_of(path, library_header_bytes)); !why.empty())
      throw FmuRefused(*library + " " + why);
    return path;
  };
  fmu.co_simulation_library = path_of(found.co_simulation);
  fmu.model_exchange_library = path_of(found.model_exchange);
  return fmu;
}

}  // namespace macrostep::models::fmi
