// Single trials of stored searches, run again from the stored plan: for their trace, or to see
// whether the result is the same. One at a time, on a thread of its own.
//
// Whoever asks waits a moment, no longer, and one at a time: a listener has few threads. The trial
// runs on, and who asks for the same again gets its result. It is kept until somebody has had it,
// or until another trial is asked for when nobody has come for it for some seconds. A trace goes
// into the store as well: it is computed once.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "db/store/store.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/ops/log.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/traces/replayed_trial.hpp"

namespace macrostep::server {

/// A trial that takes longer is stopped.
inline constexpr std::chrono::seconds replay_limit{60};
/// How long a request waits for the trial.
inline constexpr std::chrono::seconds replay_patience{2};
/// How long a result that nobody has had keeps other trials waiting, at the most; whoever was told
/// to ask again does so sooner.
inline constexpr std::chrono::seconds replay_result_kept{5};
/// Numbers in a trace that is kept, whatever the points asked for: 8 MB.
inline constexpr std::size_t max_trace_numbers = 1'000'000;

class TrialReplay {
 public:
  /// Another trial runs or has a result that nobody has had, or this one still runs.
  struct Busy {};
  /// Why it cannot be run again.
  struct ReplayRefused {
    std::string reason;
    bool for_now = false;  ///< it is this computer that cannot, not the trial
  };
  using Answer = std::variant<std::shared_ptr<const ReplayedTrial>, Busy, ReplayRefused>;

  TrialReplay(db::Store& store, Log& log, ForeignSettings foreign, engine::FmuSource fmus);
  /// Stops.
  ~TrialReplay();
  TrialReplay(const TrialReplay&) = delete;
  TrialReplay& operator=(const TrialReplay&) = delete;

  /// Runs it again, with a trace if one is asked for, or has the trace from the store. Throws what
  /// is no matter of the trial: std::system_error and the like.
  Answer replay(const StoredTrial& trial, std::optional<TraceRequest> trace);
  /// Ends what runs; nothing is run any more.
  void stop();

 private:
  struct Key {
    std::string search;
    std::int64_t trial = 0;
    std::optional<TraceRequest> trace;

    bool operator==(const Key&) const = default;
  };
  /// Shared by the thread that runs it and those who wait for it.
  struct ReplayRun {
    explicit ReplayRun(Key wanted) : key(std::move(wanted)) {}

    const Key key;
    std::atomic<bool> stop{false};
    std::optional<Answer> answer;                      ///< guarded by mutex_, as the next ones
    std::exception_ptr failure;                        ///< thrown instead of the answer
    std::chrono::steady_clock::time_point answered{};  ///< when
    bool stored = false;                               ///< whoever asks again has it from there
  };

  static bool is_awaited(const ReplayRun& replay);
  void start(std::shared_ptr<ReplayRun> replay, const StoredTrial& trial);
  void run(ReplayRun& replay, const StoredTrial& trial);
  std::shared_ptr<const ReplayedTrial> find_trace(const StoredTrial& trial,
                                                  const TraceRequest& request);
  bool keep_trace(const StoredTrial& trial, const TraceRequest& request,
                  const ReplayedTrial& replayed);

  db::Store& store_;
  Log& log_;
  const ForeignSettings foreign_;
  const engine::FmuSource fmus_;
  std::mutex mutex_;
  std::condition_variable done_;
  std::shared_ptr<ReplayRun> replay_;  ///< the one that runs, or whose result nobody has had
  bool somebody_waits_ = false;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace macrostep::server
