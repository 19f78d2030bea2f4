// Searches whose verification runs in chunks, as their trials do.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "server/batch/search_task_json.hpp"
#include "server/jobs/job_json.hpp"
#include "server/json/exact_json.hpp"
#include "tests/batch/fake_system.hpp"
#include "tests/batch/small_search.hpp"
#include "tests/batch/told_search.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/scratch.hpp"

using namespace macrostep;
using namespace macrostep::server;
using namespace macrostep::tests;

namespace {

/// An adaptive search that verifies its answer by runs, and fills gaps.
engine::Plan verified_plan() {
  const auto job = nlohmann::json::parse(R"({
    "problem": "linear_oscillator",
    "tests": [{"kind": "step", "duration_s": 1},
              {"kind": "impulse", "duration_s": 1, "width_s": 0.1}],
    "search": {"extrapolation": ["0"], "accuracy": 0.3, "validate_unseen": true,
               "macro_step": {"initial_s": 1e-3, "increment_s": 1e-3, "maximum_s": 0.06},
               "linear_region": {"scan": "adaptive"}, "stability_check": "identified"}})");
  auto plan = server::json::plan_of(server::json::read_job(job));
  REQUIRE(std::holds_alternative<engine::Plan>(plan));
  return std::get<engine::Plan>(std::move(plan));
}

std::string in_one_process(const engine::Plan& plan) {
  Records records;
  const auto result = engine::run_search(
      plan, {.threads = 2,
             .on_result = [&](const auto& record, const auto&) { records.push_back(record); }});
  REQUIRE(result.complete);
  REQUIRE_FALSE(result.answer.recommendation->checks.empty());
  return told(plan, result, std::move(records));
}

/// That it gives what one process does, and that whoever starts it again finds all of it there.
void check_in_chunks(const engine::Plan& plan, FakeSystem& fake, const std::string& folder,
                     double chunk_s, const std::string& wanted) {
  CHECK(in_chunks(plan, fake, folder, chunk_s) == wanted);
  FakeSystem again;
  CHECK(in_chunks(plan, again, folder, chunk_s) == wanted);
  CHECK(again.rounds.empty());
}

}  // namespace

TEST_CASE("a search with its verification in chunks of any size is that of one process") {
  const auto plan = verified_plan();
  const auto wanted = in_one_process(plan);
  for (const double chunk_s : {a_curve_each, 1e3}) {
    CAPTURE(chunk_s);
    const Scratch scratch;
    FakeSystem fake;
    const auto folder = scratch.file("chunks");
    check_in_chunks(plan, fake, folder, chunk_s, wanted);
    CHECK(fake.rounds.size() > 3);  // curves, gaps, checks
    std::map<std::string, int> kinds;
    for (std::size_t round = 0; round < fake.rounds.size(); ++round) {
      for (std::size_t task = 0; task < fake.rounds[round]; ++task) {
        const auto file = folder + "/round-" + std::to_string(round) + "/" + std::to_string(task);
        for (const auto& outcome : read_shard(read_whole(file + ".shard")).outcomes) {
          ++kinds[Json::parse(outcome.task).at("kind").get<std::string>()];
        }
      }
    }
    CHECK(kinds["probe"] > 0);
    CHECK(kinds["refine"] > 0);
    CHECK(kinds["error"] > 0);
  }
}

TEST_CASE("a search that goes beyond the bends in chunks is that of one process") {
  const auto made = engine::make_plan(slow_decay());
  const auto& plan = std::get<engine::Plan>(made);
  const auto wanted = in_one_process(plan);
  CHECK(wanted.find(R"("limited_by_rate")") != std::string::npos);
  for (const double chunk_s : {a_curve_each, 1e3}) {
    CAPTURE(chunk_s);
    const Scratch scratch;
    FakeSystem fake;
    check_in_chunks(plan, fake, scratch.file("chunks"), chunk_s, wanted);
  }
}

