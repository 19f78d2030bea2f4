// How a problem of the user's own is scanned, by what its job says and leaves open.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "server/jobs/job_json.hpp"
#include "server/jobs/read_job.hpp"
#include "tests/server/two_cells.hpp"

namespace json = macrostep::server::json;

namespace {

nlohmann::json cells() {
  return nlohmann::json::parse(macrostep::tests::two_cells);
}

}  // namespace

TEST_CASE("numbers may be left open, and the times of a problem told") {
  auto job = cells();
  const auto plain = json::read_job(job).job;
  CHECK_FALSE(plain.is_open());
  REQUIRE(plain.scales);
  job["search"] = {{"macro_step", {{"initial_s", "auto"}, {"maximum_s", "auto"}}}};
  job["tests"] = nlohmann::json::array({{{"kind", "step"}, {"duration_s", "auto"}},
                                        {{"kind", "ramp"}, {"duration_s", 3}},
                                        {{"kind", "impulse"}}});
  job["scales"] = "auto";
  const auto open = json::read_job(job);
  CHECK(open.errors.empty());
  CHECK(open.job.macro_step == plain.macro_step);  // as its matrices tell
  CHECK(open.job.tests[0].duration_s == plain.tests[0].duration_s);
  CHECK(open.job.tests[1].duration_s == 3);

  job["scales"] = {{"fastest_s", 0.01}, {"slowest_s", 0.25}};
  const auto told = json::read_job(job).job;
  CHECK(told.macro_step.initial_s == doctest::Approx(0.01 / 16));
  CHECK(told.tests[2].duration_s == doctest::Approx(15));
  CHECK(*told.tests[2].width_s == doctest::Approx(6));
  // What a search has found is read back as it is.
  const auto text = json::job_json(told).dump();
  CHECK(json::job_json(json::read_job(nlohmann::json::parse(text)).job).dump() == text);

  const auto wrong = [&](const nlohmann::json& scales, const char* pointer) {
    auto bad = job;
    bad["scales"] = scales;
    const auto errors = json::read_job(bad).errors;
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].pointer == pointer);
  };
  wrong({{"fastest_s", 2}, {"slowest_s", 1}}, "/scales");
  wrong({{"fastest_s", 2}}, "/scales/slowest_s");
  wrong({{"fastest_s", -1}, {"slowest_s", 1}}, "/scales/fastest_s");
  wrong("fast", "/scales");
  const auto built_in = json::read_job(
      {{"problem", "linear_oscillator"}, {"scales", {{"fastest_s", 1}, {"slowest_s", 1}}}});
  REQUIRE(built_in.errors.size() == 1);
  CHECK(built_in.errors[0].pointer == "/scales");
}

TEST_CASE("how an own problem is scanned follows from what the job says of it") {
  using macrostep::engine::ScanKind;
  const auto scan = [](const char* search) {
    auto job = cells();
    job["search"] = nlohmann::json::parse(search);
    const auto read = json::read_job(job);
    REQUIRE_MESSAGE(read.errors.empty(), read.errors.front().message);
    return read.job.linear_region.scan;
  };
  CHECK(scan("{}") == ScanKind::refined);
  CHECK(scan(R"({"macro_step": {"initial_s": 1e-3}})") == ScanKind::refined);
  CHECK(scan(R"({"macro_step": {"increment_s": 1e-3}})") == ScanKind::arithmetic);
  CHECK(scan(R"({"macro_step": {"increment_s": 1e-3}, "linear_region": {"scan": "adaptive"}})") ==
        ScanKind::adaptive);
  CHECK(scan(R"({"linear_region": {"rule": "tangent"}})") == ScanKind::geometric);
  auto job = cells();
  job["search"] = nlohmann::json::parse(R"({"integrators": {"b": ["exact", "rk4"]}})");
  using macrostep::engine::IntegratorSets;
  CHECK(json::read_job(job).job.space.integrator_sets == IntegratorSets::product);
  job.erase("search");
  CHECK(json::read_job(job).job.space.integrator_sets == IntegratorSets::one_at_a_time);
}
