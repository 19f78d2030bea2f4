#include "db/store/traces.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include "db/rows/rows.hpp"
#include "db/rows/series.hpp"
#include "db/schema/error.hpp"

namespace macrostep::db {
namespace {

/// The room of a trace is counted in these: what is small takes room as well, in the indices.
constexpr std::int64_t page_bytes = 4096;

/// The key of trial ?2 of search ?1; NULL if there is no such search.
const std::string trial_of_key = "((SELECT number << 32 FROM searches WHERE id = ?1) + ?2)";

/// Those used longest ago go until the others fit. Every time sorts before '~': the condition makes
/// the walk a search in the index, which full_scan_steps() does not count as a scan.
void drop_beyond(Connection& connection, std::int64_t maximum_bytes) {
  auto newest_first = connection.prepare(R"(
SELECT used_at, id, size_bytes FROM traces WHERE used_at < '~' ORDER BY used_at DESC, id DESC)");
  std::int64_t bytes = 0;
  while (newest_first.step()) {
    std::string used_at;
    std::int64_t id = 0;
    std::int64_t size = 0;
    newest_first.read(used_at, id, size);
    bytes += size;
    if (bytes > maximum_bytes) {
      connection.prepare("DELETE FROM traces WHERE (used_at, id) <= (?1, ?2)")
          .bind(used_at, id)
          .run();
      return;
    }
  }
}

}  // namespace

bool is_trial_id(std::int64_t id) {
  return id >= 0 && id < trials_per_search;
}

std::optional<FoundTrace> find_trace(Connection& connection, const TraceKey& key) {
  auto query = connection.prepare(std::string(R"(
SELECT status, reason, points_total, columns, json_array_length(columns), rows, series, reference,
  reference_reason, used_at
FROM traces WHERE trial = )") + trial_of_key +
                                  " AND request = ?3");
  query.bind(key.search, key.trial, key.request);
  if (!is_trial_id(key.trial) || !query.step()) {
    return std::nullopt;
  }
  FoundTrace found;
  TraceRow& row = found.row;
  query.read(row.status, row.reason, row.points_total, row.columns, found.columns, row.rows,
             found.series, row.reference, row.reference_reason, row.used_at);
  return found;
}

TraceRow unpacked_trace(FoundTrace found) {
  found.row.values = unpacked_series(found.series.data, static_cast<std::size_t>(found.row.rows),
                                     static_cast<std::size_t>(found.columns));
  return std::move(found.row);
}

PackedTrace packed_trace(const TraceRow& trace) {
  const auto columns =
      trace.rows > 0 ? trace.values.size() / static_cast<std::size_t>(trace.rows) : 1;
  PackedTrace packed{.series = {packed_series(trace.values, columns)}};
  const auto bytes = static_cast<std::int64_t>(packed.series.data.size() + trace.columns.size() +
                                               trace.reference.value_or("").size());
  packed.size_bytes = (bytes / page_bytes + 1) * page_bytes;
  return packed;
}

void put_trace(Connection& connection, const TraceKey& key, const TraceRow& trace,
               const PackedTrace& packed, std::int64_t maximum_bytes) {
  if (!is_trial_id(key.trial)) {
    throw Error(ErrorKind::constraint, "no trial has the id " + std::to_string(key.trial));
  }
  connection
      .prepare(std::string(R"(
INSERT OR REPLACE INTO traces (trial, request, status, reason, points_total, columns, rows, series,
  size_bytes, reference, reference_reason, used_at)
VALUES ()") + trial_of_key +
               ", ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)")
      .bind(key.search, key.trial, key.request, trace.status, trace.reason, trace.points_total,
            trace.columns, trace.rows, packed.series, packed.size_bytes, trace.reference,
            trace.reference_reason, trace.used_at)
      .run();
  drop_beyond(connection, maximum_bytes);
}

void note_trace_use(Connection& connection, const TraceKey& key, std::string_view used_at) {
  connection
      .prepare("UPDATE traces SET used_at = ?4 WHERE trial = " + trial_of_key + " AND request = ?3")
      .bind(key.search, key.trial, key.request, used_at)
      .run();
}

}  // namespace macrostep::db
