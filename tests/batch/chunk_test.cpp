// Manifests, shards, and what runs between them.
#include "server/batch/chunk.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/base/provenance.hpp"
#include "engine/search/run_search.hpp"
#include "models/fmi/archive/sha256.hpp"
#include "server/batch/run_chunk.hpp"
#include "server/jobs/job_json.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/server/child_process.hpp"

using namespace macrostep;
using namespace macrostep::server;

namespace {

Manifest manifest_of(const engine::Plan& plan, std::vector<std::size_t> curves) {
  const auto here = engine::provenance();
  return {.build_id = here.build_id,
          .math_class = here.math_class,
          .job = server::json::job_json(plan.job).dump(),
          .curves = std::move(curves),
          .most_trials = {},
          .known = {}};
}

Shard shard_of(const Manifest& manifest) {
  return read_shard(run_chunk(manifest_text(manifest), {}));
}

/// Why a text is no shard.
std::string refused(const std::string& text) {
  try {
    read_shard(text);
  } catch (const BadChunk& bad) {
    return bad.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a shard holds the trials of its curves as a search in one process runs them") {
  const auto plan = tests::small_plan();
  REQUIRE(plan.curves.size() > 3);
  const auto shard = shard_of(manifest_of(plan, {3, 1}));
  CHECK(shard.refusal.empty());
  const auto wanted = tests::trials_of(plan);
  std::vector<engine::TrialRecord> chosen;
  for (const auto& record : wanted) {
    if (record.curve == 1 || record.curve == 3) {
      chosen.push_back(record);
    }
  }
  tests::check_same(shard.records, chosen);
}

TEST_CASE("a chunk goes on after the trials that it is told, for as many as it is told") {
  const auto plan = tests::small_plan();
  const auto whole = shard_of(manifest_of(plan, {2})).records;
  REQUIRE(whole.size() > 5);
  auto manifest = manifest_of(plan, {2});
  manifest.known = {whole.begin(), whole.begin() + 2};
  manifest.most_trials = 3;
  tests::check_same(shard_of(manifest).records, {whole.begin() + 2, whole.begin() + 5});
  manifest.known = {whole.begin() + 1, whole.begin() + 2};
  CHECK_THROWS_AS(shard_of(manifest), BadChunk);
}

TEST_CASE("a shard reads back bit for bit, infinite and absent numbers too") {
  engine::TrialRecord record{.curve = 7, .index = 2, .macro_step_s = 0.1 + 0.2, .result = {}};
  record.result = {.status = engine::TrialStatus::diverged,
                   .reason = "a \"quoted\"\nreason",
                   .residual_j = std::numeric_limits<double>::infinity(),
                   .transmitted_j = 5e-324,
                   .bond_residuals_j = {1.0 / 3, -0.0},
                   .rhs_evaluations = std::numeric_limits<std::int64_t>::max(),
                   .wall_s = 1e-3};
  const Shard shard{.build_id = "b",
                    .math_class = "m",
                    .manifest_sha256 = "s",
                    .refusal = "",
                    .records = {record}};
  const auto text = shard_text(shard);
  const auto back = read_shard(text);
  CHECK(shard_text(back) == text);
  REQUIRE(back.records.size() == 1);
  CHECK(same_result(back.records[0], record));
  CHECK(back.records[0].result.wall_s == 1e-3);
  CHECK(back.records[0].macro_step_s == 0.1 + 0.2);
}

TEST_CASE("a shard that is cut off, changed or of something else is refused") {
  const auto text = run_chunk(manifest_text(manifest_of(tests::small_plan(), {0})), {});
  CHECK(refused(text).empty());
  for (std::size_t size = 0; size < text.size(); size += 1 + text.size() / 50) {
    CHECK_FALSE(refused(text.substr(0, size)).empty());
  }
  for (std::size_t at = 0; at < text.size(); at += 1 + text.size() / 50) {
    auto changed = text;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    CHECK_FALSE(refused(changed).empty());
  }
  CHECK(refused(text + text) == "its checksum is wrong");
  CHECK_THROWS_AS(read_manifest(text), BadChunk);
}

TEST_CASE("a manifest that was not written so is refused by the name of the member") {
  const auto plan = tests::small_plan();
  const auto whole = shard_of(manifest_of(plan, {2})).records;
  auto good = manifest_of(plan, {2, 0});
  good.known = {whole.begin(), whole.begin() + 2};
  good.foreign = ForeignChunk{.fmus = {{"a", "b"}}, .settings = {}};
  const auto text = manifest_text(good);
  const auto refused_with = [&](const char* patch) {
    auto changed = nlohmann::json::parse(text).patch(nlohmann::json::parse(patch));
    try {
      read_manifest(changed.dump());
    } catch (const BadChunk& bad) {
      return std::string(bad.what());
    }
    return std::string("nothing");
  };
  const auto count = "must be a whole number from 0 to 2147483647";
  CHECK(refused_with("[]") == "nothing");
  CHECK(refused_with(R"([{"op": "replace", "path": "/curves", "value": [0, 1, 0]}])") ==
        "/curves/2 is there twice: curve 0");
  CHECK(refused_with(R"([{"op": "replace", "path": "/curves/1", "value": -1}])") ==
        std::string("/curves/1 ") + count);
  CHECK(refused_with(R"([{"op": "replace", "path": "/curves/0", "value": 0.5}])") ==
        std::string("/curves/0 ") + count);
  CHECK(refused_with(R"([{"op": "replace", "path": "/losses", "value": -1}])") ==
        std::string("/losses ") + count);
  CHECK(refused_with(R"([{"op": "replace", "path": "/most_trials", "value": 0}])") ==
        "/most_trials must be a whole number from 1 to 2147483647");
  CHECK(refused_with(R"([{"op": "replace", "path": "/known", "value": {}}])") ==
        "/known must be an array, not an object");
  CHECK(refused_with(R"([{"op": "replace", "path": "/known/1/curve", "value": -1}])")
            .starts_with("/known/1 is no trial"));
  CHECK(refused_with(R"([{"op": "remove", "path": "/known/0/result/status"}])")
            .starts_with("/known/0 is no trial: "));
  CHECK(refused_with(R"([{"op": "remove", "path": "/job"}])") == "/job is missing");
  CHECK(refused_with(R"([{"op": "move", "path": "/los", "from": "/losses"}])") ==
        "/losses is missing");
  CHECK(refused_with(R"([{"op": "add", "path": "/loses", "value": 1}])")
            .starts_with("/loses unknown member; did you mean \"losses\"?"));
  CHECK(refused_with(R"([{"op": "add", "path": "/foreign/more", "value": 1}])")
            .starts_with("/foreign/more unknown member"));
  CHECK(refused_with(R"([{"op": "replace", "path": "/format", "value": "x"}])") ==
        "/format must be \"macrostep manifest 3\"");
  CHECK(refused_with(R"([{"op": "replace", "path": "", "value": []}])") ==
        "it must be an object, not an array");
  CHECK_THROWS_WITH_AS(read_manifest(text.substr(0, 50)), "it is not JSON from byte 51 on",
                       BadChunk);
}

TEST_CASE("chunks of another build, another arithmetic or no such curve are refused") {
  const auto plan = tests::small_plan();
  auto manifest = manifest_of(plan, {0});
  manifest.build_id = "other";
  manifest.tasks = {R"({"of": "that build"})"};
  auto shard = shard_of(manifest);
  CHECK(shard.records.empty());
  CHECK(shard.refusal.find("results of two builds are not mixed") != std::string::npos);
  manifest = manifest_of(plan, {0});
  manifest.math_class = "other";
  CHECK(shard_of(manifest).refusal.find("other arithmetic") != std::string::npos);
  CHECK(shard_of(manifest_of(plan, {0, 100'000})).refusal == "the job has no curve 100000");
}

TEST_CASE("the program runs a chunk from file to file, and leaves nothing else") {
  Scratch scratch;
  const auto plan = tests::small_plan();
  auto manifest = manifest_of(plan, {0, 1});
  const auto here = run_chunk(manifest_text(manifest), {});
  manifest.build_id = tests::program_build_id();
  const auto text = manifest_text(manifest);
  const auto run = [&](const std::string& out) {
    return run_program({"run-chunk", "--manifest", scratch.write("m.json", text), "--out",
                        scratch.file(out), "--threads", "2"});
  };
  const auto done = run("shard");
  REQUIRE_MESSAGE(done.code == 0, done.err);
  CHECK(done.out.empty());
  CHECK(scratch.names().size() == 2);
  const auto shard = read_shard(scratch.read("shard"));
  CHECK(shard.manifest_sha256 == models::fmi::sha256_of(text));
  tests::check_same(shard.records, read_shard(here).records);
  const auto nowhere = run("no/such/folder");
  CHECK(nowhere.code == 1);
  CHECK(nowhere.err.find("no/such/folder") != std::string::npos);
  const auto bad = run_program(
      {"run-chunk", "--manifest", scratch.write("m.json", "{}"), "--out", scratch.file("other")});
  CHECK(bad.code == 2);
  CHECK_FALSE(std::filesystem::exists(scratch.file("other")));
}
