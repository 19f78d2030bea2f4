// Chunks of searches with FMUs: from the shared folder, held against their hashes, in the sandbox.
#include <doctest/doctest.h>
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "server/batch/chunk.hpp"
#include "server/batch/chunk_fmus.hpp"
#include "server/process/sandbox.hpp"
#include "tests/scratch.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/test_fmus.hpp"

using namespace macrostep;
using namespace macrostep::server;

namespace {

nlohmann::json masses() {
  return {
      {"problem",
       {{"subsystems",
         {{{"name", "m1"}, {"fmu", tests::fmu_file("spring_mass2").string()}},
          {{"name", "m2"}, {"fmu", tests::fmu_file("mass2").string()}}}},
        {"connections",
         {{{"from", "m2.x"}, {"to", "m1.x_in"}},
          {{"from", "m2.v"}, {"to", "m1.v_in"}},
          {{"from", "m1.f"}, {"to", "m2.f"}}}},
        {"power_bonds", {{{"effort", "m1.f"}, {"flow", "m2.v"}, {"factor", 1}}}},
        {"external_inputs", {{{"to", "m1.w"}, {"initial", 0}, {"minimum", -1}, {"maximum", 1}}}}}},
      {"search",
       {{"extrapolation", {"0", "1"}},
        {"stability_check", "none"},
        {"macro_step", {{"initial_s", 1e-3}, {"increment_s", 2e-3}, {"maximum_s", 0.02}}}}},
      {"tests", {{{"kind", "step"}, {"duration_s", 0.2}}}}};
}

bool has_sandbox() {
  return std::holds_alternative<server::Sandbox>(server::probe_sandbox());
}

/// A search in chunks of a curve each, in a folder of the scratch directory.
struct FmuSearch {
  FmuSearch() : job(scratch.write("job.json", masses().dump())) {}

  Outcome search(std::vector<std::string> more) const {
    std::vector<std::string> arguments{"search", job, "--json", "--no-reference"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    if (!has_sandbox()) {
      arguments.insert(arguments.end(), {"--fmu-sandbox", "none"});
    }
    return run_program(arguments);
  }
  Outcome in_chunks() const {
    return search({"--executor", "command", "--chunk-folder", scratch.file("chunks"),
                   "--chunk-minutes", "1e-9", "--threads", "2"});
  }
  Shard shard(const std::string& name) const { return read_shard(scratch.read(name)); }

  const Scratch scratch;
  const std::string job;
};

std::string essence(const Outcome& outcome) {
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const auto json = nlohmann::json::parse(outcome.out);
  return json.at("table").dump() + json.at("curves").dump();
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path());
    }
  }
  return files;
}

}  // namespace

TEST_CASE("a search with FMUs in chunks has the table of the program alone") {
  const FmuSearch fmus;
  const auto alone = essence(fmus.search({"--threads", "1"}));
  CHECK(essence(fmus.in_chunks()) == alone);
  CHECK(std::filesystem::exists(fmus.scratch.file("chunks/round-0/3.shard")));
  CHECK_FALSE(std::filesystem::exists(fmus.scratch.file("chunks/round-1")));
  const auto manifest = read_manifest(fmus.scratch.read("chunks/round-0/0.json"));
  REQUIRE(manifest.foreign);
  CHECK(manifest.foreign->fmus.size() == 2);
  for (const auto& [sha256, hash] : manifest.foreign->fmus) {
    CHECK(hash_of_files(fmus.scratch.file("chunks/fmus/" + sha256)) == hash);
  }
}

TEST_CASE("a chunk whose FMUs are changed or gone is refused, and whoever goes on restores them") {
  const FmuSearch fmus;
  const auto alone = essence(fmus.in_chunks());
  const auto run_chunk = [&] {
    return run_program({"run-chunk", "--manifest", fmus.scratch.file("chunks/round-0/0.json"),
                        "--out", fmus.scratch.file("chunks/out.shard")});
  };
  CHECK(run_chunk().code == 0);
  const std::filesystem::path store = fmus.scratch.file("chunks/fmus");
  for (const auto& file : files_below(store)) {
    fmus.scratch.write(std::filesystem::relative(file, fmus.scratch.file(".")).string(), "x");
  }
  const auto changed = run_chunk();
  CHECK(changed.code == 1);
  CHECK(changed.err.find("are not those of the search") != std::string::npos);
  CHECK(fmus.shard("chunks/out.shard").refusal.find("/problem/subsystems/0/fmu") == 0);
  std::filesystem::remove_all(store);
  CHECK(run_chunk().err.find("cannot be used") != std::string::npos);
  std::filesystem::remove(fmus.scratch.file("chunks/round-0/0.shard"));
  CHECK(essence(fmus.in_chunks()) == alone);
  CHECK(run_chunk().code == 0);
}

TEST_CASE("a machine without a sandbox refuses chunks with FMUs, with its name") {
  if (!has_sandbox()) {
    std::printf("skipped: chunks with FMUs without a sandbox: bubblewrap does not work here\n");
    return;
  }
  const FmuSearch fmus;
  REQUIRE(fmus.in_chunks().code == 0);
  const auto outcome =
      ::Child({"-c", "PATH=/nowhere exec \"$0\" run-chunk --manifest \"$1\" --out \"$2\"",
               MACROSTEP_BINARY, fmus.scratch.file("chunks/round-0/0.json"),
               fmus.scratch.file("chunks/out.shard")},
              "", "sh")
          .wait();
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find(": FMUs run only in a sandbox, and there is none") != std::string::npos);
  CHECK(fmus.shard("chunks/out.shard").records.empty());
}

TEST_CASE("the hash of an FMU's files is of their names and contents, and of nothing else") {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.file("a/resources"));
  std::filesystem::create_directories(scratch.file("b/resources"));
  for (const std::string side : {"a", "b"}) {
    scratch.write(side + "/resources/x", "1");
  }
  const auto hash = hash_of_files(scratch.file("a"));
  CHECK(hash_of_files(scratch.file("b")) == hash);
  scratch.write("b/resources/x", "2");
  CHECK(hash_of_files(scratch.file("b")) != hash);
  std::filesystem::rename(scratch.file("a/resources/x"), scratch.file("a/resources/y"));
  CHECK(hash_of_files(scratch.file("a")) != hash);
  std::filesystem::create_symlink("/etc/passwd", scratch.file("a/resources/z"));
  CHECK_THROWS_AS(hash_of_files(scratch.file("a")), std::runtime_error);
}
