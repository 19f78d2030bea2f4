// FMUs (tests/fmus) in worker processes: this process describes them and never loads their code.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "engine/problem/foreign_code.hpp"
#include "engine/search/run_search.hpp"
#include "models/fmi/archive/fmu.hpp"
#include "tests/executors/fmu_fixture.hpp"
#include "tests/executors/pool_fixture.hpp"
#include "tests/executors/processes.hpp"

using namespace macrostep;
using namespace macrostep::tests;
using engine::TrialResult;
using engine::TrialStatus;
using server::ForeignSettings;
using server::SandboxMode;
using server::WorkerPool;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

engine::Plan misbehaving(int what, const std::string& version) {
  return plan_of(oscillator(
      fmu("m2", "misbehaving" + version, {{"what", static_cast<double>(what)}, {"when", 0.5}}),
      version));
}

TrialResult run(const engine::TrialBackend& backend, const engine::Plan& plan, std::size_t test) {
  return backend.trial(plan, {.input = test, .macro_step_s = 1e-3});
}

struct Expected {
  const char* what;  ///< for people
  TrialStatus status;
  const char* reason;  ///< part of it
};

/// By the values of the FMU's parameter `what` (tests/fmus/README.md).
const std::vector<Expected>& expectations() {
  using enum TrialStatus;
  static const std::vector<Expected> all{
      {"nothing", complete, ""},
      {"crash", crashed, "FMU 'm2': segmentation fault (SIGSEGV) at 0.5 s"},
      {"abort", crashed, "abort (SIGABRT) at 0.5 s"},
      {"exit", crashed, "the FMU ended the process with exit code 0 at 0.5 s"},
      {"endless_loop", timed_out, "FMU 'm2': a macro-step took more than 1 s at 0.5 s"},
      {"memory_hog", fmu_error, "DoStep returned Error"},
      {"output_flood", fmu_error, "an FMU wrote more than 16 MB of text at 0.50"},
      {"not_a_number", diverged, "became NaN at 0.501 s"},
      {"overflow", diverged, "at 0.50"},
      {"error", fmu_error, "the spring broke at 0.5 s"},
      {"fatal", fmu_error, "the spring broke for good at 0.5 s"},
      {"discard", fmu_error, "returned Discard"},
      {"pending", fmu_error, "at 0.5 s"},
      {"leak", complete, ""},
      {"log_flood", complete, ""},
      {"child_process", complete, ""},  // it could not start one
      {"write_file", complete, ""},
      {"fail_start", fmu_error, "the parameters do not fit each other at 0 s"},
      {"slow", complete, ""},
      {"deaf", timed_out, "a macro-step took more than 1 s at 0.5 s"},
      {"round_down", complete, ""},
      {"complain", fmu_error, "at 0 s; last output: there is no licence"},
  };
  return all;
}

/// All trials of a search, as text without times.
std::vector<std::string> search(const engine::Plan& plan, int threads,
                                const engine::TrialBackend& backend) {
  std::vector<std::string> lines;
  const auto result = engine::run_search(
      plan, {.threads = threads,
             .on_result =
                 [&](const engine::TrialRecord& record, const engine::SearchProgress&) {
                   char text[200];
                   std::snprintf(text, sizeof text, "%zu %zu %a %a %a ", record.curve, record.index,
                                 record.macro_step_s, record.result.residual_j,
                                 record.result.final_time_s);
                   lines.push_back(text + std::string(to_string(record.result.status)) + " " +
                                   record.result.reason);
                 },
             .stored = {},
             .backend = &backend});
  CHECK(result.complete);
  std::ranges::sort(lines);
  return lines;
}

}  // namespace

TEST_CASE("every misbehaving FMU ends its trial with a reason, and the others go on") {
  for (int what = 0; what < static_cast<int>(expectations().size()); ++what) {
    const auto& [name, status, reason] = expectations()[static_cast<std::size_t>(what)];
    for (const std::string version : {"2", "3"}) {
      if (sanitized && (status == TrialStatus::crashed || name == std::string("memory_hog"))) {
        continue;
      }
      const std::string label = name + version;
      CAPTURE(label);
      const auto plan = misbehaving(what, version);
      // On a busy machine it takes long to fill the memory; only what hangs is to time out.
      const double timeout_s = status == TrialStatus::timed_out ? 1 : 60;
      WorkerPool pool(usable({.step_timeout_s = timeout_s, .memory_mb = 250}), {&plan},
                      real_worker());
      const auto before = run(pool, plan, 0);
      const auto bad = run(pool, plan, 1);
      const auto after = run(pool, plan, 0);
      CHECK(to_string(bad.status) == to_string(status));
      CHECK_MESSAGE(contains(bad.reason, reason), bad.reason);
      CHECK(to_string(after.status) == to_string(before.status));
      CHECK(after.residual_j == before.residual_j);
      const bool never_starts =
          name == std::string("fail_start") || name == std::string("complain");
      CHECK((before.status == TrialStatus::complete || never_starts));
    }
  }
  CHECK(descendants().empty());
}

