#pragma once

// Which file of the repository includes or imports which, read from the texts.

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/tidy/rules.hpp"

namespace macrostep::tests::tidy {

struct Edge {
  std::string target;  // path of an existing file
  std::size_t line = 0;
};

// Every C++ file and module of the page with its edges to others; includes of unknown files are
// left out (check_includes reports those).
std::map<std::string, std::vector<Edge>> include_graph(std::span<const SourceFile> files);

// The name of a file's unit: its path without ending.
std::string unit_of(std::string_view path);

// Strongly connected sets of two or more nodes, each sorted, in order of their first node.
std::vector<std::vector<std::string>> circles(
    const std::map<std::string, std::vector<std::string>>& graph);

}  // namespace macrostep::tests::tidy
