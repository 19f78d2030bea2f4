// What the engine finds, as JSON: the shapes of the contract, against a small search.
#include <doctest/doctest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "engine/search/run_search.hpp"
#include "server/jobs/problem_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/results/result_json.hpp"
#include "server/results/run_json.hpp"
#include "server/store/search_json.hpp"
#include "server/store/stored_rows.hpp"

namespace engine = macrostep::engine;
namespace json = macrostep::server::json;
namespace server = macrostep::server;

namespace {

engine::Plan plan_of(const char* text) {
  auto plan = json::plan_of(json::read_job(nlohmann::json::parse(text)));
  REQUIRE(std::holds_alternative<engine::Plan>(plan));
  return std::move(std::get<engine::Plan>(plan));
}

engine::Plan small_plan() {
  return plan_of(R"({"problem": "single_actuator_crane",
    "search": {"extrapolation": ["0", "2"],
               "integrators": {"mechanics": ["i1al"], "hydraulics": ["forward_euler"]},
               "macro_step": {"initial_s": 0.0005, "increment_s": 0.0005, "maximum_s": 0.01}},
    "tests": [{"kind": "step", "duration_s": 1},
              {"kind": "sine", "frequency_hz": 70, "periods": 1}]})");
}

std::vector<std::string> members_of(const nlohmann::ordered_json& object) {
  std::vector<std::string> names;
  for (const auto& [name, value] : object.items()) {
    names.push_back(name);
  }
  return names;
}

using Names = std::vector<std::string>;
using Json = nlohmann::ordered_json;

/// Runs the plan and shows it as the command line does.
Json searched(const engine::Plan& plan) {
  std::vector<engine::TrialRecord> trials;
  const auto result = engine::run_search(
      plan, {.threads = 2,
             .on_result = [&](const engine::TrialRecord& record,
                              const engine::SearchProgress&) { trials.push_back(record); },
             .options = {.measure_step_times = true, .measure_error = true}});
  const auto rows = server::rows_of({.plan = plan,
                                     .result = result,
                                     .trials = trials,
                                     .created_at = "2025-01-31T12:00:00.000Z",
                                     .finished_at = "2025-01-31T12:00:01.000Z"});
  return Json::parse(server::search_json(rows, server::TrialPoints::with));
}

}  // namespace

TEST_CASE("a search as JSON has the contract's shapes") {
  const engine::Plan plan = small_plan();
  const Json search = searched(plan);
  CHECK(search["id"].is_null());
  CHECK(search["status"] == "succeeded");
  CHECK(search["progress"]["curves_done"] == 4);

  const Names configuration{"coupling",    "scheme",   "extrapolation",
                            "integrators", "substeps", "correction"};
  Names recommendation = configuration;
  recommendation.insert(recommendation.end(), {"macro_step_s",
                                               "verified",
                                               "macro_step_verified_s",
                                               "bend_s",
                                               "cliff_s",
                                               "stability_limit_s",
                                               "session_limit_s",
                                               "growth",
                                               "relative_residual",
                                               "error",
                                               "correction_gain",
                                               "rule",
                                               "confidence",
                                               "checks",
                                               "warnings",
                                               "notices",
                                               "reason",
                                               "reasons",
                                               "sentence",
                                               "ties"});
  CHECK(members_of(search["recommendation"]) == recommendation);
  CHECK(search["recommendation"]["rule"] == "max_min");
  CHECK(search["recommendation"]["verified"] == true);
  CHECK(search["recommendation"]["macro_step_verified_s"] ==
        search["recommendation"]["macro_step_s"]);
  CHECK(search["recommendation"]["confidence"].is_null());
  const auto& growth = search["recommendation"]["growth"];  // of a crane, which is not linear
  CHECK(growth["verdict_by"] == "operating_points");
  CHECK(growth["uncertainty_per_s"] > 0);
  CHECK(growth["unseen_share"] == 1e-7);
  CHECK(search["paper_rule"]["confidence"].is_null());
  const auto& error = search["recommendation"]["error"];
  CHECK(members_of(error) == Names{"nrmse", "max", "test", "reference"});
  CHECK(error["nrmse"] > 0);
  CHECK(error["max"] > error["nrmse"]);
  CHECK(error["reference"] == "CVODE BDF");
  CHECK(search["paper_rule"]["error"].is_null());

  REQUIRE(search["table"].size() == 2);
  const auto& row = search["table"][0];
  CHECK(members_of(row) == Names{"test", "configurations", "macro_step_s", "macro_step_verified_s",
                                 "macro_steps_verified_s", "cliff_s", "flags"});
  CHECK(members_of(row["configurations"][0]) == configuration);

  REQUIRE(search["curves"].size() == 4);
  for (const auto& curve : search["curves"]) {
    CHECK(members_of(curve) == Names{"id", "configuration", "test", "bend_s", "cliff_s",
                                     "stability_limit_s", "rejected_from_s", "slope", "fit",
                                     "reason", "flags", "counts", "usable_s", "limited_by",
                                     "points"});
    CHECK(curve["limited_by"].is_string());
    double before = 0;
    for (const auto& point : curve["points"]) {
      CHECK(members_of(point) == Names{"macro_step_s", "residual_J", "relative_residual", "status",
                                       "inside_linear_region"});
      CHECK(point["macro_step_s"] > before);
      before = point["macro_step_s"];
      if (curve["bend_s"].is_number()) {
        CHECK(point["inside_linear_region"] == (before <= curve["bend_s"]));
      }
    }
  }
  REQUIRE(search["step_times"].size() >= 4);
  bool recommended = false;
  for (const auto& times : search["step_times"]) {
    CHECK(members_of(times) == Names{"configuration_id", "configuration", "macro_step_s",
                                     "macro_steps", "median_s", "p999_s", "worst_s"});
    CHECK(times["configuration"] ==
          json::configuration_json(
              plan.configurations[times["configuration_id"].get<std::size_t>()]));
    CHECK(times["macro_steps"] > 0);
    recommended =
        recommended ||
        (times["configuration"]["extrapolation"] == search["recommendation"]["extrapolation"] &&
         times["macro_step_s"] == search["recommendation"]["macro_step_s"]);
  }
  CHECK(recommended);
  CHECK(members_of(search["cost"]) == Names{"trials", "rhs_evaluations", "wall_s"});
  CHECK(members_of(search["provenance"]) == Names{"version", "build_id", "math_class"});
}

