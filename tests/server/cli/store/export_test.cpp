// macrostep export: what a stored search has found, as other tools read it.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "tests/server/child_process.hpp"
#include "tests/server/cli/store/osp_master.hpp"
#include "tests/server/test_fmus.hpp"

namespace {

bool finds(const std::string& text, const std::string& part) {
  const bool found = text.find(part) != std::string::npos;
  CHECK_MESSAGE(found, "\"" << part << "\" in \"" << text << "\"");
  return found;
}

/// One configuration, one test, a short scan: which H is recommended does not matter.
const std::string exported_crane =
    R"({"problem": "single_actuator_crane", "name": "Träger */ 1 \u202e",
  "parameters": {"hydraulics.c": 2e5}, "substeps": {"hydraulics": 2},
  "search": {"extrapolation": ["2"],
             "integrators": {"mechanics": ["i3al"], "hydraulics": ["forward_euler"]},
             "macro_step": {"maximum_s": 0.002}},
  "tests": [{"name": "step", "kind": "step", "duration_s": 0.2}]})";

/// A database with one search, and its id.
struct StoredSearch {
  explicit StoredSearch(const std::string& job) {
    const Outcome done = run_program({"search", "-", "--db", db, "--json", "--no-reference"}, job);
    REQUIRE_MESSAGE(done.code == 0, done.err);
    result = nlohmann::json::parse(done.out);
    id = result.at("id");
  }

  Outcome export_as(const std::string& format, std::vector<std::string> more = {}) const {
    std::vector<std::string> arguments{"export", id, "--db", db, "--format", format};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

  Scratch scratch;
  std::string db = scratch.file("a.db");
  std::string id;
  nlohmann::json result;
};

/// All digits.
std::string number_text(double value) {
  return nlohmann::json(value).dump();
}

/// The last values of a CSV, by column.
std::map<std::string, double> last_row(const std::string& path) {
  std::ifstream file(path);
  std::string header, line, last;
  REQUIRE(std::getline(file, header));
  while (std::getline(file, line)) {
    last = line;
  }
  std::map<std::string, double> row;
  std::istringstream names(header), values(last);
  for (std::string name, value;
       std::getline(names, name, ',') && std::getline(values, value, ',');) {
    row[name] = std::strtod(value.c_str(), nullptr);
  }
  return row;
}

/// A mass with the coupling spring, and another one, from these FMUs; order 0 alone.
nlohmann::json two_fmus(const std::string& first, const std::string& second) {
  return {{"problem",
           {{"subsystems",
             {{{"name", "m1"},
               {"fmu", first},
               {"parameters",
                {{"m", 2}, {"k", 300}, {"c", 4}, {"k_c", 100}, {"x0", 0.1}, {"micro_step", 1e-4}}}},
              {{"name", "m2"},
               {"fmu", second},
               {"parameters", {{"m", 1.5}, {"k", 50}, {"c", 1}, {"micro_step", 1e-4}}}}}},
            {"connections",
             {{{"from", "m2.x"}, {"to", "m1.x_in"}},
              {{"from", "m2.v"}, {"to", "m1.v_in"}},
              {{"from", "m1.f"}, {"to", "m2.f"}}}},
            {"power_bonds", {{{"effort", "m1.f"}, {"flow", "m2.v"}}}}}},
          {"tests", {{{"name", "free"}, {"kind", "none"}, {"duration_s", 1}}}},
          {"search",
           {{"extrapolation", {"0"}},
            {"macro_step", {{"initial_s", 1e-3}, {"increment_s", 1e-3}, {"maximum_s", 0.05}}}}}};
}

void compiles(const Scratch& scratch, const std::string& c) {
  const std::string file = scratch.write("rig.c", c);
  const Outcome compiled =
      Child({"-std=c99", "-fsyntax-only", "-Wall", "-Wno-unused", "-Werror", file}, "",
            MACROSTEP_C_COMPILER)
          .wait();
  CHECK_MESSAGE(compiled.code == 0, compiled.err);
}

/// two_fmus() of FMI 2.0, copied into the folder of a scratch as m1.fmu and m2.fmu.
nlohmann::json two_fmus_in(const Scratch& scratch) {
  std::filesystem::copy_file(macrostep::tests::fmu_file("spring_mass2"), scratch.file("m1.fmu"));
  std::filesystem::copy_file(macrostep::tests::fmu_file("mass2"), scratch.file("m2.fmu"));
  return two_fmus(scratch.file("m1.fmu"), scratch.file("m2.fmu"));
}

/// An answer that is quick to find and not verified.
nlohmann::json answered_soon(nlohmann::json job) {
  job["search"]["stability_check"] = "none";
  job["search"]["macro_step"] = {{"initial_s", 2e-3}, {"increment_s", 2e-3}, {"maximum_s", 0.02}};
  return job;
}

}  // namespace

