// What a search will cost: before it runs, as a reason to refuse it, and while it runs.
#include "engine/cost/cost_limit.hpp"
#include "tests/server/api/api_fixture.hpp"

namespace macrostep::tests {
namespace {

const std::string dry_run = "/api/v1/searches?dry_run=true";

TEST_CASE("a dry run says what the search will cost, and the search takes no more") {
  const Api api;
  const auto estimate = api.json("POST", dry_run, 200, small_job().dump()).at("estimate");
  CHECK(estimate.at("threads") == 2);
  CHECK(estimate.at("seconds_expected") > 0);
  CHECK(estimate.at("seconds_max") > estimate.at("seconds_expected"));
  CHECK(estimate.at("trials_max") > estimate.at("trials_expected"));
  CHECK(estimate.at("cost_expected") > estimate.at("rhs_evaluations_expected"));  // heavy models
  const auto id = api.submit(small_job());
  api.wait_for(id, "succeeded");
  const auto cost = api.get("/api/v1/searches/" + id).at("cost");
  CHECK(cost.at("trials") <= estimate.at("trials_max"));
  CHECK(cost.at("rhs_evaluations") <= estimate.at("rhs_evaluations_max"));
  const double expected = estimate.at("trials_expected");
  const double taken = cost.at("trials");
  CHECK(expected < 5 * taken);
  CHECK(taken < 5 * expected);
}

TEST_CASE("an absurd job is refused with its cost at the member that makes it so") {
  const Api api({.threads = 2, .max_job_cost = 1e7});
  api.json("POST", dry_run, 200, small_job().dump());
  struct Row {
    Json patch;
    const char* pointer;
  };
  const Row rows[] = {
      {{{"tests", {{{"name", "step"}, {"kind", "step"}, {"duration_s", 30'000}}}}},
       "/tests/0/duration_s"},
      {{{"search", {{"macro_step", {{"initial_s", 1e-7}}}}}}, "/search/macro_step/initial_s"},
      {{{"search", {{"macro_step", {{"increment_s", 1e-8}}}}}}, "/search/macro_step/increment_s"},
      {{{"micro_steps", {{"hydraulics", 1e-7}}}}, "/micro_steps/hydraulics"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.pointer);
    Json job = small_job();
    job.merge_patch(row.patch);
    for (const std::string target : {"/api/v1/searches", dry_run.c_str()}) {
      const auto problem = api.json("POST", target, 422, job.dump());
      CHECK(problem.at("type") == "/problems/invalid-job");
      REQUIRE(problem.at("errors").size() == 1);
      CHECK(problem["errors"][0].at("pointer") == row.pointer);
      const std::string detail = problem["errors"][0].at("detail");
      CHECK(detail.find("right-hand sides × the weight of their model") != std::string::npos);
      CHECK(detail.find(" trials, ") != std::string::npos);  // then the time
      CHECK(detail.find("the limit is 1e+07") != std::string::npos);
      CHECK(detail.find("--max-job-cost") != std::string::npos);
    }
  }
  CHECK(api.store.list_searches(1).rows.empty());
}

Json map_of_accuracy() {
  const auto axis = [](const char* parameter) {
    return Json{{"parameter", parameter}, {"minimum", 1}, {"maximum", 1e3}, {"count", 5}};
  };
  return {{"kind", "map"},
          {"problem", "stiff_oscillator"},
          {"search", {{"couplings", {"force_displacement"}}, {"extrapolation", {"0"}}}},
          {"tests", {{{"name", "short"}, {"kind", "none"}, {"duration_s", 0.1}}}},
          {"map",
           {{"x", axis("coupling.c_k")},
            {"y", axis("coupling.d_k")},
            {"macro_steps_s", {1e-3}},
            {"quantity", "accuracy"}}}};
}

Json cheap_tuning() {
  return {{"kind", "tune"},
          {"problem", "nonlinear_oscillator"},
          {"search", {{"couplings", {"force_displacement"}}, {"extrapolation", {"0"}}}},
          {"tests", {{{"name", "none"}, {"kind", "none"}, {"duration_s", 0.1}}}},
          {"tune", {{"macro_step_s", 0.002}}}};
}

TEST_CASE("an absurd map or tuning is refused with its cost, as a search is") {
  const Api api({.threads = 2, .max_job_cost = 1e7});
  const std::string dry_analysis = "/api/v1/analyses?dry_run=true";
  struct Row {
    Json job;
    Json patch;
    const char* pointer;
    const char* what;
  };
  Json stability = map_of_accuracy();
  stability["map"]["quantity"] = "stability";
  const Row rows[] = {
      {map_of_accuracy(),
       {{"tests", {{{"name", "long"}, {"kind", "none"}, {"duration_s", 900}}}}},
       "/tests/0/duration_s",
       "makes the map cost about "},
      {map_of_accuracy(),
       {{"map", {{"x", {{"count", 900}}}, {"y", {{"count", 300}}}}}},
       "/map/x/count",
       " trials"},
      {stability,
       {{"micro_steps", {{"m1", 2e-8}}}, {"map", {{"x", {{"count", 20}}}}}},
       "/micro_steps/m1",
       " in 100 values"},
      {cheap_tuning(),
       {{"tune", {{"macro_step_s", 1e-8}}}},
       "/tune/macro_step_s",
       "makes the tuning cost about "},
      {cheap_tuning(),
       {{"tune", {{"also", {{{"tests", {{{"kind", "none"}, {"duration_s", 5000}}}}}}}}}},
       "/tune/also/0/tests/0/duration_s",
       " in 644 trials"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.pointer);
    api.json("POST", dry_analysis, 200, row.job.dump());
    Json job = row.job;
    job.merge_patch(row.patch);
    for (const std::string target : {"/api/v1/analyses", dry_analysis.c_str()}) {
      const auto problem = api.json("POST", target, 422, job.dump());
      CHECK(problem.at("type") == "/problems/invalid-job");
      REQUIRE(problem.at("errors").size() == 1);
      CHECK(problem["errors"][0].at("pointer") == row.pointer);
      const std::string detail = problem["errors"][0].at("detail");
      CAPTURE(detail);
      CHECK(detail.find(row.what) != std::string::npos);
      CHECK(detail.find("right-hand sides × the weight of their model") != std::string::npos);
      CHECK(detail.find("the limit is 1e+07. The server's --max-job-cost sets it") !=
            std::string::npos);
    }
  }
  CHECK(api.store.list_analyses(1).rows.empty());
}

TEST_CASE("a search that runs tells how much it has done, of how much, and when it will end") {
  const Api api;
  const auto id = api.submit(busy_job());
  const auto summary = "/api/v1/searches/" + id;
  Json progress;
  REQUIRE(eventually([&] {
    progress = api.get(summary).at("progress");
    return !progress.at("eta_s").is_null();
  }));
  CHECK(progress.at("eta_s") > 0);
  CHECK(progress.at("cost_done") > 0);
  CHECK(progress.at("cost_expected") > progress.at("cost_done"));
  CHECK(api.get("/api/v1/searches").at("searches").at(0).at("progress").at("eta_s").is_number());
  // What was told is stored with the next batch.
  CHECK(eventually([&] {
    for (const auto& event : api.store.events_after(0, 1000, id)) {
      const auto data = Json::parse(event.data);
      if (event.name == "points" && data.at("progress").at("eta_s").is_number() &&
          data["progress"].at("cost_expected").is_number()) {
        return true;
      }
    }
    return false;
  }));
  api.json("POST", summary + "/cancel", 200);
  api.wait_for(id, "cancelled");
  for (const char* member : {"eta_s", "cost_done", "cost_expected"}) {
    CHECK(api.get(summary).at("progress").at(member).is_null());
  }
}

TEST_CASE("a search tells of each stage that follows its curves") {
  const Api api;
  Json job = small_job();
  job["search"]["stability_check"] = "all";
  const auto id = api.submit(job);
  api.wait_for(id, "succeeded");
  std::vector<std::string> stages;
  for (const auto& event : api.store.events_after(0, 1000, id)) {
    const auto data = Json::parse(event.data);
    if (event.name == "status" && data.at("progress").at("stage").is_string()) {
      CHECK(data.at("status") == "running");
      CHECK(data["progress"].at("curves_done") == data["progress"].at("curves_total"));
      stages.push_back(data["progress"]["stage"]);
    }
  }
  CHECK(stages == std::vector<std::string>{"checks", "step_times", "error"});
  CHECK(api.get("/api/v1/searches/" + id).at("progress").at("stage").is_null());
}

}  // namespace
}  // namespace macrostep::tests
