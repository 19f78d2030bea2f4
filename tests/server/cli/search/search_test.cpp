// macrostep search: the answer in words and as JSON, in a file, and when it is interrupted.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "db/schema/sqlite.hpp"
#include "db/store/store.hpp"
#include "server/cli/search/search_store.hpp"
#include "server/jobs/read_job.hpp"
#include "tests/server/child_process.hpp"

namespace {

/// Two extrapolations and one short test: a search of a few milliseconds.
constexpr const char* small_job = R"({"name": "small", "problem": "single_actuator_crane",
  "search": {"extrapolation": ["1", "2"],
             "integrators": {"mechanics": ["i1al"], "hydraulics": ["forward_euler"]},
             "macro_step": {"initial_s": 0.0005, "increment_s": 0.0005, "maximum_s": 0.01}},
  "tests": [{"kind": "step", "duration_s": 1}]})";

/// Years of it.
constexpr const char* absurd_job = R"({"problem": "double_actuator_crane",
  "search": {"macro_step": {"initial_s": 1e-6, "increment_s": 1e-6}},
  "micro_steps": {"hydraulics": 1e-7},
  "tests": [{"kind": "step", "duration_s": 99}]})";

/// All of the crane's configurations from tiny macro-steps on: minutes, if nobody interrupts it.
constexpr const char* long_job = R"({"problem": "double_actuator_crane",
  "search": {"macro_step": {"initial_s": 1e-6, "increment_s": 1e-6, "maximum_s": 0.01}},
  "tests": [{"kind": "step", "duration_s": 1}]})";

}  // namespace

TEST_CASE("search --dry-run says what the search would cost, and runs nothing") {
  const Outcome json =
      run_program({"search", "-", "--dry-run", "--json", "--threads", "3"}, small_job);
  REQUIRE(json.code == 0);
  const auto dry = nlohmann::json::parse(json.out);
  CHECK(dry["curves"] == 2);
  CHECK(dry["job"]["name"] == "small");
  CHECK(dry["estimate"]["threads"] == 3);
  CHECK(dry["estimate"]["trials_max"] >= dry["estimate"]["trials_expected"]);
  CHECK(dry["estimate"]["seconds_expected"] > 0);
  CHECK_FALSE(dry.contains("recommendation"));

  const Outcome words = run_program({"search", "-", "--dry-run"}, small_job);
  CHECK(words.code == 0);
  CHECK(words.out.find("would scan 2 curves") != std::string::npos);
  CHECK(words.out.find("evaluations") != std::string::npos);
  CHECK(words.err.empty());

  const Outcome absurd = run_program({"search", "-", "--dry-run"}, absurd_job);
  CHECK(absurd.code == 0);  // who waits is whoever asks
  CHECK(absurd.err.find("/micro_steps/hydraulics") != std::string::npos);
  CHECK(absurd.err.find("--max-job-cost") != std::string::npos);
}

TEST_CASE("search --json is the contract's result") {
  const Outcome outcome = run_program({"search", "-", "--json"}, small_job);
  REQUIRE(outcome.code == 0);
  CHECK(outcome.err.empty());
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["status"] == "succeeded");
  CHECK(json["complete"] == true);
  CHECK(json["id"].is_null());  // nothing is stored
  CHECK(json["job"]["name"] == "small");
  CHECK(json["recommendation"]["extrapolation"] == "2");
  CHECK(json["recommendation"]["macro_step_s"] >= 0.001);
  CHECK(json["paper_rule"]["rule"] == "paper");
  CHECK(json["table"].size() == 1);
  CHECK(json["curves"].size() == 2);
  CHECK(json["curves"][0]["points"].size() > 3);
  CHECK(json["cost"]["trials"] > 10);
  CHECK(json["provenance"]["version"] == MACROSTEP_VERSION);
  CHECK_FALSE(json.contains("missing_curves"));
}

