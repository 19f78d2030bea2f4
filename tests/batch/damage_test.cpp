// Files of a search in chunks that are damaged, or something else than files: each is named, and
// costs the search no more than what stood in it.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/batch/fake_system.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::tests;

namespace {

/// The small plan, whose answer is not what is asked: nothing checks it.
engine::Plan unchecked_plan() {
  auto job = small_plan().job;
  job.stability_check = engine::StabilityCheck::none;
  return std::get<engine::Plan>(engine::make_plan(job));
}

/// Leaves something else in the place of a file.
using Damage = std::function<void(const Path& file)>;

void cut_off(const Path& file) {
  std::filesystem::resize_file(file, 100);
}

const std::vector<std::pair<Damage, std::string>>& non_files() {
  static const std::string reason = "it is not a regular file";
  static const std::vector<std::pair<Damage, std::string>> all{
      {[](const Path& file) {
         std::filesystem::remove(file);
         REQUIRE(mkfifo(file.c_str(), 0600) == 0);
       },
       reason},
      {[](const Path& file) {
         std::filesystem::remove(file);
         std::filesystem::create_symlink("/dev/zero", file);
       },
       reason},
      {[](const Path& file) {
         std::filesystem::remove(file);
         std::filesystem::create_directory(file);
       },
       reason}};
  return all;
}

/// Runs the chunks of a search whose file was damaged after it was done: one of them again, with a
/// message that names the file.
void check_goes_on(const char* file, const Damage& damage, const std::string& reason) {
  const auto plan = unchecked_plan();
  const Scratch scratch;
  FakeSystem fake;
  const auto wanted = run(plan, fake, scratch.file("chunks"));
  const Path damaged = scratch.file("chunks") / Path("round-0") / file;
  damage(damaged);
  FakeSystem again;
  std::string said;
  check_same(run(plan, again, scratch.file("chunks"), a_curve_each, nullptr,
                 [&](const BatchState& state) { said += state.message + "\n"; }),
             wanted);
  CHECK(again.rounds == std::vector<std::size_t>{1});
  CHECK_MESSAGE(said.starts_with(damaged.string() + " cannot be used: " + reason), said);
  CHECK(said.find("; it is now " + std::string(file) + ".bad, and what it was of is run again") !=
        std::string::npos);
  CHECK(std::filesystem::exists(std::filesystem::symlink_status(damaged.string() + ".bad")));
  // What was set aside stays so, and hides no chunk behind it.
  FakeSystem third;
  check_same(run(plan, third, scratch.file("chunks")), wanted);
  CHECK(third.rounds.empty());
}

}  // namespace

TEST_CASE("a manifest that is damaged costs its chunk, not the search") {
  check_goes_on("1.json", cut_off, "it is not JSON from byte 101 on");
  check_goes_on(
      "1.json",
      [](const Path& file) {
        auto manifest = read_manifest(read_whole(file));
        manifest.curves = {100'000};
        write_durably(file, manifest_text(manifest));
      },
      "the job has no curve 100000");
  for (const auto& [damage, reason] : non_files()) {
    check_goes_on("1.json", damage, reason);
  }
}

TEST_CASE("a shard that is damaged costs its chunk, not the search") {
  check_goes_on("1.shard", cut_off, "it is cut off");
  for (const auto& [damage, reason] : non_files()) {
    check_goes_on("1.shard", damage, reason);
  }
}

TEST_CASE("what is set aside takes nothing's place") {
  const auto plan = unchecked_plan();
  for (const std::string file : {"1.shard", "1.json"}) {
    for (const auto& damage : {Damage(cut_off), non_files().back().first}) {
      const Scratch scratch;
      FakeSystem fake;
      const auto wanted = run(plan, fake, scratch.file("chunks"));
      const Path damaged = scratch.file("chunks/round-0/" + file);
      std::filesystem::create_directories(damaged.string() + ".bad/kept");
      damage(damaged);
      FakeSystem again;
      std::string said;
      check_same(run(plan, again, scratch.file("chunks"), a_curve_each, nullptr,
                     [&](const BatchState& state) { said += state.message + "\n"; }),
                 wanted);
      CHECK(again.rounds == std::vector<std::size_t>{1});
      CHECK_MESSAGE(said.find("; it is now " + file + ".bad2, and") != std::string::npos, said);
      CHECK(std::filesystem::exists(damaged.string() + ".bad/kept"));
      FakeSystem third;
      check_same(run(plan, third, scratch.file("chunks")), wanted);
      CHECK(third.rounds.empty());
    }
  }
}

TEST_CASE("a search that is not named any more is gone on with when its file is removed") {
  const auto plan = unchecked_plan();
  auto job = plan.job;
  job.tests.pop_back();
  const auto other = std::get<engine::Plan>(engine::make_plan(job));
  auto damages = non_files();
  damages.emplace_back(cut_off, "it is not JSON from byte 101 on");
  for (const auto& [damage, reason] : damages) {
    const Scratch scratch;
    FakeSystem fake;
    const auto wanted = run(plan, fake, scratch.file("chunks"));
    const Path search = scratch.file("chunks/search.json");
    damage(search);
    FakeSystem again;
    const auto why = failure([&] { run(plan, again, scratch.file("chunks")); });
    CHECK_MESSAGE(why.starts_with(search.string() + " cannot be used: " + reason + "; remove it"),
                  why);
    std::filesystem::remove(search);
    CHECK(failure([&] {
            run(other, again, scratch.file("chunks"));
          }).find("they are of another job") != std::string::npos);
    std::filesystem::remove(search);
    check_same(run(plan, again, scratch.file("chunks")), wanted);
    CHECK(again.rounds.empty());
  }
}

TEST_CASE("a folder that is removed while the search runs ends it, and its array") {
  const auto plan = unchecked_plan();
  const Scratch scratch;
  const Path folder = scratch.file("chunks");
  FakeSystem fake;
  fake.never_ends = true;
  std::string part;
  std::string reason;
  SUBCASE("all of it") {
    part = "chunks";
    reason = "it was removed while the search ran; start the search again";
  }
  SUBCASE("a round") {
    part = "chunks/round-0";
    reason = scratch.file(part) + ": No such file or directory";
    fake.why_not_cancelled = "it is away";
  }
  fake.run = [](const Path&, const Path&) {};
  const auto why = failure([&] {
    run(plan, fake, folder, a_curve_each, nullptr,
        [&](const BatchState&) { std::filesystem::remove_all(scratch.file(part)); });
  });
  CHECK_MESSAGE(why.starts_with("the folder of chunks " + folder.string() +
                                " (--chunk-folder) cannot be used: " + reason),
                why);
  CHECK(fake.cancelled == std::vector<std::string>{"array 1"});
  CHECK(failure([&] {
          run(plan, fake, scratch.write("file", ""));
        }).find("(--chunk-folder) cannot be used: filesystem error: ") != std::string::npos);
}
