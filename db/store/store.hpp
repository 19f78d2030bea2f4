// The store of macrostep: searches, their trials, curves and recommendations, the persisted event
// stream, analyses, and what is known of FMUs, in one SQLite file (schema, views and queries:
// README.md).
//
// Contract
//  1. Threads: every member may be called from any thread. Writes take turns; reads have a
//     connection of their own and wait for no write.
//  2. Processes: one Store opened for writing per file; a second opener gets Error(locked) naming
//     the holder. Any number of Stores opened for reading, at any time.
//  3. Writes: each call is one transaction. When it returns, what it wrote survives kill -9 and
//     power loss; when it throws Error, it has written nothing, and the Store stays usable.
//  4. Events are stored with what they tell of; a write returns the sequence numbers of its events
//     in their order. Numbers rise for ever and are never used twice.
//  5. Which change of status makes sense is the caller's to decide.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/analysis_rows.hpp"
#include "db/rows/fmu_rows.hpp"
#include "db/rows/rows.hpp"
#include "db/rows/search_query.hpp"
#include "db/rows/trace_rows.hpp"
#include "db/schema/checkpoint.hpp"
#include "db/schema/opening.hpp"

namespace macrostep::db {

struct OpenFile;

class Store {
 public:
  /// Opens for writing: creates the file, or upgrades an older one, after a copy of it beside it.
  /// Opens for reading: the file must exist.
  explicit Store(const std::filesystem::path& file, StoreOptions options = {});
  /// Empties the write-ahead log into the file if no reader prevents it, and gives up the lock.
  ~Store();
  Store(Store&&) noexcept;
  Store& operator=(Store&&) noexcept;

  // Writing. Error(not_found) if the search is unknown, Error(constraint) if a row contradicts
  // another.

  /// Status queued. Error(unknown_fmu) if one that it needs is not stored (any more).
  Sequences create_search(const NewSearch& search, const Events& events = {});
  /// Status running.
  Sequences start_search(std::string_view search, const SearchStart& start,
                         const Events& events = {});
  Sequences append_results(std::string_view search, const ResultBatch& batch,
                           const Events& events = {});
  Sequences finish_search(std::string_view search, const SearchEnd& end, const Events& events = {});
  Sequences set_status(std::string_view search, const StatusChange& change,
                       const Events& events = {});
  Sequences change_search(std::string_view search, const SearchChange& change,
                          const Events& events = {});
  /// At start-up: what still says running was cut off, analyses too. Returns those searches.
  std::vector<std::string> mark_interrupted();
  /// False if there was none. The caller refuses it for a running search.
  bool delete_search(std::string_view search);
  /// delete_search() of a search that has no tag and ended when it did as it was found; any other
  /// stays, also what ended once more.
  bool delete_disposable_search(const DisposableSearch& search);

  // Writing of analyses, which tell no events; errors are as for searches.

  /// Error(unknown_fmu) as create_search().
  void create_analysis(const NewAnalysis& analysis);
  void start_analysis(std::string_view analysis, std::string_view started_at);
  void set_points_done(std::string_view analysis, std::int64_t points);
  /// With all that it has found.
  void finish_analysis(std::string_view analysis, const AnalysisEnd& end);
  void set_analysis_status(std::string_view analysis, const StatusChange& change);
  bool delete_analysis(std::string_view analysis);

  /// Keeps a trace, in the place of one that is there for the same request. Error(constraint) if
  /// the trial is unknown.
  void put_trace(const TraceKey& key, const TraceRow& trace);
  void note_trace_use(const TraceKey& key, std::string_view used_at);

  /// False if it is there already: it stays as it was, but that the file's name becomes its label
  /// where that is the model's name.
  bool add_fmu(const FmuRow& fmu);
  bool delete_fmu(std::string_view sha256);
  /// delete_fmu(), unless the plan of a search or an analysis that has not ended names it. Together
  /// with create_search(): what is submitted has its FMUs, what is deleted is needed by nobody.
  FmuRemoval delete_unused_fmu(std::string_view sha256);

  // Reading.

