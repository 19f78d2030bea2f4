// What a search tells in words: every choice of the configuration is named, and the command to try
// it gives back just that configuration.
#include "server/cli/search/search_report.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <variant>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/search/run_search.hpp"
#include "server/cli/jobs/run_job.hpp"
#include "server/cli/search/estimate_report.hpp"
#include "server/jobs/read_job.hpp"
#include "server/json/words.hpp"
#include "tests/made_backends.hpp"
#include "tests/server/child_process.hpp"

namespace server = macrostep::server;
namespace engine = macrostep::engine;
namespace json = macrostep::server::json;
namespace models = macrostep::models;

namespace {

constexpr const char* sequential_job = R"({"name": "sequential", "problem": "single_actuator_crane",
  "substeps": {"hydraulics": 2},
  "search": {"schemes": ["jacobi", "gauss_seidel"],
             "orders": [["hydraulics", "mechanics"], ["mechanics", "hydraulics"]],
             "extrapolation": ["1", "2"],
             "integrators": {"mechanics": ["i1al", "i3al"], "hydraulics": ["forward_euler"]},
             "macro_step": {"initial_s": 0.0005, "increment_s": 0.0005, "maximum_s": 0.01}},
  "tests": [{"kind": "step", "duration_s": 1}]})";

constexpr const char* coupled_job = R"({"name": "coupled", "problem": "linear_oscillator",
  "search": {"schemes": ["gauss_seidel"],
             "couplings": ["force_displacement", "displacement_displacement", "force_force"]}})";

engine::Plan plan_of(const std::string& job) {
  auto plan = json::plan_of(json::read_job(nlohmann::json::parse(job)));
  REQUIRE(std::holds_alternative<engine::Plan>(plan));
  return std::move(std::get<engine::Plan>(plan));
}

server::Assignment assignment(const std::string& text) {
  const auto equals = text.find('=');
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// The options of "macrostep run JOB …".
server::RunChoices parsed(const std::string& command) {
  std::istringstream words(command);
  std::string program, subcommand, option, value;
  server::RunChoices choices;
  words >> program >> subcommand >> choices.job;
  const std::map<std::string, std::optional<std::string>*> texts{{"--coupling", &choices.coupling},
                                                                 {"--scheme", &choices.scheme},
                                                                 {"--order", &choices.order}};
  while (words >> option >> value) {
    if (const auto text = texts.find(option); text != texts.end()) {
      *text->second = value;
    } else if (option == "--macro-step") {
      choices.macro_step_s = std::stod(value);
    } else if (option == "--extrapolation") {
      choices.extrapolation = value;
    } else if (option == "--integrator") {
      choices.integrators.push_back(assignment(value));
    } else {
      REQUIRE(option == "--substeps");
      choices.substeps.push_back(assignment(value));
    }
  }
  return choices;
}

/// On one line, wherever lines were broken.
std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) {
    line += (line.empty() ? "" : " ") + word;
  }
  return line;
}

}  // namespace

TEST_CASE("the command to try a recommendation runs its configuration") {
  const Scratch scratch;
  for (const char* job : {sequential_job, coupled_job}) {
    const std::string file = scratch.write("job.json", job);
    const engine::Plan plan = plan_of(job);
    for (std::size_t i = 0; i < plan.configurations.size(); ++i) {
      engine::Recommendation answer;
      answer.configuration = i;
      answer.macro_step_s = 0.0015;
      const std::string command = server::run_command(plan, answer, file);
      CAPTURE(command);
      const engine::Plan run = server::plan_run(parsed(command));
      CHECK(run.configurations.front() == plan.configurations[i]);
      CHECK(run.job.macro_step.initial_s == 0.0015);
    }
  }
}

TEST_CASE("the report names scheme, order and substeps, and tables what varies") {
  const Scratch scratch;
  const std::string file = scratch.write("job.json", sequential_job);
  const Outcome outcome = run_program({"search", file});
  REQUIRE(outcome.code == 0);
  const auto line = outcome.out.find("Try it:  macrostep run " + file);
  REQUIRE(line != std::string::npos);
  const auto choices = parsed(outcome.out.substr(line + std::string("Try it:  ").size()));
  CHECK(choices.scheme);
  CHECK(choices.substeps == std::vector<server::Assignment>{{"hydraulics", "2"}});
  for (const char* part :
       {" scheme", "2 substeps of hydraulics", "order", "hydraulics,mechanics"}) {
    CHECK_MESSAGE(outcome.out.find(part) != std::string::npos, outcome.out);
  }
}