TEST_CASE("a stored search is exported as JSON and CSV") {
  const StoredSearch stored(exported_crane);
  const Outcome whole = stored.export_as("json");
  CHECK(whole.code == 0);
  CHECK(nlohmann::json::parse(whole.out).at("recommendation") ==
        stored.result.at("recommendation"));
  CHECK(nlohmann::json::parse(whole.out).at("curves") == stored.result.at("curves"));
  const Outcome trials = stored.export_as("csv");
  CHECK(trials.code == 0);
  finds(trials.out, "trial_id,");
}

TEST_CASE("the recommended configuration becomes an SSP archive that runs as a job") {
  const StoredSearch stored(exported_crane);
  const std::string file = stored.scratch.file("rig.ssp");
  const Outcome written = stored.export_as("ssp", {"--out", file});
  REQUIRE_MESSAGE(written.code == 0, written.err);
  // As a job of FMUs: the same components, connections and bonds.
  const Outcome job = run_program({"fmu", "job", file});
  REQUIRE_MESSAGE(job.code == 0, job.err);
  const auto problem = nlohmann::json::parse(job.out).at("problem");
  CHECK(problem.at("subsystems").size() == 2);
  CHECK(problem.at("connections").size() == 3);
  CHECK(problem.at("power_bonds").size() == 1);
  CHECK(problem.at("external_inputs").size() == 1);
}

TEST_CASE("an SSP archive read back is the problem that was searched") {
  const StoredSearch stored(exported_crane);
  const std::string file = stored.scratch.file("rig.ssp");
  REQUIRE(stored.export_as("ssp", {"--out", file}).code == 0);
  const auto residual_of = [](const std::string& job, const std::string& input) {
    const Outcome done =
        run_program({"run", job, "--macro-step", "0.001", "--extrapolation", "2", "--test", "step",
                     "--no-reference", "--json", "--fmu-sandbox", "none"},
                    input);
    REQUIRE_MESSAGE(done.code == 0, done.err);
    return nlohmann::json::parse(done.out).at("residual_J").get<double>();
  };
  const double native = residual_of("-", exported_crane);
  CHECK(native > 0);
  CHECK(residual_of(file, "") == doctest::Approx(native).epsilon(1e-9));
  const Outcome job = run_program({"fmu", "job", file});
  finds(job.err, "its search space is the configuration that was exported");
  CHECK(nlohmann::json::parse(job.out).at("search").at("extrapolation").size() == 1);
}

TEST_CASE("what masters of OSP systems cannot run is refused, with what they can") {
  const StoredSearch stored(exported_crane);
  const Outcome refused = stored.export_as("osp");
  CHECK(refused.code == 2);
  CHECK(refused.out.empty());
  finds(refused.err, "cannot run extrapolation 2 and 2 substeps of hydraulics");
  finds(refused.err, "this search has no configuration that they can run");
  const Outcome ssp = stored.export_as("ssp", {"--out", stored.scratch.file("rig.ssp")});
  CHECK(ssp.code == 0);
  finds(ssp.err, "note: other masters than macrostep hold inputs");

  // With hold beside it, that is named.
  auto both = nlohmann::json::parse(exported_crane);
  both.erase("substeps");
  both["search"]["extrapolation"] = {"0", "2"};
  const StoredSearch beside(both.dump());
  REQUIRE(beside.result.at("recommendation").at("extrapolation") == "2");
  const Outcome named = beside.export_as("osp");
  CHECK(named.code == 2);
  finds(named.err, "of this search they can run (extrapolation 0, ");
}

