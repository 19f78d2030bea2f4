// The processes of this machine, as /proc shows them.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
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
inline std::vector<pid_t> descendants(
    const std::map<pid_t, pid_t>& processes = running_processes()) {
  auto parents = processes;
  std::vector<pid_t> found;
  for (const auto& [process, parent] : processes) {
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
  std::ostringstream read;
  read << file.rdbuf();  // nothing where the process has just gone
  auto text = read.str();
  std::ranges::replace(text, '\0', ' ');
  return text;
}

/// Workers among the descendants, not the bwrap around them nor process 1 of their sandboxes.
inline std::vector<pid_t> workers() {
  const auto parents = running_processes();
  auto found = descendants(parents);
  std::erase_if(found, [&](pid_t process) {
    const auto command = command_of(process);
    const auto is_parent = [&](const auto& entry) { return entry.second == process; };
    return command.find("macrostep-worker ") == command.npos || command.starts_with("bwrap") ||
           std::ranges::any_of(parents, is_parent);
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
