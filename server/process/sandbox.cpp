#include "server/process/sandbox.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <system_error>

#include "server/process/seccomp.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t probe_bytes = 1 << 20;
constexpr std::size_t max_complaint = 500;
/// It takes milliseconds; where a mount hangs it never ends.
constexpr std::chrono::seconds probe_timeout{10};
constexpr std::chrono::milliseconds probe_interval{100};
/// How often it is looked at what bubblewrap has told.
constexpr std::chrono::milliseconds info_interval{20};
/// More than bubblewrap tells, and how that ends.
constexpr std::size_t info_bytes = 1024;
constexpr const char* info_terminator = "}\n";
/// "nobody" in any list of users.
constexpr const char* nobody = "65534";

void add(std::vector<std::string>& line, std::initializer_list<std::string> arguments) {
  line.insert(line.end(), arguments);
}

/// The system's folder as it is here: a folder of its own, or a link into /usr.
void add_system_folder(std::vector<std::string>& line, const std::string& name) {
  std::error_code error;
  if (fs::is_symlink(name, error)) {
    add(line, {"--symlink", fs::read_symlink(name, error).string(), name});
  } else {
    add(line, {"--ro-bind-try", name, name});
  }
}

/// How the command ends, and what it says about that.
std::pair<ChildEnd, std::string> outcome_of(const std::vector<std::string>& arguments) {
  auto [reading, writing] = make_pipe();
  const auto filter = filter_file(sandbox_filter(::geteuid() == 0));
  auto [info, info_writer] = make_pipe();
  Child child({.arguments = arguments,
               .descriptors = {{writing.get(), STDERR_FILENO},
                               {filter.get(), sandbox_filter_descriptor},
                               {info_writer.get(), sandbox_info_descriptor},
                               {info.get(), sandbox_info_reader}},
               .environment = std::vector<std::string>{}});
  writing.close();
  info_writer.close();
  ProcessOne one(std::move(info));
  std::string text;
  std::array<char, max_complaint> bytes{};
  const auto deadline = std::chrono::steady_clock::now() + probe_timeout;
  for (;;) {
    pollfd ready{.fd = reading.get(), .events = POLLIN, .revents = 0};
    ::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(probe_interval).count()));
    if (std::chrono::steady_clock::now() >= deadline) {
      kill_all(one, child);
      return {ChildEnd{}, "it does not end within " + std::to_string(probe_timeout.count()) + " s"};
    }
    if (ready.revents == 0) {
      continue;
    }
    const auto count = ::read(reading.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count <= 0) {
      break;
    }
    text.append(bytes.data(), std::min(static_cast<std::size_t>(count),
                                       max_complaint - std::min(max_complaint, text.size())));
  }
  while (!text.empty() && text.back() == '\n') {
    text.pop_back();
  }
  return {child.wait_for(probe_timeout).value_or(ChildEnd{}), text};
}

/// 0 where there is no such process.
pid_t parent_of(std::int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  constexpr std::string_view name = "PPid:";
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) {
      return static_cast<pid_t>(std::strtol(line.c_str() + name.size(), nullptr, 10));
    }
  }
  return 0;
}

/// The ways to set it up, the best first.
std::vector<Sandbox> candidates() {
  std::vector<Sandbox> all{{}, {.process_files = false}};
  if (::geteuid() == 0) {
    all.push_back({.user_namespace = false});
    all.push_back({.user_namespace = false, .process_files = false});
  }
  return all;
}

}  // namespace

std::vector<std::string> command_line(const Sandbox& sandbox, const SandboxedCommand& command) {
  std::vector<std::string> line{"bwrap",
                                "--new-session",
                                "--as-pid-1",
                                "--cap-drop",
                                "ALL",
                                "--seccomp",
                                std::to_string(sandbox_filter_descriptor),
                                "--info-fd",
                                std::to_string(sandbox_info_descriptor)};
  if (command.waits) {
    add(line, {"--block-fd", std::to_string(sandbox_start_descriptor)});
  }
  if (sandbox.user_namespace) {
    add(line, {"--unshare-all", "--unshare-user", "--uid", nobody, "--gid", nobody});
  } else {
    add(line, {"--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts",
               "--unshare-cgroup-try"});
  }
  add(line, {"--clearenv", "--setenv", "PATH", "/usr/bin:/bin", "--setenv", "LANG", "C.UTF-8",
             "--setenv", "HOME", sandbox_directory, "--setenv", "TMPDIR", sandbox_directory});
  for (const auto* folder : {"/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin"}) {
    add_system_folder(line, folder);
  }
  for (const auto* name : {"/etc/ld.so.cache", "/etc/alternatives", "/etc/localtime"}) {
    add(line, {"--ro-bind-try", name, name});
  }
  for (const auto* device :
       {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}) {
    add(line, {"--dev-bind", device, device});
  }
  if (sandbox.process_files) {
    // Root owns files in it that change the kernel, such as the name of a program for core dumps.
    add(line, {"--proc", "/proc", "--remount-ro", "/proc"});
  }
  for (const auto& [here, inside] : command.shown) {
    add(line, {"--ro-bind", here.string(), inside});
  }
  add(line, {"--size", std::to_string(command.private_bytes), "--tmpfs", sandbox_directory,
             "--remount-ro", "/", "--chdir", sandbox_directory, "--"});
  line.insert(line.end(), command.arguments.begin(), command.arguments.end());
  return line;
}

