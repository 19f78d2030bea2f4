// What the kernel tells of this process.
#pragma once

#include <cstdint>
#include <optional>

namespace macrostep::server {

/// Absent where /proc does not tell.
struct ProcessFigures {
  std::optional<double> start_time_s;  ///< since 1970
  std::optional<std::int64_t> resident_bytes;
  std::optional<std::int64_t> open_descriptors;
  std::optional<std::int64_t> max_descriptors;
  std::optional<std::int64_t> children;  ///< processes that this one has started and that live
};

ProcessFigures process_figures();

}  // namespace macrostep::server
