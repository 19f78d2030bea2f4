// What a worker process and the program that started it agree on: command line, descriptors, shared
// memory, first frame, and how its end is told.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/process/limits.hpp"

namespace macrostep::server {

/// Descriptors that a worker begins with.
inline constexpr int worker_socket = 3;
inline constexpr int worker_memory = 4;  ///< shared: a WorkerPage
/// Process 1 of a sandbox writes a WorkerEnd to it; the worker itself does not have it.
inline constexpr int worker_status = 5;

/// With this code a worker ends where it fails itself, and not its FMU. No other program uses it.
inline constexpr int worker_failed_code = 86;

/// How the executable is started: as process 1 of a sandbox, which starts the worker, or as the
/// worker itself, without a sandbox.
enum class WorkerMode { init, plain };

/// The arguments that follow the name of the executable.
std::vector<std::string> worker_arguments(WorkerMode mode, const Limits& limits);

struct WorkerCommand {
  WorkerMode mode = WorkerMode::plain;
  Limits limits;
};

/// Nothing where the arguments are not those of a worker.
std::optional<WorkerCommand> read_worker_arguments(std::span<const std::string> arguments);

/// What a worker says without being asked.
struct WorkerPage {
  std::atomic<std::int64_t> progress;      ///< TrialSettings::progress
  std::atomic<std::int64_t> memory_bytes;  ///< at most resident so far, after every task
  std::atomic<std::uint64_t> running_fmu;  ///< models::fmi::running_fmu; 0: none is called
  /// The function of an FMU that is being called, where calls are checked; to be read when the
  /// worker is no more.
  std::array<char, 64> function;
};

static_assert(std::atomic<std::int64_t>::is_always_lock_free, "shared between processes");

/// How the worker of a sandbox ended, as its process 1 saw it.
struct WorkerEnd {
  std::int32_t wait_status = 0;   ///< as of wait()
  std::int32_t reserved = 0;      ///< 0
  std::int64_t memory_bytes = 0;  ///< at most resident
};

/// The first frame to a worker.
struct WorkerSettings {
  std::string
      build_id;  ///< of the worker that is expected, as another's results differ; empty: any
  std::int64_t parent_process = 0;          ///< 0: in a sandbox, which takes care of it
  std::string directory;                    ///< where code that is not ours works and may write
  std::map<std::string, std::string> fmus;  ///< by SHA-256: where they lie unpacked
};

std::string settings_text(const WorkerSettings& settings);
/// Throws nlohmann::json::exception where it is not such a text.
WorkerSettings read_settings(std::string_view text);

}  // namespace macrostep::server
