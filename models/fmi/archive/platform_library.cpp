#include "models/fmi/archive/platform_library.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/own_refusal.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::size_t max_shown_platforms = 8;

// Shared libraries directly in the directory of this platform.
std::vector<std::string> libraries_in(std::string_view directory,
                                      const std::vector<std::string>& files) {
  std::vector<std::string> found;
  for (const std::string& file : files) {
    if (!file.starts_with(directory) || file.size() <= directory.size() + 1) continue;
    const std::string_view rest = std::string_view(file).substr(directory.size());
    if (rest.front() != '/' || !rest.ends_with(".so")) continue;
    if (rest.find('/', 1) == std::string_view::npos) found.push_back(file);
  }
  std::ranges::sort(found);
  return found;
}

std::set<std::string> platforms_of(const std::vector<std::string>& files) {
  constexpr std::string_view binaries = "binaries/";
  std::set<std::string> found;
  for (const std::string& file : files) {
    if (!file.starts_with(binaries)) continue;
    const std::size_t slash = file.find('/', binaries.size());
    if (slash != std::string::npos)
      found.insert(file.substr(binaries.size(), slash - binaries.size()));
  }
  return found;
}

std::string missing(std::string_view directory, const std::vector<std::string>& files) {
  const std::string wanted =
      "the archive has no library for this platform (" + std::string(directory) + ")";
  const std::set<std::string> platforms = platforms_of(files);
  if (platforms.empty()) return wanted + " and none for another";
  std::string list;
  for (const std::string& platform : platforms) {
    if (std::ranges::count(list, ',') + 1 == static_cast<long>(max_shown_platforms)) break;
    list += (list.empty() ? "" : ", ") + shown(std::string_view(platform));
  }
  return wanted + ", only for " + list;
}

class Search {
 public:
  Search(const ModelDescription& model, const std::vector<std::string>& files)
      : model_(model),
        directory_(platform_directory(model.version)),
        candidates_(libraries_in(directory_, files)) {}

  PlatformLibraries run() {
    if (model_.co_simulation) found_.co_simulation = library(*model_.co_simulation);
    if (model_.model_exchange) found_.model_exchange = library(*model_.model_exchange);
    return found_;
  }

 private:
  std::string path_of(const Interface& interface) const {
    return std::string(directory_) + "/" + interface.model_identifier + ".so";
  }

  // Whether a file is the other interface's by its name.
  bool is_named(const std::string& file) const {
    return (model_.co_simulation && path_of(*model_.co_simulation) == file) ||
           (model_.model_exchange && path_of(*model_.model_exchange) == file);
  }

  std::optional<std::string> library(const Interface& interface) {
    const std::string wanted = path_of(interface);
    if (std::ranges::find(candidates_, wanted) != candidates_.end()) return wanted;
    if (candidates_.size() != 1 || is_named(candidates_.front())) return std::nullopt;
    const std::string note = "the library is " + shown(candidates_.front()) + ", not " + wanted +
                             " as its modelIdentifier says";
    if (std::ranges::find(found_.notes, note) == found_.notes.end()) found_.notes.push_back(note);
    return candidates_.front();
  }

  const ModelDescription& model_;
  std::string_view directory_;
  std::vector<std::string> candidates_;
  PlatformLibraries found_;
};

}  // namespace

std::string_view platform_directory(Version version) {
  return version == Version::fmi2 ? "binaries/linux64" : "binaries/x86_64-linux";
}

PlatformLibraries find_libraries(const ModelDescription& model,
                                 const std::vector<std::string>& files) {
  PlatformLibraries found = Search(model, files).run();
  const std::string_view directory = platform_directory(model.version);
  if (found.co_simulation || found.model_exchange || model.scheduled_execution) return found;
  const std::vector<std::string> others = libraries_in(directory, files);
  if (!others.empty())
    throw FmuRefused("the archive has no library named after its modelIdentifier, and several in " +
                     std::string(directory));
  throw OwnRefusal(missing(directory, files));
}

std::string library_refusal(std::string_view header) {
  Elf64_Ehdr elf{};
  if (header.size() < sizeof elf || !header.starts_with(std::string_view(ELFMAG, SELFMAG)))
    return "is no shared library of Linux";
  std::memcpy(&elf, header.data(), sizeof elf);
  if (elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_ident[EI_DATA] != ELFDATA2LSB ||
      elf.e_machine != EM_X86_64)
    return "is a library for another processor than x86-64";
  if (elf.e_type != ET_DYN) return "is no shared library";
  return "";
}

}  // namespace macrostep::models::fmi
