// A configuration file: the part of TOML that a flat list of settings needs.
//
//   # macrostep
//   listen = "127.0.0.1:9000"          "…" with \" \\ \t \n, or '…' as it stands
//   threads = 4
//   insecure = false
//   allow-host = ["rig.example", 'rig']     may go on over several lines, with comments
//
// In UTF-8, with or without a byte order mark.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::server {

inline constexpr std::size_t max_config_bytes = 64u << 10;

struct ConfigEntry {
  std::string key;
  std::vector<std::string> values;  ///< one, unless it is a list; without their quotes
  bool is_list = false;
  std::size_t line = 0;  ///< from 1
};

/// Throws CommandError naming file and line where the text is something else, or has a key twice.
std::vector<ConfigEntry> parse_config(std::string_view text, const std::string& file);

/// Throws CommandError if the file cannot be read.
std::vector<ConfigEntry> read_config(const std::string& file);

}  // namespace macrostep::server
