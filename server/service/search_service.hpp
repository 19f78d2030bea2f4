// The searches of a server: submitted, queued, run one at a time, cancelled, resumed, deleted; and
// its analyses in the same queue, without resuming.
//
// Protocol: construct, start(), any calls from any thread, drain(), stop(). Everything a caller
// learns is in the store already. Searches that a former process left running or queued are taken
// up by start(), without being asked, from their stored results.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <variant>

#include "db/store.hpp"
#include "engine/cost_limit.hpp"
#include "engine/field_error.hpp"
#include "server/http/events.hpp"
#include "server/json/tuning_job.hpp"
#include "server/service/log.hpp"
#include "server/service/metrics.hpp"
#include "server/service/retention.hpp"
#include "server/service/search_run.hpp"
#include "server/service/task_queue.hpp"
#include "server/service/trial_replay.hpp"

namespace macrostep::server::service {

inline constexpr std::size_t default_max_queued = 1000;

struct ServiceOptions {
  int threads = 0;  ///< for the trials of a search; 0: all processors
  /// Searches and analyses that wait; those found at the start come on top.
  std::size_t max_queued = default_max_queued;
  executors::ForeignSettings foreign;
  engine::FmuSource fmus;  ///< that jobs may name
  RetentionOptions retention;
  /// Right-hand-side evaluations that a job may be expected to take (engine/cost_limit.hpp).
  double max_job_cost = engine::default_max_job_cost;
};

/// Of an analysis; every other one is a map.
bool asks_for_tuning(const nlohmann::json& job);

/// Why a request about a search was not granted.
enum class Refusal {
  not_found,
  queue_full,
  draining,
  running,
  stopping,
  succeeded,
  key_reused,
  not_waiting
};

class SearchService {
 public:
  using Answer = std::variant<db::SearchSummary, engine::FieldErrors, Refusal>;
  using TuningAnswer = std::variant<json::TuningPlan, engine::FieldErrors>;
  using AnalysisAnswer = std::variant<db::AnalysisSummary, engine::FieldErrors, Refusal>;

  SearchService(db::Store& store, Log& log, ServiceOptions options = {});
  /// Stops.
  ~SearchService();
  SearchService(const SearchService&) = delete;
  SearchService& operator=(const SearchService&) = delete;

  /// Queues what a former process left unfinished and starts the worker.
  void start();
  /// From now on nothing is submitted or resumed.
  void drain();
  /// Interrupts the running search at a trial boundary; returns when the worker has ended.
  void stop();

  /// The plan of a job that can run here, or its mistakes: what submit() would say, without storing
  /// anything.
  std::variant<engine::Plan, engine::FieldErrors> plan_of(const nlohmann::json& job) const;
  /// What a search of the plan will cost here.
  engine::CostEstimate estimate_of(const engine::Plan& plan) const;

  // The request that asks for something goes into the log lines of what it starts.

  /// Stores a job and queues it, or lists its mistakes and stores nothing. A job that was submitted
  /// before with the same key is answered with that search; another job with it is refused.
  Answer submit(const nlohmann::json& job, const std::optional<std::string>& idempotency_key = {},
                const std::string& request_id = {});
  /// Asks a running search to end, ends a waiting one; a search that has ended stays as it is.
  Answer cancel(const std::string& id, const std::string& request_id = {});
  /// Queues a search that did not succeed again; its stored results are kept. One that still stops
  /// after cancel() is refused: it would end as cancelled, and the request would be lost.
  Answer resume(const std::string& id, const std::string& request_id = {});
  /// Name, note, tags; and its priority while it waits.
  Answer change(const std::string& id, const db::SearchChange& change);
  /// Nothing: it is deleted.
  std::optional<Refusal> remove(const std::string& id, const std::string& request_id = {});

  /// The same for analyses.
  AnalysisAnswer submit_analysis(const nlohmann::json& job,
                                 const std::optional<std::string>& idempotency_key = {},
                                 const std::string& request_id = {});
  /// What a job of the kind "tune" stands for; nothing is stored.
  TuningAnswer tuning_of(const nlohmann::json& job) const;
  AnalysisAnswer cancel_analysis(const std::string& id, const std::string& request_id = {});
  std::optional<Refusal> remove_analysis(const std::string& id, const std::string& request_id = {});
  db::AnalysisSummary current(db::AnalysisSummary summary) const;

