// What commands are told to write never takes the place of a database, or of what they read.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "tests/server/child_process.hpp"

namespace {

/// Begins as SQLite's files do.
const std::string database("SQLite format 3\0 and pages", 25);
const std::vector<std::string> a_run{"run",  "linear_oscillator", "--macro-step",
                                     "0.01", "--extrapolation",   "1"};
const std::string map_job = R"({"kind": "map", "problem": "stiff_oscillator",
  "search": {"couplings": ["force_displacement"], "extrapolation": ["0"]},
  "map": {"x": {"parameter": "coupling.c_k", "minimum": 1, "maximum": 1e6, "count": 2},
          "y": {"parameter": "coupling.d_k", "minimum": 1, "maximum": 1e6, "count": 2},
          "macro_steps_s": [1e-3]}})";

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

void check_refused(const Outcome& outcome, const std::string& why, int code = 2) {
  CHECK_MESSAGE(outcome.code == code, outcome.out << outcome.err);
  CHECK_MESSAGE(outcome.err.find(why) != std::string::npos, outcome.err);
}

}  // namespace

TEST_CASE("no output takes the place of a database, or of another file of another content") {
  const Scratch scratch;
  const auto crane = scratch.write("crane.db", database);
  const auto map = scratch.write("map.json", map_job);
  const std::vector<std::vector<std::string>> commands{
      with(a_run, {"--csv", crane}),
      {"reference", "linear_oscillator", "--interval", "0.1", "--csv", crane},
      {"analyse", "linear_oscillator", "--extrapolation", "0", "--nyquist", crane},
      {"tune", "linear_oscillator", "--macro-step", "0.001", "--extrapolation", "0", "--svg",
       crane},
      {"map", map, "--csv", crane},
      {"map", map, "--svg", crane},
      {"fmu", "export", "single_actuator_crane", "hydraulics", "--fmi", "2", "--out", crane},
      {"run-chunk", "--manifest", map, "--out", crane},
  };
  for (const auto& command : commands) {
    check_refused(run_program(command), "cannot write " + crane + ": it is a database", 1);
  }
  check_refused(run_program(with(a_run, {"--csv", scratch.write("a.fmu", {'P', 'K', '\0'})})),
                "--csv: cannot write " + scratch.file("a.fmu") + ": it is there and holds no text",
                1);
  check_refused(run_program({"fmu", "export", "single_actuator_crane", "hydraulics", "--fmi", "2",
                             "--out", map}),
                "--out: cannot write " + map + ": it is there and is no zip archive", 1);
  CHECK(scratch.read("crane.db") == database);
  CHECK(scratch.read("map.json") == map_job);
  CHECK(scratch.names().size() == 3);  // and nothing beside them
}

TEST_CASE("an export does not take the place of the database that it reads") {
  const Scratch scratch;
  const auto file = scratch.file("a.db");
  const Outcome stored =
      run_program({"search", "linear_oscillator", "--db", file, "--no-reference"});
  REQUIRE_MESSAGE(stored.code == 0, stored.err);
  const auto before = scratch.read("a.db");
  for (const auto* format : {"json", "csv", "ssp"}) {
    const Outcome outcome =
        run_program({"export", "any", "--db", file, "--format", format, "--out", file});
    check_refused(outcome, "--out: cannot write " + file + ": it is a database", 1);
  }
  CHECK(scratch.read("a.db") == before);
}

TEST_CASE(
    "no output takes the place of a database that the command makes, or of what belongs to it") {
  const Scratch scratch;
  const auto db = scratch.file("new.db");
  const std::vector<std::string> tune{
      "tune", "linear_oscillator", "--macro-step", "0.001", "--extrapolation", "0", "--db", db};
  check_refused(run_program(with(tune, {"--csv", scratch.file("./new.db")})), "it is the database");
  check_refused(run_program(with(tune, {"--svg", db + "-wal"})), "it is a file of the database");
  check_refused(run_program({"map", scratch.write("map.json", map_job), "--db", db, "--svg", db}),
                "it is the database");
  CHECK(scratch.names().size() == 1);

  scratch.write("a.db", database);
  for (const char* name : {"a.db-wal", "a.db-shm", "a.db-journal", "a.db-lock", "a.db-fmus"}) {
    check_refused(run_program(with(a_run, {"--csv", scratch.file(name)})),
                  "it belongs to the database " + scratch.file("a.db"), 1);
  }
  std::filesystem::create_directory(scratch.file("a.db-fmus"));
  check_refused(run_program(with(a_run, {"--csv", scratch.file("a.db-fmus/x.csv")})),
                "it belongs to the database", 1);
}

