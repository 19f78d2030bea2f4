// Traces in the file. Their numbers are packed and unpacked (series.hpp) by functions of their own,
// since that takes long, and others wait for a connection.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "db/rows/trace_rows.hpp"
#include "db/schema/sqlite.hpp"

namespace macrostep::db {

/// Whether no larger than the ids of one search: a larger id would address a trial of the next one.
bool is_trial_id(std::int64_t id);

/// A trace as it was found: the row lacks its values.
struct FoundTrace {
  TraceRow row;
  Bytes series;
  std::int64_t columns = 0;
};

std::optional<FoundTrace> find_trace(Connection& connection, const TraceKey& key);
/// Throws Error(corrupt) if the series is damaged.
TraceRow unpacked_trace(FoundTrace found);

struct PackedTrace {
  Bytes series;
  std::int64_t size_bytes = 0;  ///< the room that the trace takes
};

PackedTrace packed_trace(const TraceRow& trace);
/// Keeps the trace; of all those used longest ago go until the others fit. Error(constraint) if the
/// trial is unknown.
void put_trace(Connection& connection, const TraceKey& key, const TraceRow& trace,
               const PackedTrace& packed, std::int64_t maximum_bytes);
void note_trace_use(Connection& connection, const TraceKey& key, std::string_view used_at);

}  // namespace macrostep::db
