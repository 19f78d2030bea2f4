// Child processes, started without fork(): the parent has threads.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace macrostep::server {

/// How a process ended.
struct ChildEnd {
  std::optional<int> exit_code;
  int signal = 0;                 ///< that killed it; 0: it ended by itself
  std::int64_t memory_bytes = 0;  ///< at most resident, of it or of a process it waited for
};

/// From what wait() tells.
ChildEnd child_end(int wait_status, std::int64_t memory_bytes);

/// How long to wait for a process that was killed. One that is blocked in the kernel, as by a file
/// server that is gone, may take longer.
inline constexpr std::chrono::seconds kill_timeout{5};

struct ChildCommand {
  std::vector<std::string> arguments;  ///< the first is the program, looked up in PATH
  /// Descriptors of this process, all above those numbers, and the numbers they get in the child.
  /// Those of 0, 1 and 2 that are not named are the null device; all others are closed.
  std::vector<std::pair<int, int>> descriptors;
  /// "NAME=value" each; absent: the environment of this process.
  std::optional<std::vector<std::string>> environment;
};

/// A process and all processes of its group: it begins with signals at their defaults, in a group
/// of its own, which a terminal's Ctrl-C does not reach.
class Child {
 public:
  /// Throws std::system_error.
  explicit Child(const ChildCommand& command);
  /// Kills, and waits for some seconds.
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void kill();
  pid_t process() const { return pid_; }
  ChildEnd wait();
  /// Nothing if it has not ended by then.
  std::optional<ChildEnd> wait_for(std::chrono::milliseconds time);

 private:
  bool look(int options);

  pid_t pid_ = -1;
  std::optional<ChildEnd> end_;
};

/// Starts processes on a thread that lives as long as it does: a process that is to die with its
/// parent dies with the thread that started it.
class Spawner {
 public:
  /// Throws NoWorker where the system refuses a thread.
  Spawner();
  ~Spawner();
  Spawner(const Spawner&) = delete;
  Spawner& operator=(const Spawner&) = delete;

  /// Throws what the constructor of Child throws.
  std::unique_ptr<Child> start(const ChildCommand& command);

 private:
  void work();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<std::function<void()>> waiting_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace macrostep::server
