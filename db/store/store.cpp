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
  return file_->write(db::create_search, search, events);
}

Sequences Store::start_search(std::string_view search, const SearchStart& start,
                              const Events& events) {
  return file_->write(db::start_search, search, start, events);
}

Sequences Store::append_results(std::string_view search, const ResultBatch& batch,
                                const Events& events) {
  return file_->write(db::append_results, search, batch, events);
}

Sequences Store::finish_search(std::string_view search, const SearchEnd& end,
                               const Events& events) {
  return file_->write(db::finish_search, search, end, events);
}

Sequences Store::set_status(std::string_view search, const StatusChange& change,
                            const Events& events) {
  return file_->write(db::set_status, search, change, events);
}

Sequences Store::change_search(std::string_view search, const SearchChange& change,
                               const Events& events) {
  return file_->write(db::change_search, search, change, events);
}

std::vector<std::string> Store::mark_interrupted() {
  return file_->write(db::mark_interrupted);
}

bool Store::delete_search(std::string_view search) {
  return file_->write(db::delete_search, search);
}

bool Store::delete_disposable_search(const DisposableSearch& search) {
  return file_->write(db::delete_disposable_search, search);
}

void Store::create_analysis(const NewAnalysis& analysis) {
  file_->write(db::create_analysis, analysis);
}

void Store::start_analysis(std::string_view analysis, std::string_view started_at) {
  file_->write(db::start_analysis, analysis, started_at);
}

void Store::set_points_done(std::string_view analysis, std::int64_t points) {
  file_->write(db::set_points_done, analysis, points);
}

void Store::finish_analysis(std::string_view analysis, const AnalysisEnd& end) {
  file_->write(db::finish_analysis, analysis, end);
}

void Store::set_analysis_status(std::string_view analysis, const StatusChange& change) {
  file_->write(db::set_analysis_status, analysis, change);
}

bool Store::delete_analysis(std::string_view analysis) {
  return file_->write(db::delete_analysis, analysis);
}

void Store::put_trace(const TraceKey& key, const TraceRow& trace) {
  const auto packed = packed_trace(trace);
  file_->write(db::put_trace, key, trace, packed, file_->maximum_trace_bytes);
}

void Store::note_trace_use(const TraceKey& key, std::string_view used_at) {
  if (is_trial_id(key.trial)) {
    file_->write(db::note_trace_use, key, used_at);
  }
}

bool Store::add_fmu(const FmuRow& fmu) {
  return file_->write(db::add_fmu, fmu);
}

bool Store::delete_fmu(std::string_view sha256) {
  return file_->write(db::delete_fmu, sha256);
}

FmuRemoval Store::delete_unused_fmu(std::string_view sha256) {
  return file_->write(db::delete_unused_fmu, sha256);
}

std::uint64_t Store::revision() const {
  return file_->revision;
}

std::optional<SearchRow> Store::get_search(std::string_view search) const {
  return file_->read(db::get_search, search);
}

std::optional<std::string> Store::search_submitted_as(std::string_view idempotency_key) const {
  return file_->read(db::search_submitted_as, idempotency_key);
}

Page<SearchSummary> Store::list_searches(std::int64_t limit,
                                         const std::optional<std::string>& after,
                                         const SearchQuery& query) const {
  return file_->read(db::list_searches, limit, after, query);
}

std::vector<SearchSummary> Store::searches_with_status(
    std::span<const std::string> statuses) const {
  auto rows = file_->read(db::searches_with_status, statuses);
  // Sorted without holding the reader, which others wait for.
  std::ranges::stable_sort(rows, {}, &SearchSummary::created_at);
  return rows;
}

std::vector<DisposableSearch> Store::disposable_searches_ended_before(std::string_view time,
                                                                      std::int64_t limit) const {
  return file_->read(db::disposable_searches_ended_before, time, limit);
}

std::vector<DisposableSearch> Store::disposable_searches_beyond(std::int64_t keep,
                                                                std::int64_t limit) const {
  return file_->read(db::disposable_searches_beyond, keep, limit);
}

std::vector<ConfigurationRow> Store::configurations(std::string_view search) const {
  return file_->read(db::configurations, search);
}

std::vector<CurveRow> Store::curves(std::string_view search) const {
  return file_->read(db::curves, search);
}

std::vector<RecommendationRow> Store::recommendations(std::string_view search) const {
  return file_->read(db::recommendations, search);
}

std::vector<StepTimesRow> Store::step_times(std::string_view search) const {
  return file_->read(db::step_times, search);
}

Page<TrialRow> Store::trials(std::string_view search, std::int64_t limit,
                             const std::optional<std::string>& after) const {
  return file_->read(db::trials, search, limit, after);
}

std::optional<TrialRow> Store::trial(std::string_view search, std::int64_t id) const {
  return file_->read(db::trial, search, id);
}

std::vector<TrialRow> Store::trials_of_event(const EventRow& event) const {
  return file_->read(db::trials_of_event, event);
}

std::vector<TrialRow> Store::trials_of_search(std::string_view search) const {
  auto trials = file_->read(db::trials_of_search, search);
  sort_by_point(trials);  // without the reader, which others wait for
  return trials;
}

std::optional<TraceRow> Store::get_trace(const TraceKey& key) const {
  auto found = file_->read(find_trace, key);
  // Without the reader, which others wait for.
  return found ? std::optional(unpacked_trace(std::move(*found))) : std::nullopt;
}

std::optional<std::string> Store::analysis_submitted_as(std::string_view idempotency_key) const {
  return file_->read(db::analysis_submitted_as, idempotency_key);
}

std::optional<AnalysisRow> Store::get_analysis(std::string_view analysis) const {
  return file_->read(db::get_analysis, analysis);
}

Page<AnalysisSummary> Store::list_analyses(std::int64_t limit,
                                           const std::optional<std::string>& after,
                                           const AnalysisQuery& query) const {
  return file_->read(db::list_analyses, limit, after, query);
}

std::vector<AnalysisSummary> Store::analyses_with_status(
    std::span<const std::string> statuses) const {
  auto rows = file_->read(db::analyses_with_status, statuses);
  // Sorted without holding the reader, which others wait for.
  std::ranges::sort(rows, {},
                    [](const AnalysisSummary& row) { return std::tie(row.created_at, row.id); });
  return rows;
}

std::vector<MapLayerRow> Store::map_layers(std::string_view analysis) const {
  return file_->read(db::map_layers, analysis);
}

std::optional<FmuRow> Store::get_fmu(std::string_view sha256) const {
  return file_->read(db::get_fmu, sha256);
}

Page<FmuRow> Store::list_fmus(std::int64_t limit, const std::optional<std::string>& after,
                              const FmuQuery& query) const {
  return file_->read(db::list_fmus, limit, after, query);
}

std::vector<FmuRow> Store::fmus_named(std::string_view name, std::int64_t limit) const {
  return file_->read(db::fmus_named, name, limit);
}

std::vector<EventRow> Store::events_after(std::int64_t sequence, std::int64_t limit,
                                          const std::optional<std::string>& search) const {
  return file_->read(db::events_after, sequence, limit, search);
}

std::int64_t Store::last_event_sequence() const {
  return file_->read(db::last_event_sequence);
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
