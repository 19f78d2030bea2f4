// Traces of single trials, kept since somebody asked for them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace macrostep::db {

/// Which trace: the same request has the same answer.
struct TraceKey {
  std::string search = {};
  std::int64_t trial = 0;
  std::string request = "{}";  // JSON: what was asked for
};

struct TraceRow {
  std::string status = {};  // how the trial ended when it was run for the trace
  std::optional<std::string> reason = {};
  std::int64_t points_total = 0;  // communication points, before they were thinned
  std::string columns = "[]";     // JSON, their names
  std::int64_t rows = 0;
  std::vector<double> values = {};            // row after row; what is not finite comes back as NaN
  std::optional<std::string> reference = {};  // JSON: how far it is from its reference
  std::optional<std::string> reference_reason = {};  // why there is none, though asked for
  std::string used_at = {};                          // the last time
};

}  // namespace macrostep::db
