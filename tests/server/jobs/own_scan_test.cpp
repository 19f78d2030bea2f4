// How a problem of the user's own is scanned, by what its job says and leaves open.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "server/jobs/read_job.hpp"

namespace json = macrostep::server::json;

namespace {

/// Two heat capacities; the second owns the resistance between them.
nlohmann::json cells() {
  return nlohmann::json::parse(R"({"problem": {
    "subsystems": [
      {"name": "a", "state_space": {"A": "-1", "B": "[-1 1]", "C": "1", "D": "[0 0]",
        "inputs": [{"name": "q", "unit": "W"}, {"name": "heat", "unit": "W"}],
        "outputs": [{"name": "T", "unit": "K"}]}},
      {"name": "b", "state_space": {"A": "-3", "B": "2", "C": "-1", "D": "1",
        "inputs": [{"name": "T", "unit": "K"}], "outputs": [{"name": "q", "unit": "W"}]}}],
    "connections": [{"from": "a.T", "to": "b.T"}, {"from": "b.q", "to": "a.q"}],
    "power_bonds": [{"effort": "a.T", "flow": "b.q", "factor": 0.003}],
    "external_inputs": [{"to": "a.heat", "initial": 0, "minimum": 0, "maximum": 10}]}})");
}

}  // namespace

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