// Both of order 1, where FMI 3 sets inputs at intermediate updates, FMI 2 by their derivatives.
TEST_CASE("callbacks with another environment leave the bits of a trial as they are") {
  for (const std::string version : {"2", "3"}) {
    CAPTURE(version);
    std::vector<TrialResult> results;
    for (const std::string name : {"mass", "mass_wrong_environment"}) {
      const auto plan = plan_of(oscillator(fmu("m2", name + version), version));
      REQUIRE(plan.configurations.size() == 2);
      WorkerPool pool(usable(), {&plan}, real_worker());
      for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
        results.push_back(pool.trial(plan, {.configuration = c, .macro_step_s = 1e-3}));
        CHECK_MESSAGE((results.back().status == TrialStatus::complete), results.back().reason);
      }
    }
    CHECK(results[2].residual_j == results[0].residual_j);
    CHECK(results[3].residual_j == results[1].residual_j);
    CHECK(results[1].residual_j != results[0].residual_j);
  }
}

TEST_CASE("a search with FMUs is the same for any number of workers, also where they crash" *
          doctest::test_suite("slow")) {
  for (const int what : {0, 1}) {
    const auto plan = misbehaving(what, "2");
    std::vector<std::string> first;
    for (const int workers : {1, 2, 3}) {
      WorkerPool pool(usable({.trials_per_worker = 10 * workers}), {&plan}, real_worker());
      const auto lines = search(plan, workers, pool);
      REQUIRE(lines.size() > 10);
      first = first.empty() ? lines : first;
      CHECK(lines == first);
    }
  }
}

TEST_CASE("a search whose FMUs hang never has more than one worker beside those of its threads") {
  const auto plan = misbehaving(4, "2");  // it hangs in every long trial
  constexpr int threads = 2;
  WorkerPool pool(usable({.step_timeout_s = 1}), {&plan}, real_worker());
  std::atomic<bool> ended{false};
  std::size_t most = 0;
  std::thread watch([&] {
    for (; !ended; std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
      most = std::max(most, workers().size());
    }
  });
  search(plan, threads, pool);
  ended = true;
  watch.join();
  CHECK(most >= threads);
  CHECK(most <= threads + 1);
}

TEST_CASE("200 trials of an FMU that leaks 1 MB per instance stay below 300 MB") {
  const auto plan = misbehaving(13, "2");
  WorkerPool pool(usable(), {&plan}, real_worker());
  std::int64_t most_bytes = 0;
  for (int trial = 0; trial < 200; ++trial) {
    REQUIRE(run(pool, plan, 0).status == TrialStatus::complete);
    std::int64_t bytes = 0;
    for (const auto process : descendants()) {
      bytes += resident_bytes(process);
    }
    most_bytes = std::max(most_bytes, bytes);
  }
  MESSAGE("at most " << (most_bytes >> 20) << " MB in " << pool.started() << " processes");
  CHECK(most_bytes > (100 << 20));  // the leak is there
  CHECK((most_bytes < (300 << 20) || sanitized));
}

TEST_CASE("an FMU that is instantiated once per process gets a process for every trial") {
  for (const auto* name : {"mass_once2", "mass_abort_second3"}) {
    CAPTURE(std::string(name));
    const auto plan = plan_of(oscillator(fmu("m2", name), {std::string(name).back()}));
    WorkerPool pool(usable(), {&plan}, real_worker());
    for (int trial = 0; trial < 3; ++trial) {
      CHECK(run(pool, plan, 0).status == TrialStatus::complete);
    }
    CHECK(pool.started() == 3);
    const auto timed = pool.measure(
        plan, engine::TimeMacroSteps{.run = {.macro_step_s = plan.job.macro_step.initial_s}});
    CHECK_MESSAGE(timed.macro_steps > 0, timed.reason);
  }
}