TEST_CASE("--paper gives the paper's own rows, and claims nothing of its answer") {
  // The independent numbers of the same equations and rule, in ms, held to one step of the grid.
  const auto rows = [](const char* problem, std::vector<double> expected_ms) {
    const Outcome outcome = run_program({"search", problem, "--paper", "--json"});
    REQUIRE(outcome.code == 0);
    const auto json = nlohmann::json::parse(outcome.out);
    REQUIRE(json["table"].size() == expected_ms.size());
    double smallest_s = 1;
    for (std::size_t test = 0; test < expected_ms.size(); ++test) {
      const double macro_step_s = json["table"][test]["macro_step_s"];
      CHECK(std::abs(1e3 * macro_step_s - expected_ms[test]) < 0.2 + 1e-9);
      CHECK(json["table"][test]["macro_step_verified_s"].is_null());
      smallest_s = std::min(smallest_s, macro_step_s);
    }
    const auto& answer = json["recommendation"];
    CHECK(json["job"]["search"]["preset"] == "rahikainen2019");
    CHECK(answer["rule"] == "paper");
    CHECK(answer["macro_step_s"] == smallest_s);
    CHECK(answer["verified"] == false);
    CHECK(answer["checks"].empty());
    CHECK(answer["macro_step_s"] == json["paper_rule"]["macro_step_s"]);
    const std::string sentence = answer["sentence"];
    CHECK_MESSAGE(sentence.starts_with("The rule of Rahikainen, González and Naya (2019) gives "),
                  sentence);
    CHECK_MESSAGE(sentence.find("Nothing was verified") != std::string::npos, sentence);
    CHECK(sentence.find("is stable") == std::string::npos);
    for (const std::string warning : answer["warnings"]) {
      CHECK_MESSAGE(warning.find("stable") == std::string::npos, warning);
    }
  };
  rows("double_actuator_crane", {1.8, 1.8, 1.8, 2.0, 2.4, 2.0});
  rows("single_actuator_crane", {6.0, 2.4, 2.2, 5.8, 3.6, 2.8});
}

TEST_CASE("--paper is a member of the job, and contradicted by others") {
  const Outcome dry = run_program({"search", "-", "--paper", "--dry-run", "--json"}, small_job);
  CHECK(dry.code == 0);
  CHECK(nlohmann::json::parse(dry.out)["job"]["search"]["preset"] == "rahikainen2019");
  const Outcome refused =
      run_program({"search", "-", "--paper"},
                  R"({"problem": "single_actuator_crane", "search": {"accuracy": 0.05}})");
  CHECK(refused.code == 2);
  CHECK_MESSAGE(refused.err.find("/search/accuracy") != std::string::npos, refused.err);
  CHECK(run_program({"search", "--watch", "http://127.0.0.1:1", "--paper"}).code == 2);
}

