// Searches whose chunks run elsewhere: what comes back, what does not, and what comes back wrong.
#include "server/batch/coordinator.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "server/base/durable_file.hpp"
#include "server/batch/chunk.hpp"
#include "server/batch/cut.hpp"
#include "server/batch/run_chunk.hpp"
#include "server/schedulers/command_system.hpp"
#include "tests/batch/fake_system.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/scratch.hpp"
#include "tests/server/child_process.hpp"

using namespace macrostep;
using namespace macrostep::tests;

namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) {
    ++found;
  }
  return found;
}

}  // namespace

TEST_CASE("chunks hold every curve once, the longest first") {
  const auto chunks = cut({0, 1, 2, 3, 4}, {1, 5, 2, 1, 1}, 4);
  CHECK(chunks == std::vector<std::vector<std::size_t>>{{1}, {2, 0, 3}, {4}});
  CHECK(cut({}, {}, 1).empty());
}

TEST_CASE("a search in chunks of any size has the trials of a search in one process") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  for (const double chunk_s : {a_curve_each, 1e-3, 1e3}) {
    const Scratch scratch;
    FakeSystem fake;
    tests::check_same(run(plan, fake, scratch.file("chunks"), chunk_s), wanted);
    REQUIRE(fake.rounds.size() == 1);
    CHECK((fake.rounds[0] == 1) == (chunk_s == 1e3));
  }
}

TEST_CASE("the program started for each chunk gives the table of the program alone") {
  const Scratch scratch;
  const auto job = scratch.write("job.json", tests::small_job().dump());
  const auto answer = [&](std::vector<std::string> more) {
    std::vector<std::string> arguments{"search", job, "--json"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto search = run_program(arguments);
    REQUIRE_MESSAGE(search.code == 0, search.err);
    const auto json = nlohmann::json::parse(search.out);
    return json.at("table").dump() + json.at("curves").dump() +
           json.at("recommendation").at("macro_step_s").dump();
  };
  const auto alone = answer({});
  const std::vector<std::string> batch{
      "--executor",      "command", "--chunk-folder", scratch.file("chunks"),
      "--chunk-minutes", "0.00001", "--threads",      "2"};
  CHECK(answer(batch) == alone);
  CHECK(std::filesystem::exists(scratch.file("chunks/round-0/1.shard")));
  auto with_template = batch;
  with_template[3] = scratch.file("other");
  with_template.insert(
      with_template.end(),
      {"--chunk-command", "nice {program} run-chunk --manifest {manifest} --out {out}"});
  CHECK(answer(with_template) == alone);
}

TEST_CASE("options of batch systems that do not go together are refused") {
  const auto refused = [](std::vector<std::string> options) {
    options.insert(options.begin(), {"search", "linear_oscillator"});
    const auto search = run_program(options);
    CHECK(search.code == 2);
    return search.err;
  };
  CHECK(refused({"--executor", "slurm"}).find("needs a --chunk-folder") != std::string::npos);
  CHECK(refused({"--executor", "pbs"}).find("must be local, command or slurm, not") !=
        std::string::npos);
  CHECK(refused({"--partition", "x"}).find("--partition goes with --executor slurm") !=
        std::string::npos);
  CHECK(refused({"--chunk-command", "x {manifest} {out}"}).find("--chunk-command goes with") !=
        std::string::npos);
  CHECK(refused({"--chunk-folder", "x"}).find("--chunk-folder goes with") != std::string::npos);
  CHECK(refused({"--chunk-minutes", "3"}).find("--chunk-minutes goes with") != std::string::npos);
  CHECK(refused({"--chunk-time-limit", "60"}).find("--chunk-time-limit goes with") !=
        std::string::npos);
  CHECK(refused({"--chunk-minutes", "1e9"})
            .find("--chunk-minutes: must be a positive number of "
                  "minutes, at most 600, not") != std::string::npos);
  CHECK(
      refused({"--chunk-command", "x {out}"}).find("--chunk-command: must have {manifest} in it") !=
      std::string::npos);
}

TEST_CASE("shards that are missing, cut off, changed or another chunk's are made again") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  const Scratch scratch;
  FakeSystem fake;
  std::size_t runs = 0;
  std::string first;
  const auto good = fake.run;
  fake.run = [&](const Path& manifest, const Path& shard) {
    auto text = run_chunk(read_whole(manifest), {});
    if (runs == 0) {
      first = text;
    }
    switch (runs++) {
      case 1:
        return;
      case 2:
        text.resize(text.size() / 2);
        break;
      case 3:
        text[text.size() / 2] ^= 1;
        break;
      case 4:
        text = first;
        break;
      default:
        break;
    }
    write_durably(shard, text);
  };
  std::string said;
  tests::check_same(run(plan, fake, scratch.file("chunks"), a_curve_each, nullptr,
                        [&](const BatchState& state) { said += state.message + "\n"; }),
                    wanted);
  CHECK(fake.rounds == std::vector<std::size_t>{plan.curves.size(), 4});
  CHECK(count_of(said, "cut off") > 0);
  CHECK(count_of(said, "checksum is wrong") > 0);
  CHECK(count_of(said, "another chunk") > 0);
  CHECK(count_of(said, "no shard at") > 0);
  CHECK(std::filesystem::exists(scratch.file("chunks/round-0/2.shard.bad")));
}

