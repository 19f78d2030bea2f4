// What the requests of a server and its worker share: store, log, options, queue.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <variant>

#include "db/store/store.hpp"
#include "engine/base/field_error.hpp"
#include "engine/cost/cost_limit.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/http/message/events.hpp"
#include "server/ops/log.hpp"
#include "server/ops/metrics.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/queue/planner.hpp"
#include "server/queue/task_board.hpp"
#include "server/schedulers/offer.hpp"
#include "server/searches/retention.hpp"

namespace macrostep::server {

inline constexpr std::size_t default_max_queued = 1000;

struct ServiceOptions {
  int threads = 0;  ///< for the trials of a search; 0: all processors
  /// Searches and analyses that wait; those found at the start come on top.
  std::size_t max_queued = default_max_queued;
  ForeignSettings foreign;
  engine::FmuSource fmus;  ///< that jobs may name
  RetentionOptions retention;
  double max_job_cost = engine::default_max_job_cost;  ///< of one (engine/cost/cost_limit.hpp)
  BatchOffer batch;            ///< that searches may run on, besides the threads of this process
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

/// How an action on a search, or on an analysis, ends: with what is stored then, with the mistakes
/// of the job, or refused.
using SearchAnswer = std::variant<db::SearchSummary, engine::FieldErrors, Refusal>;
using AnalysisAnswer = std::variant<db::AnalysisSummary, engine::FieldErrors, Refusal>;

/// From any thread.
struct ServiceState {
  ServiceState(db::Store& its_store, Log& its_log, ServiceOptions its_options)
      : store(its_store),
        log(its_log),
        options(std::move(its_options)),
        planner({.threads = options.threads,
                 .foreign = options.foreign,
                 .fmus = options.fmus,
                 .max_job_cost = options.max_job_cost,
                 .batch = options.batch}) {}

  Log log_of(const std::string& request_id) const { return log.with("request_id", request_id); }

  db::Store& store;
  Log& log;
  const ServiceOptions options;
  const Planner planner;
  const std::shared_ptr<http::EventHub> hub = std::make_shared<http::EventHub>();
  /// Held by whoever changes the status of a search that does not run, while the store writes it.
  std::mutex changes;
  TaskBoard board;
};

}  // namespace macrostep::server