  /// As stored, with its place in the queue, except for a failure that the store could not take
  /// yet.
  std::optional<db::SearchSummary> summary(const std::string& id) const;
  db::SearchSummary current(db::SearchSummary summary) const;

  /// Single trials of stored searches, run again.
  TrialReplay& replay() { return replay_; }

  const std::shared_ptr<http::EventHub>& hub() const { return hub_; }
  bool accepting() const;
  /// Searches and analyses that wait.
  std::size_t queue_length() const;
  Metrics& metrics() { return metrics_; }
  /// When to try again after Refusal::queue_full.
  std::chrono::seconds until_room() const;
  /// Why jobs with FMUs are refused, if they are.
  const std::optional<std::string>& no_foreign_code() const { return no_foreign_code_; }
  /// What the store refused, while there is something it has not taken since.
  std::optional<std::string> trouble() const;

 private:
  void work();
  void run(RunningSearch& task);
  Log log_of(const std::string& request_id) const { return log_.with("request_id", request_id); }
  /// While nothing waits: deletes one search that is not to be kept. False: there is none.
  bool tidy();
  void end_waiting(const std::string& id, const std::string& request_id);
  void fail(const Task& task, const std::string& reason);
  bool store_failure(const Task& task, const std::string& reason);
  void retry_failures();
  std::optional<Refusal> refuse_new() const;
  engine::FieldErrors deleted_fmus(const engine::Plan& plan) const;
  bool waits(const std::string& id) const;
  bool runs(const std::string& id, std::string_view stored_status) const;
  bool stops(const std::string& id, std::string_view stored_status) const;
  bool is_running(const std::string& id, std::string_view stored_status) const;
  void queue(WaitingTask waiting);
  /// Deletes a task that does not run, by `from_store`: if that throws, what waited waits again.
  std::optional<Refusal> remove_task(const Task& task, std::string_view stored_status,
                                     const std::function<void()>& from_store);
  /// Asks what runs to end as cancelled, takes what waits out of the queue.
  std::optional<WaitingTask> stop_or_take(const Task& task);
  template <class Summary>
  Summary as_it_is(Summary summary) const;
  AnalysisAnswer submit_map(const nlohmann::json& job, const std::optional<std::string>& key,
                            const std::string& request_id);
  AnalysisAnswer submit_tuning(const nlohmann::json& job, const std::optional<std::string>& key,
                               const std::string& request_id);
  /// Stores it and queues it. Throws db::Error(unknown_fmu) where one that it needs is gone.
  AnalysisAnswer submitted(const db::NewAnalysis& analysis, const std::string& request_id);
  AnalysisAnswer stored_analysis(const std::string& id) const;
  Answer submitted_before(const std::string& id, const std::string& job) const;
  Answer stored_answer(const std::string& id) const;

  db::Store& store_;
  Log& log_;
  const ServiceOptions options_;
  const std::optional<std::string> no_foreign_code_;
  Metrics metrics_;
  const std::shared_ptr<http::EventHub> hub_ = std::make_shared<http::EventHub>();

  /// Held by whoever changes the status of a search that does not run, while the store writes it;
  /// taken before mutex_.
  std::mutex changes_;
  /// Of the members below; never held while the store is used, lest requests wait for the disk.
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  TaskQueue queue_;
  RunTimes run_times_;
  std::unique_ptr<RunningSearch> running_;
  struct Failure {
    TaskKind kind = TaskKind::search;
    std::string reason;
  };
  std::map<std::string, Failure> unsaved_failures_;  // by id
  bool accepting_ = false;
  bool stopping_ = false;

  Retention retention_;  // the worker's
  TrialReplay replay_{store_, log_, options_.foreign, options_.fmus};
  std::thread worker_;
};

}  // namespace macrostep::server::service