  /// Grows with every write that succeeds: after it can be read, before its call returns. So what
  /// is read after revision r was asked for lacks, as long as the revision is still r, nothing but
  /// writes whose calls have not returned; two reads of that time may differ by one of those.
  /// Takes no lock.
  std::uint64_t revision() const;
  std::optional<SearchRow> get_search(std::string_view search) const;
  /// The search that was created with this key, until it is deleted.
  std::optional<std::string> search_submitted_as(std::string_view idempotency_key) const;
  /// `after` is the `next` of the page before, opaque to everyone else, and of the same query:
  /// else Error(bad_cursor). A page looks at maximum_rows_examined searches at the most.
  Page<SearchSummary> list_searches(std::int64_t limit,
                                    const std::optional<std::string>& after = {},
                                    const SearchQuery& query = {}) const;
  /// Oldest first, of the same time what was stored first; all of them.
  std::vector<SearchSummary> searches_with_status(std::span<const std::string> statuses) const;
  /// Searches that have ended and have no tag, what ended first first: before this time, or all but
  /// the `keep` of them that ended last.
  std::vector<DisposableSearch> disposable_searches_ended_before(std::string_view time,
                                                                 std::int64_t limit) const;
  std::vector<DisposableSearch> disposable_searches_beyond(std::int64_t keep,
                                                           std::int64_t limit) const;
  std::vector<ConfigurationRow> configurations(std::string_view search) const;
  std::vector<CurveRow> curves(std::string_view search) const;
  std::vector<RecommendationRow> recommendations(std::string_view search) const;
  /// By configuration and H; none before the end.
  std::vector<StepTimesRow> step_times(std::string_view search) const;
  /// In the order of their ids.
  Page<TrialRow> trials(std::string_view search, std::int64_t limit,
                        const std::optional<std::string>& after = {}) const;
  std::optional<TrialRow> trial(std::string_view search, std::int64_t id) const;
  /// Those of them that are stored, in the order of their ids: what an event tells of.
  std::vector<TrialRow> trials_of_event(const EventRow& event) const;
  /// All of them, by curve and point: what a resumed search starts from.
  std::vector<TrialRow> trials_of_search(std::string_view search) const;
  /// As it was put there, unless it had to make room. Error(corrupt) if its series is damaged.
  std::optional<TraceRow> get_trace(const TraceKey& key) const;
  /// As search_submitted_as(); the keys of searches and analyses are apart.
  std::optional<std::string> analysis_submitted_as(std::string_view idempotency_key) const;
  std::optional<AnalysisRow> get_analysis(std::string_view analysis) const;
  Page<AnalysisSummary> list_analyses(std::int64_t limit,
                                      const std::optional<std::string>& after = {},
                                      const AnalysisQuery& query = {}) const;
  std::vector<AnalysisSummary> analyses_with_status(std::span<const std::string> statuses) const;
  /// In the order of their ids; none before the end.
  std::vector<MapLayerRow> map_layers(std::string_view analysis) const;
  std::optional<FmuRow> get_fmu(std::string_view sha256) const;
  Page<FmuRow> list_fmus(std::int64_t limit, const std::optional<std::string>& after = {},
                         const FmuQuery& query = {}) const;
  /// Whose file or model has this name, newest first.
  std::vector<FmuRow> fmus_named(std::string_view name, std::int64_t limit) const;
  /// The next events of one search, or of all, oldest first.
  std::vector<EventRow> events_after(std::int64_t sequence, std::int64_t limit,
                                     const std::optional<std::string>& search = {}) const;
  /// The newest number ever given out; 0 before the first event.
  std::int64_t last_event_sequence() const;

  // Care of the file.

  const std::optional<Migration>& migration() const;
  /// Throws Error unless the file is still there under its name, and can be read and written. A
  /// write under way counts as one that succeeds.
  void probe();
  /// Moves the write-ahead log into the file; call it when idle.
  Checkpoint checkpoint();
  /// Rows visited because an index was missing, since opening; the tests demand 0.
  std::int64_t full_scan_steps() const;

 private:
  std::unique_ptr<OpenFile> file_;
};

}  // namespace macrostep::db
