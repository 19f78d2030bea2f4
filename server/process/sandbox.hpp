// Where code runs that is not ours: in a bubblewrap sandbox.
//
// It sees the system's libraries, the program and the directories of its FMUs, all read-only; a
// private directory of limited size, its working directory, which is gone with it; no network, no
// other process, no variable of the environment. It dies with who started it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace macrostep::server {

/// What of bubblewrap works on this machine.
struct Sandbox {
  bool user_namespace = true;  ///< not where they are forbidden, and this process is root
  bool process_files = true;   ///< a private /proc; not inside some containers
};

/// Tries it. Why there is none.
std::variant<Sandbox, std::string> probe_sandbox();

/// For people, of the reason.
std::string no_sandbox_text(const std::string& reason);

struct SandboxedCommand {
  std::vector<std::string> arguments;  ///< as the names are inside
  /// Shown read-only: what lies here, and its name inside.
  std::vector<std::pair<std::filesystem::path, std::string>> shown;
  std::int64_t private_bytes = 0;  ///< size of the working directory
};

/// The working directory inside, and the only one that can be written.
inline constexpr const char* sandbox_directory = "/tmp";

/// The command line that runs it.
std::vector<std::string> command_line(const Sandbox& sandbox, const SandboxedCommand& command);

}  // namespace macrostep::server
