// A worker whose trials misbehave as FMUs do, chosen by the name of their test; all others run as
// in any worker. Everything around the trial is the product's own.
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cfenv>
#include <chrono>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "server/process/frames.hpp"
#include "server/worker_executable/worker_main.hpp"
#include "server/workers/worker_protocol.hpp"

namespace {

namespace engine = macrostep::engine;
namespace server = macrostep::server;
using engine::TrialResult;
using engine::TrialStatus;

/// The macro-step at which most of them misbehave.
constexpr std::int64_t bad_step = 7;

int trials_here = 0;

[[noreturn]] void sleep_for_ever() {
  for (;;) {
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
}

void take_memory() {
  constexpr std::size_t piece = 1 << 20;
  for (;;) {
    auto* const memory = new char[piece];
    std::memset(memory, 1, piece);
  }
}

void write_for_ever() {
  for (;;) {
    std::puts("all work and no play makes an FMU a dull model");
  }
}

void fill_disk() {
  for (int file = 0;; ++file) {
    std::ofstream out("file" + std::to_string(file), std::ios::binary);
    out << std::string(1 << 20, 'x') << std::flush;
    if (!out) {
      throw std::runtime_error("the disk is full after " + std::to_string(file) + " MB");
    }
  }
}

/// What a trial can reach that it should not.
std::string reachable() {
  std::string found;
  const auto note = [&](bool reached, const char* what) {
    found += reached ? std::string(what) + " " : "";
  };
  note(std::ofstream("/file").is_open(), "root");
  note(std::ofstream("/usr/file").is_open(), "usr");
  note(std::filesystem::exists("/etc/passwd"), "passwd");
  note(std::filesystem::exists(MACROSTEP_SOURCE_DIR), "source");
  note(getenv("MACROSTEP_TEST_SECRET") != nullptr, "environment");
  note(fork() >= 0, "fork");
  note(std::system("true") == 0, "system");
  note(kill(1, 0) == 0, "init");
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(22);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int connection = socket(AF_INET, SOCK_STREAM, 0);
  errno = 0;
  connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  note(errno != ENETUNREACH && errno != ECONNREFUSED, "network");
  close(connection);
  int processes = 0;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const auto name = entry.path().filename().string();
    processes += name.find_first_not_of("0123456789") == name.npos ? 1 : 0;
  }
  note(processes > 3, "processes");
  int open_files = 0;
  for (int number = 3; number < 256; ++number) {
    open_files += fcntl(number, F_GETFD) >= 0 ? 1 : 0;
  }
  note(open_files > 1, "descriptors");
  return found;
}

std::string files_here() {
  std::string names;
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    names += entry.path().filename().string() + " ";
  }
  std::ofstream("left_behind") << "text";
  return names;
}

TrialResult said(std::string reason) {
  return {.status = TrialStatus::unsupported, .reason = std::move(reason)};
}

volatile int zero = 0;

