// macrostep fmu export: what it writes, and what it refuses.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/server/child_process.hpp"

namespace {

Outcome export_to(const std::string& file, std::vector<std::string> more) {
  more.insert(more.begin(), {"fmu", "export"});
  more.insert(more.end(), {"--out", file});
  return run_program(more);
}

bool contains_text(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  CHECK_MESSAGE(found, "\"" << part << "\" in \"" << text << "\"");
  return found;
}

}  // namespace

TEST_CASE("fmu export writes an FMU that fmu inspect reads") {
  const Scratch scratch;
  const std::string file = scratch.file("h.fmu");
  const Outcome written =
      export_to(file, {"double_actuator_crane", "hydraulics_1", "--fmi", "3", "--integrator",
                       "trapezoidal", "--micro-step", "2e-4", "--set", "hydraulics.c=2e5"});
  CHECK(written.code == 0);
  CHECK(written.err.empty());
  CHECK(written.out == file +
                           ": double_actuator_crane.hydraulics_1, FMI 3.0, co-simulation by "
                           "trapezoidal and model exchange\n");
  const Outcome shown = run_program({"fmu", "inspect", file, "--json"});
  REQUIRE(shown.code == 0);
  const auto fmu = nlohmann::json::parse(shown.out);
  CHECK(fmu.at("fmi_version") == "3.0");
  CHECK(fmu.at("continuous_states") == 4);
  CHECK(fmu.at("notes").empty());
}

TEST_CASE("fmu export names every mistake by its option, and writes nothing then") {
  const Scratch scratch;
  const std::string file = scratch.file("x.fmu");
  Outcome refused = export_to(file, {"double_actuator_crane", "hydraulics", "--fmi", "2"});
  CHECK(refused.code == 2);
  contains_text(refused.err,
                "SUBSYSTEM: there is no subsystem 'hydraulics'; available: mechanics, ");
  refused = export_to(file, {"linear_oscillator", "m1", "--fmi", "2", "--coupling", "ropes"});
  CHECK(refused.code == 2);
  contains_text(refused.err, "--coupling: ");
  refused = export_to(file, {"linear_oscillator", "m1", "--fmi", "2", "--integrator", "leapfrog"});
  CHECK(refused.code == 2);
  contains_text(refused.err, "--integrator: ");
  refused = export_to(file, {"linear_oscillator", "m1", "--fmi", "2", "--set", "m1.m=-3"});
  CHECK(refused.code == 2);
  contains_text(refused.err, "--set m1.m: ");
  refused = export_to(file, {"linear_oscillator", "m1", "--fmi", "1"});
  CHECK(refused.code == 2);
  contains_text(refused.err, "--fmi");
  refused = export_to(file, {"m1", "linear_oscillator", "--fmi", "2.0"});
  CHECK(refused.code == 2);
  contains_text(refused.err, "PROBLEM comes before SUBSYSTEM");
  refused = export_to(file, {"linear_oscillator", "m1", "--fmi", "2", "--micro-step", "0"});
  CHECK(refused.code == 2);
  contains_text(refused.err, "--micro-step: ");
  CHECK(scratch.names().empty());
  refused = export_to(scratch.file("no/where.fmu"), {"pipe_volume", "left", "--fmi", "2"});
  CHECK(refused.code == 1);
  contains_text(refused.err, "cannot write ");
}
