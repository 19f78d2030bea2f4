// macrostep job: a job to begin with, whose members say what they are.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "engine/benchmarks/catalogue.hpp"
#include "tests/server/child_process.hpp"
#include "tests/server/two_cells.hpp"

using namespace macrostep::tests;

namespace {

nlohmann::json planned(const std::string& job) {
  const Outcome done = run_program({"search", job, "--dry-run", "--json"});
  REQUIRE_MESSAGE(done.code == 0, done.err);
  return nlohmann::json::parse(done.out).at("job");
}

}  // namespace

TEST_CASE("a commented job asks for what its problem alone asks for") {
  const Scratch scratch;
  std::vector<std::string> problems;
  for (const auto& built_in : macrostep::engine::catalogue()) {
    problems.push_back(built_in.name);
  }
  problems.push_back(scratch.write("own.json", two_cells));
  for (const auto& problem : problems) {
    CAPTURE(problem);
    for (const bool all : {false, true}) {
      const Outcome written =
          all ? run_program({"job", problem, "--all"}) : run_program({"job", problem});
      REQUIRE_MESSAGE(written.code == 0, written.err);
      CHECK(written.out.find("  // Wanted, as NRMSE: 0.05 is 5 %") != std::string::npos);
      CHECK(planned(scratch.write("job.json", written.out)) == planned(problem));
    }
  }
}

TEST_CASE("what a search finds itself is left open in a commented job") {
  const Scratch scratch;
  auto job = nlohmann::json::parse(two_cells);
  job["search"] = {{"macro_step", {{"maximum_s", 0.5}}}};
  const Outcome written = run_program({"job", scratch.write("own.json", job.dump())});
  REQUIRE_MESSAGE(written.code == 0, written.err);
  const auto read = nlohmann::json::parse(written.out, nullptr, true, true);
  CHECK(read.at("scales") == "auto");
  CHECK(read.at("search").at("macro_step").at("initial_s") == "auto");
  CHECK(read.at("search").at("macro_step").at("maximum_s") == 0.5);
  CHECK(read.at("tests")[2].at("duration_s") == "auto");
  CHECK(read.at("problem").at("subsystems")[0].at("state_space").at("A") == "-1");
}

TEST_CASE("FMUs become a job: ports that are called alike are connected, bonds proposed") {
  const std::string folder = MACROSTEP_TEST_FMUS;
  const Outcome written = run_program({"job", folder + "/spring_mass2.fmu", folder + "/mass2.fmu"});
  REQUIRE_MESSAGE(written.code == 0, written.err);
  const auto problem = nlohmann::json::parse(written.out, nullptr, true, true).at("problem");
  CHECK(problem.at("subsystems")[0].at("name") == "spring_mass2");
  const auto& connections = problem.at("connections");
  REQUIRE(connections.size() == 3);
  CHECK(connections[0].at("from") == "mass2.x");
  CHECK(connections[0].at("to") == "spring_mass2.x_in");
  CHECK(problem.at("power_bonds").size() == 1);
  CHECK(written.err.find("connections are proposed between ports that are called alike") !=
        std::string::npos);
  const Outcome mixed = run_program({"job", folder + "/mass2.fmu", "double_actuator_crane"});
  CHECK(mixed.code == 2);
  CHECK(mixed.err.find("several files must all be FMUs") != std::string::npos);
  const Outcome missing = run_program({"job", "/nowhere/a.fmu", "/nowhere/b.fmu"});
  CHECK(missing.code == 2);
  CHECK(missing.err.find("/nowhere/a.fmu") != std::string::npos);
}

TEST_CASE("comments stand in files, and not in what is sent") {
  const Scratch scratch;
  const auto job = scratch.write(
      "job.json", "// mine\n{/* which */ \"problem\": \"linear_oscillator\"}\n// end\n");
  CHECK(run_program({"search", job, "--dry-run"}).code == 0);
  const Outcome open = run_program({"search", scratch.write("open.json", "{/* "), "--dry-run"});
  CHECK(open.code == 2);
  CHECK(open.err.find("missing closing '*/'") != std::string::npos);
}
