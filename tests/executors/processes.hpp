// The processes of this machine, as /proc shows them.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace macrostep::tests {

/// Parents of all processes that run, not of those that only wait to be collected.
inline std::map<pid_t, pid_t> running_processes() {
  std::map<pid_t, pid_t> parents;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string text;
    if (std::getline(file, text) && text.find(')') != text.npos) {
      const char state = text[text.rfind(')') + 2];
      if (state != 'Z' && state != 'X') {
        parents[static_cast<pid_t>(std::stol(text))] =
            static_cast<pid_t>(std::stol(text.substr(text.rfind(')') + 4)));
      }
    }
  }
  return parents;
}

/// All descendants of this process.
inline std::vector<pid_t> descendants() {
  auto parents = running_processes();
  std::vector<pid_t> found;
  for (const auto& [process, parent] : std::map(parents)) {
    for (auto above = parent; above > 1; above = parents[above]) {
      if (above == getpid()) {
        found.push_back(process);
        break;
      }
    }
  }
  return found;
}

inline std::string command_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/cmdline", std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  std::ranges::replace(text, '\0', ' ');
  return text;
}

/// Workers among the descendants, not the bwrap around them.
inline std::vector<pid_t> workers() {
  auto found = descendants();
  std::erase_if(found, [](pid_t process) {
    const auto command = command_of(process);
    return !command.ends_with("worker ") || command.starts_with("bwrap");
  });
  return found;
}

/// Whether it came to be so within some seconds.
template <class Condition>
bool eventually(const Condition& condition) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > deadline) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

inline std::int64_t resident_bytes(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/statm");
  std::int64_t size = 0;
  std::int64_t resident = 0;
  file >> size >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

}  // namespace macrostep::tests
