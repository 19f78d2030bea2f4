#include "tests/tidy/include_graph.hpp"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>

namespace macrostep::tests::tidy {
namespace {

bool is_module(std::string_view path) {
  return path.starts_with("web/") && (path.ends_with(".ts") || path.ends_with(".tsx"));
}

// `from "./x"`, `import "./x"` and `import("./x")`, resolved to the file that is meant.
std::vector<Edge> imports_of(const SourceFile& file, const std::set<std::string>& paths) {
  static const std::regex pattern(R"re((?:from|import)\s*\(?\s*["'](\.[^"']*)["'])re");
  std::vector<Edge> edges;
  const auto folder = std::filesystem::path(file.path).parent_path();
  std::size_t number = 0;
  for (const std::string_view text : lines_of(file.text)) {
    ++number;
    const std::string line(text);
    for (std::sregex_iterator match(line.begin(), line.end(), pattern), end; match != end;
         ++match) {
      const std::string base = (folder / (*match)[1].str()).lexically_normal().generic_string();
      for (const char* ending : {"", ".ts", ".tsx"}) {
        if (!paths.contains(base + ending)) continue;
        edges.push_back({base + ending, number});
        break;
      }
    }
  }
  return edges;
}

}  // namespace

std::map<std::string, std::vector<Edge>> include_graph(std::span<const SourceFile> files) {
  std::set<std::string> paths;
  for (const SourceFile& file : files) paths.insert(file.path);
  std::map<std::string, std::vector<Edge>> graph;
  for (const SourceFile& file : files) {
    if (is_module(file.path)) {
      graph[file.path] = imports_of(file, paths);
    } else if (is_cpp(file.path)) {
      auto& edges = graph[file.path];
      for (const Include& include : includes_of(file.text))
        if (include.quoted && paths.contains(include.target))
          edges.push_back({include.target, include.line});
    }
  }
  return graph;
}

std::string unit_of(std::string_view path) {
  return std::string(path.substr(0, path.rfind('.')));
}

std::vector<std::vector<std::string>> circles(
    const std::map<std::string, std::vector<std::string>>& graph) {
  // Tarjan's algorithm; the depth is that of the longest chain of includes.
  struct Mark {
    std::size_t index = 0;
    std::size_t lowest = 0;
    bool on_stack = false;
  };
  std::map<std::string, Mark> marks;
  std::vector<std::string> stack;
  std::vector<std::vector<std::string>> found;
  const std::function<void(const std::string&)> visit = [&](const std::string& node) {
    const std::size_t index = marks.size() + 1;
    marks[node] = {index, index, true};
    stack.push_back(node);
    const auto targets = graph.find(node);
    if (targets != graph.end()) {
      for (const std::string& target : targets->second) {
        const auto seen = marks.find(target);
        if (seen == marks.end()) visit(target);
        const Mark& mark = marks[target];
        if (mark.on_stack) marks[node].lowest = std::min(marks[node].lowest, mark.lowest);
      }
    }
    if (marks[node].lowest != index) return;
    std::vector<std::string> members;
    do {
      members.push_back(stack.back());
      marks[stack.back()].on_stack = false;
      stack.pop_back();
    } while (members.back() != node);
    std::ranges::sort(members);
    if (members.size() > 1) found.push_back(std::move(members));
  };
  for (const auto& [node, targets] : graph)
    if (!marks.contains(node)) visit(node);
  std::ranges::sort(found);
  return found;
}

}  // namespace macrostep::tests::tidy
