// Jobs that name FMUs, over REST: refused where they must be, and their FMUs kept while they last.
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <variant>

#include "server/process/no_worker.hpp"
#include "tests/server/api/api_fixture.hpp"
#include "tests/server/test_fmus.hpp"

namespace macrostep::tests {
namespace {

/// Two masses, of which the second has the spring between both.
Json mass_job(const std::string& spring_mass, const std::string& mass) {
  return {
      {"problem",
       {{"subsystems", {{{"name", "m1"}, {"fmu", spring_mass}}, {{"name", "m2"}, {"fmu", mass}}}},
        {"connections",
         {{{"from", "m2.x"}, {"to", "m1.x_in"}},
          {{"from", "m2.v"}, {"to", "m1.v_in"}},
          {{"from", "m1.f"}, {"to", "m2.f"}}}},
        {"power_bonds", {{{"effort", "m1.f"}, {"flow", "m2.v"}, {"factor", 1}}}}}},
      {"tests", {{{"kind", "none"}, {"duration_s", 0.1}}}}};
}

/// An API whose jobs may name FMUs of its store.
class FmuApi {
 public:
  using Found = std::variant<engine::FmuPointer, std::string>;

  explicit FmuApi(server::SandboxMode sandbox, double max_job_cost = engine::default_max_job_cost)
      : api({.threads = 1,
             .foreign = {.sandbox = sandbox},
             .fmus = [this](const std::string& called) { return find(called); },
             .max_job_cost = max_job_cost}) {}

  Found find(const std::string& called) {
    auto found = api.fmus.find(called);
    if (after_finding) {
      after_finding(called);
    }
    return found;
  }

  std::string upload(const std::string& name) const {
    return api.json("POST", "/api/v1/fmus", 201, fmu_bytes(name)).at("sha256");
  }