TEST_CASE("an answer for a linear problem has its growth, and no confidence before a recount") {
  const Json search =
      searched(plan_of(R"({"problem": "pipe_volume", "search": {"extrapolation": ["1"]}})"));
  const auto& recommendation = search["recommendation"];
  CHECK(recommendation["confidence"].is_null());
  CHECK(recommendation["checks"][0]["verdict"] == "agrees");
  const auto& growth = recommendation["growth"];
  CHECK(growth["rate_per_s"] < 0);
  // ζω_0 (1 + 1/(2ζω_0τ)) of the exact modes, by the defaults of the problem.
  CHECK(growth["exact_rate_per_s"] < 0);
  CHECK(growth["doubles_every_s"].is_null());
  CHECK(growth["over_session"] >= 0);
  CHECK(growth["over_session"] < 1);
  CHECK(growth["session_s"] > 0);
  CHECK(growth["verdict_by"] == "exact");
}

TEST_CASE("the answer is a sentence, and every flag and limit has its meaning") {
  const Json search = searched(small_plan());
  const std::string sentence = search["recommendation"]["sentence"];
  CHECK(search["sentence"] == sentence);
  for (const char* part :
       {"-order extrapolation with H = ", " ms, I1AL for mechanics and ",
        "forward Euler for hydraulics: the largest macro-step at which runs swing at most twice as "
        "far as with a quarter of H and, with a margin of 25 %, no motion grows faster around "
        "states that the tests reach, as runs show. That does not promise accuracy; at this H the "
        "relative residual is ",
        " % and the error of the outputs (NRMSE) "}) {
    CHECK_MESSAGE(sentence.find(part) != std::string::npos, sentence);
  }
  const std::string by_paper = search["paper_rule"]["sentence"];
  CHECK(by_paper.starts_with("The rule of Rahikainen, González and Naya (2019) gives "));
  CHECK(by_paper.find(": " + search["paper_rule"]["reason"].get<std::string>() + ". This H is ") !=
        std::string::npos);
  std::set<std::string> flags;
  for (const char* list : {"table", "curves"}) {
    for (const auto& one : search[list]) {
      for (const auto& flag : one["flags"]) {
        flags.insert(flag.get<std::string>());
      }
      if (one.contains("limited_by")) {
        flags.insert(one["limited_by"].get<std::string>());
      }
    }
  }
  CHECK_FALSE(flags.empty());
  CHECK(search["flag_meanings"].size() == flags.size());
  for (const auto& flag : flags) {
    CHECK(search["flag_meanings"][flag].get<std::string>().find(' ') != std::string::npos);
  }
}

TEST_CASE("of what is known by its swing alone the answer says so") {
  const Json search = searched(plan_of(R"({"problem": "coupled_pendula",
    "search": {"extrapolation": ["0"], "couplings": ["displacement_displacement"],
               "macro_step": {"initial_s": 0.02, "increment_s": 0.005, "maximum_s": 0.1}},
    "tests": [{"kind": "step", "duration_s": 7}]})"));
  const auto& growth = search["recommendation"]["growth"];
  CHECK(growth["verdict_by"] == "swing");
  CHECK(growth["rate_per_s"].is_null());
  const std::string sentence = search["sentence"];
  CHECK_MESSAGE(
      sentence.find("with a margin of 25 % at which runs swing at most twice as far as with a "
                    "quarter of H, in every test input that counts, under random inputs and in "
                    "longer runs. Runs could not tell whether anything grows that the problem "
                    "itself does not have. That does not promise accuracy") != std::string::npos,
      sentence);
}

