// Numbers, names and tables as people read them in a terminal.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace macrostep::server {

std::string duration(double seconds);  ///< with the unit that suits: "1.2 µs", "3.4 s"
/// "1 trial", "2 trials", "12 345 trials"
std::string counted(std::size_t count, const std::string& noun);

/// The text broken at spaces into lines of at most a terminal's width, all but the first indented.
std::string wrapped(const std::string& text, std::size_t indent);

/// Rows with aligned columns, each line indented. The width of a cell is its number of characters.
class Table {
 public:
  enum class Align { left, right };

  explicit Table(std::vector<Align> columns) : columns_(std::move(columns)) {}
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }
  std::string text(std::size_t indent) const;

 private:
  std::vector<Align> columns_;
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace macrostep::server
