// Searches in chunks that are stopped or killed and go on.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/batch/fake_system.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::tests;

TEST_CASE("a coordinator that ends goes on from its folder, and runs no finished chunk again") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  const Scratch scratch;
  FakeSystem killed;
  std::size_t left = 3;
  const auto good = killed.run;
  killed.run = [&](const Path& manifest, const Path& shard) {
    if (left-- == 0) {
      throw std::runtime_error("killed");
    }
    good(manifest, shard);
  };
  CHECK(failure([&] { run(plan, killed, scratch.file("chunks")); }) == "killed");
  FakeSystem next;
  tests::check_same(run(plan, next, scratch.file("chunks")), wanted);
  CHECK(next.rounds == std::vector<std::size_t>{plan.curves.size() - 3});
}

TEST_CASE("an array that was submitted as its coordinator was killed is found by its name") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  const Scratch scratch;
  FakeSystem fake;
  fake.kills_submit = true;
  fake.never_ends = true;  // it runs on, and all its shards come in
  CHECK(failure([&] { run(plan, fake, scratch.file("chunks")); }) == "killed");
  REQUIRE(fake.rounds.size() == 1);
  CHECK_FALSE(std::filesystem::exists(scratch.file("chunks/round-0/array")));
  CHECK(fake.names.front() == read_whole(scratch.file("chunks/round-0/name")));
  tests::check_same(run(plan, fake, scratch.file("chunks")), wanted);
  CHECK(fake.rounds.size() == 1);  // nothing was submitted again
  CHECK(read_whole(scratch.file("chunks/round-0/array")) == "array 1");
}

TEST_CASE("an array that the system does not know is submitted again, and nothing counts as lost") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  const Scratch scratch;
  FakeSystem fake;
  const auto good = std::exchange(fake.run, [](const Path&, const Path&) {});
  fake.kills_submit = true;
  for (int i = 0; i < 2 * max_tries; ++i) {
    CHECK(failure([&] { run(plan, fake, scratch.file("chunks")); }) == "killed");
  }
  fake.kills_submit = false;
  fake.run = good;
  BatchState last;
  tests::check_same(run(plan, fake, scratch.file("chunks"), a_curve_each, nullptr,
                        [&](const BatchState& state) { last = state; }),
                    wanted);
  CHECK(last.lost == 0);
  CHECK(last.resubmitted == 0);
}

TEST_CASE("losses count over restarts of the coordinator, but for stops in order") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  constexpr std::size_t curve = 2;
  // How many losses the manifest of a round tells of a chunk that is lost whenever it runs.
  const auto losses_in = [&](std::size_t round) {
    const auto folder = Path(scratch.file("chunks")) / ("round-" + std::to_string(round));
    for (std::size_t task = 0;; ++task) {
      const auto file = folder / (std::to_string(task) + ".json");
      REQUIRE(std::filesystem::exists(file));
      if (const auto manifest = read_manifest(read_whole(file));
          std::ranges::find(manifest.curves, curve) != manifest.curves.end()) {
        return manifest.losses;
      }
    }
  };
  FakeSystem fake;
  fake.run = poisoned(curve, 3);
  const auto killed_after = [&](int answers) {
    fake.answers_till_kill = answers;
    return failure([&] { run(plan, fake, scratch.file("chunks")); }) == "killed";
  };
  CHECK(killed_after(0));  // as it waits for round 0
  CHECK(killed_after(1));  // told that this is over, it waits for the next one
  CHECK(losses_in(1) == 1);
  CHECK(killed_after(1));
  CHECK(losses_in(2) == 2);
  // One that is stopped in order.
  std::atomic<bool> stop{false};
  fake.answers_till_kill.reset();
  fake.never_ends = true;
  run(plan, fake, scratch.file("chunks"), a_curve_each, &stop,
      [&](const BatchState&) { stop = true; });
  CHECK(fake.rounds.size() == 3);
  fake.never_ends = false;
  CHECK(failure([&] { run(plan, fake, scratch.file("chunks")); }).find("no result, 3 times") !=
        std::string::npos);
  CHECK(losses_in(3) == 2);
  CHECK(losses_in(4) == 3);  // divided
}

