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
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "db/store/store.hpp"
#include "server/http/message/events.hpp"
#include "server/ops/log.hpp"
#include "server/queue/analysis_actions.hpp"
#include "server/queue/planner.hpp"
#include "server/queue/search_actions.hpp"
#include "server/queue/service_state.hpp"
#include "server/queue/task_actions.hpp"
#include "server/searches/retention.hpp"
#include "server/searches/search_run.hpp"

namespace macrostep::server {

class SearchService {
 public:
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
  const Planner& planner() const { return state_.planner; }

  // The request that asks for something goes into the log lines of what it starts.

  /// Stores a job and queues it, or lists its mistakes and stores nothing. A job that was submitted
  /// before with the same key is answered with that search, even if the job would be refused now;
  /// another job with it is refused.
  SearchAnswer submit(const nlohmann::json& job,
                      const std::optional<std::string>& idempotency_key = {},
                      const std::string& request_id = {}) {
    return submit_search(state_, job, idempotency_key, request_id);
  }
  /// Asks a running search to end, ends a waiting one; a search that has ended stays as it is.
  SearchAnswer cancel(const std::string& id, const std::string& request_id = {}) {
    return cancel_search(state_, id, request_id);
  }
  /// Queues a search that did not succeed again; its stored results are kept. One that still stops
  /// after cancel() is refused: it would end as cancelled, and the request would be lost.
  SearchAnswer resume(const std::string& id, const std::string& request_id = {}) {
    return resume_search(state_, id, request_id);
  }
  /// Name, note, tags; and its priority while it waits. What changes nothing tells no event. Not if
  /// the search is not `still_as_known`: no other change comes in between.
  SearchAnswer change(const std::string& id, const db::SearchChange& change,
                      const std::function<bool()>& still_as_known = {}) {
    return change_search(state_, id, change, still_as_known);
  }
  /// Nothing: it is deleted.
  std::optional<Refusal> remove(const std::string& id, const std::string& request_id = {}) {
    return remove_search(state_, id, request_id);
  }

  /// Submits, cancels and deletes analyses by the rules of searches.
  AnalysisAnswer submit_analysis(const nlohmann::json& job,
                                 const std::optional<std::string>& idempotency_key = {},
                                 const std::string& request_id = {}) {
    return server::submit_analysis(state_, job, idempotency_key, request_id);
  }
  AnalysisAnswer cancel_analysis(const std::string& id, const std::string& request_id = {}) {
    return server::cancel_analysis(state_, id, request_id);
  }
  std::optional<Refusal> remove_analysis(const std::string& id,
                                         const std::string& request_id = {}) {
    return server::remove_analysis(state_, id, request_id);
  }

  /// As stored, with its place in the queue and, while it runs, its costs; but with a failure that
  /// the store could not take yet.
  db::SearchSummary current(db::SearchSummary summary) const {
    return server::current(state_, std::move(summary));
  }
  db::AnalysisSummary current(db::AnalysisSummary summary) const {
    return server::current(state_, std::move(summary));
  }
  /// Grows with every change of what current() adds, but for the progress of what runs, before the
  /// request that changes it is answered.
  std::uint64_t revision() const { return state_.board.revision(); }
  std::optional<db::SearchSummary> summary(const std::string& id) const;

  const std::shared_ptr<http::EventHub>& hub() const { return state_.hub; }
  bool accepting() const { return state_.board.is_open(); }
  /// Searches and analyses that wait.
  std::size_t queue_length() const { return state_.board.length(); }
  /// When to try again after Refusal::queue_full.
  std::chrono::seconds until_room() const { return state_.board.until_room(); }
  /// What the store refused, while there is something it has not taken since.
  std::optional<std::string> trouble() const;

 private:
  // The worker.

  void work();
  void checkpoint();
  /// Deletes one search that is not to be kept. False: there is none.
  bool tidy();
  void fail(const QueuedTask& task, const std::string& reason);
  bool store_failure(const QueuedTask& task, const std::string& reason);
  void retry_failures();

  ServiceState state_;
  Retention retention_;  // the worker's
  std::thread worker_;
};

}  // namespace macrostep::server
