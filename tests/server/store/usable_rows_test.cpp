// What is stored of a curve tells how far it may be used, as its scan did.
#include "server/store/usable_rows.hpp"

#include <doctest/doctest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/search/run_search.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/read_job.hpp"
#include "server/store/search_rows.hpp"

namespace engine = macrostep::engine;
namespace json = macrostep::server::json;
namespace server = macrostep::server;

namespace {

/// What became of the curves of a job.
struct Found {
  int usable = 0;                     // curves with an H that may be used
  std::map<std::string, int> curves;  // by flag
};

/// Their stored rows say how far they may be used, too.
Found found_by(const std::string& job) {
  CAPTURE(job);
  auto made = json::plan_of(json::read_job(nlohmann::json::parse(job)));
  REQUIRE(std::holds_alternative<engine::Plan>(made));
  const auto& plan = std::get<engine::Plan>(made);
  std::vector<engine::TrialRecord> trials;
  const auto result = engine::run_search(
      plan, {.on_result = [&](const engine::TrialRecord& record, const engine::SearchProgress&) {
        trials.push_back(record);
      }});
  const auto rows = server::rows_of({.plan = plan,
                                     .result = result,
                                     .trials = trials,
                                     .created_at = "2025-01-31T12:00:00.000Z",
                                     .finished_at = "2025-01-31T12:00:01.000Z"});
  const auto limits = server::step_limits(rows.row.plan);
  Found found;
  for (const auto& curve : result.answer.curves) {
    const auto id = static_cast<std::int64_t>(curve.id);
    const auto& row = rows.curves.at(curve.id);
    CAPTURE(row.flags);
    CHECK(server::usable_step(row, server::points_of(rows, id), limits) == curve.usable_s);
    found.usable += curve.usable_s ? 1 : 0;
    for (const auto& flag : nlohmann::json::parse(row.flags)) {
      ++found.curves[flag];
    }
  }
  return found;
}

std::string crane(const std::string& limits) {
  return R"({"problem": "single_actuator_crane", "tests": [{"kind": "step", "duration_s": 1}],
    "search": {"extrapolation": ["0", "1", "2"], "integrators": {"hydraulics": ["forward_euler"]},
               "macro_step": {"initial_s": 0.0005, "increment_s": 0.0005, "maximum_s": 0.01})" +
         limits + "}}";
}

}  // namespace

TEST_CASE("a stored curve may be used as far as the scan found, whatever ends it") {
  auto found = found_by(crane(""));
  CHECK(found.usable > found.curves["bend_not_reached"]);  // some end at their bend
  found = found_by(crane(R"(, "relative_residual_max": 0.01)"));
  CHECK(found.usable > 0);
  CHECK(found.curves["cut_at_relative_residual"] > 0);
  found = found_by(crane(R"(, "relative_residual_max": 1e-9)"));
  CHECK(found.usable == 0);
  CHECK(found.curves["relative_residual_exceeded"] > 0);
  CHECK(found_by(crane(R"(, "allowed_macro_steps_s": [0.0007, 0.0012])")).usable > 0);
  found = found_by(crane(R"(, "allowed_macro_steps_s": [0.0001])"));
  CHECK(found.usable == 0);
  CHECK(found.curves["no_allowed_macro_step"] > 0);
  found = found_by(crane(R"(, "schemes": ["iterative"])"));
  CHECK(found.usable == 0);
  CHECK(found.curves["residual_of_iteration"] > 0);
}

TEST_CASE("a stored curve of a linear problem may be used as far as it is stable") {
  const auto oscillator = [](const std::string& first, const std::string& test) {
    return R"({"problem": "linear_oscillator", "tests": [{"name": "none", "kind": ")" + test +
           R"("}], "search": {"macro_step": {"initial_s": )" + first +
           R"(, "increment_s": 0.01, "maximum_s": 0.2}}})";
  };
  auto found = found_by(oscillator("0.001", "none"));
  CHECK(found.usable > 0);
  CHECK(found.curves["cut_at_stability_limit"] > 0);
  found = found_by(oscillator("0.15", "none"));
  CHECK(found.curves["unstable"] > 0);
}

TEST_CASE("the limits of a plan are known without its tests, wherever they stand in it") {
  const auto limits_of = [](const std::string& plan) {
    const auto limits = server::step_limits(plan);
    return std::pair(limits.relative_residual_max, limits.allowed_macro_steps_s);
  };
  using Limits = decltype(limits_of(""));
  const Limits both{0.1, {0.0007, 1}};
  auto made = json::plan_of(json::read_job(nlohmann::json::parse(
      crane(R"(, "relative_residual_max": 0.1, "allowed_macro_steps_s": [0.0007, 1])"))));
  REQUIRE(std::holds_alternative<engine::Plan>(made));
  const auto plan = json::job_json(std::get<engine::Plan>(made).job).dump();
  CHECK(limits_of(plan) == both);
  // The tests, records of a million points among them, are not looked at.
  const auto tests = plan.find(R"("tests")");
  REQUIRE(tests != plan.npos);
  CHECK(limits_of(plan.substr(0, tests)) == both);

  CHECK(limits_of(R"({"tests": [{"search": {"relative_residual_max": 1}, "value": [2, [3]]}],
                      "relative_residual_max": 4, "allowed_macro_steps_s": [5],
                      "search": {"macro_step": {"relative_residual_max": 6},
                                 "iteration": {"allowed_macro_steps_s": 7},
                                 "allowed_macro_steps_s": [0.0007, 1],
                                 "relative_residual_max": 0.1}})") == both);
  CHECK(limits_of(R"({"search": {"relative_residual_max": null,
                                 "allowed_macro_steps_s": null}})") == Limits{});
  CHECK(limits_of("{}") == Limits{});
  CHECK_THROWS_AS(server::step_limits("{"), std::invalid_argument);
}
