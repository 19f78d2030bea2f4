// macrostep fmu inspect and fmu validate: what they show of an FMU, and what they refuse. macrostep
// fmu job: signs of power bonds.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

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
  shows(shown.out, "N.s/m");
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

namespace {

/// The two masses of tests/fmus without power bonds; `f` and `v` are what the bodies exchange.
nlohmann::json masses_without_bonds(const std::string& second) {
  return {{"problem",
           {{"subsystems",
             {{{"name", "m1"}, {"fmu", test_fmu("spring_mass2")}},
              {{"name", "m2"}, {"fmu", test_fmu(second)}}}},
            {"connections",
             {{{"from", "m2.x"}, {"to", "m1.x_in"}},
              {{"from", "m2.v"}, {"to", "m1.v_in"}},
              {{"from", "m1.f"}, {"to", "m2.f"}}}}}}};
}

bool has_sandbox(const Outcome& outcome) {
  if (outcome.err.find("bubblewrap") == std::string::npos) {
    return true;
  }
  std::printf(
      "skipped: signs of power bonds of FMUs in the sandbox: bubblewrap does not work here\n");
  return false;
}

}  // namespace

TEST_CASE("fmu job finds the signs of the bonds that it proposes by a short trial") {
  const Scratch scratch;
  const std::string file = scratch.write("job.json", masses_without_bonds("mass2").dump());
  const Outcome tried = run_program({"fmu", "job", file});
  REQUIRE_MESSAGE(tried.code == 0, tried.err);
  const auto bonds = nlohmann::json::parse(tried.out).at("problem").at("power_bonds");
  REQUIRE(bonds.size() == 1);
  CHECK(bonds[0] == nlohmann::json{{"effort", "m1.f"}, {"flow", "m2.v"}});
  if (has_sandbox(tried)) {
    shows(tried.err, "power bond m1.f × m2.v: the only one that their units allow");
    shows(tried.err, "sign + by a short trial, as a push of ");
    shows(tried.err, " in m1.f moves m2.v along with it, a push of ");
    shows(tried.err, " in m2.v moves m1.f against it");
  }
  const Outcome untried = run_program({"fmu", "job", file, "--no-trial"});
  CHECK(untried.code == 0);
  CHECK(untried.out == tried.out);
  CHECK(untried.err.find("trial") == std::string::npos);
  shows(untried.err, "m1.w has no source and stays at 0 N");
  shows(untried.err, "no external input: only the test `none` can be run");
}

TEST_CASE("an FMU is no job") {
  for (const auto* command : {"search", "job"}) {
    std::vector<std::string> arguments{command, test_fmu("mass2")};
    if (arguments.front() == "job") {
      arguments.insert(arguments.begin(), "fmu");
    }
    const Outcome refused = run_program(arguments);
    CHECK(refused.code == 2);
    shows(refused.err, "mass2.fmu is an FMU, and no job: see macrostep fmu inspect");
  }
}

TEST_CASE("run and search say which inputs of FMUs have no source") {
  auto job = masses_without_bonds("mass2");
  job["problem"]["power_bonds"] = {{{"effort", "m1.f"}, {"flow", "m2.v"}}};
  job["problem"]["external_inputs"] = {
      {{"to", "m1.w"}, {"initial", 0}, {"minimum", -1}, {"maximum", 1}}};
  job["tests"] = {{{"kind", "step"}, {"duration_s", 0.1}}};
  job["search"] = {{"extrapolation", {"0"}},  // with which undamped masses grow
                   {"stability_check", "none"},
                   {"macro_step", {{"maximum_s", 0.002}}}};
  const Scratch scratch;
  const std::string file = scratch.write("job.json", job.dump());
  const std::string expected = "m2.w has no source and stays at 0 N";
  const Outcome one = run_program(
      {"run", file, "--macro-step", "0.001", "--extrapolation", "0", "--fmu-sandbox", "none"});
  REQUIRE_MESSAGE(one.code == 0, one.err);
  shows(one.err, "note: " + expected);
  CHECK(one.err.find("m1.w") == std::string::npos);
  CHECK(one.err.find("no external input") == std::string::npos);
  const Outcome all =
      run_program({"search", file, "--fmu-sandbox", "none", "--no-reference", "--json"});
  REQUIRE_MESSAGE(all.code == 0, all.err);
  shows(nlohmann::json::parse(all.out).at("recommendation").at("warnings").dump(), expected);
}

