#include <algorithm>
#include <array>
#include <optional>
#include <set>
#include <utility>

#include "tests/tidy/include_graph.hpp"
#include "tests/tidy/rooms.hpp"

namespace macrostep::tests::tidy {
namespace {

constexpr std::array counted_folders{"models", "engine", "db", "server", "web", "tests"};
constexpr std::array source_endings{".cpp", ".hpp", ".c",  ".h",  ".ts",
                                    ".tsx", ".mjs", ".js", ".py", ".sh"};

bool is_source_file(std::string_view path) {
  return std::ranges::any_of(source_endings, [&](auto ending) { return path.ends_with(ending); });
}

std::string folder_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return std::string(slash == std::string_view::npos ? std::string_view{} : path.substr(0, slash));
}

const House* house_of(std::string_view path, std::span<const House> houses) {
  const auto house = std::ranges::find_if(houses, [&](const House& h) {
    return path.starts_with(h.folder) && path.substr(h.folder.size()).starts_with('/');
  });
  return house == houses.end() ? nullptr : &*house;
}

// Where in its list a room stands.
std::optional<std::size_t> place_of(std::string_view room, const House& house) {
  const auto found = std::ranges::find(house.rooms, room);
  if (found == house.rooms.end()) return std::nullopt;
  return static_cast<std::size_t>(found - house.rooms.begin());
}

// A program's main file may stand above all rooms, beside their list.
bool is_program(std::string_view path) {
  return path.ends_with("/main.cpp") || path.ends_with("/main.tsx");
}

}  // namespace

std::vector<Finding> check_room_sizes(std::span<const SourceFile> files) {
  std::map<std::string, std::size_t> sizes;
  for (const SourceFile& file : files)
    if (std::ranges::find(counted_folders, top_folder(file.path)) != counted_folders.end() &&
        is_source_file(file.path))
      ++sizes[folder_of(file.path)];
  std::vector<Finding> findings;
  for (const auto& [folder, size] : sizes)
    if (size > maximum_files)
      findings.push_back(
          {folder, 0,
           std::to_string(size) + " source files, at most " + std::to_string(maximum_files)});
  return findings;
}

std::vector<Finding> check_room_order(std::span<const SourceFile> files,
                                      std::span<const House> houses) {
  std::vector<Finding> findings;
  std::set<std::string> unknown;
  for (const auto& [path, targets] : include_graph(files)) {
    const House* const house = house_of(path, houses);
    if (house == nullptr) continue;
    const std::string room = folder_of(path);
    const auto place = place_of(room, *house);
    if (!place) {
      if (!is_program(path)) unknown.insert(room);
      continue;
    }
    for (const auto& [target, line] : targets) {
      const std::string target_room = folder_of(target);
      if (house_of(target, houses) != house) continue;
      const auto target_place = place_of(target_room, *house);
      if (target_place && *target_place > *place)
        findings.push_back({path, line, room + " may not include from the later " + target_room});
    }
  }
  for (const std::string& folder : unknown) findings.push_back({folder, 0, "is not a room"});
  return findings;
}

std::vector<Finding> check_room_readmes(std::span<const SourceFile> files,
                                        std::span<const House> houses) {
  std::map<std::string, const std::string*> readmes;  // by folder
  for (const SourceFile& file : files)
    if (file.path.ends_with("/README.md")) readmes[folder_of(file.path)] = &file.text;
  std::vector<Finding> findings;
  for (const House& house : houses) {
    for (const std::string_view room : house.rooms) {
      const std::string name(room.substr(room.rfind('/') + 1));
      bool named = false;
      for (std::string folder(room); !folder.empty() && !named; folder = folder_of(folder)) {
        const auto readme = readmes.find(folder);
        named = readme != readmes.end() &&
                (readme->second->find('`' + name + '`') != std::string::npos ||
                 readme->second->find(name + "/`") != std::string::npos);
      }
      if (!named)
        findings.push_back({std::string(room), 0, "no README.md above it names the room"});
    }
  }
  return findings;
}

std::vector<Finding> check_comments(const SourceFile& file) {
  std::vector<Finding> findings;
  if (std::ranges::find(counted_folders, top_folder(file.path)) == counted_folders.end() ||
      !is_source_file(file.path))
    return findings;
  // What a line says that is nothing but comment: `//`, `///`, `/*` and `/**` alike.
  const auto words = [](std::string_view line) -> std::string_view {
    const auto start = line.find_first_not_of(" \t");
    if (start == std::string_view::npos) return {};
    line.remove_prefix(start);
    if (!line.starts_with("//") && !line.starts_with("/*")) return {};
    const auto text = line.find_first_not_of("/* ");
    return text == std::string_view::npos ? std::string_view{"//"} : line.substr(text);
  };
  const auto needs_line_above = [](std::string_view text) {
    constexpr std::string_view same = "The same";
    return text.starts_with("Of ") ||
           (text.starts_with(same) && text.substr(same.size()).find_first_of(" ,;.:") == 0);
  };
  std::string_view before;
  std::size_t number = 0;
  for (const std::string_view line : lines_of(file.text)) {
    ++number;
    const std::string_view text = words(line);
    if (before.empty() && needs_line_above(text))
      findings.push_back({file.path, number, "a comment begins with \"Of\" or \"The same\""});
    before = text;
  }
  return findings;
}

Counted counted(std::span<const Finding> findings) {
  Counted counts;
  for (const Finding& finding : findings) ++counts[finding.path + ": " + finding.rule];
  return counts;
}

Counted read_known(std::string_view text) {
  Counted known;
  for (const std::string_view line : lines_of(text)) {
    if (line.empty() || line.starts_with('#')) continue;
    const auto space = line.find(' ');
    known[std::string(line.substr(space + 1))] = std::stoul(std::string(line.substr(0, space)));
  }
  return known;
}

std::string beyond_known(const Counted& found, const Counted& known) {
  std::string text;
  for (const auto& [what, count] : found) {
    const auto listed = known.find(what);
    const std::size_t allowed = listed == known.end() ? 0 : listed->second;
    if (count > allowed)
      text += "new: " + std::to_string(count) + " " + what +
              " (listed: " + std::to_string(allowed) + ")\n";
  }
  for (const auto& [what, count] : known) {
    const auto now = found.find(what);
    const std::size_t left = now == found.end() ? 0 : now->second;
    if (left < count)
      text += "fixed, so shorten the list: " + std::to_string(count) + " " + what +
              " (now: " + std::to_string(left) + ")\n";
  }
  return text;
}

}  // namespace macrostep::tests::tidy
