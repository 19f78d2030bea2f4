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
#include <memory>
#include <optional>
#include <string>
#include <thread>

#include "db/store/store.hpp"
#include "server/http/message/events.hpp"
#include "server/ops/log.hpp"
#include "server/queue/planner.hpp"
#include "server/queue/service_state.hpp"
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

  /// What jobs stand for: what submitting them would say, without storing anything.
  const Planner& planner() const { return state_.planner; }

  /// What requests for searches and analyses act on (search_actions.hpp, analysis_actions.hpp).
  ServiceState& state() { return state_; }

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
