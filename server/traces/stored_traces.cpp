#include "server/traces/stored_traces.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <utility>

#include "db/schema/error.hpp"
#include "engine/base/provenance.hpp"
#include "server/base/time_text.hpp"

namespace macrostep::server {

namespace {

Milliseconds now() {
  return std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now());
}

db::TraceKey key_of(const StoredTrial& trial, const TraceRequest& request) {
  return {.search = trial.search.summary.id,
          .trial = trial.row.id,
          .request = trace_request_text(request)};
}

}  // namespace

std::string trace_request_text(const TraceRequest& request) {
  static const std::string build_id = engine::provenance().build_id;
  nlohmann::ordered_json json{{"points", request.points}};
  if (request.reference) {
    json["reference"] = true;
  }
  json["build_id"] = build_id;
  return json.dump();
}

std::shared_ptr<const ReplayedTrial> stored_trace(db::Store& store, const StoredTrial& trial,
                                                  const TraceRequest& request) {
  const auto key = key_of(trial, request);
  auto trace = store.get_trace(key);
  if (!trace) {
    return nullptr;
  }
  if (stored_time(trace->used_at) + trace_use_noted_after < now()) {
    try {
      store.note_trace_use(key, utc_text(now()));
    } catch (const db::Error&) {  // a store that takes nothing can still be read
    }
  }
  auto replayed = std::make_shared<ReplayedTrial>();
  replayed->row = trial.row;
  replayed->row.status = std::move(trace->status);
  replayed->row.reason = std::move(trace->reason);
  replayed->columns = nlohmann::json::parse(trace->columns).get<std::vector<std::string>>();
  replayed->rows = std::move(trace->values);
  replayed->points_total = trace->points_total;
  replayed->reference = std::move(trace->reference);
  replayed->reference_reason = std::move(trace->reference_reason);
  return replayed;
}

bool store_trace(db::Store& store, const StoredTrial& trial, const TraceRequest& request,
                 const ReplayedTrial& replayed) {
  if (replayed.row.status != trial.row.status) {
    return false;
  }
  store.put_trace(
      key_of(trial, request),
      {.status = replayed.row.status,
       .reason = replayed.row.reason,
       .points_total = replayed.points_total,
       .columns = nlohmann::json(replayed.columns).dump(),
       .rows = static_cast<std::int64_t>(replayed.rows.size() / replayed.columns.size()),
       .values = replayed.rows,
       .reference = replayed.reference,
       .reference_reason = replayed.reference_reason,
       .used_at = utc_text(now())});
  return true;
}

}  // namespace macrostep::server