const std::map<std::string, std::function<void()>>& misbehaviours() {
  static const std::map<std::string, std::function<void()>> all{
      {"segfault",
       [] {
         std::fputs("about to fall\n", stderr);
         raise(SIGSEGV);
       }},
      {"abort", [] { std::abort(); }},
      {"divide", [] { std::printf("%d", 100 / zero); }},
      {"exit_0", [] { std::exit(0); }},
      {"exit_3", [] { std::exit(3); }},
      {"hang", [] { sleep_for_ever(); }},
      {"spin",
       [] {
         for (std::atomic<bool> never = false; !never;) {
         }
       }},
      {"memory", [] { take_memory(); }},
      {"memory_of_c",
       [] {
         for (;;) {
           std::memset(std::malloc(1 << 20), 1, 1 << 20);
         }
       }},
      {"flood", [] { write_for_ever(); }},
      {"flood_stderr",
       [] {
         for (;;) {
           std::fputs((std::string(1000, 'x') + "\n").c_str(), stderr);
         }
       }},
      {"disk", [] { fill_disk(); }},
      {"throw", [] { throw std::runtime_error("an exception \xff of C++"); }},
      {"throw_int", [] { throw 1; }},
      {"forge", [] { server::send_all(server::worker_socket, "this is not a frame of any kind"); }},
      {"forge_reply",
       [] {
         server::send_all(server::worker_socket,
                          server::frame_bytes(server::FrameKind::reply, "[[{}]]"));
         sleep_for_ever();
       }},
      {"reply_twice",  // a reply that is well-formed, to an earlier task, before the true one
       [] {
         server::send_all(server::worker_socket,
                          server::frame_bytes(server::FrameKind::reply,
                                              server::numbered(trials_here - 1, "{}")));
       }},
      {"exit_139", [] { std::exit(139); }},
      {"close_socket",
       [] {
         close(server::worker_socket);
         sleep_for_ever();
       }},
      {"close_all",
       [] {
         for (int number = 0; number < 256; ++number) {
           close(number);
         }
       }},
      {"slow_death",
       [] {
         close(server::worker_socket);
         std::this_thread::sleep_for(std::chrono::milliseconds(1500));
         std::abort();
       }},
      {"chatter",
       [] {
         for (int line = 0; line < 2000; ++line) {
           std::puts("a line of a talkative model");
         }
       }},
      {"second_instance",
       [] {
         if (trials_here > 1) {
           std::abort();
         }
       }},
      {"second_trial",
       [] {
         if (trials_here > 1) {
           throw std::runtime_error("what an earlier trial has left");
         }
       }},
      {"second_flood",
       [] {
         if (trials_here > 1) {
           write_for_ever();
         }
       }},
      {"rounding", [] { std::fesetround(FE_UPWARD); }},
  };
  return all;
}

/// Misbehaves when the run has come to a macro-step, not before.
engine::MeasuredRun run(const engine::Plan& plan, const engine::MeasureRun& asked,
                        const engine::RunControl& control) {
  ++trials_here;
  const auto name = driver_of(plan, asked.run).name;
  const auto ended = [](TrialResult result) {
    return engine::MeasuredRun{std::move(result), {}, {}};
  };
  if (name == "reach") {
    return ended(said(reachable()));
  }
  if (name == "files") {
    return ended(said(files_here()));
  }
  if (name == "claim_cancelled") {
    return ended({.status = TrialStatus::cancelled, .reason = "nobody stopped it"});
  }
  if (name == "claim_much_work") {
    return ended({.status = TrialStatus::diverged,
                  .rhs_evaluations = std::numeric_limits<std::int64_t>::max()});
  }
  if (name == "hang_at_start") {
    sleep_for_ever();
  }
  const engine::TrialBackend here;
  const auto found = misbehaviours().find(name);
  if (found == misbehaviours().end()) {
    return here.measure(plan, asked, control);
  }
  auto until = control;
  std::int64_t step = 0;
  until.on_point = [&](std::size_t number, const engine::TracePoint& point) {
    if (step++ == bad_step) {
      found->second();
    }
    if (control.on_point) {
      control.on_point(number, point);
    }
  };
  return here.measure(plan, asked, until);
}

/// Misbehaves by the name of the test. No error is known in a process that has run a trial before.
engine::MeasuredError error(const engine::Plan& plan, const engine::MeasureError& asked,
                            const engine::RunControl& control) {
  const auto name = driver_of(plan, asked.run).name;
  if (const auto found = misbehaviours().find(name); found != misbehaviours().end()) {
    found->second();
  }
  return trials_here > 0 ? engine::MeasuredError{.reason = "what an earlier trial has left"}
                         : engine::TrialBackend().measure(plan, asked, control);
}

class Misbehaving final : public engine::TrialBackend {
 public:
  engine::Measured perform(const engine::Plan& plan, const engine::Measurement& measurement,
                           const engine::RunControl& control) const override {
    if (const auto* one = std::get_if<engine::MeasureRun>(&measurement)) {
      return run(plan, *one, control);
    }
    const auto* one = std::get_if<engine::MeasureError>(&measurement);
    return one != nullptr ? error(plan, *one, control)
                          : TrialBackend::perform(plan, measurement, control);
  }
};

}  // namespace

int main(int argc, char** argv) {
  return server::run_worker_executable(argc, argv, Misbehaving());
}