TEST_CASE("what replaces a file may be read and written by those who could before") {
  const Scratch scratch;
  const auto file = scratch.write("private.csv", "");
  std::filesystem::permissions(
      file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  REQUIRE(run_program(with(a_run, {"--csv", file})).code == 0);
  CHECK(std::filesystem::status(file).permissions() ==
        (std::filesystem::perms::owner_read | std::filesystem::perms::owner_write));
  CHECK(scratch.read("private.csv").starts_with("t,"));
}

TEST_CASE("no output takes the place of a file that the command reads") {
  const Scratch scratch;
  const auto record = scratch.write("record.csv", "0,0\n1,1\n");
  const std::string job =
      R"({"problem": "linear_oscillator", "tests": [{"name": "r", "kind": "recorded", "file": ")" +
      record + R"("}]})";
  const auto file = scratch.write("job.json", job);
  std::filesystem::create_symlink(file, scratch.file("link.csv"));
  const std::vector<std::string> run{
      "run", file, "--macro-step", "0.01", "--extrapolation", "1", "--no-reference"};
  for (const auto& name : {file, scratch.file("./job.json"), scratch.file("link.csv")}) {
    check_refused(run_program(with(run, {"--csv", name})),
                  "--csv: cannot write " + name + ": it is the job");
  }
  check_refused(run_program(with(run, {"--csv", record})),
                "--csv: cannot write " + record + ": it is a record of the job");
  check_refused(run_program({"tune", "linear_oscillator", "--macro-step", "0.001",
                             "--extrapolation", "0", "--also", file, "--csv", file}),
                "--csv: cannot write " + file + ": it is the job");
  check_refused(run_program({"run-chunk", "--manifest", file, "--out", file}),
                "--out: cannot write " + file + ": it is the manifest");
  CHECK(scratch.read("job.json") == job);
  CHECK(scratch.read("record.csv") == "0,0\n1,1\n");
}

TEST_CASE("what is open already goes on where it is, and has one output") {
  const Scratch scratch;
  const Outcome dash = run_program(with(a_run, {"--csv", "-"}));
  REQUIRE(dash.code == 0);
  std::filesystem::create_symlink("/dev/stdout", scratch.file("link"));
  for (const auto& name :
       std::vector<std::string>{"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev//stdout",
                                "/proc/thread-self/fd/1", scratch.file("link")}) {
    const Outcome outcome = run_program(with(a_run, {"--csv", name}));
    CHECK_MESSAGE(outcome.code == 0, outcome.err);
    CHECK(outcome.out == dash.out);  // the summary is on stderr
    check_refused(run_program(with(a_run, {"--json", "--csv", name})),
                  "--csv " + name + ": must be a file where --json has the standard");
  }
  const Outcome both = run_program(with(a_run, {"--csv", "/dev/stderr"}));
  CHECK(both.err.starts_with("t,"));
  CHECK(both.out.find("residual") != std::string::npos);
}

TEST_CASE("an output that cannot be made is refused before the work") {
  const Scratch scratch;
  std::filesystem::create_symlink(scratch.file("none/a.csv"), scratch.file("link.csv"));
  check_refused(run_program(with(a_run, {"--csv", scratch.file("link.csv")})),
                ": there is no folder " + scratch.file("none"), 1);
  check_refused(run_program(with(a_run, {"--csv", scratch.file(std::string(250, 'a'))})),
                "bytes too long", 1);
}

TEST_CASE("two outputs of one command are two files") {
  const Scratch scratch;
  const auto file = scratch.file("a.svg");
  check_refused(run_program({"map", "-", "--csv", file, "--svg", scratch.file("./a.svg")}, map_job),
                "--svg: cannot write " + scratch.file("./a.svg") + ": it is the file of --csv");
  check_refused(run_program({"map", "-", "--csv", "-", "--svg", "-"}, map_job),
                "--svg -: must be a file where --csv has the standard output");
  check_refused(run_program({"map", "-", "--csv", "-", "--json"}, map_job),
                "--csv -: must be a file where --json has the standard output");
  check_refused(run_program({"map", "-", "--csv", scratch.file("none/a.csv")}, map_job),
                "there is no folder " + scratch.file("none"), 1);
  CHECK(scratch.names().empty());
}

TEST_CASE("an FMU is written through a link, or to the standard output, and replaces one before") {
  const Scratch scratch;
  const std::vector<std::string> command{
      "fmu", "export", "single_actuator_crane", "hydraulics", "--fmi", "2", "--out"};
  const Outcome piped = run_program(with(command, {"-"}));
  REQUIRE(piped.code == 0);
  CHECK(piped.out.starts_with("PK"));
  CHECK(piped.err.find("FMI 2.0") != std::string::npos);
  const auto target = scratch.write("target.fmu", "");
  std::filesystem::create_symlink(target, scratch.file("link.fmu"));
  for (const auto& name : {target, target, scratch.file("link.fmu")}) {
    CHECK(run_program(with(command, {name})).code == 0);
    CHECK(scratch.read("target.fmu") == piped.out);
  }
  CHECK(std::filesystem::is_symlink(scratch.file("link.fmu")));
}