TEST_CASE("words of a job are options, each of which overrides its own member alone") {
  const auto job_with = [](std::vector<std::string> options) {
    std::vector<std::string> words{"search", "-", "--dry-run", "--json"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = run_program(words, small_job);
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
    return nlohmann::json::parse(outcome.out)["job"];
  };
  const auto plain = job_with({});
  auto expected = plain;
  expected["search"]["accuracy"] = 0.05;
  expected["search"]["relative_residual_max"] = 0.1;  // which an accuracy brings along
  CHECK(job_with({"--accuracy", "5%"}) == expected);
  CHECK(job_with({"--accuracy", "0.05"}) == expected);
  CHECK(job_with({"--accuracy", "none"}) == plain);
  auto accurate = nlohmann::json::parse(small_job);
  accurate["search"]["accuracy"] = 0.05;
  const Outcome stable =
      run_program({"search", "-", "--accuracy", "none", "--dry-run", "--json"}, accurate.dump());
  REQUIRE(stable.code == 0);
  CHECK(nlohmann::json::parse(stable.out)["job"] == plain);
  expected = plain;
  expected["session_s"] = 3600;
  CHECK(job_with({"--session", "3600"}) == expected);
  expected = plain;
  expected["search"]["extrapolation"] = {"0", "i1"};
  CHECK(job_with({"--extrapolation", "0,i1"}) == expected);
  expected = plain;
  expected["search"]["macro_step"]["maximum_s"] = 0.005;
  CHECK(job_with({"--to", "0.005"}) == expected);
  expected["search"]["macro_step"]["initial_s"] = 0.001;  // the increment is the job's
  CHECK(job_with({"--from", "0.001", "--to", "0.005"}) == expected);
  const Outcome named =
      run_program({"search", "double_actuator_crane", "--from", "0.0004", "--dry-run", "--json"});
  REQUIRE(named.code == 0);
  const auto grid = nlohmann::json::parse(named.out)["job"]["search"]["macro_step"];
  CHECK(grid["initial_s"] == 0.0004);
  CHECK(grid["increment_s"] == 0.0004);
  CHECK(grid["maximum_s"] == 0.02);
}

TEST_CASE("words of a job that cannot be are refused by the option or the member") {
  const auto error_of = [](const std::string& option, const std::string& value) {
    const Outcome outcome = run_program({"search", "-", option, value}, small_job);
    CHECK(outcome.code == 2);
    return outcome.err;
  };
  for (const auto& [option, value, told] : std::vector<std::array<std::string, 3>>{
           {"--accuracy", "five", "--accuracy: must be a share"},
           {"--accuracy", "%", "--accuracy: must be a share"},
           {"--accuracy", "-1%", "/search/accuracy"},
           {"--from", "0", "--from: must be a positive number of seconds up to 1e9"},
           {"--to", "1e999", "--to: must be a positive number of seconds up to 1e9"},
           {"--to", "1e-9", "/search/macro_step"},
           {"--session", "-3", "--session: must be a positive number of seconds up to 1e9"},
           {"--extrapolation", "", "/search/extrapolation/0"},
           {"--accuracy", "", "--accuracy: must be a share"},
           {"--extrapolation", "0,,1", "/search/extrapolation/1"},
           {"--extrapolation", "0,", "/search/extrapolation/1"},
           {"--extrapolation", "nine", "/search/extrapolation/0"}}) {
    CAPTURE(option);
    const auto error = error_of(option, value);
    CHECK_MESSAGE(error.find(told) != std::string::npos, error);
  }
  CHECK(run_program({"search", "--watch", "http://127.0.0.1:1", "--accuracy", "5%"}).code == 2);
  for (const char* job : {R"({"problem": "linear_oscillator", "search": null})",
                          R"({"problem": "linear_oscillator", "search": {"macro_step": null}})"}) {
    const Outcome outcome = run_program({"search", "-", "--to", "0.01"}, job);
    CHECK(outcome.code == 2);
    CHECK_MESSAGE(outcome.err.find("/search") != std::string::npos, outcome.err);
  }
}

TEST_CASE("the recommendation is compared with the monolithic solution, unless told not to") {
  const auto error_of = [](const Outcome& outcome) {
    return nlohmann::json::parse(outcome.out)["recommendation"]["error"];
  };
  CHECK(error_of(run_program({"search", "-", "--json"}, small_job))["nrmse"] > 0);
  CHECK(error_of(run_program({"search", "-", "--json", "--no-reference"}, small_job)).is_null());
}

TEST_CASE("a row that does not count shows no H") {
  const Scratch scratch;
  auto job = nlohmann::json::parse(small_job);
  job["tests"].push_back({{"kind", "sine"}, {"frequency_hz", 70}, {"periods", 1}});
  const std::string out = run_program({"search", scratch.write("job.json", job.dump())}).out;
  const auto at = out.find("\n  sine_70hz ");
  REQUIRE_MESSAGE(at != std::string::npos, out);
  const std::string line = out.substr(at + 1, out.find('\n', at + 1) - at - 1);
  CHECK_MESSAGE(line.find("ms") == std::string::npos, line);
  CHECK_MESSAGE(line.find("–") != std::string::npos, line);
}

TEST_CASE("search prints the answer as a sentence and a table") {
  const Scratch scratch;
  const Outcome outcome = run_program({"search", scratch.write("job.json", small_job)});
  REQUIRE(outcome.code == 0);
  CHECK(outcome.err.empty());
  for (const char* part :
       {"Use second-order extrapolation with H = ", "I1AL for mechanics", "(relative residual,",
        "(NRMSE", "test input", " cliff ", "exceeds its line tenfold", "Try it:  macrostep run "}) {
    CHECK_MESSAGE(outcome.out.find(part) != std::string::npos, outcome.out);
  }
}

TEST_CASE("a search without a stable configuration succeeds, with null and a reason") {
  const Outcome outcome = run_program(
      {"search", "-", "--json"},
      R"({"problem": "single_actuator_crane", "search": {"relative_residual_max": 1e-15},
          "tests": [{"kind": "step", "duration_s": 0.1}]})");
  CHECK(outcome.code == 0);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["recommendation"].is_null());
  CHECK(json["sentence"].get<std::string>().starts_with("No configuration can be recommended: "));
  CHECK(json["reasons"][0]["code"] == "residual_limit_not_reached");
}

