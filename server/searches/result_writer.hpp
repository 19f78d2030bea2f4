// From the threads that run trials to the store: a bounded buffer and one thread that stores what
// is in it, in batches, each in a transaction with the events that tell of it.
//
// Only what is stored is reported. When the store refuses a batch, the writer raises the search's
// stop flag and drops what follows; close() then throws what the store threw.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "db/store/store.hpp"
#include "engine/search/progress_count.hpp"
#include "server/http/message/events.hpp"
#include "server/ops/metrics.hpp"

namespace macrostep::server {

/// A batch is stored after this time, or as soon as it is this long.
inline constexpr std::chrono::milliseconds batch_interval{100};
inline constexpr std::size_t batch_results = 1024;
/// An event tells of so many trials at the most, as its readers hold it as a whole.
inline constexpr std::size_t event_results = 256;
/// Threads that run trials wait once this many results are not stored yet.
inline constexpr std::size_t buffered_results = 4 * batch_results;

class ResultWriter {
 public:
  struct Begin {
    db::Progress progress;        ///< what is stored already
    std::int64_t next_trial = 0;  ///< id of the first new trial
  };

  ResultWriter(db::Store& store, http::EventHub& hub, std::string search, Begin begin,
               std::atomic<bool>& stop, Metrics* metrics = nullptr);
  ~ResultWriter();
  ResultWriter(const ResultWriter&) = delete;
  ResultWriter& operator=(const ResultWriter&) = delete;

  /// Takes one result; waits while the buffer is full.
  void add(const engine::TrialRecord& record, const engine::SearchProgress& progress);

  /// Tells of a stage that follows the curves, with or after the results that came before it.
  void begin_stage(const engine::SearchProgress& progress);

  /// Stores the rest and ends the thread. Throws what the store threw.
  void close();

 private:
  struct Batch {
    std::vector<engine::TrialRecord> records;
    std::int64_t curves_done = 0;
    engine::SearchProgress newest;               ///< with the costs of all that it holds
    std::vector<engine::SearchProgress> stages;  ///< that began meanwhile

    bool is_empty() const { return records.empty() && stages.empty(); }
  };

  void work();
  Batch take();
  void store(const Batch& batch);
  void join();

  db::Store& store_;
  http::EventHub& hub_;
  const std::string search_;
  std::atomic<bool>& stop_;
  Metrics* const metrics_;
  Begin stored_;  // of the writing thread alone

  std::mutex mutex_;
  std::condition_variable filled_;
  std::condition_variable taken_;
  Batch buffer_;
  bool closed_ = false;
  std::exception_ptr failure_;

  std::thread thread_;  // last: it uses the members above
};

}  // namespace macrostep::server
