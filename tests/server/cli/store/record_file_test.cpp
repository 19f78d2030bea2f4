// CSV files of recorded tests: what is a record, and which line is wrong where it is none.
#include "server/cli/jobs/record_file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "engine/benchmarks/catalogue.hpp"
#include "server/cli/frame/command.hpp"
#include "tests/server/child_process.hpp"

namespace server = macrostep::server;
namespace engine = macrostep::engine;

namespace {

nlohmann::json job_with(const std::string& file) {
  return {{"problem", "single_actuator_crane"},
          {"tests", {{{"name", "rig"}, {"kind", "recorded"}, {"file", file}}}}};
}

nlohmann::json test_from(const std::string& text) {
  const Scratch scratch;
  auto job = job_with(scratch.write("rig.csv", text));
  server::inline_records(job);
  return job["tests"][0];
}

/// What is said against such a file: it stands at the test's "file" and names the file.
std::string mistake_in(const std::string& text) {
  const Scratch scratch;
  const std::string file = scratch.write("rig.csv", text);
  auto job = job_with(file);
  try {
    server::inline_records(job);
  } catch (const server::CommandError& error) {
    CHECK(error.exit_code() == server::exit_usage);
    REQUIRE(error.errors().size() == 1);
    CHECK(error.errors()[0].pointer == "/tests/0/file");
    REQUIRE(error.errors()[0].message.starts_with(file + " "));
    return error.errors()[0].message.substr(file.size() + 1);
  }
  return "";
}

}  // namespace

TEST_CASE("a record is two columns with or without names, by comma or semicolon") {
  const auto times = nlohmann::json::array({0.0, 0.5, 2.0});
  const auto values = nlohmann::json::array({0.0, -1.5, 3e-3});
  for (const char* text : {"0,0\n0.5,-1.5\n2,3e-3\n", "time_s,u_ref_V\n0,0\n0.5,-1.5\n2,3e-3",
                           "\"t\";\"U\"\r\n0;0\r\n0.5; -1.5\r\n\r\n2;\t3e-3\r\n\r\n"}) {
    CAPTURE(text);
    const auto test = test_from(text);
    CHECK(test["time_s"] == times);
    CHECK(test["value"] == values);
    CHECK_FALSE(test.contains("file"));
    CHECK(test["name"] == "rig");
  }
}

TEST_CASE("a line that is no point of a record is named by its number") {
  const auto not_two = [](int line, const std::string& text) {
    return "line " + std::to_string(line) +
           " must be two finite numbers, time in s and value: " + text;
  };
  // A gap: no value, no time, no second column.
  CHECK(mistake_in("t,u\n0,1\n0.1,\n0.2,1\n") == not_two(3, "0.1,"));
  CHECK(mistake_in("t,u\n0,1\n,1\n") == not_two(3, ",1"));
  CHECK(mistake_in("0,1\n0.1\n0.2,1\n") == not_two(2, "0.1"));
  // No numbers, among them what a logger writes where it has none.
  CHECK(mistake_in("t,u\n0,nan\n") == not_two(2, "0,nan"));
  CHECK(mistake_in("t,u\n0,0\n0.1,-inf\n") == not_two(3, "0.1,-inf"));
  CHECK(mistake_in("0,0\n1e999,0\n") == not_two(2, "1e999,0"));
  CHECK(mistake_in("0,0\n0.1,1.5V\n") == not_two(2, "0.1,1.5V"));
  CHECK(mistake_in("0,0\n\n0.1,x\n") == not_two(3, "0.1,x"));  // empty lines count
  // Quotes that do not close.
  CHECK(mistake_in("0,0\n\"0.1,1\n") == not_two(2, "\"0.1,1"));
  CHECK(mistake_in("0,0\n0.1,1\"\n") == not_two(2, "0.1,1\""));
  // A third column, and decimal commas.
  CHECK(mistake_in("t,u,v\n0,1,2\n") == not_two(2, "0,1,2"));
  CHECK(mistake_in("t;u\n0,5;1\n") == not_two(2, "0,5;1"));
  // Names stand in the first line alone, and are names.
  CHECK(mistake_in("from the rig\nt,u\n0,1\n") == not_two(2, "t,u"));
  CHECK(mistake_in("0,u\n0.1,1\n") == not_two(1, "0,u"));
}

TEST_CASE("time goes forward from line to line") {
  CHECK(mistake_in("t,u\n0,1\n0.2,1\n0.1,1\n") == "line 4 must be later than the line before");
  CHECK(mistake_in("0,1\n0.2,1\n0.2,2\n") == "line 3 must be later than the line before");
}

TEST_CASE("a file without points, and no file at all, say so") {
  CHECK(mistake_in("") == "holds no points");
  CHECK(mistake_in("t,u\n") == "holds no points");
  const Scratch scratch;
  auto job = job_with(scratch.file("none.csv"));
  try {
    server::inline_records(job);
    FAIL("it was read");
  } catch (const server::CommandError& error) {
    CHECK(error.errors().at(0).message.ends_with("No such file or directory"));
  }
  job = job_with("none/of/them.csv");
  try {
    server::inline_records(job);
    FAIL("it was read");
  } catch (const server::CommandError& error) {
    CHECK(error.errors().at(0).message.find(
              "looked up in " + std::filesystem::current_path().string()) != std::string::npos);
  }
}