TEST_CASE("an interrupted search shows the best so far and exits with 130") {
  Child child({"search", "-", "--json"}, long_job);
  const Outcome outcome = interrupt(child);
  CHECK(outcome.code == 130);
  const auto json = nlohmann::json::parse(outcome.out);
  CHECK(json["status"] == "cancelled");
  CHECK(json["complete"] == false);
  CHECK(json["curves"].size() == 24);
  CHECK(json["missing_curves"].size() > 0);
  CHECK(json["missing_curves"][0]["configuration"]["scheme"] == "jacobi");
}

TEST_CASE("search --json is the same with and without a database but for ids and times") {
  const Scratch scratch;
  auto plain = nlohmann::json::parse(
      run_program({"search", "-", "--json", "--threads", "2"}, small_job).out);
  auto stored = nlohmann::json::parse(
      run_program({"search", "-", "--json", "--db", scratch.file("searches.db")}, small_job).out);
  CHECK(stored["id"].is_string());
  for (auto* search : {&plain, &stored}) {
    for (const char* member : {"id", "created_at", "started_at", "finished_at"}) {
      CHECK(search->erase(member) == 1);
    }
    CHECK((*search)["cost"].erase("wall_s") == 1);
    for (auto& times : (*search)["step_times"]) {
      for (const char* member : {"macro_steps", "median_s", "p999_s", "worst_s"}) {
        CHECK(times.erase(member) == 1);
      }
    }
  }
  for (auto& curve : stored["curves"]) {
    for (auto& point : curve["points"]) {
      CHECK(point.erase("trial_id") == 1);
    }
  }
  CHECK(plain == stored);
}

TEST_CASE("search --db keeps the search, an interrupted one too") {
  const Scratch scratch;
  const std::string file = scratch.file("searches.db");
  const Outcome outcome = run_program({"search", "-", "--json", "--db", file}, small_job);
  REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  const auto json = nlohmann::json::parse(outcome.out);
  {
    const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
    const auto row = store.get_search(json["id"].get<std::string>());
    REQUIRE(row);
    CHECK(row->summary.status == "succeeded");
    CHECK(row->summary.complete);
    CHECK(row->summary.name == "small");
    const auto& recommendation = json["recommendation"];
    CHECK(nlohmann::json::parse(*row->summary.recommendation) == recommendation);
    CHECK(row->summary.recommended_sentence == recommendation["sentence"].get<std::string>());
    CHECK(row->summary.recommended_macro_step_s == recommendation["macro_step_s"].get<double>());
    const auto decided = store.recommendations(row->summary.id).front();
    REQUIRE(decided.rule == "max_min");
    CHECK(decided.nrmse == recommendation["error"]["nrmse"].get<double>());
    CHECK(decided.error_test == recommendation["error"]["test"].get<std::string>());
    CHECK((decided.verdict == "verified") == recommendation["verified"].get<bool>());
    CHECK(decided.accuracy.has_value() == json["job"]["search"]["accuracy"].is_number());
    CHECK(nlohmann::json::parse(row->plan) == json["job"]);
    CHECK(store.trials_of_search(row->summary.id).size() == json["cost"]["trials"]);
  }
  Child child({"search", "-", "--json", "--db", file}, long_job);
  const Outcome interrupted = interrupt(child);
  CHECK(interrupted.code == 130);
  const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
  const auto list = store.list_searches(10);
  REQUIRE(list.rows.size() == 2);
  CHECK(list.rows[0].status == "cancelled");
  CHECK_FALSE(list.rows[0].complete);
}

TEST_CASE("a search whose terminal is closed is not left running in its database") {
  const Scratch scratch;
  const std::string file = scratch.file("a.db");
  Child child({"search", "-", "--db", file}, long_job);
  CHECK(interrupt(child, SIGHUP).code == 130);
  const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
  CHECK(store.list_searches(10).rows.at(0).status == "cancelled");
}