TEST_CASE("the error of a run of FMUs that ends early is that of the input that ran") {
  auto job = masses_without_bonds("mass2");
  job["problem"]["power_bonds"] = {{{"effort", "m1.f"}, {"flow", "m2.v"}}};
  job["problem"]["external_inputs"] = {
      {{"to", "m1.w"}, {"initial", 0}, {"minimum", -1e4}, {"maximum", 1e4}}};
  job["tests"] = {{{"kind", "step"}, {"duration_s", 0.1}}};
  const Scratch scratch;
  const std::string file = scratch.write("job.json", job.dump());
  // The step comes at 0.05 s: before that there is nothing but free motion.
  const auto error = [&](const char* test, const char* until) {
    const Outcome outcome =
        run_program({"run", file, "--macro-step", "0.001", "--extrapolation", "0", "--test", test,
                     "--until", until, "--fmu-sandbox", "none", "--json"});
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    const auto nrmse = nlohmann::json::parse(outcome.out).at("error").at("nrmse");
    REQUIRE_MESSAGE(nrmse.is_number(), outcome.out);
    return nrmse.get<double>();
  };
  CHECK(error("step", "0.04") == doctest::Approx(error("none", "0.04")).epsilon(1e-6));
  CHECK(error("step", "0.08") != doctest::Approx(error("none", "0.08")).epsilon(1e-6));
}

TEST_CASE("a minus in the units' direction comes out in the factor of a proposed bond") {
  // A body that counts its velocity, and a spring that counts its force, the other way round.
  const Scratch scratch;
  const nlohmann::json body = {{"A", {{0}}},
                               {"B", {{-0.5}}},
                               {"C", {{1}}},
                               {"D", {{0}}},
                               {"x0", {0}},
                               {"inputs", {{{"name", "f"}, {"unit", "N"}}}},
                               {"outputs", {{{"name", "v"}, {"unit", "m/s"}}}}};
  const nlohmann::json spring = {{"A", {{0}}},
                                 {"B", {{1}}},
                                 {"C", {{1000}}},
                                 {"D", {{2}}},
                                 {"x0", {0}},
                                 {"inputs", {{{"name", "v"}, {"unit", "m/s"}}}},
                                 {"outputs", {{{"name", "f"}, {"unit", "kN"}}}}};
  nlohmann::json job = {
      {"problem",
       {{"subsystems",
         {{{"name", "body"}, {"state_space", body}},
          {{"name", "spring"}, {"state_space", spring}}}},
        {"connections",
         {{{"from", "body.v"}, {"to", "spring.v"}}, {{"from", "spring.f"}, {"to", "body.f"}}}}}}};
  job["problem"]["subsystems"][0]["state_space"]["inputs"][0]["unit"] = "kN";
  const Outcome reversed = run_program({"fmu", "job", scratch.write("job.json", job.dump())});
  REQUIRE_MESSAGE(reversed.code == 0, reversed.err);
  CHECK(nlohmann::json::parse(reversed.out)["problem"]["power_bonds"][0]["factor"] == -1000);
  shows(reversed.err, "sign − by a short trial");
  // Without the body's minus the coupling makes energy.
  job["problem"]["subsystems"][0]["state_space"]["B"] = {{0.5}};
  const Outcome wrong = run_program({"fmu", "job", scratch.write("wrong.json", job.dump())});
  CHECK(nlohmann::json::parse(wrong.out)["problem"]["power_bonds"][0]["factor"] == 1000);
  shows(wrong.err, "warning: power bond spring.f × body.v: a short trial does not tell the sign");
  shows(wrong.err, "one of the two connections seems to lack a minus");
}

TEST_CASE("a search says which orders its FMUs refuse") {
  auto job = masses_without_bonds("mass_plain2");
  job["problem"]["power_bonds"] = {{{"effort", "m1.f"}, {"flow", "m2.v"}}};
  job["tests"] = {{{"kind", "none"}, {"duration_s", 0.1}}};
  job["search"] = {{"extrapolation", {"0", "1", "2"}},
                   {"stability_check", "none"},  // undamped masses grow with order 0
                   {"macro_step", {{"maximum_s", 0.002}}}};
  const Scratch scratch;
  const auto warnings = [&] {
    const Outcome done = run_program({"search", scratch.write("job.json", job.dump()),
                                      "--fmu-sandbox", "none", "--no-reference", "--json"});
    REQUIRE_MESSAGE(done.code == 0, done.err);
    const auto result = nlohmann::json::parse(done.out);
    REQUIRE_MESSAGE(result.at("recommendation").is_object(), result.at("sentence"));
    return result.at("recommendation").at("warnings").dump();
  };
  shows(warnings(),
        "orders 1, 2 could not be used: extrapolation 1 cannot be applied to the FMU 'm2'");
  job["micro_steps"] = {{"m2", 1e-4}};
  CHECK(warnings().find("could not be used") == std::string::npos);
}

