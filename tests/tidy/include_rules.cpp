#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <utility>

#include "tests/tidy/rules.hpp"

namespace macrostep::tests::tidy {
namespace {

// --- the rules of the folders
// ---------------------------------------------------------------------

struct FolderRule {
  std::string_view folder;
  std::vector<std::string_view> may_include;  // folders, or folders inside of them
  std::vector<std::string_view> may_use;      // libraries, as named below
};

const std::vector<FolderRule>& folder_rules() {
  static const std::vector<FolderRule> rules{
      {"models", {"models"}, {"Eigen", "SUNDIALS", "libzip", "pugixml"}},
      {"engine", {"engine", "models"}, {"Eigen", "TBB"}},
      {"db", {"db"}, {"sqlite3", "zlib"}},
      // The server keeps and checks FMUs itself; the page is a table of bytes in web.
      {"server",
       {"server", "engine", "models/fmi", "db", "web"},
       {"Boost", "nlohmann_json", "CLI11", "spdlog"}},
      {"web", {"web"}, {}},
  };
  return rules;
}

struct Library {
  std::string_view name;
  std::string_view prefix;  // of the header, as written between < and >
};

constexpr std::array libraries{
    Library{"Eigen", "Eigen/"},
    Library{"Eigen", "unsupported/Eigen/"},
    Library{"TBB", "tbb/"},
    Library{"TBB", "oneapi/"},
    Library{"sqlite3", "sqlite3"},
    Library{"zlib", "zlib.h"},
    Library{"Boost", "boost/"},
    Library{"nlohmann_json", "nlohmann/"},
    Library{"CLI11", "CLI/"},
    Library{"spdlog", "spdlog/"},
    Library{"SUNDIALS", "sundials/"},
    Library{"SUNDIALS", "cvode"},
    Library{"SUNDIALS", "kinsol/"},
    Library{"SUNDIALS", "nvector/"},
    Library{"SUNDIALS", "sunmatrix/"},
    Library{"SUNDIALS", "sunlinsol/"},
    Library{"SUNDIALS", "sunnonlinsol/"},
    Library{"libzip", "zip.h"},
    Library{"pugixml", "pugixml.hpp"},
    Library{"doctest", "doctest/"},
    Library{"valijson", "valijson/"},
    Library{"Google Benchmark", "benchmark/"},
};

// Where inside its folder a library may appear, and in how many files: it keeps the rest of the
// folder free of the library's types and of its compile time.
struct LibraryLimit {
  std::string_view library;
  std::string_view below;
  std::size_t files;
};

constexpr std::array library_limits{
    LibraryLimit{"TBB", "engine/", 1},
    LibraryLimit{"sqlite3", "db/", 1},
    LibraryLimit{"SUNDIALS", "models/", 1},
    LibraryLimit{"Boost", "server/http/", 4},
    LibraryLimit{"libzip", "models/fmi/", 99},
    LibraryLimit{"pugixml", "models/fmi/", 99},
    LibraryLimit{"zlib", "db/", 1},
};

constexpr std::array product_folders{"models", "engine", "db", "server", "web", "tests", "docker"};

constexpr std::array system_headers{
    "elf.h",       "arpa/",    "dlfcn.h",  "fcntl.h", "link.h",    "malloc.h", "netdb.h",
    "linux/",      "netinet/", "poll.h",   "pwd.h",   "pthread.h", "sched.h",  "spawn.h",
    "immintrin.h", "signal.h", "stdlib.h", "sys/",    "termios.h", "time.h",   "unistd.h",
};

std::optional<std::string_view> library_of(const Include& include) {
  for (const Library& library : libraries)
    if (include.target.starts_with(library.prefix)) return library.name;
  return std::nullopt;
}

bool is_platform_header(std::string_view target) {
  if (target.find_first_of("./") == std::string_view::npos) return true;  // <vector>
  return std::ranges::any_of(system_headers, [&](std::string_view header) {
    return header.ends_with('/') ? target.starts_with(header) : target == header;
  });
}

bool may_include(const FolderRule& rule, std::string_view target) {
  return std::ranges::any_of(rule.may_include, [&](std::string_view folder) {
    return target.starts_with(folder) && target.substr(folder.size()).starts_with('/');
  });
}

std::string quoted(std::string_view text) {
  return "\"" + std::string(text) + "\"";
}

}  // namespace

std::vector<Include> includes_of(std::string_view text) {
  static const std::regex pattern(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"])re");
  const std::string code = code_of(text);
  const auto lines = lines_of(text);
  const auto code_lines = lines_of(code);
  std::vector<Include> includes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // An #include inside a comment or a string is gone from the code.
    if (code_lines[i].find("include") == std::string_view::npos) continue;
    std::smatch match;
    const std::string line(lines[i]);
    if (std::regex_search(line, match, pattern))
      includes.push_back({i + 1, match[2].str(), match[1].str() == "\""});
  }
  return includes;
}

