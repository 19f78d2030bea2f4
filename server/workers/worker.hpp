// The inside of a worker process: takes jobs and tasks from a socket, runs them one after the
// other, and answers. It is made to be killed: whatever the code of an FMU does to it, the process
// that started it goes on.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>

#include "engine/ensemble/executor.hpp"
#include "server/process/limits.hpp"

namespace macrostep::server {

/// Descriptors that a worker begins with.
inline constexpr int worker_socket = 3;
inline constexpr int worker_memory = 4;  ///< shared: a WorkerPage

/// What a worker says without being asked.
struct WorkerPage {
  std::atomic<std::int64_t> progress;      ///< TrialSettings::progress
  std::atomic<std::int64_t> memory_bytes;  ///< at most resident so far, after every task
  /// The function of an FMU that is being called, where calls are checked; to be read when the
  /// worker is no more.
  std::array<char, 64> function;
};

/// The first frame to a worker.
struct WorkerSettings {
  std::string build_id;  ///< of who started it, as another program's results differ; empty: any
  std::int64_t parent_process = 0;          ///< 0: in a sandbox, which takes care of it
  std::string directory;                    ///< where code that is not ours works and may write
  std::map<std::string, std::string> fmus;  ///< by SHA-256: where they lie unpacked
  Limits limits;
};

std::string settings_text(const WorkerSettings& settings);

/// Whether this process has been started as a worker.
bool is_worker();

/// Until the other side closes the socket, then ends the process at once. Foreign code is permitted
/// from here on. Throws what is wrong with the descriptors or the frames.
[[noreturn]] void run_worker(const engine::Executor& executor);

}  // namespace macrostep::server