TEST_CASE("the report names the tests of the largest residual and of the largest error") {
  const auto plan = plan_of(sequential_job);
  engine::SearchResult result;
  result.answer.recommendation = engine::Recommendation{
      .rule = "max_min",
      .macro_step_s = 0.001,
      .relative_residual = 0.25,
      .largest_residual_test = "ramp",
      .error = engine::MeasuredError{
          .nrmse = 0.5, .largest = 1, .test = "sine", .reference = "CVODE BDF", .reason = {}}};
  const auto report = unwrapped(server::search_report(plan, result, "job.json"));
  for (const char* part :
       {"at most 25 % of the energy", "tests that count, in ramp).", "counted or not, in sine)."}) {
    CHECK_MESSAGE(report.find(part) != std::string::npos, report);
  }
}

TEST_CASE("a cliff is not called unstable, which a linear problem may still be beyond it") {
  const auto plan = plan_of(sequential_job);
  engine::SearchResult result;
  result.complete = true;
  result.answer.table = {{.test = 0,
                          .configurations = {0},
                          .macro_step_s = 9e-4,
                          .verified_s = {std::nullopt},
                          .cliff_s = 1.2e-3,
                          .flags = {}}};
  auto& answer = result.answer.recommendation.emplace();
  answer = {.rule = "max_min", .macro_step_s = 9e-4, .bend_s = 9e-4, .cliff_s = 1.2e-3};
  const auto measured = unwrapped(server::search_report(plan, result, "job.json"));
  for (const char* part :
       {"(the bend); the cliff is at 1.2 ms, 1.333 times H.", "test input H verified cliff ",
        "the first H where runs fail or their residual exceeds its line tenfold"}) {
    CHECK_MESSAGE(measured.find(part) != std::string::npos, measured);
  }
  for (const char* part : {"unstable at", "instability begins"}) {
    CHECK_MESSAGE(measured.find(part) == std::string::npos, measured);
  }
  answer.stability_limit_s = 1.23e-3;
  const auto exact = unwrapped(server::search_report(plan, result, "job.json"));
  CHECK_MESSAGE(exact.find("it is unstable beyond 1.23 ms, 1.367 times H.") != std::string::npos,
                exact);
}

TEST_CASE("the table and the paper's rule say what is verified of them") {
  const auto plan = plan_of(sequential_job);
  engine::SearchResult result;
  result.complete = true;
  result.answer.table = {{.test = 0, .configurations = {0}, .macro_step_s = 9e-4}};
  result.answer.table[0].verified_s = {5e-4};
  auto& answer = result.answer.recommendation.emplace();
  answer = {.rule = "max_min", .macro_step_s = 5e-4, .verified_s = 5e-4};
  auto& paper = result.answer.paper_rule.emplace();
  paper = {.rule = "paper", .macro_step_s = 9e-4, .verified_s = 5e-4};
  const auto cut = unwrapped(server::search_report(plan, result, "job.json"));
  CHECK_MESSAGE(cut.find(", of which 0.5 ms is verified.") != std::string::npos, cut);
  CHECK_MESSAGE(cut.find(" 0.9 ms 0.5 ms – ") != std::string::npos, cut);

  paper.verified_s.reset();
  result.answer.table[0].verified_s = {std::nullopt};
  const auto unknown = unwrapped(server::search_report(plan, result, "job.json"));
  CHECK_MESSAGE(unknown.find(", not verified.") != std::string::npos, unknown);
  CHECK_MESSAGE(unknown.find(" 0.9 ms – – ") != std::string::npos, unknown);

  // Another configuration of the row has a line of its own where something else is verified of it.
  result.answer.table[0].configurations = {0, 1};
  result.answer.table[0].verified_s = {5e-4, std::nullopt};
  const auto split = server::search_report(plan, result, "job.json");
  const auto second = split.find('\n', split.find(" 0.5 ms "));
  CHECK_MESSAGE(split.find(" – ", second) < split.find('\n', second + 1), split);
  result.answer.table[0].verified_s = {5e-4, 5e-4};
  const auto whole = server::search_report(plan, result, "job.json");
  CHECK(std::ranges::count(whole, '\n') == std::ranges::count(split, '\n') - 1);
}

