// What the commands say of FMUs that crash, hang or fail: never a zero or "no setting is better".
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/server/child_process.hpp"

namespace macrostep::tests::failing_fmus {
namespace {

using Json = nlohmann::json;

std::string archive_of(const std::string& name) {
  return std::string(MACROSTEP_TEST_FMUS) + "/" + name + ".fmu";
}

/// Two masses, of which the second misbehaves from 0.05 s on (tests/fmus/README.md).
Json misbehaving(int what) {
  return {{"problem",
           {{"subsystems",
             {{{"name", "m1"}, {"fmu", archive_of("spring_mass2")}},
              {{"name", "m2"},
               {"fmu", archive_of("misbehaving2")},
               {"parameters", {{"what", what}, {"when", 0.05}}}}}},
            {"connections",
             {{{"from", "m2.x"}, {"to", "m1.x_in"}},
              {{"from", "m2.v"}, {"to", "m1.v_in"}},
              {{"from", "m1.f"}, {"to", "m2.f"}}}},
            {"power_bonds", {{{"effort", "m1.f"}, {"flow", "m2.v"}}}}}},
          {"tests",
           {{{"name", "short"}, {"kind", "none"}, {"duration_s", 0.04}},
            {{"name", "long"}, {"kind", "none"}, {"duration_s", 0.1}}}},
          {"search", {{"extrapolation", {"0"}}, {"macro_step", {{"maximum_s", 0.004}}}}}};
}

constexpr int nothing = 0;
constexpr int answer_error = 9;
constexpr int complain = 21;

class Job {
 public:
  explicit Job(const Json& job) : file_(scratch_.write("job.json", job.dump())) {}

  /// What a command says of the job with held inputs.
  Outcome of(const std::string& command, std::vector<std::string> more) const {
    std::vector<std::string> arguments{command, file_,           "--extrapolation",
                                       "0",     "--fmu-sandbox", "none"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments);
  }

 private:
  Scratch scratch_;
  std::string file_;
};

void tells(const std::string& text, const std::string& part) {
  std::string line = text;  // as if nothing were wrapped
  for (auto& letter : line) {
    letter = letter == '\n' ? ' ' : letter;
  }
  const bool found = line.find(part) != std::string::npos;
  CHECK_MESSAGE(found, "\"" << part << "\" in \"" << line << "\"");
}

}  // namespace

TEST_CASE("a tuning of which no run completes fails and says how the first run ends") {
  const Job job(misbehaving(answer_error));
  const std::vector<std::string> in_long{"--macro-step", "0.01", "--test", "long"};
  const Outcome outcome = job.of("tune", in_long);
  CHECK(outcome.code == 1);
  tells(outcome.out,
        "no run completes: in the test long with no correction the trial failed in an FMU");
  tells(outcome.out, "the spring broke at 0.05 s");
  CHECK(outcome.out.find("Stay with") == std::string::npos);
  const Outcome some = job.of("tune", {"--macro-step", "0.01"});
  CHECK(some.code == 0);
  tells(some.out, "runs do not complete: in the test long with no correction the trial failed");
}

TEST_CASE("an analysis without a known global error does not say that it is large") {
  const Outcome outcome =
      Job(misbehaving(nothing)).of("analyse", {"--macro-steps", "0.001:0.01:3", "--test", "short"});
  CHECK(outcome.code == 0);
  const Outcome failing = Job(misbehaving(complain))
                              .of("analyse", {"--macro-steps", "0.001:0.01:3", "--test", "short"});
  CHECK(failing.code == 0);
  tells(failing.out, "The global error is unknown.");
  CHECK(failing.out.find("is more than 1 %") == std::string::npos);
}

TEST_CASE("a run whose process ends with it has no results, and zeros are none") {
  Json job = misbehaving(3);  // exit(0) in the midst of a step
  const Job crashing(job);
  const Outcome json = crashing.of("run", {"--macro-step", "0.01", "--test", "long", "--json"});
  CHECK(json.code == 1);
  const auto result = Json::parse(json.out);
  CHECK(result.at("status") == "crashed");
  CHECK(result.at("macro_steps").get<int>() > 0);
  for (const char* member : {"residual_J", "startup_residual_J", "rhs_evaluations"}) {
    CHECK(result.at(member).is_null());
  }
  CHECK(result.at("step_time").at("median_s").is_null());
  const Outcome outcome = crashing.of("run", {"--macro-step", "0.01", "--test", "long"});
  tells(outcome.out,
        "An FMU crashed: FMU 'm2': the FMU ended the process with exit code 0 at 0.05 s.");
  CHECK(outcome.out.find("0 J") == std::string::npos);
  CHECK(outcome.out.find("0 evaluations") == std::string::npos);
}

TEST_CASE("what an FMU writes to stderr stands beside its error, in a run and in a validation") {
  const Outcome run = Job(misbehaving(complain)).of("run", {"--macro-step", "0.01"});
  CHECK(run.code == 1);
  tells(run.out, "at 0 s; last output: there is no licence.");
}

TEST_CASE("fmu validate tells how far an FMU ran") {
  const std::vector<std::string> arguments{"fmu", "validate", archive_of("mass_plain2"),
                                           "--fmu-sandbox", "none"};
  tells(run_program(arguments).out, " calls of its functions, runs of 10 steps of ");
  auto as_json = arguments;
  as_json.push_back("--json");
  const auto runs = Json::parse(run_program(as_json).out).at("runs");
  CHECK(runs.at("steps") == 10);
  CHECK(runs.at("step_s").get<double>() > 0);
}

}  // namespace macrostep::tests::failing_fmus
