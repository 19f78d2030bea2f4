// Metrics as Prometheus reads them: text format 0.0.4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/ops/metrics.hpp"
#include "server/ops/process_figures.hpp"

namespace macrostep::server {

inline constexpr const char* metrics_content_type = "text/plain; version=0.0.4; charset=utf-8";

/// What is so now, beside what has been counted.
struct Gauges {
  std::string version;
  std::string build_id;
  std::int64_t connections = 0;
  std::int64_t event_streams = 0;
  std::int64_t queue_length = 0;
  std::optional<std::int64_t> database_bytes;
  std::optional<std::int64_t> wal_bytes;
  std::optional<std::int64_t> fmu_store_bytes;
  ProcessFigures process;
};

/// What is not known is left out.
std::string metrics_text(const Counts& counts, const Gauges& gauges);

}  // namespace macrostep::server