TEST_CASE("a search of FMUs finds their times by short runs, and keeps what a job says itself") {
  auto job = masses_without_bonds("mass2");
  job["problem"]["power_bonds"] = {{{"effort", "m1.f"}, {"flow", "m2.v"}}};
  job["search"] = {{"extrapolation", {"2"}}};
  const Scratch scratch;
  // 1 kg each on 10 and 1000 N/m, 100 N/m between them: ω² = 605 ± √(495² + 100²).
  const double fastest_s = 1 / std::sqrt(605 + std::hypot(495.0, 100.0));
  const double slowest_s = 1 / std::sqrt(605 - std::hypot(495.0, 100.0));
  const auto planned = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all{"search",         scratch.write("job.json", job.dump()),
                                 "--fmu-sandbox",  "none",
                                 "--no-reference", "--json"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome done = run_program(all);
    REQUIRE_MESSAGE(done.code == 0, done.err);
    return nlohmann::json::parse(done.out).at("job");
  };
  const auto asked = planned({"--dry-run"});
  CHECK(asked.at("scales") == "auto");
  CHECK(asked.at("search").at("macro_step").at("initial_s") == "auto");
  CHECK(asked.at("search").at("macro_step").at("increment_s") == "auto");
  CHECK(asked.at("tests")[0].at("duration_s") == "auto");

  const auto run = planned({});
  const auto& scales = run.at("scales");
  CHECK(scales.at("found_by") == "runs");
  CHECK(scales.at("fastest_s").get<double>() == doctest::Approx(fastest_s).epsilon(0.01));
  CHECK(scales.at("slowest_s").get<double>() == doctest::Approx(slowest_s).epsilon(0.01));
  const auto& grid = run.at("search").at("macro_step");
  CHECK(grid.at("initial_s").get<double>() == doctest::Approx(fastest_s / 16).epsilon(0.01));
  CHECK(run.at("tests")[0].at("duration_s").get<double>() ==
        doctest::Approx(60 * slowest_s).epsilon(0.01));
  // What moves at 100 m/s reaches 10 m, and its FMU does not say so.
  const auto& nominal = run.at("problem").at("subsystems")[1].at("nominal");
  CHECK(nominal.at("v").get<double>() > 50);
  CHECK(nominal.at("v").get<double>() < 300);

  job["search"]["macro_step"] = {{"maximum_s", 0.01}};
  job["tests"] = {{{"kind", "none"}, {"duration_s", 0.5}}};
  const auto own = planned({});
  CHECK(own.at("search").at("macro_step").at("maximum_s") == 0.01);
  CHECK(own.at("tests")[0].at("duration_s") == 0.5);
  CHECK(own.at("scales").at("found_by") == "runs");
  // A test by its name alone, an increment that looks like an assumed one, and tight limits.
  job["search"]["macro_step"] = {{"increment_s", 2e-4}};
  job["tests"] = {{{"name", "none"}}};
  const auto named = planned({"--dry-run"});
  CHECK(named.at("tests")[0].at("duration_s") == "auto");
  CHECK(named.at("search").at("macro_step").at("increment_s") == 2e-4);
  CHECK(named.at("search").at("linear_region").at("scan") == "arithmetic");
  job["search"]["macro_step"] = {{"maximum_s", 1e-4}};
  job["session_s"] = 1e-4;
  job["micro_steps"] = {{"m1", 1e-9}};
  CHECK(planned({"--dry-run"}).at("search").at("macro_step").at("maximum_s") == 1e-4);
  job["tests"] = {{{"kind", "none"}, {"duration_s", 1e-3}}};
  CHECK(planned({"--dry-run"}).at("tests")[0].at("duration_s") == 1e-3);
  job["search"].erase("macro_step");
  job.erase("session_s");
  job.erase("micro_steps");
  job["scales"] = {{"fastest_s", 0.04}, {"slowest_s", 0.2}};
  job.erase("tests");
  const auto told = planned({"--dry-run"});
  CHECK(told.at("scales").at("found_by") == "job");
  CHECK(told.at("tests")[0].at("duration_s") == 12);
}

