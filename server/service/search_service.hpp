// The searches of a server: submitted, queued, run one at a time, cancelled, resumed, deleted; and
// its analyses in the same queue, without resuming.
//
// Protocol: construct, start(), any calls from any thread, drain(), stop(). Everything a caller
// learns is in the store already. Searches that a former process left running or queued are taken
// up by start(), without being asked, from their stored results.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "db/store.hpp"
#include "engine/field_error.hpp"
#include "server/http/events.hpp"
#include "server/service/log.hpp"
#include "server/service/metrics.hpp"
#include "server/service/planner.hpp"
#include "server/service/retention.hpp"
#include "server/service/search_run.hpp"
#include "server/service/task_board.hpp"

namespace macrostep::server::service {

inline constexpr std::size_t default_max_queued = 1000;

struct ServiceOptions {
  int threads = 0;  ///< for the trials of a search; 0: all processors
  /// Searches and analyses that wait; those found at the start come on top.
  std::size_t max_queued = default_max_queued;
  executors::ForeignSettings foreign;
  engine::FmuSource fmus;  ///< that jobs may name
  RetentionOptions retention;
  double max_job_cost = engine::default_max_job_cost;  ///< of one (engine/cost_limit.hpp)
  batch::BatchOffer batch;     ///< that searches may run on, besides the threads of this process
  Metrics* metrics = nullptr;  ///< that count trials and ends of searches, if any
};

/// Why a request about a search was not granted.
enum class Refusal {
  not_found,
  queue_full,
  draining,
  running,
  stopping,
  succeeded,
  key_reused,
  not_waiting,
  changed
};

class SearchService {
 public:
  using Answer = std::variant<db::SearchSummary, engine::FieldErrors, Refusal>;
  using AnalysisAnswer = std::variant<db::AnalysisSummary, engine::FieldErrors, Refusal>;

  SearchService(db::Store& store, Log& log, ServiceOptions options = {});
  /// Stops.
  ~SearchService();
  SearchService(const SearchService&) = delete;
  SearchService& operator=(const SearchService&) = delete;

  /// Queues what a former process left unfinished and starts the worker, which measures first how
  /// fast this computer is: nobody waits for that but a job that comes within these 50 ms.
  void start();
  /// From now on nothing is submitted or resumed.
  void drain();
  /// Interrupts the running search at a trial boundary; returns when the worker has ended.
  void stop();

  /// What jobs stand for: what submit() would say, without storing anything.
  const Planner& planner() const { return planner_; }

  // The request that asks for something goes into the log lines of what it starts.

  /// Stores a job and queues it, or lists its mistakes and stores nothing. A job that was submitted
  /// before with the same key is answered with that search, even if the job would be refused now;
  /// another job with it is refused.
  Answer submit(const nlohmann::json& job, const std::optional<std::string>& idempotency_key = {},
                const std::string& request_id = {});
  /// Asks a running search to end, ends a waiting one; a search that has ended stays as it is.
  Answer cancel(const std::string& id, const std::string& request_id = {});
  /// Queues a search that did not succeed again; its stored results are kept. One that still stops
  /// after cancel() is refused: it would end as cancelled, and the request would be lost.
  Answer resume(const std::string& id, const std::string& request_id = {});
  /// Name, note, tags; and its priority while it waits. What changes nothing tells no event. Not if
  /// the search is not `still_as_known`: no other change comes in between.
  Answer change(const std::string& id, const db::SearchChange& change,
                const std::function<bool()>& still_as_known = {});
  /// Nothing: it is deleted.
  std::optional<Refusal> remove(const std::string& id, const std::string& request_id = {});

  /// The same for analyses.
  AnalysisAnswer submit_analysis(const nlohmann::json& job,
                                 const std::optional<std::string>& idempotency_key = {},
                                 const std::string& request_id = {});
  AnalysisAnswer cancel_analysis(const std::string& id, const std::string& request_id = {});
  std::optional<Refusal> remove_analysis(const std::string& id, const std::string& request_id = {});

  /// As stored, with its place in the queue and, while it runs, its costs; but with a failure that
  /// the store could not take yet.
  db::SearchSummary current(db::SearchSummary summary) const;
  db::AnalysisSummary current(db::AnalysisSummary summary) const;
  /// Grows with every change of what current() adds, but for the progress of what runs, before the
  /// request that changes it is answered.
  std::uint64_t revision() const { return board_.revision(); }
  std::optional<db::SearchSummary> summary(const std::string& id) const;

  const std::shared_ptr<http::EventHub>& hub() const { return hub_; }
  bool accepting() const { return board_.is_open(); }
  /// Searches and analyses that wait.
  std::size_t queue_length() const { return board_.length(); }
  /// When to try again after Refusal::queue_full.
  std::chrono::seconds until_room() const { return board_.until_room(); }
  /// What the store refused, while there is something it has not taken since.
  std::optional<std::string> trouble() const;

 private:
  Log log_of(const std::string& request_id) const { return log_.with("request_id", request_id); }

  // The worker.

  void work();
  void run(RunningSearch& task);
  /// Deletes one search that is not to be kept. False: there is none.
  bool tidy();
  void fail(const Task& task, const std::string& reason);
  bool store_failure(const Task& task, const std::string& reason);
  void retry_failures();

  // What is done with searches and analyses alike.

  /// A submission that is stored.
  struct Stored {
    std::string id;
    std::string job;
  };
  /// Has `create` store the job and queues it, unless `find_former` finds one that was submitted
  /// with the same key. The id of whichever is stored now. Throws what `create` throws.
  std::variant<std::string, Refusal> take_in(
      WaitingTask waiting, const std::string& job,
      const std::function<std::optional<Stored>()>& find_former,
      const std::function<void()>& create);
  /// Asks it to end where it runs; where it waits, has `end_waiting` store that it ends.
  void cancel_task(const Task& task, const std::function<void()>& end_waiting);
  /// Has `from_store` delete it, unless it runs; with changes_ held.
  std::optional<Refusal> remove_task(const Task& task, std::string_view stored_status,
                                     const std::function<void()>& from_store);
  std::optional<Stored> former_search(const std::optional<std::string>& key) const;
  std::optional<Stored> former_analysis(const std::optional<std::string>& key) const;
  std::optional<Refusal> refuse_new() const;
  engine::FieldErrors deleted_fmus(const engine::Plan& plan) const;
  template <class Summary>
  Summary as_it_is(Summary summary) const;
  AnalysisAnswer submitted(const db::NewAnalysis& analysis, const engine::Plan& plan,
                           const std::string& request_id);
  Answer stored_answer(const std::string& id) const;
  AnalysisAnswer stored_analysis(const std::string& id) const;

  db::Store& store_;
  Log& log_;
  const ServiceOptions options_;
  const Planner planner_;
  const std::shared_ptr<http::EventHub> hub_ = std::make_shared<http::EventHub>();
  /// Held by whoever changes the status of a search that does not run, while the store writes it.
  std::mutex changes_;
  TaskBoard board_;
  Retention retention_;  // the worker's
  std::thread worker_;
};

}  // namespace macrostep::server::service
