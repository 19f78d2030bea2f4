// Control groups of Linux (cgroup v2) for workers, where the service manager has delegated a part
// of its tree to this program (`Delegate=memory pids` in a systemd unit, 251 or newer). In a group
// the kernel limits the memory that processes really take, files in memory and its own tables
// included, and the number of their threads, also those of root.
//
// Nothing depends on them: without delegation every process has its own limits (limits.hpp).
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace macrostep::server {

struct GroupLimits {
  std::int64_t memory_bytes = 0;
  std::int64_t tasks = 0;  ///< processes and threads
};

/// One group. Its processes must be gone before it is.
class ControlGroup {
 public:
  explicit ControlGroup(std::filesystem::path folder) : folder_(std::move(folder)) {}
  ~ControlGroup();
  ControlGroup(const ControlGroup&) = delete;
  ControlGroup& operator=(const ControlGroup&) = delete;

  /// Moves the process into it; those that it starts afterwards are in it, too. Throws
  /// std::system_error.
  void add(pid_t process) const;

 private:
  std::filesystem::path folder_;
};

/// The part of the tree that belongs to this program.
class ControlGroups {
 public:
  /// Takes it over: moves this program into a group of its own below, as a group with processes
  /// cannot limit others, and hands the controllers `memory` and `pids` down. Or why there is none.
  /// `mount`: where the tree is mounted; `own`: the file that names this program's group.
  static std::variant<ControlGroups, std::string> take_over(const std::filesystem::path& mount,
                                                            const std::filesystem::path& own);

  /// Throws std::system_error.
  std::unique_ptr<ControlGroup> make(const GroupLimits& limits) const;

 private:
  explicit ControlGroups(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::filesystem::path folder_;
  std::shared_ptr<std::atomic<std::int64_t>> made_ = std::make_shared<std::atomic<std::int64_t>>();
};

/// The groups of this program, which the first call takes over, or why there are none.
const std::variant<ControlGroups, std::string>& control_groups();

}  // namespace macrostep::server
