// macrostep fmu inspect: what it shows of an FMU, and what it refuses.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/server/child_process.hpp"

namespace {

std::string test_fmu(const std::string& name) {
  return std::string(MACROSTEP_TEST_FMUS) + "/" + name + ".fmu";
}

bool shows(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  CHECK_MESSAGE(found, "\"" << part << "\" in \"" << text << "\"");
  return found;
}

}  // namespace

TEST_CASE("fmu inspect shows ports, units, parameters and flags") {
  const Outcome shown = run_program({"fmu", "inspect", test_fmu("mass2")});
  CHECK(shown.code == 0);
  CHECK(shown.err.empty());
  shows(shown.out, "mass (FMI 2.0");
  shows(shown.out, "state access");
  shows(shown.out, "input derivatives");
  shows(shown.out, "integrators: fmu");
  shows(shown.out, "N s/m");
  shows(shown.out, "f, w");  // what the acceleration follows at once
  const Outcome other = run_program({"fmu", "inspect", test_fmu("mass_other_name3")});
  shows(other.out, "note: the library is binaries/x86_64-linux/anything.so");
  shows(run_program({"fmu", "inspect", test_fmu("mass_plain3")}).out, "model exchange  none here");
}

TEST_CASE("fmu inspect --json has all of it, alone on stdout") {
  const Outcome shown = run_program({"fmu", "inspect", test_fmu("ball3"), "--json"});
  CHECK(shown.code == 0);
  CHECK(shown.err.empty());
  const auto fmu = nlohmann::json::parse(shown.out);
  CHECK(fmu.at("sha256").get<std::string>().size() == 64);
  CHECK(fmu.at("fmi_version") == "3.0");
  CHECK(fmu.at("event_indicators") == 1);
  CHECK(fmu.at("continuous_states") == 2);
  CHECK(fmu.at("interfaces").at("co_simulation").at("has_event_mode") == true);
  CHECK(fmu.at("outputs")[0].at("connectable") == true);
  CHECK(fmu.at("notes").empty());
}

TEST_CASE("fmu inspect refuses what an upload refuses, and writes nothing") {
  const Scratch scratch;
  const std::string file = scratch.write("a.fmu", "no archive");
  const Outcome refused = run_program({"fmu", "inspect", file, "--json"});
  CHECK(refused.code == 1);
  shows(refused.err, "the file is not a zip archive");
  CHECK(nlohmann::json::parse(refused.out).at("status") == 500);
  CHECK(run_program({"fmu", "inspect", scratch.file("nothing")}).code == 1);
  CHECK(run_program({"fmu", "inspect"}).code == 2);
  const Outcome unknown = run_program({"fmu", "inspct"});
  CHECK(unknown.code == 2);
  shows(unknown.err, "did you mean \"inspect\"?");
  shows(run_program({"fmu", "inspect", "--nonsense"}).err, "macrostep fmu inspect has no option");
  CHECK(scratch.names() == std::vector<std::string>{"a.fmu"});
}
