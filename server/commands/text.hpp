// Numbers, names and tables as people read them in a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "engine/configuration.hpp"

namespace macrostep::server::commands {

/// Four significant digits at most, without trailing zeros: "1.8", "0.0123", "1e+05".
std::string number(double value);
/// As many digits as it takes to read back the same number.
std::string exact(double value);
std::string milliseconds(double seconds);  ///< "1.8 ms"
std::string duration(double seconds);      ///< with the unit that suits: "1.2 µs", "3.4 s"
std::string percent(double share);
/// "1 trial", "2 trials", "12 345 trials"
std::string counted(std::size_t count, const std::string& noun);

/// The name in plain words where the field has them: "forward Euler", "force–displacement".
std::string word(std::string_view name);
std::string sentence_name(engine::Extrapolation extrapolation);  ///< "second-order extrapolation"

/// "a, b and c"
std::string enumeration(const std::vector<std::string>& parts, std::string_view conjunction);

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

}  // namespace macrostep::server::commands