TEST_CASE("the recommended configuration becomes an OSP system that masters of it run") {
  auto held = nlohmann::json::parse(exported_crane);
  held.erase("substeps");
  held["search"]["extrapolation"] = {"0"};
  const StoredSearch stored(held.dump());
  const double macro_step_s = stored.result.at("recommendation").at("macro_step_s");
  const Outcome osp = stored.export_as("osp");
  REQUIRE_MESSAGE(osp.code == 0, osp.err);
  finds(osp.out, "<OspSystemStructure ");
  const auto number_after = [&](const std::string& text) {
    const auto at = osp.out.find(text);
    REQUIRE(at != std::string::npos);
    return std::strtod(osp.out.c_str() + at + text.size(), nullptr);
  };
  CHECK(number_after("<BaseStepSize>") == macro_step_s);
  CHECK(number_after("source=\"hydraulics.fmu\" stepSize=\"") == macro_step_s);
  finds(osp.out, "powerBond=\"bond_1\"");
  // A bond has two connections, each from an output to an input.
  finds(osp.out, "name=\"f\" causality=\"output\"");
  finds(osp.out, "name=\"f\" causality=\"input\"");
  finds(osp.out, "name=\"s_dot\" causality=\"output\"");
  finds(osp.out, "integrators.mechanics = i3al");
  finds(osp.out, "connection.mechanics.f.extrapolate = false");
}

TEST_CASE("an exported OSP system runs in another master as it was recommended") {
  const Scratch scratch;
  const auto job = two_fmus_in(scratch);
  const StoredSearch stored(job.dump());
  const double macro_step_s = stored.result.at("recommendation").at("macro_step_s");
  const Outcome osp = stored.export_as("osp", {"--out", scratch.file("OspSystemStructure.xml")});
  REQUIRE_MESSAGE(osp.code == 0, osp.err);

  constexpr int steps = 40;
  const auto there = macrostep::tests::run_osp_system(
      std::filesystem::path(scratch.file("m1.fmu")).parent_path(), steps);
  CHECK(there.step_s == macro_step_s);
  const auto& bond = there.bonds.at("bond_1");
  REQUIRE(bond.size() == 4);
  for (const auto& [variable, causality] : bond) {
    const bool is_output = variable == "m1.f" || variable == "m2.v";
    CHECK(causality == (is_output ? "output" : "input"));
  }

  const std::string csv = scratch.file("run.csv");
  const Outcome here =
      run_program({"run", "-", "--extrapolation", "0", "--macro-step", number_text(macro_step_s),
                   "--until", number_text(steps * macro_step_s), "--no-reference", "--csv", csv},
                  job.dump());
  REQUIRE_MESSAGE(here.code == 0, here.err);
  const auto last = last_row(csv);
  REQUIRE(last.at("t") == doctest::Approx(steps * macro_step_s));
  double moved = 0;
  for (const auto& [output, value] : there.outputs) {
    CAPTURE(output);
    CHECK(value == doctest::Approx(last.at(output)).epsilon(1e-12));
    moved += std::abs(value);
  }
  CHECK(moved > 1e-3);
}

TEST_CASE("the recommended configuration becomes constants in C that compile") {
  const StoredSearch stored(exported_crane);
  const Outcome c = stored.export_as("c");
  REQUIRE_MESSAGE(c.code == 0, c.err);
  // The name neither ends the comment nor turns it around; the comment has lines of its own.
  const std::string head = c.out.substr(0, c.out.find(" */\n\n"));
  CHECK(head.starts_with("/* \"Träger * / 1 \\u202e\": search " + stored.id + " of macrostep "));
  CHECK(head.find("*/") == std::string::npos);
  finds(head, "\n   integrators.mechanics = i3al\n");
  const std::string sentence = stored.result.at("recommendation").at("sentence");
  finds(head, ".\n   " + sentence.substr(0, 20));
  finds(c.out, "enum { extrapolation_order = 2 };");
  // u_n + θ (3 u_n − 4 u_(n−1) + u_(n−2))/2 + θ² (u_n − 2 u_(n−1) + u_(n−2))/2
  finds(c.out, "{1, 0, 0},\n    {1.5, -2, 0.5},\n    {0.5, -1, 0.5}};");
  finds(c.out, "static const int hydraulics_substeps = 2;");
  finds(c.out, "static const char* const mechanics_integrator = \"i3al\";");
  finds(c.out, "static const double hydraulics_micro_step_s = ");
  compiles(stored.scratch, c.out);
}

