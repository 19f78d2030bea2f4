// What the handlers of the API work on.
#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <utility>

#include "db/store/store.hpp"
#include "server/fmus/fmu_store.hpp"
#include "server/ops/log.hpp"
#include "server/ops/metrics.hpp"
#include "server/queue/search_service.hpp"
#include "server/respond/access.hpp"
#include "server/respond/answer_cache.hpp"
#include "server/traces/trial_replay.hpp"

namespace macrostep::server::http {
class Listener;
}

namespace macrostep::server {

struct Application {
  db::Store& store;
  SearchService& service;
  TrialReplay& replay;  ///< single trials of stored searches, run again
  FmuStore& fmus;
  Metrics& metrics;
  Log& log;
  Access& access;
  std::filesystem::path database;
  const http::Listener* listener = nullptr;  ///< set before it starts; none in tests
  /// Held by the request that packs an SSP: it takes memory, and one of few threads, for seconds.
  std::mutex packing{};
  AnswerCache answers{};
};

/// A function of application and request as a handler of the router.
template <class Function>
auto bound(Application& application, Function function) {
  return std::bind_front(std::move(function), std::ref(application));
}

}  // namespace macrostep::server
