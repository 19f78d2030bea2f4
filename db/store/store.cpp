#include "db/store/store.hpp"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>

#include "db/schema/error.hpp"
#include "db/schema/schema.hpp"
#include "db/schema/sqlite.hpp"
#include "db/store/analyses.hpp"
#include "db/store/fmus.hpp"
#include "db/store/open_file.hpp"
#include "db/store/search_lists.hpp"
#include "db/store/search_reads.hpp"
#include "db/store/search_writes.hpp"
#include "db/store/traces.hpp"

namespace macrostep::db {

Store::Store(const std::filesystem::path& file, StoreOptions options)
    : file_(std::make_unique<OpenFile>(file, options)) {}
Store::~Store() = default;
Store::Store(Store&&) noexcept = default;
Store& Store::operator=(Store&&) noexcept = default;

Sequences Store::create_search(const NewSearch& search, const Events& events) {
  return file_->write(
      [&](Connection& connection) { return db::create_search(connection, search, events); });
}

Sequences Store::start_search(std::string_view search, const SearchStart& start,
                              const Events& events) {
  return file_->write(
      [&](Connection& connection) { return db::start_search(connection, search, start, events); });
}

Sequences Store::append_results(std::string_view search, const ResultBatch& batch,
                                const Events& events) {
  return file_->write([&](Connection& connection) {
    return db::append_results(connection, search, batch, events);
  });
}

Sequences Store::finish_search(std::string_view search, const SearchEnd& end,
                               const Events& events) {
  return file_->write(
      [&](Connection& connection) { return db::finish_search(connection, search, end, events); });
}

Sequences Store::set_status(std::string_view search, const StatusChange& change,
                            const Events& events) {
  return file_->write(
      [&](Connection& connection) { return db::set_status(connection, search, change, events); });
}

Sequences Store::change_search(std::string_view search, const SearchChange& change,
                               const Events& events) {
  return file_->write([&](Connection& connection) {
    return db::change_search(connection, search, change, events);
  });
}

std::vector<std::string> Store::mark_interrupted() {
  return file_->write([&](Connection& connection) { return db::mark_interrupted(connection); });
}

bool Store::delete_search(std::string_view search) {
  return file_->write(
      [&](Connection& connection) { return db::delete_search(connection, search); });
}

bool Store::delete_disposable_search(const DisposableSearch& search) {
  return file_->write(
      [&](Connection& connection) { return db::delete_disposable_search(connection, search); });
}

void Store::create_analysis(const NewAnalysis& analysis) {
  file_->write([&](Connection& connection) { db::create_analysis(connection, analysis); });
}

void Store::start_analysis(std::string_view analysis, std::string_view started_at) {
  file_->write(
      [&](Connection& connection) { db::start_analysis(connection, analysis, started_at); });
}

void Store::set_points_done(std::string_view analysis, std::int64_t points) {
  file_->write([&](Connection& connection) { db::set_points_done(connection, analysis, points); });
}

void Store::finish_analysis(std::string_view analysis, const AnalysisEnd& end) {
  file_->write([&](Connection& connection) { db::finish_analysis(connection, analysis, end); });
}

void Store::set_analysis_status(std::string_view analysis, const StatusChange& change) {
  file_->write(
      [&](Connection& connection) { db::set_analysis_status(connection, analysis, change); });
}

bool Store::delete_analysis(std::string_view analysis) {
  return file_->write(
      [&](Connection& connection) { return db::delete_analysis(connection, analysis); });
}

void Store::put_trace(const TraceKey& key, const TraceRow& trace) {
  const auto packed = packed_trace(trace);
  file_->write([&](Connection& connection) {
    db::put_trace(connection, key, trace, packed, file_->maximum_trace_bytes);
  });
}

void Store::note_trace_use(const TraceKey& key, std::string_view used_at) {
  if (is_trial_id(key.trial)) {
    file_->write([&](Connection& connection) { db::note_trace_use(connection, key, used_at); });
  }
}

bool Store::add_fmu(const FmuRow& fmu) {
  return file_->write([&](Connection& connection) { return db::add_fmu(connection, fmu); });
}

bool Store::delete_fmu(std::string_view sha256) {
  return file_->write([&](Connection& connection) { return db::delete_fmu(connection, sha256); });
}

FmuRemoval Store::delete_unused_fmu(std::string_view sha256) {
  return file_->write(
      [&](Connection& connection) { return db::delete_unused_fmu(connection, sha256); });
}

std::uint64_t Store::revision() const {
  return file_->revision;
}

std::optional<SearchRow> Store::get_search(std::string_view search) const {
  return file_->read([&](Connection& connection) { return db::get_search(connection, search); });
}

std::optional<std::string> Store::search_submitted_as(std::string_view idempotency_key) const {
  return file_->read(
      [&](Connection& connection) { return db::search_submitted_as(connection, idempotency_key); });
}

Page<SearchSummary> Store::list_searches(std::int64_t limit,
                                         const std::optional<std::string>& after,
                                         const SearchQuery& query) const {
  return file_->read(
      [&](Connection& connection) { return db::list_searches(connection, limit, after, query); });
}

std::vector<SearchSummary> Store::searches_with_status(
    std::span<const std::string> statuses) const {
  auto rows = file_->read(
      [&](Connection& connection) { return db::searches_with_status(connection, statuses); });
  // Sorted without holding the reader, which others wait for.
  std::ranges::stable_sort(rows, {}, &SearchSummary::created_at);
  return rows;
}

std::vector<DisposableSearch> Store::disposable_searches_ended_before(std::string_view time,
                                                                      std::int64_t limit) const {
  return file_->read([&](Connection& connection) {
    return db::disposable_searches_ended_before(connection, time, limit);
  });
}

std::vector<DisposableSearch> Store::disposable_searches_beyond(std::int64_t keep,
                                                                std::int64_t limit) const {
  return file_->read([&](Connection& connection) {
    return db::disposable_searches_beyond(connection, keep, limit);
  });
}

std::vector<ConfigurationRow> Store::configurations(std::string_view search) const {
  return file_->read(
      [&](Connection& connection) { return db::configurations(connection, search); });
}

std::vector<CurveRow> Store::curves(std::string_view search) const {
  return file_->read([&](Connection& connection) { return db::curves(connection, search); });
}

std::vector<RecommendationRow> Store::recommendations(std::string_view search) const {
  return file_->read(
      [&](Connection& connection) { return db::recommendations(connection, search); });
}

std::vector<StepTimesRow> Store::step_times(std::string_view search) const {
  return file_->read([&](Connection& connection) { return db::step_times(connection, search); });
}

Page<TrialRow> Store::trials(std::string_view search, std::int64_t limit,
                             const std::optional<std::string>& after) const {
  return file_->read(
      [&](Connection& connection) { return db::trials(connection, search, limit, after); });
}

std::optional<TrialRow> Store::trial(std::string_view search, std::int64_t id) const {
  return file_->read([&](Connection& connection) { return db::trial(connection, search, id); });
}

std::vector<TrialRow> Store::trials_of_event(const EventRow& event) const {
  return file_->read(
      [&](Connection& connection) { return db::trials_of_event(connection, event); });
}

std::vector<TrialRow> Store::trials_of_search(std::string_view search) const {
  auto trials =
      file_->read([&](Connection& connection) { return db::trials_of_search(connection, search); });
  sort_by_point(trials);  // without the reader, which others wait for
  return trials;
}

std::optional<TraceRow> Store::get_trace(const TraceKey& key) const {
  auto found = file_->read([&](Connection& connection) { return find_trace(connection, key); });
  // Without the reader, which others wait for.
  return found ? std::optional(unpacked_trace(std::move(*found))) : std::nullopt;
}

std::optional<std::string> Store::analysis_submitted_as(std::string_view idempotency_key) const {
  return file_->read([&](Connection& connection) {
    return db::analysis_submitted_as(connection, idempotency_key);
  });
}

std::optional<AnalysisRow> Store::get_analysis(std::string_view analysis) const {
  return file_->read(
      [&](Connection& connection) { return db::get_analysis(connection, analysis); });
}

Page<AnalysisSummary> Store::list_analyses(std::int64_t limit,
                                           const std::optional<std::string>& after,
                                           const AnalysisQuery& query) const {
  return file_->read(
      [&](Connection& connection) { return db::list_analyses(connection, limit, after, query); });
}

std::vector<AnalysisSummary> Store::analyses_with_status(
    std::span<const std::string> statuses) const {
  auto rows = file_->read(
      [&](Connection& connection) { return db::analyses_with_status(connection, statuses); });
  // Sorted without holding the reader, which others wait for.
  std::ranges::sort(rows, {},
                    [](const AnalysisSummary& row) { return std::tie(row.created_at, row.id); });
  return rows;
}

std::vector<MapLayerRow> Store::map_layers(std::string_view analysis) const {
  return file_->read([&](Connection& connection) { return db::map_layers(connection, analysis); });
}

std::optional<FmuRow> Store::get_fmu(std::string_view sha256) const {
  return file_->read([&](Connection& connection) { return db::get_fmu(connection, sha256); });
}

Page<FmuRow> Store::list_fmus(std::int64_t limit, const std::optional<std::string>& after,
                              const FmuQuery& query) const {
  return file_->read(
      [&](Connection& connection) { return db::list_fmus(connection, limit, after, query); });
}

std::vector<FmuRow> Store::fmus_named(std::string_view name, std::int64_t limit) const {
  return file_->read(
      [&](Connection& connection) { return db::fmus_named(connection, name, limit); });
}

std::vector<EventRow> Store::events_after(std::int64_t sequence, std::int64_t limit,
                                          const std::optional<std::string>& search) const {
  return file_->read([&](Connection& connection) {
    return db::events_after(connection, sequence, limit, search);
  });
}

std::int64_t Store::last_event_sequence() const {
  return file_->read([&](Connection& connection) { return db::last_event_sequence(connection); });
}

void Store::probe() {
  file_->require_same_file();
  file_->read(
      [](Connection& reader) { return reader.prepare("SELECT 1 FROM searches LIMIT 1").step(); });
  const std::unique_lock turn(file_->write_mutex, std::try_to_lock);
  if (turn && file_->writer) {
    // Writes the first page, although it stays the same.
    Transaction transaction(*file_->writer);
    file_->writer->execute("PRAGMA user_version = " + std::to_string(schema_version));
    transaction.commit();
  }
}

Checkpoint Store::checkpoint() {
  const std::scoped_lock turn(file_->write_mutex);
  if (!file_->writer) {
    throw Error(ErrorKind::read_only, file_->path.string() + " was opened for reading");
  }
  return file_->writer->checkpoint();
}

const std::optional<Migration>& Store::migration() const {
  return file_->migration;
}

std::int64_t Store::full_scan_steps() const {
  std::int64_t steps = file_->read([](Connection& reader) { return reader.full_scan_steps(); });
  const std::scoped_lock turn(file_->write_mutex);
  if (file_->writer) {
    steps += file_->writer->full_scan_steps();
  }
  return steps;
}

}  // namespace macrostep::db
