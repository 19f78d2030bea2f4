// Runs the program under test as a child process, with files for its streams and a bounded wait.
#pragma once

#include <doctest/doctest.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "tests/scratch.hpp"

struct Outcome {
  int code = -1;  ///< exit code, or 128 + signal
  std::string out;
  std::string err;
};

class Child {
 public:
  explicit Child(std::vector<std::string> arguments, const std::string& input = "",
                 const std::string& program = MACROSTEP_BINARY) {
    scratch_.write("in", input);
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (auto& argument : arguments) {
      argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    const auto open = [&](int descriptor, const char* name, int flags) {
      posix_spawn_file_actions_addopen(&actions, descriptor, scratch_.file(name).c_str(), flags,
                                       0600);
    };
    open(0, "in", O_RDONLY);
    open(1, "out", O_WRONLY | O_CREAT | O_TRUNC);
    open(2, "err", O_WRONLY | O_CREAT | O_TRUNC);
    REQUIRE(posix_spawnp(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Child() {
    if (pid_ > 0) {
      kill(pid_, SIGKILL);
      waitpid(pid_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void signal(int number) const { REQUIRE(kill(pid_, number) == 0); }

  /// Whether the child handles the signal by now, from the mask that the kernel shows.
  bool handles(int number) const {
    std::ifstream status("/proc/" + std::to_string(pid_) + "/status");
    for (std::string line; std::getline(status, line);) {
      if (line.starts_with("SigCgt:")) {
        return ((std::stoull(line.substr(7), nullptr, 16) >> (number - 1)) & 1U) != 0;
      }
    }
    return false;
  }

  Outcome wait() {
    int status = 0;
    for (int polls = 0; waitpid(pid_, &status, WNOHANG) == 0; ++polls) {
      REQUIRE_MESSAGE(polls < max_polls, "the program did not end");
      std::this_thread::sleep_for(poll_interval);
    }
    pid_ = -1;
    return {.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
            .out = scratch_.read("out"),
            .err = scratch_.read("err")};
  }

  static constexpr auto poll_interval = std::chrono::milliseconds(5);
  static constexpr int max_polls = 60'000;

 private:
  Scratch scratch_;
  pid_t pid_ = -1;
};

inline Outcome run_program(std::vector<std::string> arguments, const std::string& input = "") {
  return Child(std::move(arguments), input).wait();
}

/// Waits for the child to be ready for Ctrl-C, then sends it, or another signal.
inline Outcome interrupt(Child& child, int signal = SIGINT) {
  for (int polls = 0; !child.handles(signal); ++polls) {
    REQUIRE(polls < Child::max_polls);
    std::this_thread::sleep_for(Child::poll_interval);
  }
  child.signal(signal);
  return child.wait();
}
