// Whatever runs in a worker, its trial ends with a reason, and the next trial is as any other.
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "engine/search/run_search.hpp"
#include "server/process/no_worker.hpp"
#include "server/workers/worker_start.hpp"
#include "tests/executors/pool_fixture.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::tests;
using engine::TrialResult;
using engine::TrialStatus;
using server::ForeignSettings;
using server::SandboxMode;
using server::WorkerPool;

namespace {

using Clock = std::chrono::steady_clock;

/// Small limits, so that tests are short.
constexpr ForeignSettings quick{
    .step_timeout_s = 1, .trial_timeout_s = 20, .memory_mb = 250, .trials_per_worker = 100};

double seconds_since(Clock::time_point then) {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TrialResult run(const engine::TrialBackend& backend, const engine::Plan& plan, std::size_t test,
                const std::atomic<bool>* stop = nullptr) {
  return backend.trial(plan, {.input = test, .macro_step_s = 1e-3}, {.stop = stop});
}

struct Expected {
  const char* test;
  TrialStatus status;
  const char* reason;  ///< part of it
};

const std::vector<Expected>& expectations() {
  using enum TrialStatus;
  static const std::vector<Expected> all{
      {"segfault", crashed, "segmentation fault (SIGSEGV) at 0.006 s; last output: about to fall"},
      {"abort", crashed, "abort (SIGABRT) at 0.006 s"},
      {"divide", crashed, "arithmetic error (SIGFPE)"},
      {"exit_0", crashed, "the FMU ended the process with exit code 0 at 0.006 s"},
      {"exit_3", crashed, "the FMU ended the process with exit code 3"},
      {"hang", timed_out, "a macro-step took more than 1 s at 0.006 s (--fmu-step-timeout)"},
      {"spin", timed_out, "a macro-step took more than 1 s at 0.006 s"},
      {"hang_at_start", timed_out, "the start took more than 1 s"},
      {"memory", fmu_error, "there was not enough memory"},
      {"memory_of_c", crashed, "MB of its 250 MB of memory"},
      {"flood", fmu_error, "an FMU wrote more than 16 MB of text"},
      {"flood_stderr", fmu_error, "an FMU wrote more than 16 MB of text"},
      {"disk", fmu_error, "the disk is full after"},
      {"throw", fmu_error, "an exception"},
      {"throw_int", fmu_error, "an FMU threw an exception"},
      {"forge", crashed, "the worker sent an invalid reply"},
      {"forge_reply", crashed, "the worker sent an invalid reply"},
      {"reply_twice", crashed, "the worker sent an invalid reply"},
      {"claim_cancelled", crashed, "the worker sent an invalid reply"},
      {"claim_much_work", crashed, "the worker sent an invalid reply"},
      {"exit_139", crashed, "the FMU ended the process with exit code 139"},
      {"close_all", crashed, ""},
  };
  return all;
}

void check_all(ForeignSettings settings) {
  const double hang_timeout_s = settings.step_timeout_s;
  for (const auto& [test, status, reason] : expectations()) {
    CAPTURE(std::string(test));
    if (settings.sandbox == SandboxMode::none && std::string(test) == "disk") {
      continue;  // nothing limits the number of files
    }
    if (sanitized && (status == TrialStatus::crashed || std::string(test) == "memory")) {
      continue;
    }
    const auto plan = plan_with_tests({test, "well"});
    // On a busy machine it takes long to fill memory or disk; only what hangs is to time out.
    settings.step_timeout_s = status == TrialStatus::timed_out ? hang_timeout_s : 60;
    WorkerPool pool(settings, {&plan}, fake_worker());
    const auto good = run(engine::this_process(), plan, 1);
    REQUIRE(good.status == TrialStatus::complete);
    CHECK(run(pool, plan, 1).residual_j == good.residual_j);
    const auto bad = run(pool, plan, 0);
    CHECK(to_string(bad.status) == to_string(status));
    CHECK_MESSAGE(contains(bad.reason, reason), bad.reason);
    CHECK(run(pool, plan, 1).residual_j == good.residual_j);
  }
}

}  // namespace

TEST_CASE("every way to misbehave becomes a result with its reason, and other trials go on") {
  if (!lacks_sandbox("misbehaviour in the sandbox")) {
    check_all(quick);
  }
}

TEST_CASE("without a sandbox a worker's misbehaviour ends in the same results") {
  auto settings = quick;
  settings.sandbox = SandboxMode::none;
  check_all(settings);
}

TEST_CASE("a process that closes its connection is waited for, as its end tells why it crashed") {
  if (sanitized) {
    return;  // an abort is their report
  }
  const auto plan = plan_with_tests({"slow_death", "close_socket"});
  WorkerPool pool(usable(quick), {&plan}, fake_worker());
  const auto dying = run(pool, plan, 0);
  CHECK(dying.status == TrialStatus::crashed);
  CHECK(dying.reason == "abort (SIGABRT) at 0.006 s");
  const auto asked = Clock::now();
  const auto living = run(pool, plan, 1);
  CHECK(living.status == TrialStatus::timed_out);
  CHECK(living.reason == "its process went on for 5 s after it closed its connection at 0.006 s");
  CHECK(seconds_since(asked) < 15);  // the limit is 5 s
}

TEST_CASE("a talkative trial is no failure") {
  const auto plan = plan_with_tests({"chatter"});
  WorkerPool pool(usable(quick), {&plan}, fake_worker());
  CHECK(run(pool, plan, 0).status == TrialStatus::complete);
}

TEST_CASE("a trial that fails only where others ran before is run again in a new process") {
  // Vendors' FMUs abort on their second instance in a process, often without declaring it; others
  // answer an error, or flood their process with text.
  for (const auto* test : {"second_instance", "second_trial", "second_flood"}) {
    CAPTURE(std::string(test));
    const auto plan = plan_with_tests({test});
    WorkerPool pool(usable(quick), {&plan}, fake_worker());
    for (int trial = 0; trial < 3; ++trial) {
      CHECK(run(pool, plan, 0).status == TrialStatus::complete);
    }
    CHECK(pool.started() >= 2);
  }
}

TEST_CASE("an error that is not known where trials ran before is measured in a new process") {
  const auto plan = plan_with_tests({"well"});
  WorkerPool pool(usable(quick), {&plan}, fake_worker());
  run(pool, plan, 0);
  const auto error = pool.measure(plan, engine::MeasureError{{.macro_step_s = 1e-3}});
  CHECK(error.nrmse);
  CHECK(pool.started() == 2);
}

TEST_CASE("why a worker ended is told without a time where it ran no trial") {
  const auto plan = plan_with_tests({"segfault", "hang"});
  WorkerPool pool(usable({.step_timeout_s = 1, .trial_timeout_s = 2}), {&plan}, fake_worker());
  const auto reason_in = [&](std::size_t test) {
    const engine::MeasureError wanted{{.input = test, .macro_step_s = 1e-3}};
    return pool.measure(plan, wanted).reason;
  };
  CHECK(reason_in(1) == "timed_out: it took more than 2 s (--fmu-trial-timeout)");
  if (!sanitized) {
    CHECK(reason_in(0) == "crashed: segmentation fault (SIGSEGV); last output: about to fall");
  }
}

TEST_CASE("energies of more macro-steps than fit a reply are unsupported") {
  const auto plan = plan_with_tests({"well"});
  WorkerPool pool(usable(quick), {&plan}, fake_worker());
  const double macro_step_s = 0.05 / (2 * server::max_energy_macro_steps);
  const auto result = pool.measure(plan, engine::MeasureRun{.run = {.macro_step_s = macro_step_s},
                                                            .energies = true})
                          .result;
  CHECK(result.status == TrialStatus::unsupported);
  CHECK(result.reason == "energies of more than 1000000 macro-steps do not fit a reply");
  CHECK(pool.started() == 0);
}

TEST_CASE("what a worker cannot read is its own failure, and none of an FMU") {
  const auto started = [] {
    static server::Spawner spawner;
    const auto settings = usable(quick);
    return server::start_worker(spawner, settings, server::sandbox_of(settings), fake_worker(), {});
  };
  const auto worker = started();
  const auto answer = worker.process->run("no task", {.timeout_s = quick.trial_timeout_s});
  REQUIRE(std::holds_alternative<server::NoReply>(answer));
  const auto& end = std::get<server::NoReply>(answer);
  CHECK(end.status == TrialStatus::crashed);
  CHECK(end.reason == "the worker failed");
  CHECK_MESSAGE(contains(end.last_words, "parse error"), end.last_words);
  CHECK_THROWS_WITH_AS(started().process->add_job(0, "{}"),
                       doctest::Contains("a worker process does not accept its job: "),
                       server::NoWorker);
}

TEST_CASE("what a trial leaves behind does not reach the next") {
  const auto plan = plan_with_tests({"files", "rounding", "well"});
  for (const auto mode : {SandboxMode::bubblewrap, SandboxMode::none}) {
    auto settings = quick;
    settings.sandbox = mode;
    WorkerPool pool(usable(settings), {&plan}, fake_worker());
    CHECK(run(pool, plan, 0).reason == "");
    CHECK(run(pool, plan, 0).reason == "");
    run(pool, plan, 1);
    CHECK(run(pool, plan, 2).residual_j == run(engine::this_process(), plan, 2).residual_j);
    CHECK(pool.started() == 1);
  }
}

TEST_CASE("from inside the sandbox nothing can be reached") {
  if (lacks_sandbox("what can be reached from the sandbox")) {
    return;
  }
  ::setenv("MACROSTEP_TEST_SECRET", "secret", 1);
  const auto plan = plan_with_tests({"reach"});
  WorkerPool pool(usable(quick), {&plan}, fake_worker());
  CHECK(run(pool, plan, 0).reason == "");
}

TEST_CASE("a trial is cancelled long before its timeout, however it hangs") {
  for (const auto* test : {"hang", "spin", "hang_at_start", "close_socket"}) {
    const auto plan = plan_with_tests({test});
    auto settings = quick;
    settings.step_timeout_s = 20;
    WorkerPool pool(usable(settings), {&plan}, fake_worker());
    std::atomic<bool> stop = false;
    TrialResult result;
    std::thread runner([&] { result = run(pool, plan, 0, &stop); });
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    const auto asked = Clock::now();
    stop = true;
    runner.join();
    MESSAGE(test << " cancelled within " << seconds_since(asked) << " s");
    CHECK(seconds_since(asked) < 10);  // before its timeout
    CHECK(result.status == TrialStatus::cancelled);
  }
}

TEST_CASE("a trial is cancelled while its worker does not begin to work") {
  const Scratch scratch;
  const auto program = scratch.write("hangs", "#!/bin/sh\nexec sleep 100\n");
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  const auto plan = plan_with_tests({"well"});
  WorkerPool pool({.sandbox = SandboxMode::none}, {&plan}, {.file = program, .build_id = {}});
  std::atomic<bool> stop = false;
  std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  const auto asked = Clock::now();
  const auto result = run(pool, plan, 0, &stop);
  CHECK(result.status == TrialStatus::cancelled);
  CHECK(seconds_since(asked) < 30);  // its timeout: 60 s
}

TEST_CASE("a search goes on past trials that hang, each of which ends its curve") {
  const auto plan = plan_with_tests({"spin", "well"});
  auto settings = quick;
  settings.step_timeout_s = 1;
  WorkerPool pool(usable(settings), {&plan}, fake_worker());
  std::vector<engine::TrialRecord> records;
  const auto started = Clock::now();
  const auto result = engine::run_search(
      plan, {.threads = 2,
             .on_result = [&](const engine::TrialRecord& record,
                              const engine::SearchProgress&) { records.push_back(record); },
             .backend = &pool});
  CHECK(result.complete);
  std::size_t hung = 0;
  std::size_t complete = 0;
  for (const auto& record : records) {
    hung += record.result.status == TrialStatus::timed_out ? 1 : 0;
    complete += record.result.status == TrialStatus::complete ? 1 : 0;
  }
  CHECK(hung == plan.curves.size() / 2);
  CHECK(complete > hung);
  MESSAGE("seconds for " << hung << " trials that hang and " << complete
                         << " others: " << seconds_since(started));
  for (const auto& curve : result.answer.curves) {
    CHECK((curve.key.test == 1 || contains(curve.region.reason(), "took too long")));
  }
}

TEST_CASE("without bubblewrap there is no pool, and the reason says what to do") {
  const auto plan = plan_with_tests({"well"});
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  CHECK_THROWS_WITH(WorkerPool(quick, {&plan}, fake_worker()),
                    "FMUs run only in a sandbox, and there is none: bubblewrap (the program bwrap) "
                    "is not installed. --fmu-sandbox=none runs them without, with all rights of "
                    "this user");
  ::setenv("PATH", path.c_str(), 1);
}