TEST_CASE("an answer that is not complete is the best so far, and a running search has none") {
  macrostep::db::SearchSummary summary{
      .status = "succeeded",
      .complete = true,
      .recommended_sentence = "Use extrapolation 2 with H = 1.8 ms."};
  CHECK(server::answer_sentence(summary) == "Use extrapolation 2 with H = 1.8 ms.");
  summary.status = "cancelled";
  summary.complete = false;
  CHECK(server::answer_sentence(summary) == "Best so far: Use extrapolation 2 with H = 1.8 ms.");
  summary.status = "running";
  CHECK_FALSE(server::answer_sentence(summary).has_value());
  CHECK(server::answer_sentence({.status = "failed", .reason = "the disk is full"}) ==
        "The search failed: the disk is full.");
}

TEST_CASE("a search cut short names the curves it misses") {
  const engine::Plan plan = small_plan();
  engine::SearchResult result;
  result.answer.reasons = {{.code = engine::NoticeCode::stopped_before_times}};
  const auto rows = server::rows_of({.plan = plan,
                                     .result = result,
                                     .trials = {},
                                     .created_at = "2025-01-31T12:00:00.000Z",
                                     .finished_at = "2025-01-31T12:00:01.000Z"});
  const auto search = Json::parse(server::search_json(rows, server::TrialPoints::without));
  CHECK(search["status"] == "cancelled");
  CHECK(search["sentence"] ==
        "No configuration can be recommended: stopped before it was known whether a configuration "
        "keeps real time.");
  CHECK_FALSE(search["curves"][0].contains("points"));
  CHECK(search["curves"][0]["limited_by"].is_null());
  CHECK(search["id"].is_null());
  CHECK(search["recommendation"].is_null());
  CHECK(search["paper_rule"].is_null());
  REQUIRE(search["missing_curves"].size() == 4);
  CHECK(search["missing_curves"][1]["test"] == "sine_70hz");
}

TEST_CASE("a number that is not finite is null") {
  const engine::Plan plan = small_plan();
  engine::TrialRecord trial;
  trial.result.status = engine::TrialStatus::diverged;
  trial.result.reason = "grew";
  trial.result.residual_j = std::numeric_limits<double>::infinity();
  trial.result.transmitted_j = std::numeric_limits<double>::quiet_NaN();
  server::SearchRows rows{.row = {},
                          .configurations = server::configuration_rows(plan),
                          .curves = server::unfinished_curve_rows(plan),
                          .trials = {}};
  const auto written = Json::parse(server::trial_json(rows, server::trial_row(trial, 7)));
  CHECK(written["id"] == 7);
  CHECK(written["status"] == "diverged");
  CHECK(written["reason"] == "grew");
  CHECK(written["residual_J"].is_null());
  CHECK(written["relative_residual"].is_null());

  json::RunReport report;
  report.output_names = {"a.x", "a.y"};
  report.final_outputs = {std::numeric_limits<double>::quiet_NaN(), 1};
  const auto run = json::run_json(plan, report);
  CHECK(run["outputs"]["a.x"]["final"].is_null());
  CHECK(run["outputs"]["a.y"]["final"] == 1);
}

TEST_CASE("the catalogue tells what a form needs") {
  const auto problems = json::problems_json()["problems"];
  REQUIRE(problems.size() >= 2);
  for (const auto& problem : problems) {
    CAPTURE(problem["name"]);
    CHECK(members_of(problem) == Names{"name", "title", "description", "source", "subsystems",
                                       "groups", "parameters", "couplings", "ports_by_coupling",
                                       "connections_by_coupling", "power_bonds_by_coupling",
                                       "external_inputs", "other_tests", "job"});
    for (const auto& coupling : problem["couplings"]) {
      const auto& name = coupling.get_ref<const std::string&>();
      CHECK_FALSE(problem["connections_by_coupling"][name].empty());
      CHECK_FALSE(problem["power_bonds_by_coupling"][name].empty());
    }
    for (const auto& parameter : problem["parameters"]) {
      CHECK(parameter["minimum"] <= parameter["default"]);
      CHECK(parameter["default"] <= parameter["maximum"]);
    }
    // The job of the catalogue is a job.
    const auto plan = json::plan_of(json::read_job(nlohmann::json::parse(problem["job"].dump())));
    CHECK(std::holds_alternative<engine::Plan>(plan));
  }
  const auto& crane = problems[0];
  CHECK(crane["groups"][1]["members"].size() == 2);
  CHECK(crane["groups"][1]["micro_step_s"] == 1e-4);
  CHECK(crane["groups"][0]["micro_step_s"].is_null());
  CHECK(crane["external_inputs"][0]["unit"] == "V");
  // The actuator follows the crane by extrapolation; its force is held.
  const auto& connections = crane["connections_by_coupling"]["force_displacement"];
  CHECK(connections.size() == 6);
  CHECK(connections[0] == nlohmann::ordered_json{{"from", "mechanics.s_1"},
                                                 {"to", "hydraulics_1.s"},
                                                 {"extrapolate", true},
                                                 {"delay_macro_steps", 0}});
  CHECK(connections[2]["from"] == "hydraulics_1.f");
  CHECK(connections[2]["extrapolate"] == false);
  CHECK(crane["power_bonds_by_coupling"]["force_displacement"][0]["effort"] == "hydraulics_1.f");
}
