#include <algorithm>
#include <regex>
#include <set>
#include <utility>

#include "tests/tidy/include_graph.hpp"
#include "tests/tidy/rooms.hpp"

namespace macrostep::tests::tidy {
namespace {

// Whether the rules on units hold for a file: the product's C++.
bool is_product(std::string_view path) {
  const std::string_view folder = top_folder(path);
  return is_cpp(path) && folder != "tests" && folder != "docker" && folder != "web" &&
         !folder.empty();
}

// The lines of a source that may begin the definition of something others see: what stands in
// anonymous namespaces, or is declared by a C library, is empty. `text` is the source, `code` the
// same without comments.
std::vector<std::string_view> open_lines(std::string_view text, std::string_view code) {
  std::vector<std::string_view> open = lines_of(code);
  const auto lines = lines_of(text);
  long depth = 0;  // of the braces in what is hidden
  for (std::size_t i = 0; i < open.size(); ++i) {
    const bool begins = lines[i] == "namespace {" || lines[i] == "extern \"C\" {";
    if (depth == 0 && !begins) continue;
    depth += std::ranges::count(open[i], '{') - std::ranges::count(open[i], '}');
    open[i] = {};
  }
  return open;
}

// The C functions of FMI, which fmi2.h and fmi3.h declare together, and what runs when the library
// of an exported FMU is unloaded.
bool is_fmi_library(std::string_view path) {
  return path.starts_with("engine/fmu_export/library/");
}

// Specialisations of a unit's templates for one level of processors.
bool is_level(std::string_view unit) {
  return unit.ends_with("_avx2") || unit.ends_with("_avx512");
}

bool has_word(std::string_view text, std::string_view word) {
  const auto is_part = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  };
  for (auto at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const auto end = at + word.size();
    if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end])))
      return true;
  }
  return false;
}

}  // namespace

std::vector<Finding> check_circles(std::span<const SourceFile> files) {
  std::map<std::string, std::vector<std::string>> units;
  for (const auto& [path, edges] : include_graph(files)) {
    if (!is_product(path) && !path.starts_with("web/app/")) continue;
    auto& targets = units[unit_of(path)];
    for (const Edge& edge : edges)
      if (unit_of(edge.target) != unit_of(path)) targets.push_back(unit_of(edge.target));
  }
  std::vector<Finding> findings;
  for (const auto& members : circles(units)) {
    std::string text = "a circle of units";
    for (const std::string& member : members)
      text += (&member == &members[0] ? ": " : ", ") + member;
    findings.push_back({members[0], 0, text});
  }
  return findings;
}

std::vector<Finding> check_own_header(std::span<const SourceFile> files) {
  std::map<std::string, std::string> headers;  // by unit, comments left out
  for (const SourceFile& file : files)
    if (is_product(file.path) && file.path.ends_with(".hpp"))
      headers[unit_of(file.path)] = code_of(file.text);
  // The name of a function in front of its parameters, at the first column of a definition. Names
  // of types, macros and of the language are none.
  static const std::regex function(R"re(^[A-Za-z_][^()=;#]*?\b([A-Za-z_]\w*)(::~?\w+)?\()re");
  static const std::set<std::string> no_names{"if",      "for",           "while",     "switch",
                                              "return",  "static_assert", "namespace", "operator",
                                              "alignas", "decltype",      "requires",  "template"};
  std::vector<Finding> findings;
  for (const SourceFile& file : files) {
    if (!is_product(file.path) || !file.path.ends_with(".cpp") || file.path.ends_with("/main.cpp"))
      continue;
    const std::string unit = unit_of(file.path);
    if (is_level(unit) || is_fmi_library(file.path)) continue;
    const auto header = headers.find(unit);
    if (header == headers.end()) {
      findings.push_back({file.path, 0, "has no header of its own"});
      continue;
    }
    const auto includes = includes_of(file.text);
    const auto first = std::ranges::find(includes, true, &Include::quoted);
    if (first == includes.end() || first->target != unit + ".hpp")
      findings.push_back({file.path, 0, "does not include its own header first"});
    const std::string code = code_of(file.text);
    const auto lines = open_lines(file.text, code);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const std::string line(lines[i]);
      std::smatch match;
      if (line.starts_with("static ") || line.starts_with("template <>") ||
          !std::regex_search(line, match, function))
        continue;
      const std::string name = match[1].str();
      if (no_names.contains(name) || has_word(header->second, name)) continue;
      // A class of the source's own, outside an anonymous namespace, or its method.
      if (has_word(code, "struct " + name) || has_word(code, "class " + name)) continue;
      findings.push_back(
          {file.path, i + 1, "defines " + name + ", which its header does not declare"});
    }
  }
  return findings;
}

}  // namespace macrostep::tests::tidy
