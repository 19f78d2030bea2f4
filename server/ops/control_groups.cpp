#include "server/ops/control_groups.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "server/base/descriptor.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

constexpr const char* mounted_at = "/sys/fs/cgroup";
constexpr const char* own_groups = "/proc/self/cgroup";
/// systemd marks a delegated group so (its CGROUP_DELEGATION document).
constexpr const char* delegation_mark = "user.delegate";
constexpr const char* program_folder = "program";
constexpr const char* worker_prefix = "worker-";
/// For the kernel to forget processes that have ended.
constexpr int removal_attempts = 50;
constexpr std::chrono::milliseconds removal_interval{2};

/// The files of a group take what is written at once, or refuse it.
void write_file(const fs::path& file, const std::string& text) {
  const Descriptor descriptor(
      ::open(file.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, S_IRUSR | S_IWUSR));
  if (descriptor.get() < 0 ||
      ::write(descriptor.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    throw std::system_error(errno, std::generic_category(), file.string());
  }
}

std::string first_line(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

/// The name of this program's group from the root of the tree, "/…"; empty: in none.
std::string group_in(const fs::path& own) {
  constexpr std::string_view version_2 = "0::";
  std::ifstream stream(own);
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with(version_2)) {
      return line.substr(version_2.size());
    }
  }
  return "";
}

bool is_delegated(const fs::path& folder) {
  std::array<char, 2> value{};
  return ::getxattr(folder.c_str(), delegation_mark, value.data(), value.size()) == 1 &&
         value[0] == '1';
}

bool has_controller(const fs::path& folder, std::string_view wanted) {
  std::istringstream names(first_line(folder / "cgroup.controllers"));
  for (std::string name; names >> name;) {
    if (name == wanted) {
      return true;
    }
  }
  return false;
}

/// Groups of workers that an earlier program has left. Those in use refuse.
void remove_workers(const fs::path& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().starts_with(worker_prefix)) {
      ::rmdir(entry.path().c_str());
    }
  }
}

}  // namespace

ControlGroup::~ControlGroup() {
  for (int attempt = 0; ::rmdir(folder_.c_str()) != 0 && errno == EBUSY; ++attempt) {
    if (attempt == removal_attempts) {
      return;  // the next program removes it
    }
    std::this_thread::sleep_for(removal_interval);
  }
}

void ControlGroup::add(pid_t process) const {
  write_file(folder_ / "cgroup.procs", std::to_string(process));
}

std::variant<ControlGroups, std::string> ControlGroups::take_over(const fs::path& mount,
                                                                  const fs::path& own) {
  const auto name = group_in(own);
  if (name.empty()) {
    return "this system has no control groups of version 2";
  }
  // From inside a container a group outside is called "/..".
  const auto folder = (mount / fs::path(name).relative_path()).lexically_normal();
  if (name.starts_with("/..") || !is_delegated(folder)) {
    return "the control group of this program is not delegated to it (Delegate=memory pids of a "
           "systemd unit)";
  }
  for (const auto* controller : {"memory", "pids"}) {
    if (!has_controller(folder, controller)) {
      return "the control group of this program has no controller '" + std::string(controller) +
             "'";
    }
  }
  try {
    fs::create_directory(folder / program_folder);
    write_file(folder / program_folder / "cgroup.procs", std::to_string(::getpid()));
    write_file(folder / "cgroup.subtree_control", "+memory +pids");
  } catch (const std::system_error& error) {
    return std::string("the control group of this program cannot be divided: ") + error.what();
  }
  remove_workers(folder);
  return ControlGroups(folder);
}

std::unique_ptr<ControlGroup> ControlGroups::make(const GroupLimits& limits) const {
  auto folder = folder_;
  do {  // one that an earlier program has left may still be in use
    folder = folder_ / (worker_prefix + std::to_string(++*made_));
  } while (!fs::create_directory(folder));
  auto group = std::make_unique<ControlGroup>(folder);
  write_file(folder / "memory.max", std::to_string(limits.memory_bytes));
  write_file(folder / "pids.max", std::to_string(limits.tasks));
  try {
    write_file(folder / "memory.swap.max", "0");
  } catch (const std::system_error&) {
    // There is no such file where the system has no swap.
  }
  return group;
}

const std::variant<ControlGroups, std::string>& control_groups() {
  static const auto taken = ControlGroups::take_over(mounted_at, own_groups);
  return taken;
}

}  // namespace macrostep::server
