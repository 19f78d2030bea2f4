#pragma once

// The layout and dependency rules of the repository as functions over file texts.
//
// Every rule takes plain strings and answers with findings, so that the tests can show each one
// fail on a few lines; tidy_test.cpp then applies all of them to the files of the repository.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::tests::tidy {

constexpr std::size_t maximum_columns = 100;
constexpr std::size_t maximum_lines = 450;

// One file of the repository; the path is relative to the root, with '/' between folders.
struct SourceFile {
  std::string path;
  std::string text;
};

struct Finding {
  std::string path;
  std::size_t line = 0;  // counted from 1; 0 = the file or folder as a whole
  std::string rule;

  bool operator==(const Finding&) const = default;
};

struct Include {
  std::size_t line = 0;
  std::string target;  // without quotes or brackets
  bool quoted = false;
};

bool is_cpp(std::string_view path);
std::string_view top_folder(std::string_view path);  // empty for a file of the root
std::vector<std::string_view> lines_of(std::string_view text);

// The #include lines of C++ text, those in comments left out.
std::vector<Include> includes_of(std::string_view text);

// The text with comments and the contents of string literals blanked out, line breaks kept.
std::string code_of(std::string_view text);

// Which folder a file may include from, and which third-party headers it may use.
std::vector<Finding> check_includes(const SourceFile& file);

// Columns, tabs, #pragma once, length, accumulated time, compiler flags that change results, paths
// of one machine, addresses in lock files: everything that one file shows alone.
std::vector<Finding> check_text(const SourceFile& file);

// Rules that several files can only break together: how many files use a library, which folders
// exist, a README in each.
std::vector<Finding> check_tree(std::span<const SourceFile> files);

// One line per finding: path:line: rule.
std::string describe(std::span<const Finding> findings);

}  // namespace macrostep::tests::tidy