TEST_CASE("an interrupted search claims of an answer only what is known without its checks") {
  const engine::CheckOutcome agrees{.check = "growth", .verdict = engine::Verdict::agrees};
  for (const std::string search : {R"({"accuracy": 0.05})", "{}"}) {
    CAPTURE(search);
    const auto plan = plan_of(R"({"problem": "single_actuator_crane", "search": )" + search + "}");
    engine::SearchResult result;
    result.complete = false;
    auto& answer = result.answer.recommendation.emplace();
    answer = {.rule = "max_min", .macro_step_s = 0.01, .bend_s = 0.01};
    const auto report = unwrapped(server::search_report(plan, result, "job.json"));
    for (const char* part : {"were finished, and its answer was not checked.",
                             "the largest macro-step that the curves allow in every test input",
                             "has not been checked"}) {
      CHECK_MESSAGE(report.find(part) != std::string::npos, report);
    }
    for (const char* part : {"nothing was checked", "that is stable", "macro-step found"}) {
      CHECK_MESSAGE(report.find(part) == std::string::npos, report);
    }
    CHECK(report.find("This is the best so far.") != std::string::npos);
    answer.checks = {agrees};  // stopped later, as while macro-steps are timed
    const auto checked = unwrapped(server::search_report(plan, result, "job.json"));
    CHECK_MESSAGE(checked.find("not checked") == std::string::npos, checked);
    CHECK_MESSAGE(checked.find("has not been") == std::string::npos, checked);
  }
}

TEST_CASE("an interrupted search without a recommendation does not announce one") {
  const auto plan = plan_of(R"({"problem": "single_actuator_crane"})");
  engine::SearchResult result;
  result.complete = false;
  result.answer.reasons = {{.code = engine::NoticeCode::stopped_before_answer,
                            .numbers = {{"curves", 3}, {"curves_in_all", 8}}}};
  const auto report = unwrapped(server::search_report(plan, result, "job.json"));
  CHECK_MESSAGE(report.find("were finished. There is no answer so far.") != std::string::npos,
                report);
  CHECK(report.find("best so far") == std::string::npos);
}

TEST_CASE("the check of growth tells a rate and a limit that agree with its verdict") {
  engine::Recommendation answer;
  const auto told = [&](engine::Verdict verdict, double value) {
    answer.checks = {{.check = "growth", .verdict = verdict, .value = value, .limit = 0.0}};
    return json::checks_text(answer);
  };
  CHECK(told(engine::Verdict::agrees, 4.933e-5) ==
        "growth agrees (4.933e-05 per s, too slow to count as growth).");
  CHECK(told(engine::Verdict::agrees, -2) == "growth agrees (-2 per s, at most 0).");
  CHECK(told(engine::Verdict::objects, 2.5) == "growth objects (2.5 per s, at most 0).");
}

TEST_CASE("the sentence says what an accuracy asks of the recommended run") {
  const auto plan =
      plan_of(R"({"problem": "single_actuator_crane", "search": {"accuracy": 0.02}})");
  engine::Recommendation answer{.rule = "max_min", .macro_step_s = 0.001};
  answer.checks = {{.check = "change", .verdict = engine::Verdict::agrees}};
  const std::string sentence = json::sentence(plan, answer);
  CHECK_MESSAGE(
      sentence.find("the largest macro-step found for an error of the outputs (NRMSE) of 2 %, "
                    "which asks that they change by at most 1 % when H becomes a quarter, in "
                    "every test input and under fast random inputs") != std::string::npos,
      sentence);
  answer.checks = {{.check = "change", .verdict = engine::Verdict::objects}};  // by real time
  CHECK(json::sentence(plan, answer).find("It fails verification") != std::string::npos);
}

TEST_CASE("the report tables the times of the recommended configuration, and its real time") {
  auto job = nlohmann::json::parse(sequential_job);
  job["search"]["real_time"] = {{"share", 0.5}};
  const auto plan = plan_of(job.dump());
  const macrostep::tests::TimesBy backend([](const auto&, const auto&) {
    return engine::TimedMacroSteps{.macro_steps = 1000, .times = {1e-6, 2e-6, 3.5e-5}};
  });
  auto result = engine::run_search(plan, {.backend = &backend});
  REQUIRE(result.answer.recommendation);
  REQUIRE(result.answer.recommendation->growth);
  auto& growth = *result.answer.recommendation->growth;
  const auto session = "\n  session       " + engine::number_text(growth.session_s) +
                       " s: growth is judged over that time";
  growth.by = engine::VerdictBy::operating_points;  // which no session decides
  CHECK(server::search_report(plan, result, "job.json").find("session") == std::string::npos);
  growth.by = engine::VerdictBy::exact;
  const auto report = server::search_report(plan, result, "job.json");
  CHECK_MESSAGE(report.find(session) != std::string::npos, report);
  for (const char* part : {"99.9 % of the macro-steps took at most 2 µs", "the limit, 50 % of",
                           "H  median  99.9 %  worst  99.9 % of H", "1 µs    2 µs  35 µs"}) {
    CHECK_MESSAGE(report.find(part) != std::string::npos, report);
  }
  const auto table = report.substr(report.find("Time of a macro-step with it"));
  // The H of the paper's rule besides, where that has the configuration, too.
  CHECK(std::ranges::count(table, '%') - 2 <= static_cast<int>(engine::timed_macro_step_sizes) + 1);
}