TEST_CASE("a trial that ends every process that runs it ends the search, which names it") {
  const auto plan = tests::small_plan();
  const auto wanted = tests::trials_of(plan);
  constexpr std::size_t curve = 2;
  constexpr std::size_t index = 3;
  const Scratch scratch;
  FakeSystem fake;
  fake.run = poisoned(curve, index);
  const auto why = failure([&] { run(plan, fake, scratch.file("chunks"), 1e3); });
  const auto poisonous = std::ranges::find_if(
      wanted, [&](const auto& one) { return one.curve == curve && one.index == index; });
  REQUIRE(poisonous != wanted.end());
  const auto& key = plan.curves[curve];
  CHECK(why.find(describe(plan.configurations[key.configuration])) != std::string::npos);
  CHECK(why.find("in the test " + plan.job.tests[key.test].name +
                 " with H = " + engine::macro_step_text(poisonous->macro_step_s) +
                 " has brought no result, 3 times; no shard at ") != std::string::npos);
  // Whoever goes on with the folder has three tries more, and an answer like any other.
  const auto rounds = fake.rounds.size();
  CHECK(failure([&] { run(plan, fake, scratch.file("chunks"), 1e3); }) != "");
  CHECK(fake.rounds.size() == rounds + max_tries);
  FakeSystem mended;
  tests::check_same(run(plan, mended, scratch.file("chunks"), 1e3), wanted);
}

TEST_CASE("what a task writes reaches no terminal as it is") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  FakeSystem fake;
  bool first = true;
  const auto good = std::exchange(fake.run, {});
  fake.run = [&](const Path& manifest, Path shard) {
    if (std::exchange(first, false)) {
      write_durably(shard.replace_extension(".log"), "\033]0;title\007 red\n");
    } else {
      good(manifest, shard);
    }
  };
  std::string said;
  run(plan, fake, scratch.file("chunks"), a_curve_each, nullptr,
      [&](const BatchState& state) { said += state.message; });
  CHECK(said.find("it wrote: \\u001b]0;title\\u0007 red") != std::string::npos);
  CHECK(said.find('\033') == std::string::npos);
}

TEST_CASE("where no chunk brings anything, the search fails with what they wrote") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  FakeSystem fake;
  fake.run = [](const Path&, Path shard) {
    write_durably(shard.replace_extension(".log"), "macrostep: not found\n");
  };
  const auto why = failure([&] { run(plan, fake, scratch.file("chunks")); });
  CHECK(why.find("no chunk has brought a result") == 0);
  CHECK(why.find("it wrote: macrostep: not found") != std::string::npos);
  CHECK(fake.rounds.size() == max_tries);
}

TEST_CASE("a chunk that is refused by another build ends the search") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  FakeSystem fake;
  fake.run = [](const Path& manifest, const Path& shard) {
    write_durably(shard,
                  shard_text({.build_id = "other",
                              .math_class = "other",
                              .manifest_sha256 = models::fmi::sha256_of(read_whole(manifest)),
                              .refusal = {},
                              .records = {}}));
  };
  CHECK(failure([&] {
          run(plan, fake, scratch.file("chunks"));
        }).find("results of two builds are not mixed") != std::string::npos);
}

TEST_CASE("a chunk that was refused runs when the search goes on, as its cause may be removed") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  FakeSystem refusing;
  refusing.run = [](const Path& manifest, const Path& shard) {
    const auto here = engine::provenance();
    write_durably(shard,
                  shard_text({.build_id = here.build_id,
                              .math_class = here.math_class,
                              .manifest_sha256 = models::fmi::sha256_of(read_whole(manifest)),
                              .refusal = "an FMU has changed",
                              .records = {}}));
  };
  const auto why = failure([&] { run(plan, refusing, scratch.file("chunks")); });
  CHECK_MESSAGE(why.find("an FMU has changed (" + scratch.file("chunks")) != std::string::npos,
                why);
  FakeSystem restored;
  tests::check_same(run(plan, restored, scratch.file("chunks")), tests::trials_of(plan));
}

