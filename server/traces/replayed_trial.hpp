// A trial of a stored search, and what running it again gives: its result and its trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/store/store.hpp"

namespace macrostep::server {

/// A stored trial, and whose it is.
struct StoredTrial {
  db::SearchRow search;
  db::ConfigurationRow configuration;
  std::string test;
  db::TrialRow row;
};

/// What a trace is to have; the same trial and request give the same trace.
struct TraceRequest {
  std::size_t points = 2;  ///< at most, 2 or more
  bool reference = false;  ///< the monolithic solution beside it

  bool operator==(const TraceRequest&) const = default;
};

struct ReplayedTrial {
  db::TrialRow row;  ///< its result, with the numbers of the stored one
  /// Columns of the trace: t, outputs, residual_power_W, external inputs, outputs of the reference.
  std::vector<std::string> columns;
  std::vector<double> rows;       ///< row after row; empty without a trace
  std::int64_t points_total = 0;  ///< communication points, before they were thinned
  std::optional<std::string>
      reference;  ///< how far the trial is from it, as JSON (trace_reference)
  std::optional<std::string> reference_reason;  ///< why there is none, though it was asked for
};

}  // namespace macrostep::server