TEST_CASE("an estimate says once what of it is unknown, of FMUs or of a step-size control") {
  const auto plan = plan_of(sequential_job);
  engine::CostEstimate estimate{.expected = {.trials = 50, .macro_steps = 1e4, .cost = 7e5},
                                .most = {.trials = 80, .macro_steps = 4e4, .cost = 9e5},
                                .seconds_max = 48'000,
                                .threads = 2};
  const std::string foreign = server::estimate_report(plan, estimate);
  CHECK_MESSAGE(foreign.find("trials            about 50, at most 80\n") != foreign.npos, foreign);
  CHECK_MESSAGE(foreign.find("about 7e+05, without a bound\n") != foreign.npos, foreign);
  CHECK_MESSAGE(foreign.find("--fmu-trial-timeout alone") != foreign.npos, foreign);
  CHECK_MESSAGE(foreign.find("13.33 h on 2 threads.") != foreign.npos, foreign);
  for (const char* part : {"unknown", "evaluations", "time, 2 threads"}) {
    CHECK_MESSAGE(foreign.find(part) == foreign.npos, foreign);
  }
  estimate.rhs_evaluations_expected = 6e5;  // as with CVODE
  estimate.seconds_expected = 3;
  estimate.seconds_max.reset();
  const std::string own = server::estimate_report(plan, estimate);
  CHECK_MESSAGE(own.find("time, 2 threads   about 3 s, without a bound\n") != own.npos, own);
  CHECK_MESSAGE(own.find("FMU") == own.npos, own);
}

TEST_CASE("the sentence names scheme and order unless all was Jacobi") {
  const engine::Plan plan = plan_of(sequential_job);
  engine::Recommendation answer;
  answer.rule = "max_min";
  answer.macro_step_s = 0.001;
  CHECK(json::sentence(plan, answer).find("the Jacobi scheme, ") != std::string::npos);
  answer.configuration = plan.configurations.size() - 1;
  CHECK(json::sentence(plan, answer)
            .find("the Gauss–Seidel scheme (mechanics, then hydraulics), 2 substeps of "
                  "hydraulics, ") != std::string::npos);
  const engine::Plan plain = plan_of(R"({"problem": "single_actuator_crane"})");
  answer.configuration = 0;
  CHECK(json::sentence(plain, answer).find("scheme") == std::string::npos);
}

TEST_CASE("the sentence says that the job limits H, with an accuracy, too") {
  engine::Recommendation answer;
  answer.rule = "max_min";
  answer.macro_step_s = 0.001;
  const auto says_so = [&](const std::string& search) {
    const engine::Plan plan =
        plan_of(R"({"problem": "single_actuator_crane", "search": {)" + search + "}}");
    return json::sentence(plan, answer).find("within the limits of the job") != std::string::npos;
  };
  CHECK(says_so(R"("allowed_macro_steps_s": [0.001])"));
  CHECK(says_so(R"("allowed_macro_steps_s": [0.001], "accuracy": 0.05)"));
  CHECK_FALSE(says_so(R"("accuracy": 0.05)"));
  CHECK_FALSE(says_so(""));
}

TEST_CASE("integrators, schemes and couplings have words of their own") {
  const std::map<std::string, std::string> words{
      {"forward_euler", "forward Euler"},
      {"symplectic_euler", "symplectic Euler"},
      {"trapezoidal", "the trapezoidal rule"},
      {"rk4", "Runge–Kutta 4"},
      {"exact", "exact integration"},
      {"cvode", "CVODE"},
      {"i1al", "I1AL"},
      {"i3al", "I3AL"},
      {"al_symplectic_euler", "augmented-Lagrangian symplectic Euler"},
      {"fmu", "the FMU's own solver"},
      {"jacobi", "Jacobi"},
      {"gauss_seidel", "Gauss–Seidel"},
      {"iterative", "iterative"},
      {"force_displacement", "force–displacement"},
      {"displacement_displacement", "displacement–displacement"},
      {"force_force", "force–force"},
      {"pressure_displacement", "pressure–displacement"},
      {"pressure_flow", "pressure–flow"}};
  const auto check = [&](std::string_view name) {
    CAPTURE(name);
    const auto expected = words.find(std::string(name));
    REQUIRE(expected != words.end());
    CHECK(json::word(name) == expected->second);
  };
  for (const auto integrator : models::all_integrators) {
    check(to_string(integrator));
  }
  for (const auto scheme : engine::all_schemes) {
    check(to_string(scheme));
  }
  for (const auto& problem : engine::catalogue()) {
    const auto built = problem.build({});
    for (const auto& coupling : std::get<engine::Problem>(built).couplings) {
      check(coupling.name);
    }
  }
}
