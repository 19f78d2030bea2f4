// Where code runs that is not ours: in a bubblewrap sandbox.
//
// It sees the system's libraries, the worker's executable and the directories of its FMUs, all
// read-only; a private directory of limited size, its working directory, which is gone with it; no
// network and no process outside. Its environment is PATH, LANG, HOME, TMPDIR and PWD. The command
// is process 1 inside, runs under sandbox_filter() (seccomp.hpp), and is to end by itself
// when who started it is gone: bubblewrap's own way (--die-with-parent) can leave a process of it
// behind.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/base/descriptor.hpp"
#include "server/process/child.hpp"

namespace macrostep::server {

/// What of bubblewrap works on this machine.
struct Sandbox {
  bool user_namespace = true;  ///< not where they are forbidden, and this process is root
  bool process_files = true;   ///< a private /proc, read-only; not inside some containers
};

/// Tries the ways to set it up and gives the best that works, or why there is none.
std::variant<Sandbox, std::string> probe_sandbox();

/// Tells people that there is no sandbox, for this reason, and what they can do.
std::string no_sandbox_text(const std::string& reason);

struct SandboxedCommand {
  std::vector<std::string> arguments;  ///< as the names are inside
  /// Shown read-only: what lies here, and its name inside.
  std::vector<std::pair<std::filesystem::path, std::string>> shown;
  std::int64_t private_bytes = 0;  ///< size of the working directory
  bool waits = false;  ///< for a byte at sandbox_start_descriptor before the command is started
};

/// The working directory inside, and the only one that can be written.
inline constexpr const char* sandbox_directory = "/tmp";

/// Descriptors that bubblewrap begins with, and closes before it starts the command: it reads the
/// filter of system calls from the first, writes to the second which process is process 1, and may
/// wait at the third.
inline constexpr int sandbox_filter_descriptor = 6;
inline constexpr int sandbox_info_descriptor = 7;
inline constexpr int sandbox_start_descriptor = 8;
/// The other end of the second: bubblewrap must be able to write to it when the program is gone.
inline constexpr int sandbox_info_reader = 9;

/// The number out here of process 1, from what bubblewrap wrote; 0 where it is not there.
std::int64_t process_one_in(std::string_view info);

/// Process 1 of a sandbox, found by what bubblewrap tells before it starts it, and held by a file
/// descriptor: its number may be another process's when it is gone.
class ProcessOne {
 public:
  using Clock = std::chrono::steady_clock;

  /// None: of a process without a sandbox.
  ProcessOne() = default;
  /// `info`: where to read what bubblewrap tells. Throws std::system_error.
  explicit ProcessOne(Descriptor info);

  /// To be called once `bubblewrap` has been started. Waits until it has told, the deadline is over
  /// or the flag is set; further calls do nothing.
  void find(pid_t bubblewrap, Clock::time_point deadline, const std::atomic<bool>* stop = nullptr);
  /// Its number; 0 where it was not found.
  pid_t process() const { return process_; }
  void kill() const;
  /// Waits until it and all others of its sandbox are gone, some seconds at most.
  void wait_until_gone() const;

 private:
  std::string read_info(Clock::time_point deadline, const std::atomic<bool>* stop) const;

  Descriptor info_;
  Descriptor itself_;  ///< pidfd
  pid_t process_ = 0;
};

/// Kills every process of a sandbox, or the child alone where it has none, and waits until all are
/// gone, some seconds at most. With process 1 the system ends all others of the sandbox.
void kill_all(ProcessOne& one, Child& child);

/// The arguments of bwrap that run the command. Start it with the descriptors of the sandbox, and
/// with an empty environment: /proc/1/environ shows what it was started with.
std::vector<std::string> command_line(const Sandbox& sandbox, const SandboxedCommand& command);

}  // namespace macrostep::server
