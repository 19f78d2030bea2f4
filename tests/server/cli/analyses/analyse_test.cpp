// macrostep analyse: stability and accuracy against the macro-step.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/server/child_process.hpp"

TEST_CASE("an analysis tells spectral radius and errors from macro-step to macro-step") {
  const Outcome outcome = run_program(
      {"analyse", "pipe_volume", "--extrapolation", "0", "--macro-steps", "4e-6:8e-6:3", "--json"});
  REQUIRE(outcome.code == 0);
  const auto result = nlohmann::json::parse(outcome.out);
  REQUIRE(result["points"].size() == 3);
  CHECK(result["points"][0]["macro_step_s"] == doctest::Approx(4e-6));
  CHECK(result["points"][1]["macro_step_s"] == doctest::Approx(4e-6 * std::sqrt(2)));
  CHECK(result["points"][2]["macro_step_s"] == 8e-6);
  // The explicit limit of the literature is 5.06 µs.
  CHECK(result["points"][0]["spectral_radius"] < 1);
  CHECK(result["points"][1]["spectral_radius"] > 1);
  CHECK(result["points"][0]["local_error"] < result["points"][0]["global_error"]);
  CHECK(result["largest_stable_macro_step_s"] == doctest::Approx(4e-6));
  CHECK(result["stable_at_all_macro_steps"] == false);
}

TEST_CASE("for people an analysis is a table with the limit of the run and what is not known") {
  const Outcome outcome = run_program({"analyse", "single_actuator_crane", "--extrapolation", "2",
                                       "--macro-steps", "1e-3:0.02:2", "--until", "1"});
  REQUIRE(outcome.code == 0);
  CHECK(outcome.out.find("spectral radius") != std::string::npos);
  CHECK(outcome.out.find("1 ms") != std::string::npos);
  for (const char* line :
       {"No exact stability limit: subsystem 'mechanics' is not linear.",
        "-: no spectral radius at 1 ms because subsystem 'mechanics' is not linear.",
        "-: no local error at 1 ms because a subsystem cannot be put into the state",
        "-: no global error at 20 ms because solver_failed in test step"}) {
    CHECK_MESSAGE(outcome.out.find(line) != std::string::npos, outcome.out);
  }
}

TEST_CASE("a grid that is none is refused") {
  for (const char* grid : {"1e-3", "1e-3:2e-3", "2e-3:1e-3:5", "0:1e-3:5", "1e-3:2e-3:1",
                           "1e-3:2e-3:2.5", "1e-3:2e-3:1e9", "a:b:c"}) {
    CAPTURE(grid);
    const Outcome outcome = run_program(
        {"analyse", "linear_oscillator", "--extrapolation", "0", "--macro-steps", grid});
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find("--macro-steps: must be FROM:TO:COUNT") != std::string::npos);
  }
  const Outcome longer = run_program(
      {"analyse", "linear_oscillator", "--extrapolation", "0", "--macro-steps", "1e-3:100:5"});
  CHECK(longer.code == 2);
  CHECK(longer.err.find("must not exceed the test's duration, 10 s") != std::string::npos);
}

TEST_CASE("an analysis up to an earlier end is that of the same input") {
  // The step comes at 1 s of 2 s: before that both tests are free motion.
  const auto analysed = [](const char* test, const char* until) {
    const Outcome outcome =
        run_program({"analyse", "linear_oscillator", "--extrapolation", "0", "--macro-steps",
                     "1e-3:2e-3:2", "--test", test, "--until", until, "--json"});
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    const bool drives_nothing =
        outcome.err.find("test step drives nothing before t = 1 s") != std::string::npos;
    CHECK(drives_nothing == (test == std::string("step") && until == std::string("0.8")));
    return nlohmann::json::parse(outcome.out)["points"][0]["global_error"].get<double>();
  };
  CHECK(analysed("step", "0.8") == doctest::Approx(analysed("none", "0.8")).epsilon(1e-9));
  CHECK(analysed("step", "1.2") != doctest::Approx(analysed("none", "1.2")).epsilon(1e-9));
  const auto refused = [](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"analyse", "linear_oscillator", "--extrapolation", "0"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Outcome outcome = run_program(arguments);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  CHECK(refused({"--until", "0.5", "--macro-steps", "0.1:0.6:3"})
            .find("--macro-steps: must not exceed --until, 0.5 s") != std::string::npos);
  CHECK(refused({"--until", "0.5", "--at", "0.7"})
            .find("--at: must lie between 0 and --until, 0.5 s") != std::string::npos);
  CHECK(refused({"--until", "1e-9"}).find("--until: is shorter than the smallest macro-step") !=
        std::string::npos);
}

TEST_CASE("a time outside the test is no time to take a problem as linear at") {
  for (const char* at_s : {"-1", "10.5", "1e300"}) {
    CAPTURE(at_s);
    const Outcome outcome =
        run_program({"analyse", "nonlinear_oscillator", "--extrapolation", "1", "--at", at_s});
    CHECK(outcome.code == 2);
    CHECK(outcome.err.find("--at: must lie between 0 and the test's duration, 10 s") !=
          std::string::npos);
  }
}

TEST_CASE("a signal ends an analysis within its exact solution") {
  // A million seconds of it, and one macro-step in all: nothing but the solution to wait for.
  Child analysis({"analyse", "nonlinear_oscillator", "--extrapolation", "1", "--until", "1e6",
                  "--macro-steps", "4e5:5e5:2"});
  for (int polls = 0; !analysis.handles(SIGINT); ++polls) {
    REQUIRE(polls < Child::max_polls);
    std::this_thread::sleep_for(Child::poll_interval);
  }
  analysis.signal(SIGINT);
  const Outcome outcome = analysis.wait();
  CHECK(outcome.code == 130);
  CHECK(outcome.err == "macrostep: interrupted: nothing is shown\n");
}