std::vector<Finding> check_includes(const SourceFile& file) {
  std::vector<Finding> findings;
  if (!is_cpp(file.path)) return findings;
  const std::string_view folder = top_folder(file.path);
  const auto rule = std::ranges::find(folder_rules(), folder, &FolderRule::folder);
  for (const Include& include : includes_of(file.text)) {
    const auto report = [&](std::string text) {
      findings.push_back({file.path, include.line, std::move(text)});
    };
    if (include.quoted) {
      const std::string_view target_folder = top_folder(include.target);
      if (std::ranges::find(product_folders, target_folder) == product_folders.end()) {
        report(quoted(include.target) + " is not written from the root of the repository");
      } else if (rule != folder_rules().end() && !may_include(*rule, include.target)) {
        report(std::string(folder) + " may not include from " + std::string(target_folder));
      }
      continue;
    }
    const auto library = library_of(include);
    if (!library) {
      if (!is_platform_header(include.target))
        report("<" + include.target + "> belongs to no library this project knows");
    } else if (folder == "tests") {
      if (*library == "Google Benchmark" && !file.path.starts_with("tests/bench/"))
        report("Google Benchmark stays in tests/bench");
    } else if (rule == folder_rules().end() ||
               std::ranges::find(rule->may_use, *library) == rule->may_use.end()) {
      report(std::string(folder) + " may not use " + std::string(*library));
    } else {
      const auto limit = std::ranges::find(library_limits, *library, &LibraryLimit::library);
      if (limit != library_limits.end() && !file.path.starts_with(limit->below))
        report(std::string(*library) + " stays below " + std::string(limit->below));
    }
  }
  return findings;
}

std::vector<Finding> check_tree(std::span<const SourceFile> files) {
  std::vector<Finding> findings;
  std::map<std::string, bool> has_readme;                      // folder → README.md seen
  std::map<std::string_view, std::vector<std::string>> users;  // library → files
  for (const SourceFile& file : files) {
    const std::string folder(top_folder(file.path));
    if (!folder.empty()) has_readme[folder] |= file.path == folder + "/README.md";
    if (!is_cpp(file.path) || folder == "tests") continue;
    std::vector<std::string_view> seen;
    for (const Include& include : includes_of(file.text)) {
      const auto library = library_of(include);
      if (!library || std::ranges::find(seen, *library) != seen.end()) continue;
      seen.push_back(*library);
      users[*library].push_back(file.path);
    }
  }
  for (const auto& [folder, readme] : has_readme) {
    if (std::ranges::find(product_folders, folder) == product_folders.end())
      findings.push_back({folder, 0, "is not one of the folders of the layout"});
    else if (!readme)
      findings.push_back({folder, 0, "has no README.md"});
  }
  for (const LibraryLimit& limit : library_limits) {
    const auto& paths = users[limit.library];
    for (std::size_t i = limit.files; i < paths.size(); ++i)
      findings.push_back({paths[i], 0,
                          std::string(limit.library) + " is used in at most " +
                              std::to_string(limit.files) + " files below " +
                              std::string(limit.below) + ", already in " + paths[0]});
  }
  return findings;
}

}  // namespace macrostep::tests::tidy
