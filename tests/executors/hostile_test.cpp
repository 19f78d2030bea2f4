// FMUs that try to leave their sandbox (tests/fmus/hostile.c): what each attempt comes to, how the
// end of a worker is told, and that nothing of it is left.
#include <doctest/doctest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "server/workers/worker_pool.hpp"
#include "tests/executors/fmu_fixture.hpp"
#include "tests/executors/pool_fixture.hpp"
#include "tests/executors/processes.hpp"
#include "tests/fmus/hostile_attacks.h"

using namespace macrostep;
using namespace macrostep::tests;
using engine::TrialResult;
using engine::TrialStatus;
using server::WorkerPool;

namespace {

#define NAME_OF(name) #name,
const std::vector<std::string> attacks{HOSTILE_ATTACKS(NAME_OF)};
#undef NAME_OF

/// By this number in their command lines the processes of these tests are known from all others.
constexpr std::int64_t memory_mb = 337;

engine::Plan hostile(const std::string& attack, const std::string& version, int which = 0) {
  const auto number = std::ranges::find(attacks, attack) - attacks.begin();
  return plan_of(oscillator(fmu("m2", "hostile" + version,
                                {{"attack", static_cast<double>(number)},
                                 {"when", 0.1},
                                 {"which", static_cast<double>(which)}}),
                            version));
}

TrialResult run(WorkerPool& pool, const engine::Plan& plan) {
  return pool.trial(plan, {.macro_step_s = 1e-3});
}

struct Expected {
  TrialStatus status;
  std::string reason;  ///< part of it
};

/// Where nothing is said of it, an attempt is refused.
Expected expected(const std::string& attack) {
  using enum TrialStatus;
  static const std::map<std::string, Expected> others{
      {"nothing", {complete, ""}},
      {"leave_threads", {complete, ""}},
      {"hang_at_exit", {complete, ""}},
      {"change_rounding", {complete, ""}},
      {"change_locale", {complete, ""}},
      {"ignore_all", {complete, ""}},
      {"close_all",
       {timed_out, "its process went on for 5 s after it closed its connection at 0.1 s"}},
      {"raise_signal", {complete, ""}},  // number 0 is none
      {"kill_itself", {complete, ""}},
      {"overflow_stack", {crashed, "segmentation fault (SIGSEGV) at 0."}},
      {"use_processor", {crashed, "processor time limit exceeded (SIGXCPU) at 0."}},
      {"large_file", {crashed, "file size limit exceeded (SIGXFSZ) at 0."}},
      {"stop_itself", {timed_out, "a macro-step took more than 1 s at 0."}},
      {"hang_in_terminate", {complete, ""}},
      {"hang_in_free", {timed_out, "took more than 1 s"}},
      {"hang_in_start", {timed_out, "took more than 1 s at 0 s"}},
  };
  const auto found = others.find(attack);
  return found == others.end() ? Expected{fmu_error, "refused: " + attack + ": "} : found->second;
}

/// Workers of these tests anywhere on this machine, whoever is their parent by now.
std::vector<pid_t> left_over() {
  const std::string limits = " " + std::to_string(memory_mb << 20) + " ";
  std::vector<pid_t> found;
  for (const auto& [process, parent] : running_processes()) {
    const auto command = command_of(process);
    if (command.find("macrostep-worker") != command.npos && command.find(limits) != command.npos) {
      found.push_back(process);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("no FMU gets out of its sandbox, each attempt has its reason, and nothing is left") {
  if (lacks_sandbox("hostile FMUs")) {
    return;
  }
  std::map<std::string, double> well;  // residuals by version
  for (const std::string version : {"2", "3"}) {
    for (const auto& attack : attacks) {
      const auto [status, reason] = expected(attack);
      if (sanitized && (status == TrialStatus::crashed || attack == "raise_limits")) {
        continue;
      }
      CAPTURE(version);
      CAPTURE(attack);
      const auto plan = hostile(attack, version);
      {
        const double timeout_s = status == TrialStatus::timed_out ? 1 : 60;
        WorkerPool pool({.step_timeout_s = timeout_s, .memory_mb = memory_mb}, {&plan},
                        real_worker());
        const auto result = run(pool, plan);
        CHECK(to_string(result.status) == to_string(status));
        CHECK_MESSAGE(result.reason.find(reason) != std::string::npos, result.reason);
        CHECK(result.reason.find("ESCAPED") == std::string::npos);
        if (attack == "nothing") {
          well[version] = result.residual_j;
        } else if (status == TrialStatus::complete && attack != "change_rounding") {
          CHECK(result.residual_j == well[version]);
        }
      }
      CHECK(eventually([] { return left_over().empty(); }));
    }
  }
}

TEST_CASE("a signal that ends a worker is told by its name") {
  if (sanitized || lacks_sandbox("signals of workers")) {
    return;
  }
  const auto told = [](const std::string& attack, int signal) {
    const auto plan = hostile(attack, "2", signal);
    WorkerPool pool({.step_timeout_s = 60, .memory_mb = memory_mb}, {&plan}, real_worker());
    const auto result = run(pool, plan);
    CHECK(to_string(result.status) == to_string(TrialStatus::crashed));
    return result.reason;
  };
  for (const int signal :
       {SIGHUP,  SIGINT,  SIGQUIT, SIGILL,  SIGTRAP,   SIGABRT, SIGBUS,   SIGFPE,
        SIGKILL, SIGUSR1, SIGSEGV, SIGUSR2, SIGPIPE,   SIGALRM, SIGTERM,  SIGXCPU,
        SIGXFSZ, SIGIO,   SIGSYS,  SIGPWR,  SIGSTKFLT, SIGPROF, SIGVTALRM}) {
    const std::string name = std::string("SIG") + ::sigabbrev_np(signal);
    CAPTURE(name);
    for (const std::string attack : {"raise_signal", "kill_itself"}) {
      const auto reason = told(attack, signal);
      CHECK_MESSAGE(reason.find("(" + name + ")") != std::string::npos, reason);
    }
  }
  CHECK(eventually([] { return left_over().empty(); }));
}

TEST_CASE("without a sandbox the filter of system calls refuses what it refuses inside") {
  for (const std::string attack :
       {"fork_child", "raw_clone", "raw_clone3", "spawn_program", "become_program", "add_a_key",
        "shared_memory", "memory_file", "message_queue", "io_ring", "old_io_ring", "grow_socket",
        "virtual_socket", "new_user_namespace"}) {
    CAPTURE(attack);
    const auto plan = hostile(attack, "2");
    WorkerPool pool({.sandbox = server::SandboxMode::none, .memory_mb = memory_mb}, {&plan},
                    real_worker());
    const auto result = run(pool, plan);
    CHECK(to_string(result.status) == to_string(TrialStatus::fmu_error));
    // The C library is to take another way where there is no clone3.
    const auto* why =
        attack == "raw_clone3" ? "Function not implemented" : "Operation not permitted";
    CHECK_MESSAGE(result.reason.find("refused: " + attack + ": " + why) != std::string::npos,
                  result.reason);
  }
  CHECK(eventually([] { return left_over().empty(); }));
}
