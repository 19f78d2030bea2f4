// What the flags of curves and of the table's rows, and what limits a curve, mean in words: for
// every way in the same.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace macrostep::server::json {

struct FlagWords {
  std::string_view flag;
  bool noted;  ///< below a table whose row has it
  std::string_view meaning;
};

/// All flags.
std::span<const FlagWords> flag_words();

/// What the flag means; for an unknown flag its name in plain words.
std::string flag_meaning(std::string_view flag);

}  // namespace macrostep::server::json