TEST_CASE("names that are no identifiers become some in C, each another one") {
  auto job = answered_soon(two_fmus(macrostep::tests::fmu_file("spring_mass2"),
                                    macrostep::tests::fmu_file("mass2")))
                 .dump();
  const auto rename = [&](const std::string& from, const std::string& to) {
    for (auto at = job.find(from); at != std::string::npos; at = job.find(from, at + to.size())) {
      job.replace(at, from.size(), to);
    }
  };
  rename("\"m1.", "\"1 é.");
  rename("\"m1\"", "\"1 é\"");
  rename("\"m2.", "\"1__é.");
  rename("\"m2\"", "\"1__é\"");
  const StoredSearch stored(job);
  const Outcome c = stored.export_as("c");
  REQUIRE_MESSAGE(c.code == 0, c.err);
  compiles(stored.scratch, c.out);
}

TEST_CASE("masters of OSP systems run no FMU of FMI 3.0") {
  const auto job = answered_soon(
      two_fmus(macrostep::tests::fmu_file("spring_mass2"), macrostep::tests::fmu_file("mass3")));
  const Outcome refused = StoredSearch(job.dump()).export_as("osp");
  CHECK(refused.code == 2);
  finds(refused.err, "cannot run m2, of FMI 3.0");
}

TEST_CASE("an external input begins in an OSP system with its initial value, read back, too") {
  const Scratch scratch;
  auto job = answered_soon(two_fmus_in(scratch));
  auto& problem = job["problem"];
  problem["connections"].erase(problem["connections"].begin());  // of m1.x_in
  problem["external_inputs"] = {
      {{"to", "m1.x_in"}, {"initial", 0.25}, {"minimum", -1}, {"maximum", 1}}};
  const StoredSearch stored(job.dump());
  const std::string file = scratch.file("OspSystemStructure.xml");
  const Outcome osp = stored.export_as("osp", {"--out", file});
  REQUIRE_MESSAGE(osp.code == 0, osp.err);
  const Outcome back = run_program({"fmu", "job", file});
  REQUIRE_MESSAGE(back.code == 0, back.err);
  const auto inputs = nlohmann::json::parse(back.out).at("problem").at("external_inputs");
  REQUIRE(inputs.size() == 1);
  CHECK(inputs[0].at("to") == "m1.x_in");
  CHECK(inputs[0].at("initial") == 0.25);
}

TEST_CASE("what cannot be exported is said") {
  const StoredSearch stored(exported_crane);
  CHECK(stored.export_as("xlsx").code == 2);
  Outcome refused = run_program({"export", "nothing", "--db", stored.db});
  CHECK(refused.code == 1);
  finds(refused.err, "there is no search \"nothing\"");
  CHECK(run_program({"export", stored.id, "--db", stored.scratch.file("no.db")}).code == 1);

  const StoredSearch matrices(R"({"name": "two masses", "problem": {
    "subsystems": [
      {"name": "m1", "state_space": {"A": [[0, 1], [-1010, -1.1]], "B": [[0, 0], [1000, 1]],
        "C": [[1000, 1]], "D": [[-1000, -1]], "x0": [0.1, 0],
        "inputs": [{"name": "x", "unit": "m"}, {"name": "v", "unit": "m/s"}],
        "outputs": [{"name": "f", "unit": "N", "nominal": 10}]}},
      {"name": "m2", "state_space": {"A": [[0, 1], [-1000, -1]], "B": [[0], [1]],
        "C": [[1, 0], [0, 1]], "D": [[0], [0]], "x0": [0, 0],
        "inputs": [{"name": "f", "unit": "N"}],
        "outputs": [{"name": "x", "unit": "m", "nominal": 0.01},
                    {"name": "v", "unit": "m/s", "nominal": 0.1}]}}],
    "connections": [{"from": "m2.x", "to": "m1.x"}, {"from": "m2.v", "to": "m1.v"},
                    {"from": "m1.f", "to": "m2.f"}],
    "power_bonds": [{"effort": "m1.f", "flow": "m2.v"}]},
    "micro_steps": {"m1": 1e-4, "m2": 1e-4},
    "search": {"macro_step": {"initial_s": 1e-3, "increment_s": 1e-3, "maximum_s": 0.02}},
    "tests": [{"name": "free", "kind": "none", "duration_s": 2}]})");
  CHECK(matrices.export_as("c").code == 0);
  for (const char* format : {"osp", "ssp"}) {
    refused = matrices.export_as(format);
    CHECK(refused.code == 2);
    finds(refused.err, "subsystem 'm1' is given by matrices, and is no FMU");
  }
}