TEST_CASE("a search that is killed in its verification goes on from its folder") {
  const auto plan = verified_plan();
  const auto wanted = in_one_process(plan);
  const Scratch scratch;
  const auto folder = scratch.file("chunks");
  std::size_t lives = 0;
  std::string found;
  for (std::string why = "killed"; why == "killed"; ++lives) {
    REQUIRE(lives < 40);
    FakeSystem fake;
    std::size_t left = 7;
    const auto good = fake.run;
    fake.run = [&](const Path& manifest, const Path& shard) {
      if (left-- == 0) {
        throw std::runtime_error("killed");
      }
      good(manifest, shard);
    };
    why = failure([&] { found = in_chunks(plan, fake, folder, 0.05); });
  }
  CHECK(found == wanted);
  CHECK(lives > 2);
}

TEST_CASE("a check that ends whatever runs it ends the search, which names it") {
  const auto plan = verified_plan();
  const Scratch scratch;
  FakeSystem fake;
  const auto good = fake.run;
  fake.run = [&](const Path& manifest, const Path& shard) {
    const auto tasks = read_manifest(read_whole(manifest)).tasks;
    if (std::ranges::none_of(
            tasks, [](const auto& task) { return Json::parse(task).at("kind") == "probe"; })) {
      good(manifest, shard);
    }
  };
  const auto why = failure([&] { in_chunks(plan, fake, scratch.file("chunks"), 1e3); });
  CHECK(why.find("the task {\"kind\":\"probe\"") == 0);
  CHECK(why.find("} has brought no result, 3 times") != std::string::npos);
}

TEST_CASE("an answer goes without a measurement that never comes and decides nothing") {
  const auto plan = verified_plan();
  const auto wanted = nlohmann::json::parse(in_one_process(plan));
  for (const std::string kind : {"error", "times"}) {
    CAPTURE(kind);
    const Scratch scratch;
    FakeSystem fake;
    const auto good = fake.run;
    const auto is_lost = [&](const std::string& text) {
      const auto task = Json::parse(text);
      // Errors under other inputs than the tests are asked for by a check.
      return task.at("kind") == kind &&
             (kind == "times" || task.at("run").at("input") < plan.job.tests.size());
    };
    fake.run = [&](const Path& manifest, const Path& shard) {
      if (std::ranges::none_of(read_manifest(read_whole(manifest)).tasks, is_lost)) {
        good(manifest, shard);
      }
    };
    const auto result =
        run_in_chunks(plan, {.options = {.measure_step_times = true, .measure_error = true}},
                      {.system = fake.system(),
                       .settings = {.folder = scratch.file("chunks"),
                                    .chunk_s = 1e3,
                                    .on_state = {},
                                    .on_loss = {},
                                    .on_left_running = {}}});
    CHECK(result.complete);
    REQUIRE(result.answer.recommendation);
    CHECK(result.answer.recommendation->macro_step_s ==
          wanted.at("recommendation").at("macro_step_s").get<double>());
    const auto& error = result.answer.recommendation->error;
    REQUIRE(error);
    CHECK(error->nrmse.has_value() == (kind == "times"));
    CHECK(result.answer.step_times.rows.empty() == (kind == "times"));
  }
}

