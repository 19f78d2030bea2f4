#include "models/fmi/archive/archive_names.hpp"

#include <algorithm>
#include <cctype>

#include "models/fmi/xml/fmu_refused.hpp"
#include "models/fmi/xml/xml_guard.hpp"
#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi {
namespace {

constexpr std::size_t max_name_bytes = 1000;
constexpr std::size_t max_part_bytes = 255;
constexpr std::size_t max_parts = 32;
/// Named or only passed through: each takes room on the disk that no file size tells.
constexpr std::size_t max_directories = 10'000;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7f;
}

std::string part_refusal(std::string_view part) {
  if (part.empty()) return "has an empty part";
  if (part == "." || part == "..") return "leads out of its directory";
  if (part.size() > max_part_bytes)
    return "has a part longer than " + std::to_string(max_part_bytes) + " bytes";
  return "";
}

}  // namespace

std::string name_refusal(std::string_view name) {
  if (name.empty()) return "is empty";
  if (name.size() > max_name_bytes)
    return "is longer than " + std::to_string(max_name_bytes) + " bytes";
  if (!is_utf8(name) || std::ranges::any_of(name, is_control)) return "is not plain text";
  if (name.front() == '/') return "is absolute";
  if (name.size() > 1 && name[1] == ':' && std::isalpha(static_cast<unsigned char>(name[0])) != 0)
    return "is absolute";
  if (name.find('\\') != std::string_view::npos) return "has a backslash";
  std::size_t parts = 0;
  for (std::string_view rest = name; !rest.empty(); ++parts) {
    const std::size_t slash = rest.find('/');
    if (std::string why = part_refusal(rest.substr(0, slash)); !why.empty()) return why;
    rest = slash == std::string_view::npos ? "" : rest.substr(slash + 1);
  }
  if (parts > max_parts) return "has more than " + std::to_string(max_parts) + " parts";
  return "";
}

void EntryNames::add(std::string_view name) {
  const auto refuse = [name](const std::string& why) {
    throw FmuRefused("the archive's entry \"" + shown(name) + "\" " + why);
  };
  if (const std::string why = name_refusal(name); !why.empty()) refuse(why);
  const bool is_directory = name.back() == '/';
  const std::string path(is_directory ? name.substr(0, name.size() - 1) : name);
  if (!(is_directory ? named_directories_ : files_).insert(path).second)
    refuse("is there twice: unpack the archive and zip it again");
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    directories_.insert(path.substr(0, slash));
    if (files_.contains(path.substr(0, slash))) refuse("lies below a file");
  }
  if (is_directory) directories_.insert(path);
  if (directories_.size() > max_directories)
    throw FmuRefused("the archive has more than " + std::to_string(max_directories) +
                     " directories");
  if (files_.contains(path) && directories_.contains(path))
    refuse("is a file and a directory at once");
}

}  // namespace macrostep::models::fmi