TEST_CASE("two instances of an FMU that can have one per process are refused") {
  auto job = oscillator(fmu("m2", "mass_once2"));
  job.own_problem->subsystems.push_back(fmu("m3", "mass_once2"));
  const auto made = engine::make_plan(job);
  REQUIRE(std::holds_alternative<engine::FieldErrors>(made));
  const auto& errors = std::get<engine::FieldErrors>(made);
  CHECK(std::ranges::any_of(errors, [](const engine::FieldError& error) {
    return error.pointer == "/problem/subsystems/2/fmu" &&
           error.message ==
               "the FMU can be instantiated only once in a process, and subsystem "
               "'m2' has it already";
  }));
}

TEST_CASE("what an FMU writes is not there afterwards") {
  const auto here = std::filesystem::current_path() / "macrostep_test_fmu_was_here";
  std::filesystem::remove(here);
  for (const auto mode : {SandboxMode::bubblewrap, SandboxMode::none}) {
    const auto plan = misbehaving(16, "2");
    WorkerPool pool(usable({.sandbox = mode}), {&plan}, real_worker());
    CHECK(run(pool, plan, 1).status == TrialStatus::complete);
    CHECK_FALSE(std::filesystem::exists(here));
  }
}

TEST_CASE(
    "an FMU that brings a SUNDIALS and a zlib of its own gets these, and the bits of one without") {
  for (const std::string version : {"2", "3"}) {
    for (const auto mode : {SandboxMode::bubblewrap, SandboxMode::none}) {
      const auto in_worker = [&](const std::string& file) {
        const auto plan = plan_of(oscillator(fmu("m2", file + version), version));
        WorkerPool pool(usable({.sandbox = mode}), {&plan}, real_worker());
        return run(pool, plan, 1);
      };
      const auto own = in_worker("own_symbols");
      CHECK_MESSAGE(own.status == TrialStatus::complete, own.reason);
      const auto plain = in_worker("mass_plain");
      CHECK(plain.status == TrialStatus::complete);
      CHECK(own.residual_j == plain.residual_j);
    }
  }
}

TEST_CASE("the sign of a bond between FMUs is found in a worker process") {
  for (const auto* name : {"mass2", "mass3", "mass_plain2", "mass_plain3", "mass_exchange2"}) {
    CAPTURE(std::string(name));
    auto job = oscillator(fmu("m2", name), {std::string(name).back()});
    if (contains(name, "exchange")) {
      job.space.integrators["m2"] = {models::Integrator::trapezoidal};
    }
    const auto plan = plan_of(job);
    WorkerPool pool(usable(), {&plan}, real_worker());
    const auto found = pool.measure(plan, engine::FindBondSign{});
    CHECK_MESSAGE(found.sign == 1, found.evidence);
    CHECK(pool.started() == 1);
    CHECK_MESSAGE(contains(found.evidence, "moves m2.v along with it"), found.evidence);
    CHECK_MESSAGE(contains(found.evidence, "moves m1.f against it"), found.evidence);
  }
}

TEST_CASE("what an FMU does in the trial of a bond leaves the sign undecided, with the reason") {
  const auto in_trial = [](const engine::Plan& plan) {
    WorkerPool pool(usable({.step_timeout_s = 1}), {&plan}, real_worker());
    return pool.measure(plan, engine::FindBondSign{});
  };
  const auto from = [](double when_s, int what) {
    return plan_of(oscillator(
        fmu("m2", "misbehaving2", {{"what", static_cast<double>(what)}, {"when", when_s}})));
  };
  for (const double when_s : {0.0, 1e-5}) {  // at the first macro-step, and after some
    CAPTURE(when_s);
    const auto hangs = in_trial(from(when_s, 4));
    CHECK_FALSE(hangs.sign);
    CHECK(hangs.evidence ==
          "its trial ended, timed_out: FMU 'm2': a macro-step took more than 1 s "
          "(--fmu-step-timeout)");
    if (!sanitized) {
      const auto crashes = in_trial(from(when_s, 1));
      CHECK_FALSE(crashes.sign);
      CHECK(crashes.evidence == "its trial ended, crashed: FMU 'm2': segmentation fault (SIGSEGV)");
    }
  }
  const auto once = in_trial(plan_of(oscillator(fmu("m2", "mass_once2"))));
  CHECK_FALSE(once.sign);
  CHECK_MESSAGE(contains(once.evidence, "only once in a process"), once.evidence);
  // One that fails whatever it is asked is no source: the other side alone does not decide.
  const auto fails = in_trial(from(0, 9));
  CHECK_FALSE(fails.sign);
  CHECK_MESSAGE(contains(fails.evidence, "shows nothing clear in m2.v"), fails.evidence);
}