std::int64_t process_one_in(std::string_view info) {
  constexpr std::string_view name = "\"child-pid\":";
  const auto at = info.find(name);
  if (at == info.npos) {
    return 0;
  }
  info.remove_prefix(at + name.size());
  info.remove_prefix(std::min(info.find_first_not_of(' '), info.size()));
  std::int64_t process = 0;
  std::from_chars(info.data(), info.data() + info.size(), process);
  return process;
}

ProcessOne::ProcessOne(Descriptor info) : info_(std::move(info)) {
  set_nonblocking(info_);
}

/// The number may be another process's by now, whose parent is not bubblewrap.
void ProcessOne::find(pid_t bubblewrap, Clock::time_point deadline, const std::atomic<bool>* stop) {
  if (info_.get() < 0) {
    return;
  }
  const auto process = process_one_in(read_info(deadline, stop));
  if (process > 0) {
    Descriptor found(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
    if (parent_of(process) == bubblewrap) {
      itself_ = std::move(found);
      process_ = static_cast<pid_t>(process);
    }
  }
  info_.close();
}

/// What bubblewrap has told by the deadline. It writes in several parts.
std::string ProcessOne::read_info(Clock::time_point deadline, const std::atomic<bool>* stop) const {
  std::string text;
  std::array<char, info_bytes> bytes{};
  for (;;) {
    const auto count = ::read(info_.get(), bytes.data(), bytes.size());
    if (count > 0) {
      text.append(bytes.data(), static_cast<std::size_t>(count));
    }
    const bool goes_on = count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
    if (!goes_on || text.size() > info_bytes || text.ends_with(info_terminator) ||
        Clock::now() >= deadline || (stop && stop->load(std::memory_order_relaxed))) {
      return text;
    }
    pollfd told{.fd = info_.get(), .events = POLLIN, .revents = 0};
    ::poll(&told, 1, static_cast<int>(info_interval.count()));
  }
}

void ProcessOne::kill() const {
  if (itself_.get() >= 0) {
    ::syscall(SYS_pidfd_send_signal, itself_.get(), SIGKILL, nullptr, 0);
  }
}

/// A PID file descriptor becomes readable when its process is gone; process 1 is the last to go.
void ProcessOne::wait_until_gone() const {
  if (itself_.get() < 0) {
    return;
  }
  pollfd gone{.fd = itself_.get(), .events = POLLIN, .revents = 0};
  const auto limit_ms = static_cast<int>(std::chrono::milliseconds(kill_timeout).count());
  for (const auto deadline = Clock::now() + kill_timeout;
       ::poll(&gone, 1, limit_ms) < 0 && errno == EINTR && Clock::now() < deadline;) {
  }
}

void kill_all(ProcessOne& one, Child& child) {
  one.find(child.process(), ProcessOne::Clock::now());
  one.kill();
  child.kill();
  child.wait_for(kill_timeout);
  one.wait_until_gone();
}

std::string no_sandbox_text(const std::string& reason) {
  const auto last = reason.find_last_not_of('.');  // what bubblewrap says is a sentence
  return "FMUs run only in a sandbox, and there is none: " + reason.substr(0, last + 1) +
         ". --fmu-sandbox=none runs them without, with all rights of this user";
}

std::variant<Sandbox, std::string> probe_sandbox() {
  std::string complaint;
  for (const auto& candidate : candidates()) {
    try {
      const auto [end, text] = outcome_of(
          command_line(candidate, {.arguments = {"/usr/bin/true"}, .private_bytes = probe_bytes}));
      if (end.exit_code == 0) {
        return candidate;
      }
      complaint = complaint.empty() ? text : complaint;
    } catch (const std::system_error& error) {
      return error.code() == std::errc::no_such_file_or_directory
                 ? std::string("bubblewrap (the program bwrap) is not installed")
                 : std::string("bubblewrap does not start: ") + error.what();
    }
  }
  return "bubblewrap does not work here: " +
         (complaint.empty() ? std::string("it says nothing") : complaint);
}

}  // namespace macrostep::server
