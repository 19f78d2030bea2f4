// The command line's manners: help, names, mistakes, exit codes, and what goes to which stream.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "engine/base/text.hpp"
#include "tests/server/child_process.hpp"

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// "--db FILE" for every option that the help of a command lists, except --help.
std::set<std::string> options_of_help(const std::string& command) {
  static const std::regex line(R"(\n  (--\S+(?: [^ \n]+)?)(?= |\n))");
  std::vector<std::string> arguments;
  std::istringstream words(command);
  for (std::string word; words >> word;) {
    arguments.push_back(word);
  }
  arguments.push_back("--help");
  const std::string help = run_program(arguments).out;
  std::set<std::string> options;
  for (std::sregex_iterator match(help.begin(), help.end(), line), end; match != end; ++match) {
    options.insert((*match)[1]);
  }
  return options;
}

/// The options of a command by the table in README.md, whose second column names the commands.
std::set<std::string> options_of_readme(const std::string& command) {
  std::ifstream file(MACROSTEP_SOURCE_DIR "/README.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  static const std::regex row(R"(\n\| `(--[^`]+)` \| ([-a-z, ]+) \|)");
  std::set<std::string> options;
  for (std::sregex_iterator match(text.begin(), text.end(), row), end; match != end; ++match) {
    const std::string commands = ", " + match->str(2) + ",";
    if (contains(commands, ", " + command + ",")) {
      options.insert((*match)[1]);
    }
  }
  return options;
}

}  // namespace

TEST_CASE("README.md lists exactly the options of every command") {
  for (const char* command : {"search", "run", "analyse", "reference", "map", "models", "serve",
                              "config show", "db snapshot", "db check", "fmu inspect",
                              "fmu validate", "fmu export", "export", "study", "run-chunk"}) {
    CAPTURE(command);
    const auto help = options_of_help(command);
    CHECK_FALSE(help.empty());
    CHECK(options_of_readme(command) == help);
  }
}

TEST_CASE("help names every command and option, with examples, on stdout") {
  const Outcome top = run_program({"--help"});
  CHECK(top.code == 0);
  CHECK(top.err.empty());
  for (const char* part : {"search", "run", "models", "--version", "Examples:", "Exit codes"}) {
    CHECK_MESSAGE(contains(top.out, part), part);
  }
  const Outcome search = run_program({"search", "--help"});
  CHECK(search.code == 0);
  for (const char* part : {"JOB", "--db FILE", "--threads N", "--json", "Examples:"}) {
    CHECK_MESSAGE(contains(search.out, part), part);
  }
  const Outcome run = run_program({"run", "--help"});
  CHECK(run.code == 0);
  for (const char* part :
       {"--macro-step H", "--extrapolation M", "--test NAME", "--until T", "--coupling C",
        "--scheme S", "--correction C", "--integrator GROUP=NAME", "--micro-step SUBSYSTEM=h",
        "--set PATH=VALUE", "--csv FILE", "--json", "Examples:"}) {
    CHECK_MESSAGE(contains(run.out, part), part);
  }
  CHECK(contains(run_program({"models", "--help"}).out, "Examples:"));
}

TEST_CASE("help fits a terminal, and every command with others has its own examples") {
  std::vector<std::vector<std::string>> commands{{},
                                                 {"fmu"},
                                                 {"db"},
                                                 {"config"},
                                                 {"manual"},
                                                 {"config", "show"},
                                                 {"db", "snapshot"},
                                                 {"db", "check"},
                                                 {"fmu", "inspect"},
                                                 {"fmu", "validate"},
                                                 {"fmu", "job"},
                                                 {"fmu", "export"}};
  for (const char* command : {"search", "run", "analyse", "tune", "map", "reference", "models",
                              "export", "validate", "study", "serve"}) {
    commands.push_back({command});
  }
  for (auto arguments : commands) {
    const std::string name = arguments.empty() ? "" : " " + arguments.front();
    arguments.push_back("--help");
    const std::string help = run_program(arguments).out;
    CAPTURE(help);
    CHECK_FALSE(contains(help, "\n\n\n"));
    if (name != " worker") {  // not for people to start
      const auto examples = help.find("\nExample");
      REQUIRE(examples != std::string::npos);
      CHECK(help.find("macrostep" + name, examples) != std::string::npos);
    }
    std::istringstream lines(help);
    for (std::string line; std::getline(lines, line);) {
      CHECK_MESSAGE(macrostep::engine::character_count(line) <= 100, line);
    }
  }
}

TEST_CASE("the version is one line") {
  const Outcome outcome = run_program({"--version"});
  CHECK(outcome.code == 0);
  CHECK(outcome.out == "macrostep " MACROSTEP_VERSION "\n");
}

TEST_CASE("bad usage exits with 2 and says how to correct it") {
  struct Case {
    std::vector<std::string> arguments;
    const char* message;
  };
  const Case cases[] = {
      {{}, "a command is missing"},
      {{"serach", "x"}, "did you mean \"search\"?"},
      {{"search"}, "JOB is required"},
      {{"search", "double_actuator_crain"}, "did you mean double_actuator_crane?"},
      {{"run", "no/such.json", "--macro-step", "1", "--extrapolation", "0"},
       "there is no file no/such.json; check its path"},
      {{"search", "such.json"}, "there is no file such.json; check its path"},
      {{"search", "double_actuator_crane", "--thread", "1"}, "did you mean --threads?"},
      {{"search", "double_actuator_crane", "--threads", "-1"},
       "--threads: must be a whole number from 0 to 1024, not \"-1\""},
      {{"serve", "--threads", "two"},
       "--threads: must be a whole number from 0 to 1024, not \"two\""},
      {{"search", "double_actuator_crane", "--threads", "1", "--threads", "2"},
       "--threads: given twice"},
      {{"search", "double_actuator_crane", "--threads"}, "--threads needs a value"},
      {{"search", "double_actuator_crane", "--db", ""}, "--db: must be the name of a file"},
      {{"serve", "--db", ""}, "--db: must be the name of a file"},
      {{"serve", "--allow-host", ""}, "--allow-host: must be a name of letters, digits"},
      {{"serve", "--allow-host", "a b"}, "--allow-host: must be a name of letters, digits"},
      {{"run", "linear_oscillator", "--macro-step", "1e-3", "--extrapolation", "1", "--csv", ""},
       "--csv: must be the name of a file"},
      {{"run", "linear_oscillator", "--macro-step", "1e-3", "--extrapolation", "1", "--test", "x"},
       "available: none, step"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2", "--until",
        "nan"},
       "--until: must be a number of seconds, not \"nan\""},
      {{"run", "single_actuator_crane"}, "--macro-step is required"},
      {{"run", "single_actuator_crane", "--macro-step", "a", "--extrapolation", "2"},
       "--macro-step: must be a number of seconds, not \"a\""},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2", "--set",
        "hydraulics.c"},
       "write --set PATH=VALUE"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2",
        "--substeps", "hydraulics=0"},
       "--substeps hydraulics: must be a whole number from 1"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2", "--order",
        "hydraulics,pump"},
       "--order: must name each subsystem once: mechanics, hydraulics"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2", "--order",
        "hydraulics,mechanics"},
       "--order: jacobi steps all subsystems at once"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2",
        "--integrator", "hydraulics=trapezoidal", "--integrator", "hydraulics=forward_euler"},
       "--integrator hydraulics: given twice"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2", "--set",
        "hydraulics.c=1", "--set", "hydraulics.c=1"},
       "--set hydraulics.c: given twice"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2",
        "--micro-step", "hydraulics=1e308"},
       "--micro-step hydraulics: must be at most 1e+10 s"},
      {{"run", "single_actuator_crane", "--macro-step", "0.001", "--extrapolation", "2",
        "--stiffness", "2"},
       "has no option \"--stiffness\""},
      {{"models", "crane"}, "available: double_actuator_crane, single_actuator_crane"},
      {{"models", "two_masses.json"}, "PROBLEM: must name a built-in problem, not a file: "},
  };
  for (const Case& test : cases) {
    CAPTURE(test.message);
    const Outcome outcome = run_program(test.arguments);
    CHECK(outcome.code == 2);
    CHECK(outcome.out.empty());
    CHECK_MESSAGE(contains(outcome.err, test.message), outcome.err);
  }
}

TEST_CASE("every mistake of a run is named by its option, at once") {
  const Outcome outcome = run_program({"run",
                                       "single_actuator_crane",
                                       "--macro-step",
                                       "-1",
                                       "--extrapolation",
                                       "7",
                                       "--test",
                                       "stepp",
                                       "--set",
                                       "hydraulics.c=abc",
                                       "--integrator",
                                       "hydraulics=euler",
                                       "--micro-step",
                                       "mech=1",
                                       "--until",
                                       "0",
                                       "--scheme",
                                       "iteration",
                                       "--coupling",
                                       "x"});
  CHECK(outcome.code == 2);
  for (const char* part :
       {"--macro-step: must be greater than 0", "--extrapolation: \"7\" is not available",
        "--test: \"stepp\" is not available; did you mean \"step\"?",
        "--set hydraulics.c: must be a number", "--integrator hydraulics: \"euler\"",
        "--micro-step mech: ", "--until: must be", "--scheme: \"iteration\" is not available",
        "--coupling: \"x\" is not available"}) {
    CHECK_MESSAGE(contains(outcome.err, part), outcome.err);
  }
}

TEST_CASE("with --json an error is a problem object, alone on stdout") {
  const Outcome unknown = run_program({"search", "no_such_problem", "--json"});
  CHECK(unknown.code == 2);
  const auto problem = nlohmann::json::parse(unknown.out);
  CHECK(problem["type"] == "/problems/invalid-job");
  CHECK(problem["status"] == 422);
  CHECK(problem["errors"][0]["pointer"] == "/problem");

  const Outcome broken = run_program({"search", "-", "--json"}, R"({"problem": "x",})");
  CHECK(broken.code == 2);
  CHECK(contains(nlohmann::json::parse(broken.out)["errors"][0]["detail"], "line 1, column"));

  const Outcome job = run_program(
      {"search", "-", "--json"},
      R"({"problem": "single_actuator_crane", "colour": 1, "search": {"schemes": ["x"]}})");
  CHECK(job.code == 2);
  CHECK(nlohmann::json::parse(job.out)["errors"].size() == 2);

  const Outcome mixed = run_program({"run", "single_actuator_crane", "--macro-step", "0.001",
                                     "--extrapolation", "2", "--csv", "-", "--json"});
  CHECK(mixed.code == 2);
  CHECK(contains(nlohmann::json::parse(mixed.out)["detail"], "--csv -: must be a file"));

  const Outcome usage = run_program({"run", "--json"});
  CHECK(usage.code == 2);
  CHECK(nlohmann::json::parse(usage.out)["type"] == "/problems/bad-usage");
}

TEST_CASE("hostile jobs get an error, not a crash") {
  const Scratch scratch;
  const std::string deep = std::string(100'000, '[');
  const std::string large = "{\"name\": \"" + std::string(10 << 20, 'x') + "\"}";
  for (const std::string& text :
       {std::string(), deep, large, std::string("{\"problem\": \"\xff\"}"), std::string("null"),
        std::string(R"({"problem": "a", "problem": "b"})"), std::string("{\"problem\": 1e999}")}) {
    const Outcome outcome = run_program({"search", scratch.write("job.json", text)});
    CHECK(outcome.code == 2);
    CHECK(outcome.err.starts_with("macrostep: "));
    CHECK(outcome.err.size() < 2000);
  }
  CHECK(run_program({"search", scratch.file("")}).code == 2);  // a directory
}

TEST_CASE("control characters of a job reach no terminal") {
  const std::string job =
      R"({"problem": "single_actuator_crane", "a\n\u001b[31m\u009b\u007f\u202e\u2066\u2028é€": 1})";
  const Outcome outcome = run_program({"search", "-"}, job);
  CHECK(outcome.code == 2);
  CHECK_MESSAGE(
      outcome.err.find("  /a\\n\\u001b[31m\\u009b\\u007f\\u202e\\u2066\\u2028é€: unknown member") !=
          std::string::npos,
      outcome.err);
  CHECK(outcome.err.find('\033') == std::string::npos);
}

TEST_CASE("models PROBLEM lists everything that can be set") {
  const Outcome text = run_program({"models", "double_actuator_crane"});
  CHECK(text.code == 0);
  for (const char* part :
       {"double_actuator_crane", "hydraulics_1", "hydraulics.c", "N s/m", "force_displacement",
        "sine_17.5hz", "trapezoidal", "joystick", "hydraulics_1.u_ref from -10 to 10 V"}) {
    CHECK_MESSAGE(contains(text.out, part), part);
  }
  const std::string single = run_program({"models", "single_actuator_crane"}).out;
  CHECK_FALSE(contains(single, "double_actuator"));
  static const std::regex held(R"(hydraulics\.f +→ mechanics\.f +held\n)");
  static const std::regex extrapolated(R"(mechanics\.s +→ hydraulics\.s +extrapolated\n)");
  static const std::regex bond(R"(force_displacement +hydraulics\.f +× mechanics\.s_dot +1\n)");
  CHECK_MESSAGE(std::regex_search(single, held), single);
  CHECK_MESSAGE(std::regex_search(single, extrapolated), single);
  CHECK_MESSAGE(std::regex_search(single, bond), single);
  const auto json = nlohmann::json::parse(run_program({"models", "--json"}).out);
  CHECK(json["problems"].size() >= 2);
  for (const auto& problem : json["problems"]) {
    CHECK(problem["ports_by_coupling"].size() == problem["couplings"].size());
  }
  CHECK(json["problems"][0]["other_tests"][0]["name"] == "joystick");
  const std::string oscillator = run_program({"models", "linear_oscillator"}).out;
  for (const char* part : {"force_force", "f_in [N]", "x_in [m] and v_in [m/s]", "x_2 [m]"}) {
    CHECK_MESSAGE(contains(oscillator, part), part);
  }
}

TEST_CASE("models lists a line per problem, and everything about one") {
  const std::string list = run_program({"models"}).out;
  const auto problems = nlohmann::json::parse(run_program({"models", "--json"}).out)["problems"];
  CHECK(static_cast<std::size_t>(std::ranges::count(list, '\n')) == problems.size() + 3);
  for (const auto& problem : problems) {
    const auto at = list.find("\n" + problem["name"].get<std::string>() + " ");
    REQUIRE(at != std::string::npos);
    const std::string line = list.substr(at + 1, list.find('\n', at + 1) - at);
    for (const auto& coupling : problem["couplings"]) {
      CHECK_MESSAGE(contains(line, coupling), line);
    }
  }
}

TEST_CASE("a percentage is never written with an exponent where people read it") {
  using macrostep::engine::percent_text;
  CHECK(percent_text(1) == "100 %");
  CHECK(percent_text(0.996) == "100 %");
  CHECK(percent_text(123.4) == "12340 %");
  CHECK(percent_text(0.0996) == "10 %");
  CHECK(percent_text(0.086) == "8.6 %");
  CHECK(percent_text(0.00034) == "0.034 %");
}

TEST_CASE("without a terminal there is neither colour nor progress") {
  const Outcome outcome = run_program(
      {"run", "single_actuator_crane", "--macro-step", "0.002", "--extrapolation", "2"});
  CHECK(outcome.code == 0);
  CHECK(outcome.err.empty());
  CHECK_FALSE(contains(outcome.out, "\033"));
}

TEST_CASE("a test that is too long is refused where its length comes from") {
  const Outcome outcome = run_program({"search", "-"}, R"({"problem": "single_actuator_crane",
    "kind": "zzz", "tests": [
      {"name": "a", "kind": "sine", "frequency_hz": 1e-308, "periods": 1},
      {"name": "b", "kind": "recorded", "time_s": [0, 1e11], "value": [0, 1]},
      {"name": "c", "kind": "step", "duration_s": 1e11}]})");
  CHECK(outcome.code == 2);
  for (const char* part :
       {"/kind: \"zzz\" is not available; available: search, map, tune", "/tests/0/periods: must",
        "/tests/1/time_s: must", "/tests/2/duration_s: must"}) {
    CHECK_MESSAGE(outcome.err.find(part) != std::string::npos, outcome.err);
  }
}
