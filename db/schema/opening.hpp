// How a database file is opened, and what that has done to it.
#pragma once

#include <cstdint>
#include <filesystem>

namespace macrostep::db {

/// Room for traces; beyond it those used longest ago are dropped.
constexpr std::int64_t maximum_trace_bytes = 256 * 1024 * 1024;

enum class Access { write, read };

struct StoreOptions {
  Access access = Access::write;
  std::int64_t maximum_pages =
      0;  // size allowed to the file, in pages of 4 KiB; 0: SQLite's own limit
  std::int64_t trace_bytes = maximum_trace_bytes;
};

/// What opening for writing has done to an older file.
struct Migration {
  std::int64_t from = 0;  ///< schema versions
  std::int64_t to = 0;
  std::filesystem::path backup;  ///< the file as it was
};

}  // namespace macrostep::db