  std::function<void(const std::string&)> after_finding;
  Api api;
};

TEST_CASE("a job with an FMU that nobody knows is refused where it names it") {
  const FmuApi fixture(server::SandboxMode::none);
  const Json job = mass_job(fixture.upload("spring_mass2"), std::string(64, 'a'));
  for (const std::string target : {"/api/v1/searches", "/api/v1/searches?dry_run=true"}) {
    const Json problem = fixture.api.json("POST", target, 422, job.dump());
    CHECK(problem.at("type") == "/problems/invalid-job");
    REQUIRE(problem.at("errors").size() == 1);
    CHECK(problem.at("errors")[0].at("pointer") == "/problem/subsystems/1/fmu");
    CHECK(problem.at("errors")[0].at("detail") ==
          "there is no FMU with the SHA-256 " + std::string(64, 'a') +
              ": upload it (POST /api/v1/fmus), then submit or resume");
  }
}

TEST_CASE("a connection to an input that an FMU has not shows those that it has, used or not") {
  const FmuApi fixture(server::SandboxMode::none);
  Json job = mass_job(fixture.upload("spring_mass2"), fixture.upload("mass2"));
  job["problem"]["connections"][2]["to"] = "m2.force";
  const Json problem = fixture.api.json("POST", "/api/v1/searches", 422, job.dump());
  const auto& error = problem.at("errors")[0];
  CHECK(error.at("pointer") == "/problem/connections/2/to");
  CHECK(error.at("detail") == "subsystem 'm2' has no input 'force'; it has: f, w");
}

TEST_CASE("without a sandbox a job with FMUs is refused, by a dry run in the same words") {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  const FmuApi fixture(server::SandboxMode::bubblewrap);
  CHECK(fixture.api.service.planner().no_foreign_code());  // waits for the try
  ::setenv("PATH", path.c_str(), 1);
  const Json job = mass_job(fixture.upload("spring_mass2"), fixture.upload("mass2"));
  const Json refused = fixture.api.json("POST", "/api/v1/searches", 422, job.dump());
  CHECK(refused.at("errors")[0].at("pointer") == "/problem/subsystems/0/fmu");
  CHECK(refused.at("errors")[0].at("detail").get<std::string>().starts_with(
      "FMUs run only in a sandbox, and there is none"));
  const Json dry = fixture.api.json("POST", "/api/v1/searches?dry_run=true", 422, job.dump());
  CHECK(dry.at("errors") == refused.at("errors"));
  fixture.api.json("POST", "/api/v1/searches?dry_run=true", 200, small_job().dump());
}

TEST_CASE("what FMUs compute inside is unknown to a dry run: their trials have a longest time") {
  const FmuApi fixture(server::SandboxMode::none);
  const Json job = mass_job(fixture.upload("spring_mass2"), fixture.upload("mass2"));
  const Json estimate =
      fixture.api.json("POST", "/api/v1/searches?dry_run=true", 200, job.dump()).at("estimate");
  for (const char* unknown :
       {"rhs_evaluations_max", "rhs_evaluations_expected", "seconds_expected"}) {
    CHECK(estimate.at(unknown).is_null());
  }
  CHECK(estimate.at("macro_steps_max") > estimate.at("macro_steps_expected"));
  CHECK(estimate.at("seconds_max") >= 600 * estimate.at("trials_max").get<double>());
}

TEST_CASE("a search runs while it looks for its times, and ends where these make it too costly") {
  const auto cost_of = [](const Api& api, const Json& job) {
    return api.json("POST", "/api/v1/searches?dry_run=true", 200, job.dump())
        .at("estimate")
        .at("cost_expected")
        .get<double>();
  };
  const FmuApi free(server::SandboxMode::none);
  Json job = mass_job(free.upload("spring_mass2"), free.upload("mass2"));
  job.erase("tests");  // as long as the motions ask for, which is longer than assumed
  job["search"] = {
      {"macro_step", {{"initial_s", 1e-4}, {"increment_s", 1e-4}, {"maximum_s", 0.01}}}};
  const std::string id = free.api.submit(job);
  CHECK(eventually([&] { return free.api.status(id) == "running"; }));
  const double asked = cost_of(free.api, job);
  const FmuApi strict(server::SandboxMode::none, 1.001 * asked);
  strict.upload("spring_mass2");
  strict.upload("mass2");
  const std::string costly = strict.api.submit(job);
  CHECK(eventually([&] { return strict.api.status(costly) == "failed"; }));
  const std::string reason = strict.api.get("/api/v1/searches/" + costly).at("reason");
  CHECK_MESSAGE(
      reason.starts_with("with what short runs tell of its times, the job costs too much"), reason);
}

TEST_CASE("a trial whose FMUs get no worker process is not refused, but not run now either") {
  FmuApi fixture(server::SandboxMode::none);
  Api& api = fixture.api;
  const Json job = mass_job(fixture.upload("spring_mass2"), fixture.upload("mass2"));
  auto search = db::testing::new_search("s1");
  search.plan = job.dump();
  api.store.create_search(search);
  api.store.start_search("s1", db::testing::search_start());
  api.store.append_results("s1", {.trials = db::testing::trial_rows(0, 1)});
  fixture.after_finding = [](const std::string&) {
    throw server::NoWorker("a worker process does not start: no memory");
  };
  const auto answer = api.call("POST", "/api/v1/searches/s1/trials/0/rerun");
  CHECK(answer.status == 503);
  CHECK(answer.header("retry-after") != nullptr);
  CHECK(Json::parse(answer.body)
            .at("detail")
            .get<std::string>()
            .ends_with("cannot be run again: a worker process does not start: no memory"));
}

TEST_CASE("every route that needs an FMU which cannot be read says so in the same words") {
  FmuApi fixture(server::SandboxMode::none);
  auto& api = fixture.api;
  const std::string mass = fixture.upload("mass2");
  Json job = mass_job(fixture.upload("spring_mass2"), mass);
  auto search = db::testing::new_search("s1");
  search.plan = job.dump();
  api.store.create_search(search);
  api.store.start_search("s1", db::testing::search_start());
  api.store.append_results("s1", {.trials = db::testing::trial_rows(0, 1)});
  const auto archive = server::fmu_directory_of(api.file()) / mass / "archive.fmu";
  std::filesystem::remove(archive);
  std::filesystem::create_symlink("archive.fmu", archive);  // a circle
  const Json told = api.json("GET", "/api/v1/fmus/" + mass, 503);
  CHECK(told.at("type") == "/problems/storage");
  CHECK(told.at("detail").get<std::string>().find(archive.string()) == std::string::npos);
  CHECK(api.json("POST", "/api/v1/searches", 503, job.dump()) == told);
  CHECK(api.json("POST", "/api/v1/searches?dry_run=true", 503, job.dump()) == told);
  CHECK(api.json("POST", "/api/v1/searches/s1/trials/0/rerun", 503) == told);
  job["kind"] = "tune";
  CHECK(api.json("POST", "/api/v1/analyses", 503, job.dump()) == told);
  CHECK(api.json("POST", "/api/v1/analyses?dry_run=true", 503, job.dump()) == told);
}

TEST_CASE("an FMU that goes while a job is read takes the job with it, not after") {
  FmuApi fixture(server::SandboxMode::none);
  const auto& api = fixture.api;
  const std::string mass = fixture.upload("mass2");
  const Json job = mass_job(fixture.upload("spring_mass2"), mass);
  int status = 0;
  fixture.after_finding = [&](const std::string& called) {
    if (called == mass) {
      status = api.call("DELETE", "/api/v1/fmus/" + mass).status;
    }
  };
  const Json problem = api.json("POST", "/api/v1/searches", 422, job.dump());
  CHECK(status == 204);
  REQUIRE(problem.at("errors").size() == 1);
  CHECK(problem.at("errors")[0].at("pointer") == "/problem/subsystems/1/fmu");
  CHECK(api.get("/api/v1/searches").at("searches").empty());
}

}  // namespace
}  // namespace macrostep::tests
