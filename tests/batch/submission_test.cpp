// Rounds that are submitted while the batch system is away, or that it takes without an answer; and
// the same of Slurm, with other programs in the places of its own.
#include "server/batch/submission.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "server/schedulers/slurm.hpp"
#include "tests/batch/fake_system.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::tests;

namespace {

constexpr const char* controller_away =
    "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect "
    "failure)";

/// Programs named as Slurm's, found before them: squeue shows the file `queue`, and each sbatch
/// leaves a line in `calls`. Where these call it, `$N` is the number of calls and `take` puts the
/// array 17 into the queue.
class FakeSlurm {
 public:
  /// What sbatch does, in the language of the shell.
  explicit FakeSlurm(const std::string& sbatch) {
    write_program("sbatch", "echo >>" + file("calls") + "\nN=$(wc -l <" + file("calls") +
                                ")\ntake() { for word; do case $word in --job-name=*) echo \"17 "
                                "${word#*=} -\" >>" +
                                file("queue") + " ;; esac; done; }\n" + sbatch);
    write_program("squeue", "cat " + file("queue"));
    scratch_.write("queue", "16 other -\n");
    std::filesystem::create_directory(file("round"));
    ::setenv("PATH", (file("") + ":" + path_).c_str(), 1);
  }
  ~FakeSlurm() { ::setenv("PATH", path_.c_str(), 1); }
  FakeSlurm(const FakeSlurm&) = delete;
  FakeSlurm& operator=(const FakeSlurm&) = delete;

  Round round() const { return {.folder = file("round"), .tasks = 2, .name = "macrostep-1"}; }
  std::size_t calls() const { return scratch_.read("calls").size(); }
  std::string array() const { return scratch_.read("round/array"); }

 private:
  std::string file(const std::string& name) const { return scratch_.file(name); }
  void write_program(const std::string& name, const std::string& text) const {
    const auto program = scratch_.write(name, "#!/bin/sh\n" + text + "\n");
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  Scratch scratch_;
  std::string path_ = ::getenv("PATH");
};

bool no_pause(std::chrono::duration<double> /*time*/) {
  return true;
}

/// In the language of the shell.
std::string failing(const std::string& words) {
  return "echo '" + words + "' >&2; exit 1";
}

}  // namespace

TEST_CASE("a round is submitted until a system that is away has it") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  FakeSystem fake;
  fake.unheard_submissions = 3;
  tests::check_same(run(plan, fake, scratch.file("chunks")), tests::trials_of(plan));
  CHECK(fake.rounds.size() == 1);
  CHECK(read_whole(scratch.file("chunks/round-0/array")) == "array 1");
}

TEST_CASE("a round that a system took without an answer is not submitted again") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  FakeSystem fake;
  fake.answers_submissions = false;
  fake.never_ends = true;
  tests::check_same(run(plan, fake, scratch.file("chunks")), tests::trials_of(plan));
  CHECK(fake.rounds.size() == 1);
  CHECK(read_whole(scratch.file("chunks/round-0/array")) == "array 1");
}

TEST_CASE("a search that is stopped before its system answers tells what may run there") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  std::atomic<bool> stop{false};
  std::vector<std::string> told;
  FakeSystem fake;
  const auto good = fake.run;
  fake.run = [&](const Path& manifest, const Path& shard) {
    good(manifest, shard);
    stop = true;
  };
  fake.answers_submissions = false;
  fake.never_ends = true;
  const auto run_until_stopped = [&] {
    run_in_chunks(plan, {.stop = &stop},
                  {.system = fake.system(),
                   .settings = {.folder = scratch.file("chunks"),
                                .chunk_s = a_curve_each,
                                .on_state = {},
                                .on_loss = {},
                                .on_left_running = [&](const BatchState& state) {
                                  told.push_back(state.message);
                                }}});
  };
  SUBCASE("it cannot be asked") {
    fake.can_be_asked = false;
    run_until_stopped();
    REQUIRE(told.size() == 1);
    CHECK_MESSAGE(told[0].starts_with("the batch system has not said whether it took the array " +
                                      fake.names.at(0) + "; cancel it there, or start"),
                  told[0]);
    CHECK(fake.cancelled.empty());
  }
  SUBCASE("it has the round") {
    run_until_stopped();
    CHECK(told.empty());
  }
  SUBCASE("it does not have it") {
    fake.never_ends = false;
    run_until_stopped();
    CHECK(told.empty());
    CHECK(fake.cancelled.empty());
  }
  CHECK(fake.rounds.size() == 1);
  fake.can_be_asked = true;
  tests::check_same(run(plan, fake, scratch.file("chunks")), tests::trials_of(plan));
  CHECK(fake.rounds.size() == 1);
}

TEST_CASE("chunks are submitted again until Slurm's controller is back") {
  const FakeSlurm fake("[ $N -gt 2 ] || { " + failing(controller_away) +
                       "; }\ntake \"$@\"; echo 17");
  CHECK(submit_round(slurm({.program = "p"}), fake.round(), no_pause) == "17");
  CHECK(fake.calls() == 3);
  CHECK(fake.array() == "17");
}

TEST_CASE("an array that Slurm took although sbatch failed is found, and not submitted again") {
  std::string end;
  SUBCASE("the answer was late") {
    end = failing(
        "sbatch: error: Batch job submission failed: Socket timed out on send/recv "
        "operation");
  }
  SUBCASE("sbatch was killed") {
    end = "kill -9 $$";
  }
  const FakeSlurm fake("take \"$@\"; " + end);
  CHECK(submit_round(slurm({.program = "p"}), fake.round(), no_pause) == "17");
  CHECK(fake.calls() == 1);
  CHECK(fake.array() == "17");
}

TEST_CASE("what Slurm refuses is not submitted again") {
  const FakeSlurm fake(
      failing("sbatch: error: Batch job submission failed: Invalid account or account/partition "
              "combination specified"));
  CHECK(failure([&] { submit_round(slurm({.program = "p"}), fake.round(), no_pause); }) ==
        "sbatch did not take the chunks: sbatch: error: Batch job submission failed: Invalid "
        "account or account/partition combination specified");
  CHECK(fake.calls() == 1);
}

TEST_CASE("a controller that stays away ends the search with what sbatch said") {
  const FakeSlurm fake(failing(controller_away));
  CHECK(failure([&] {
          submit_round(slurm({.program = "p", .patience = std::chrono::minutes(0)}), fake.round(),
                       no_pause);
        }) == std::string("sbatch has had no answer of Slurm for 0 minutes: ") + controller_away);
  CHECK(fake.calls() == 2);
}