TEST_CASE("tasks and results read back bit for bit") {
  const engine::TrialSpec run{.configuration = 3,
                              .input = 1,
                              .macro_step_s = 0.1 + 0.2,
                              .until_s = 1.0 / 7,
                              .variant = 2,
                              .delay_s = 1.0 / 3};
  const std::vector<std::pair<engine::Task, engine::TaskResult>> all{
      {engine::RunTask{run},
       engine::TrialResult{.status = engine::TrialStatus::timed_out, .reason = "late"}},
      {engine::RefineTask{.run = run, .finer = 16}, engine::Refinement{.change = 1.0 / 3,
                                                                       .swing = {},
                                                                       .still = {0, 4},
                                                                       .completes = true,
                                                                       .test = "step",
                                                                       .reason = "\"\n",
                                                                       .cost = 5e-324}},
      {engine::ErrorTask{.run = run},
       engine::MeasuredError{.nrmse = {}, .largest = -0.0, .test = "", .reference = "r"}},
      {engine::ProbeTask{.configuration = 1,
                         .macro_step_s = 1e-3,
                         .duration_s = 7,
                         .finer = 4,
                         .session_s = 9.1,
                         .longest_s = 0.3},
       engine::ProbedGrowth{
           .verdict = engine::GrowthVerdict::growing,
           .macro_step_s = 1e-3,
           .motions = {{.rate_per_s = -1e300, .uncertainty_per_s = 0.1, .share = 0.5}},
           .limit_per_s = 0.2,
           .unexplained = 0.3,
           .still = {2},
           .ended = engine::EndedJump{.jump = 1, .time_s = 0.7},
           .findings = {{.code = engine::NoticeCode::smaller_step_grows,
                         .subject = "a \"quoted\"\nsubject",
                         .numbers = {{"macro_step_s", 0.1 + 0.2},
                                     {"rate", std::numeric_limits<double>::infinity()}},
                         .detail = "grows",
                         .check = "growth",
                         .causes = {{.code = engine::NoticeCode::nothing_moves}}}}}},
      {engine::StateTask{.configuration = 0, .macro_step_s = 1, .duration_s = 2, .point = 3},
       engine::StateMotions{.grows = true, .has_motions = true, .rate_per_s = 1.0 / 7}},
      {engine::LinearityTask{.configuration = 2, .macro_step_s = 1.0 / 3},
       engine::Linearity{.nonlinear_share = 0.1 + 0.2,
                         .input = "lasting",
                         .compared = 3,
                         .cost = 7,
                         .reason = "lost"}},
      {engine::TimesTask{
           {.configuration = 1, .test = 2, .macro_steps_s = {0.3, 0.1}, .eligible = false}},
       engine::StepTimeTable{.rows = {{.configuration = 1,
                                       .macro_step_s = 0.3,
                                       .macro_steps = 5,
                                       .times = {1e-6, 2e-6, 3e-6}}},
                             .failure = "no"}}};
  for (const auto& [task, result] : all) {
    const auto text = search_task_json(task).dump();
    CAPTURE(text);
    CHECK(search_task_json(read_search_task(Json::parse(text))).dump() == text);
    const auto written = search_result_json(result).dump();
    CHECK(search_result_json(read_search_result(Json::parse(written), task)).dump() == written);
  }
  CHECK_THROWS_AS(read_search_task(Json{{"kind", "other"}, {"configuration", 0}}),
                  std::runtime_error);
}

TEST_CASE("a manifest with tasks that the job does not have is refused, and says which") {
  const auto plan = small_plan();
  const auto here = engine::provenance();
  Manifest manifest{.build_id = here.build_id,
                    .math_class = here.math_class,
                    .job = server::json::job_json(plan.job).dump(),
                    .curves = {},
                    .most_trials = {},
                    .known = {},
                    .tasks = {}};
  const auto refusal = [&](const engine::Task& task) {
    manifest.tasks = {search_task_json(task).dump()};
    return read_shard(run_chunk(manifest_text(manifest), {})).refusal;
  };
  CHECK(refusal(engine::ErrorTask{.run = {.configuration = 99}})
            .starts_with("the job does not have the configuration of the task {"));
  CHECK(refusal(engine::ErrorTask{.run = {.input = 9999}})
            .starts_with("the job does not have the input of the task {"));
  CHECK(refusal(engine::ErrorTask{.run = {.variant = 9999}})
            .starts_with("the job does not have the variant of the input of the task {"));
  CHECK(refusal(engine::StateTask{.macro_step_s = 1e-3, .duration_s = 1, .point = 9999})
            .starts_with("the job does not have the operating point of the task {"));
  auto changed = nlohmann::json::parse(manifest_text(manifest));
  changed["tasks"][0]["kind"] = "other";
  CHECK_THROWS_WITH_AS(read_manifest(changed.dump()),
                       "/tasks/0 is no task: a task of an unknown kind", BadChunk);
}