TEST_CASE("a search whose FMU never starts has failed, and says why") {
  auto job = masses_without_bonds("misbehaving2");
  job["problem"]["power_bonds"] = {{{"effort", "m1.f"}, {"flow", "m2.v"}}};
  job["problem"]["subsystems"][1]["parameters"] = {{"what", 17}};  // fail_start
  job["tests"] = {{{"kind", "none"}, {"duration_s", 0.1}}};
  job["search"] = {{"extrapolation", {"0"}}, {"macro_step", {{"maximum_s", 0.002}}}};
  const Scratch scratch;
  const Outcome done =
      run_program({"search", scratch.write("job.json", job.dump()), "--fmu-sandbox", "none", "--db",
                   scratch.file("a.db"), "--json"});
  CHECK(done.code == 1);
  const auto result = nlohmann::json::parse(done.out);
  CHECK(result.at("status") == "failed");
  const auto sentence = result.at("sentence").get<std::string>();
  CHECK_MESSAGE(sentence.starts_with("The search failed: no trial gets past its first macro-step: "
                                     "at H = "),
                sentence);
  shows(sentence, "the trial failed in an FMU: ");
  const Outcome read = run_program({"export", result.at("id"), "--db", scratch.file("a.db")});
  CHECK(nlohmann::json::parse(read.out).at("status") == "failed");
}

TEST_CASE("fmu validate ends with a sentence and the exit code that goes with it") {
  const auto validate = [](const std::string& file, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"fmu", "validate", file, "--fmu-sandbox", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  };
  Outcome outcome = validate(test_fmu("mass_plain2"));
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  shows(outcome.out, "FMI 2.0, ");
  CHECK(outcome.out.ends_with("mass_plain2.fmu follows the rules\n"));
  outcome = validate(test_fmu("mass_no_do_step2"));
  CHECK(outcome.code == 1);
  shows(outcome.out, "error: fmi2DoStep: is not exported by the library");
  shows(outcome.out, "mass_no_do_step2.fmu breaks the rules: 1 error\n");
  outcome = validate(test_fmu("mass_other_name3"), {"--json"});
  CHECK(outcome.code == 1);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json.at("file") == test_fmu("mass_other_name3"));
  CHECK(json.at("fmi_version") == "3.0");
  CHECK(json.at("valid") == false);
  CHECK(json.at("calls").get<int>() > 1000);
  CHECK(json.at("refused").is_null());
  CHECK(json.at("not_called").is_null());
  const auto& finding = json.at("findings").at(0);
  CHECK(finding.at("severity") == "error");
  CHECK(finding.at("part") == "archive");
  CHECK(finding.at("where") == "binaries/x86_64-linux/mass_other_name3.so");
}

TEST_CASE(
    "fmu validate of what is no FMU is an error, of no file a failure, without one bad usage") {
  const Scratch scratch;
  const Outcome refused =
      run_program({"fmu", "validate", scratch.write("a.fmu", "no archive"), "--json"});
  CHECK(refused.code == 1);
  const auto json = nlohmann::json::parse(refused.out);
  CHECK(json.at("refused") == "the file is not a zip archive");
  CHECK(json.at("fmi_version").is_null());
  CHECK(json.at("findings").size() == 1);
  CHECK(run_program({"fmu", "validate", scratch.file("nothing")}).code == 1);
  CHECK(run_program({"fmu", "validate"}).code == 2);
  shows(run_program({"fmu", "validate", "a", "--fmu-trials-per-worker", "2"}).err, "has no option");
}

TEST_CASE("what is wrong with the temporary directory is no error of the FMU that is validated") {
  const Outcome outcome =
      Child({"-c", "TMPDIR=/nowhere exec \"$0\" fmu validate \"$1\" --fmu-sandbox none",
             MACROSTEP_BINARY, test_fmu("mass_plain2")},
            "", "sh")
          .wait();
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find("mass_plain2.fmu") == std::string::npos);
  shows(outcome.err, "directory");
}

TEST_CASE("without a sandbox fmu validate shows what the description breaks, and calls nothing") {
  const Outcome outcome = Child({"-c", "PATH=/nowhere exec \"$0\" fmu validate \"$1\"",
                                 MACROSTEP_BINARY, test_fmu("mass_other_name2")},
                                "", "sh")
                              .wait();
  CHECK(outcome.code == 1);
  shows(outcome.out, "binaries/linux64/mass_other_name2.so: is missing");
  shows(outcome.out, "FMI 2.0, 0 calls of its functions");
  shows(outcome.err, "FMUs run only in a sandbox, and there is none");
}