TEST_CASE("a duplicate that agrees changes nothing, one that differs is an alarm") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  const Scratch scratch;
  FakeSystem fake;
  run(plan, fake, scratch.file("chunks"));
  // The tasks of a lost array, which come in after all.
  std::filesystem::copy(scratch.file("chunks/round-0"), scratch.file("chunks/round-1"));
  FakeSystem again;
  tests::check_same(run(plan, again, scratch.file("chunks")), wanted);
  CHECK(again.rounds.empty());
  const Path shard = scratch.file("chunks/round-1/1.shard");
  auto changed = read_shard(read_whole(shard));
  REQUIRE_FALSE(changed.records.empty());
  changed.records.back().result.residual_j *= 1 + 1e-15;
  write_durably(shard, shard_text(changed));
  CHECK(failure([&] {
          run(plan, again, scratch.file("chunks"));
        }).find("has come twice with different results") != std::string::npos);
}

TEST_CASE("who is stopped cancels what runs, and goes on later with what has come") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  const Scratch scratch;
  std::atomic<bool> stop{false};
  FakeSystem fake;
  std::size_t runs = 0;
  const auto good = fake.run;
  fake.run = [&](const Path& manifest, const Path& shard) {
    if (runs++ < 2) {
      good(manifest, shard);
    }
  };
  fake.never_ends = true;
  const auto some = run(plan, fake, scratch.file("chunks"), a_curve_each, &stop,
                        [&](const BatchState&) { stop = true; });
  CHECK(fake.cancelled == std::vector<std::string>{"array 1"});
  CHECK(some.size() < wanted.size());
  FakeSystem next;
  tests::check_same(run(plan, next, scratch.file("chunks")), wanted);
  CHECK(next.rounds == std::vector<std::size_t>{plan.curves.size() - 2});
}

TEST_CASE("an array that is not cancelled when a search is stopped is told, and gone on with") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  std::atomic<bool> stop{false};
  std::vector<std::string> told;
  FakeSystem fake;
  fake.never_ends = true;
  fake.why_not_cancelled = "it is away";
  const auto good = std::exchange(fake.run, [](const Path&, const Path&) {});
  const auto result = run_in_chunks(
      plan, {.stop = &stop},
      {.system = fake.system(),
       .settings = {
           .folder = scratch.file("chunks"),
           .chunk_s = a_curve_each,
           .on_state = [&](const BatchState&) { stop = true; },
           .on_loss = {},
           .on_left_running = [&](const BatchState& state) { told.push_back(state.message); }}});
  CHECK_FALSE(result.complete);
  CHECK(fake.cancelled == std::vector<std::string>{"array 1"});
  REQUIRE(told.size() == 1);
  CHECK_MESSAGE(told[0].starts_with("it is away; cancel it there, or start the search again"),
                told[0]);
  const Path round = scratch.file("chunks/round-0");
  for (std::size_t task = 0; task < plan.curves.size(); ++task) {
    const auto file = (round / std::to_string(task)).string();
    good(file + ".json", file + ".shard");
  }
  tests::check_same(run(plan, fake, scratch.file("chunks")), tests::trials_of(plan));
  CHECK(fake.rounds.size() == 1);
}

TEST_CASE("an array is cancelled even where what is left cannot be written") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  std::atomic<bool> stop{false};
  FakeSystem fake;
  fake.never_ends = true;
  fake.run = [](const Path&, const Path&) {};
  CHECK(failure([&] {
          run(plan, fake, scratch.file("chunks"), a_curve_each, &stop, [&](const BatchState&) {
            std::filesystem::create_directory(scratch.file("chunks/round-0/waiting.json"));
            stop = true;
          });
        }).find("waiting.json") != std::string::npos);
  CHECK(fake.cancelled == std::vector<std::string>{"array 1"});
}
