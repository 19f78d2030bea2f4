// What is stored of a curve tells how far it may be used, as its scan did.
#include "server/service/usable_rows.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <variant>
#include <vector>

#include "engine/search.hpp"
#include "server/json/job_json.hpp"
#include "server/service/search_rows.hpp"

namespace engine = macrostep::engine;
namespace json = macrostep::server::json;
namespace service = macrostep::server::service;

namespace {

/// How many curves of the job may be used; their stored rows say how far, too.
int usable_curves(const std::string& job) {
  CAPTURE(job);
  auto made = json::plan_of(json::read_job(nlohmann::json::parse(job)));
  REQUIRE(std::holds_alternative<engine::Plan>(made));
  const auto& plan = std::get<engine::Plan>(made);
  std::vector<engine::TrialRecord> trials;
  const auto result = engine::run_search(
      plan, {.on_result = [&](const engine::TrialRecord& record, const engine::SearchProgress&) {
        trials.push_back(record);
      }});
  const auto rows = service::rows_of({.plan = plan,
                                      .result = result,
                                      .trials = trials,
                                      .created_at = "2025-01-31T12:00:00.000Z",
                                      .finished_at = "2025-01-31T12:00:01.000Z"});
  const auto limits = service::step_limits(rows.row.plan);
  int usable = 0;
  for (const auto& curve : result.analysis.curves) {
    const auto id = static_cast<std::int64_t>(curve.id);
    const auto& row = rows.curves.at(curve.id);
    CAPTURE(row.flags);
    CHECK(service::usable_step(row, service::points_of(rows, id), limits) == curve.usable_s);
    usable += curve.usable_s ? 1 : 0;
  }
  return usable;
}

}  // namespace

TEST_CASE("a stored curve may be used as far as the scan found, whatever ends it") {
  const auto crane = [](const std::string& limits) {
    return R"({"problem": "single_actuator_crane", "tests": [{"kind": "step", "duration_s": 1}],
      "search": {"extrapolation": ["0", "1", "2"], "integrators": {"hydraulics": ["forward_euler"]},
                 "macro_step": {"initial_s": 0.0005, "increment_s": 0.0005, "maximum_s": 0.01})" +
           limits + "}}";
  };
  const int all = usable_curves(crane(""));  // to the bend
  CHECK(all > 0);
  CHECK(usable_curves(crane(R"(, "relative_residual_max": 0.01)")) > 0);
  CHECK(usable_curves(crane(R"(, "relative_residual_max": 1e-9)")) == 0);
  CHECK(usable_curves(crane(R"(, "allowed_macro_steps_s": [0.0007, 0.0012])")) > 0);
  CHECK(usable_curves(crane(R"(, "allowed_macro_steps_s": [0.0001])")) == 0);
  CHECK(usable_curves(crane(R"(, "schemes": ["iterative"])")) == 0);
}

TEST_CASE("a stored curve of a linear problem may be used as far as it is stable") {
  const auto oscillator = [](const std::string& first, const std::string& test) {
    return R"({"problem": "linear_oscillator", "tests": [{"name": "none", "kind": ")" + test +
           R"("}], "search": {"macro_step": {"initial_s": )" + first +
           R"(, "increment_s": 0.01, "maximum_s": 0.2}}})";
  };
  CHECK(usable_curves(oscillator("0.001", "none")) > 0);
  usable_curves(oscillator("0.15", "none"));
}