TEST_CASE("a folder is of one job and of one process at a time") {
  const auto plan = tests::small_plan();
  const Scratch scratch;
  FakeSystem fake;
  FakeSystem second;
  const auto good = fake.run;
  std::string why;
  fake.run = [&](const Path& manifest, const Path& shard) {
    why = failure([&] { run(plan, second, scratch.file("chunks")); });
    good(manifest, shard);
  };
  run(plan, fake, scratch.file("chunks"));
  CHECK(why.find("another process works with the chunks") == 0);
  auto job = plan.job;
  job.tests.pop_back();
  const auto other = engine::make_plan(job);
  REQUIRE(std::holds_alternative<engine::Plan>(other));
  CHECK(failure([&] {
          run(std::get<engine::Plan>(other), second, scratch.file("chunks"));
        }).find("they are of another job") != std::string::npos);
}

TEST_CASE("a command names manifest and out, and nothing that is not filled in") {
  const auto why = [](const char* text) { return why_no_command(words_of(text)).value_or("none"); };
  CHECK(why("{program} run-chunk --manifest {manifest} --out {out}") == "none");
  CHECK(why("sh -c \"cd ${HOME}; f {} {a b} {\\'a\\':1} x={manifest} y={out}\"") == "none");
  CHECK(why("x {manifest}").starts_with("must have {out} in it"));
  CHECK(why("x {out} manifest}").starts_with("must have {manifest} in it"));
  CHECK(why("").starts_with("must have {manifest} in it"));
  CHECK(why("x {manifest} {out} a={ouput}").starts_with("\"{ouput}\" is not available"));
  CHECK(why("x {manifst} {out}").find("did you mean \"{manifest}\"?") != std::string::npos);
}

TEST_CASE("a quote that is not closed is refused, named with its option") {
  CHECK_FALSE(why_no_words("a \"b c\" d"));
  const std::string why = "the last quote (\") is not closed: \" {manifest} {out}; close it";
  const std::string text = "\"a\" b\" {manifest} {out}";
  CHECK(why_no_words(text).value().starts_with(why));
  const auto command = run_program({"search", "linear_oscillator", "--executor", "command",
                                    "--chunk-folder", "x", "--chunk-command", text});
  CHECK(command.code == 2);
  CHECK_MESSAGE(command.err.find("--chunk-command: " + why) != std::string::npos, command.err);
  const auto chosen = run_program({"serve", "--db", "no/such/folder/a.db", "--executor", "command",
                                   "--chunk-folder", "x", "--chunk-template", "a=" + text});
  CHECK(chosen.code == 2);
  CHECK_MESSAGE(chosen.err.find("--chunk-template: " + why) != std::string::npos, chosen.err);
}

TEST_CASE("a program that is not there ends the search, named with its option") {
  const Scratch scratch;
  const auto search =
      run_program({"search", "linear_oscillator", "--executor", "command", "--chunk-folder",
                   scratch.file("chunks"), "--chunk-command", "/no/such/program {manifest} {out}"});
  CHECK(search.code == 1);
  CHECK_MESSAGE(search.err.find("cannot start the program of --chunk-command, or of its template: "
                                "/no/such/program: No such file") != std::string::npos,
                search.err);
}

TEST_CASE("templates are words, filled in without a shell") {
  CHECK(words_of("ssh node \"a b\" x\"y z\"  {out}") ==
        std::vector<std::string>{"ssh", "node", "a b", "xy z", "{out}"});
  CHECK(words_of("").empty());
  const Scratch scratch;
  std::filesystem::create_directory(scratch.file("a $(false) {program}"));
  const Path folder = scratch.file("a $(false) {program}");
  auto system = command_system({.arguments = {"/bin/echo", "{manifest}", "to={out};", "${out}"},
                                .at_once = 1,
                                .limit_s = 60,
                                .program = "p"});
  const auto id = system.submit({.folder = folder, .tasks = 2}).value();
  for (int i = 0; i < 1000 && system.activity(id).any(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  const auto task = (folder / "1").string();
  CHECK(read_whole(task + ".log") == task + ".json to=" + task + ".shard; ${out}\n");
}
