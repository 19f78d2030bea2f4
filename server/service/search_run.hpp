// One search from its stored plan to its stored end.
#pragma once

#include <atomic>
#include <string>

#include "db/store.hpp"
#include "server/http/events.hpp"
#include "server/service/log.hpp"

namespace macrostep::server::service {

/// The search that runs now, and who asked it to stop.
struct RunningSearch {
  explicit RunningSearch(std::string search) : id(std::move(search)) {}

  const std::string id;
  std::atomic<bool> stop{false};       ///< ends the trials
  std::atomic<bool> cancelled{false};  ///< it ends as cancelled, not as interrupted
};

struct RunContext {
  db::Store& store;
  http::EventHub& hub;
  Log& log;
  int threads = 0;  ///< 0: all processors
};

/// Runs the search, taking up stored results, until it is done or asked to stop; then it is stored
/// as succeeded, cancelled or interrupted. Throws what keeps it from going on (db::Error,
/// std::runtime_error): then its end is the caller's to store.
void run_stored_search(const RunContext& context, RunningSearch& search);

}  // namespace macrostep::server::service
