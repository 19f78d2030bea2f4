#include "server/process/sandbox.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <initializer_list>
#include <system_error>

#include "server/base/descriptor.hpp"
#include "server/process/child.hpp"
#include "server/process/seccomp.hpp"

namespace macrostep::server {

namespace {

namespace fs = std::filesystem;

constexpr std::int64_t probe_bytes = 1 << 20;
constexpr std::size_t max_complaint = 500;
/// It takes milliseconds; where a mount hangs it never ends.
constexpr std::chrono::seconds probe_timeout{10};
constexpr std::chrono::milliseconds probe_interval{100};
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
  auto [info, info_end] = make_pipe();
  Child child({.arguments = arguments,
               .descriptors = {{writing.get(), STDERR_FILENO},
                               {filter.get(), sandbox_filter_descriptor},
                               {info_end.get(), sandbox_info_descriptor},
                               {info.get(), sandbox_info_reader}},
               .environment = std::vector<std::string>{}});
  writing.close();
  std::string text;
  std::array<char, max_complaint> bytes{};
  const auto deadline = std::chrono::steady_clock::now() + probe_timeout;
  for (;;) {
    pollfd ready{.fd = reading.get(), .events = POLLIN, .revents = 0};
    ::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(probe_interval).count()));
    if (std::chrono::steady_clock::now() >= deadline) {
      child.kill();
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
  return {child.wait(), text};
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
    add(line, {"--proc", "/proc"});
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

std::string no_sandbox_text(const std::string& reason) {
  return "FMUs run only in a sandbox, and there is none: " + reason +
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