TEST_CASE("what is no readable file says why, as a job does") {
  const Scratch scratch;
  auto job = job_with(scratch.file(""));
  try {
    server::inline_records(job);
    FAIL("a directory was read");
  } catch (const server::CommandError& error) {
    CHECK(error.errors().at(0).message.ends_with("cannot be read: Is a directory"));
  }
}

TEST_CASE("a pipe is no record, and nobody waits for it") {
  const Scratch scratch;
  REQUIRE(mkfifo(scratch.file("pipe").c_str(), 0600) == 0);
  auto job = job_with(scratch.file("pipe"));
  try {
    server::inline_records(job);
    FAIL("a pipe was read");
  } catch (const server::CommandError& error) {
    CHECK(error.errors().at(0).message.ends_with("is no regular file"));
  }
}

TEST_CASE("lines and files have limits, so that no file can fill the memory") {
  CHECK(mistake_in("0,0\n" + std::string(4097, ' ') + "\n1,1\n") ==
        "line 2 is longer than 4096 bytes");
  CHECK(mistake_in("0,0\n" + std::string(4093, ' ') + "1,1\n2,2\n") == "");  // 4096 bytes
  std::string blank = "0,0\n";
  const std::string line = std::string(4095, ' ') + "\n";
  while (blank.size() <= (std::size_t{64} << 20)) {
    blank += line;
  }
  CHECK(mistake_in(blank) == "line 16385 lies beyond 67108864 bytes, the limit of a file");
  auto job = job_with("/dev/zero");
  CHECK_THROWS_AS(server::inline_records(job), server::CommandError);
}

TEST_CASE("a file of points stands in the place of points, not beside them") {
  for (const char* member : {"time_s", "value"}) {
    auto job = job_with("rig.csv");
    job["tests"][0][member] = {0, 1};
    try {
      server::inline_records(job);
      FAIL("both were taken");
    } catch (const server::CommandError& error) {
      CHECK(error.errors().at(0).pointer == "/tests/0/file");
      CHECK(error.errors().at(0).message.find("not both") != std::string::npos);
    }
  }
}

TEST_CASE("one point is a record only for a given duration") {
  CHECK(mistake_in("t,u\n0,1\n").starts_with("holds one point"));
  const Scratch scratch;
  auto job = job_with(scratch.write("rig.csv", "t,u\n0,1\n"));
  job["tests"][0]["duration_s"] = 1;
  server::inline_records(job);
  CHECK(job["tests"][0]["value"] == nlohmann::json::array({1.0}));
}

TEST_CASE("a byte order mark is no part of a record") {
  for (const char* text : {"\xEF\xBB\xBF"
                           "0,1\n1,2\n",
                           "\xEF\xBB\xBFt,u\n0,1\n1,2\n"}) {
    CHECK(test_from(text)["time_s"] == nlohmann::json::array({0.0, 1.0}));
  }
  CHECK(mistake_in("0,1\n\xEF\xBB\xBF"
                   "1,2\n")
            .starts_with("line 2 must be two"));
}

TEST_CASE("the command line says which line of which file is wrong, and exits with 2") {
  const Scratch scratch;
  const auto file = scratch.write("rig.csv", "t,u\n0,1\n0.1,\n");
  const auto job = scratch.write("job.json", job_with(file).dump());
  const Outcome outcome =
      run_program({"run", job, "--macro-step", "0.001", "--extrapolation", "1", "--test", "rig"});
  CHECK(outcome.code == 2);
  CHECK(outcome.err.find("line 3 must be two finite numbers") != std::string::npos);
}

TEST_CASE("joystick.csv, the example of the format, is the cranes' joystick") {
  auto job = job_with(std::string(MACROSTEP_SOURCE_DIR) + "/models/crane/joystick.csv");
  server::inline_records(job);
  for (const char* crane : {"single_actuator_crane", "double_actuator_crane"}) {
    const auto& others = engine::find_built_in(crane)->other_tests;
    REQUIRE(others.size() == 1);
    REQUIRE(others[0].name == "joystick");
    CHECK(job["tests"][0]["time_s"] == nlohmann::json(others[0].record->time_s));
    CHECK(job["tests"][0]["value"] == nlohmann::json(others[0].record->value));
  }
}

TEST_CASE("each of several levers has a file of its own") {
  const Scratch scratch;
  auto job = job_with("");
  auto& test = job["tests"][0];
  test.erase("file");
  test["records"]["hydraulics.u_ref"]["file"] = scratch.write("a.csv", "0,0\n1,2\n");
  test["records"]["mechanics.f"]["file"] = scratch.write("b.csv", "0,5\n2,x\n");
  try {
    server::inline_records(job);
    FAIL("the second file has a mistake");
  } catch (const server::CommandError& error) {
    CHECK(error.errors().at(0).pointer == "/tests/0/records/mechanics.f/file");
  }
  CHECK(test["records"]["hydraulics.u_ref"]["value"] == nlohmann::json::array({0.0, 2.0}));
}
