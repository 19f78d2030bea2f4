// One search from its stored plan to its stored end.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "db/store/store.hpp"
#include "engine/problem/fmu_source.hpp"
#include "engine/search/run_search.hpp"
#include "server/batch/coordinator.hpp"
#include "server/http/message/events.hpp"
#include "server/ops/log.hpp"
#include "server/ops/metrics.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/schedulers/offer.hpp"
#include "server/searches/result_writer.hpp"
#include "server/searches/search_plan.hpp"

namespace macrostep::server {

/// Searches and analyses are queued and run alike.
enum class TaskKind { search, analysis };

struct QueuedTask {
  std::string id;
  TaskKind kind = TaskKind::search;
  std::string request_id = {};  ///< that asked for it; empty after a start

  bool operator==(const QueuedTask& other) const { return id == other.id && kind == other.kind; }
};

/// The search, or the analysis, that runs now, and who asked it to stop.
struct RunningSearch {
  explicit RunningSearch(QueuedTask task, SharedSearchPlan its_plan = nullptr)
      : id(std::move(task.id)),
        kind(task.kind),
        request_id(std::move(task.request_id)),
        plan(std::move(its_plan)) {}

  const std::string id;
  const TaskKind kind;
  const std::string request_id;        ///< that asked for it, for the log
  const SharedSearchPlan plan;         ///< as it was submitted; null: what is stored is read
  std::atomic<bool> stop{false};       ///< ends the trials
  std::atomic<bool> cancelled{false};  ///< it ends as cancelled, not as interrupted

  /// The progress of a search; from several threads at once.
  void note(const engine::SearchProgress& progress);
  engine::SearchProgress progress() const;
  /// The state of a search whose chunks run elsewhere, as JSON; from several threads at once.
  void note_batch(std::string state);
  std::optional<std::string> batch() const;

 private:
  mutable std::mutex mutex_;
  engine::SearchProgress progress_;
  std::optional<std::string> batch_;
};

/// A member of a search's provenance, where it went on with another build: the builds of its
/// earlier trials.
inline constexpr const char* earlier_builds_member = "earlier_build_ids";

/// What the store holds of a search that begins or goes on.
struct StoredResults {
  std::vector<engine::TrialRecord> records;  ///< by curve and index
  ResultWriter::Begin begin;
};

/// What a stored search goes on from.
struct StoredBegin {
  StoredResults results;
  std::string provenance;  ///< of all its results, as JSON
};

/// Throws std::runtime_error where its results do not fit the plan, or come from another
/// arithmetic.
StoredBegin stored_begin(const db::Store& store, const db::SearchRow& row,
                         const engine::Plan& plan);

/// Where trials of earlier builds are among those of the answer, it says so.
void warn_of_earlier_builds(const std::string& provenance, engine::Answer& answer);

struct KeptSearch {
  db::Store& store;
  http::EventHub& hub;
  std::string id;
  const engine::Plan& plan;
  const StoredResults& stored;
  std::optional<std::string> provenance;
  std::atomic<bool>& stop;
  Metrics* metrics = nullptr;    ///< that count its trials, if any
  const Batch* batch = nullptr;  ///< where its trials run, if not in this process
};
/// Marks the search as running and runs it, keeping its results while they come; its end is the
/// caller's to store. `stop` ends it, also when the store takes no more: that is thrown.
/// Provenance: absent leaves what is stored.
engine::SearchResult run_and_keep(const KeptSearch& search, engine::SearchSettings settings);

/// Stores curves, marks, table, recommendations and cost with the event that tells of them. Returns
/// the status: succeeded, failed if nothing of it ran, or cancelled if curves are missing.
std::string store_end(db::Store& store, const std::string& id, const engine::Plan& plan,
                      const engine::SearchResult& result);

/// False while the store does not take it: a full disk has no room for the failure either. True
/// also if the search is not there any more.
bool store_failure(db::Store& store, const std::string& id, const std::string& reason);

struct RunContext {
  db::Store& store;
  http::EventHub& hub;
  Log& log;
  int threads = 0;  ///< 0: all processors
  ForeignSettings foreign;
  engine::FmuSource fmus;
  const BatchOffer& batch;
  Metrics* metrics = nullptr;  ///< that count trials and ends, if any
  /// Asked of what short runs have made of a plan; the plan as asked was held against it before.
  std::function<std::optional<engine::FieldError>(const engine::Plan&)> too_costly = {};
};

/// Runs the search, taking up stored results, until it is done or asked to stop; then it is stored
/// as succeeded, cancelled or interrupted. Throws what keeps it from going on (db::Error,
/// std::runtime_error): then its end is the caller's to store.
void run_stored_search(const RunContext& context, RunningSearch& search);

}  // namespace macrostep::server