TEST_CASE("validate that is interrupted shows what it has found") {
  Child child({"validate", "--json", "--threads", "1"});
  const Outcome outcome = interrupt(child);
  CHECK(outcome.code == 130);
  CHECK(nlohmann::json::parse(outcome.out).at("problems").is_array());
  CHECK(outcome.err.find(" of 20 searches were finished") != std::string::npos);
}

TEST_CASE("a search --db that was killed is interrupted for whoever opens its file next") {
  const Scratch scratch;
  const std::string file = scratch.file("searches.db");
  const auto search_small = [&] {
    const Outcome outcome = run_program({"search", "-", "--json", "--db", file}, small_job);
    REQUIRE_MESSAGE(outcome.code == 0, outcome.err);
  };
  const auto statuses = [&] {
    const macrostep::db::Store store(file, {.access = macrostep::db::Access::read});
    std::vector<std::string> newest_first;
    for (const auto& row : store.list_searches(10).rows) {
      newest_first.push_back(row.status);
    }
    return newest_first;
  };
  search_small();
  {
    Child child({"search", "-", "--json", "--db", file}, long_job);
    for (int polls = 0; statuses().front() != "running"; ++polls) {
      REQUIRE(polls < Child::max_polls);
      std::this_thread::sleep_for(Child::poll_interval);
    }
    child.signal(SIGKILL);
    child.wait();
  }
  CHECK(statuses() == std::vector<std::string>{"running", "succeeded"});
  search_small();
  CHECK(statuses() == std::vector<std::string>{"succeeded", "interrupted", "succeeded"});
}

TEST_CASE("search --db on a file that another process writes exits with 1, naming it") {
  const Scratch scratch;
  const std::string file = scratch.file("searches.db");
  const macrostep::db::Store holder(file);
  const Outcome outcome = run_program({"search", "-", "--db", file}, small_job);
  CHECK(outcome.code == 1);
  CHECK(outcome.err.find(std::to_string(getpid())) != std::string::npos);
  CHECK(outcome.err.find("use another file") != std::string::npos);
}

TEST_CASE("a search that cannot be begun in the file is marked as failed, not left in the queue") {
  using namespace macrostep;
  const Scratch scratch;
  const auto job = nlohmann::json::parse(small_job);
  auto plan = std::get<engine::Plan>(server::json::plan_of(server::json::read_job(job)));
  plan.configurations.pop_back();  // a curve of an unknown configuration, which the store refuses
  std::atomic<bool> stop{false};
  const std::string file = scratch.file("searches.db");
  CHECK_THROWS(server::run_and_store(file, plan, job, {}, stop, server::TrialPoints::with));
  const db::Store store(file, {.access = db::Access::read});
  const auto list = store.list_searches(10);
  REQUIRE(list.rows.size() == 1);
  CHECK(list.rows[0].status == "failed");
  CHECK(list.rows[0].reason.has_value());
}

TEST_CASE("an answer is there although the file does not take it any more") {
  using namespace macrostep;
  const Scratch scratch;
  const auto job = nlohmann::json::parse(small_job);
  const auto plan = std::get<engine::Plan>(server::json::plan_of(server::json::read_job(job)));
  std::atomic<bool> stop{false};
  const std::string file = scratch.file("searches.db");
  engine::SearchSettings settings;
  settings.on_stage = [&](const engine::SearchProgress&) {  // once all trials are stored
    db::Connection(file, db::OpenMode::write_create)
        .execute(
            "CREATE TRIGGER IF NOT EXISTS full BEFORE INSERT ON recommendations BEGIN SELECT "
            "RAISE(ABORT, 'no room'); END");
  };
  const auto outcome =
      server::run_and_store(file, plan, job, settings, stop, server::TrialPoints::with);
  CHECK_MESSAGE(outcome.not_stored.find("no room") != std::string::npos, outcome.not_stored);
  CHECK(outcome.result.complete);
  CHECK(outcome.result.answer.recommendation);
  CHECK(outcome.rows.row.summary.recommendation);
  const db::Store store(file, {.access = db::Access::read});
  CHECK(store.list_searches(10).rows.at(0).status == "failed");
}
