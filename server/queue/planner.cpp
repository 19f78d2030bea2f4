#include "server/queue/planner.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "engine/plan/plan_fmus.hpp"
#include "engine/studies/map.hpp"
#include "engine/studies/study_cost_limit.hpp"
#include "server/jobs/read_job.hpp"
#include "server/searches/search_batch.hpp"
#include "server/workers/worker_start.hpp"

namespace macrostep::server {

namespace {

constexpr const char* where_limit_is_set = "The server's --max-job-cost sets it";

engine::FieldErrors errors_of(std::optional<engine::FieldError> error) {
  return {std::move(*error)};
}

/// The first FMU of a plan, as a JSON pointer into its job.
std::string pointer_to_fmu(const engine::Plan& plan) {
  if (const auto& own = plan.job.own_problem) {
    const auto found = std::ranges::find_if(
        own->subsystems, [](const engine::OwnSubsystem& one) { return one.fmu.has_value(); });
    if (found != own->subsystems.end()) {
      return "/problem/subsystems/" + std::to_string(found - own->subsystems.begin()) + "/fmu";
    }
  }
  return "/problem";
}

}  // namespace

bool asks_for_tuning(const nlohmann::json& job) {
  return job.is_object() && job.contains("kind") && job["kind"] == "tune";
}

const engine::TrialSpeed& trial_speed() {
  static const engine::TrialSpeed speed = engine::measure_trial_speed();
  return speed;
}

Planner::Planner(PlannerSettings settings)
    : settings_(std::move(settings)),
      no_foreign_code_(std::async(std::launch::async, [foreign = settings_.foreign] {
        return why_no_foreign_code(foreign);
      })) {}

Planner::Answer<PlannedSearch> Planner::search(const nlohmann::json& job) const {
  auto reading = json::read_job(job, settings_.fmus);
  auto labels = std::move(reading.labels);
  auto executor = std::move(reading.executor);
  if (executor) {
    std::ranges::move(unknown_executor(settings_.batch, *executor),
                      std::back_inserter(reading.errors));
  }
  auto made = json::plan_of(std::move(reading));
  if (auto* errors = std::get_if<engine::FieldErrors>(&made)) {
    return std::move(*errors);
  }
  auto search = std::make_shared<const SearchPlan>(
      SearchPlan{.plan = std::get<engine::Plan>(std::move(made)), .executor = std::move(executor)});
  const auto& plan = search->plan;
  if (auto errors = why_not_here(plan)) {
    return std::move(*errors);
  }
  auto estimate = engine::estimate_cost(plan, estimate_settings());
  if (auto error = engine::too_costly(plan, estimate, settings_.max_job_cost, where_limit_is_set)) {
    return errors_of(std::move(error));
  }
  return PlannedSearch{
      .search = std::move(search), .labels = std::move(labels), .estimate = std::move(estimate)};
}

std::optional<engine::FieldError> Planner::too_costly(const engine::Plan& plan) const {
  return engine::too_costly(plan, engine::estimate_cost(plan, estimate_settings()),
                            settings_.max_job_cost, where_limit_is_set);
}

Planner::Answer<json::MapPlan> Planner::map(const nlohmann::json& job) const {
  auto map = json::read_map(job);
  if (const auto* planned = std::get_if<json::MapPlan>(&map)) {
    const auto expected = engine::expected_cost(
        planned->plan, engine::usual_work(planned->plan, planned->map), estimate_settings());
    if (auto error = engine::too_costly(planned->plan, planned->map, expected,
                                        settings_.max_job_cost, where_limit_is_set)) {
      return errors_of(std::move(error));
    }
  }
  return map;
}

Planner::Answer<json::TuningPlan> Planner::tuning(const nlohmann::json& job) const {
  auto tuning = json::read_tuning(job, settings_.fmus);
  if (const auto* planned = std::get_if<json::TuningPlan>(&tuning)) {
    if (auto errors = why_not_here(planned->plan)) {
      return std::move(*errors);
    }
    const auto settings = json::settings_of(*planned);
    const auto expected = engine::expected_cost(
        planned->plan, engine::usual_work(planned->plan, settings), estimate_settings());
    if (auto error = engine::too_costly(planned->plan, settings, expected, settings_.max_job_cost,
                                        where_limit_is_set)) {
      return errors_of(std::move(error));
    }
  }
  return tuning;
}

std::optional<engine::FieldErrors> Planner::why_not_here(const engine::Plan& plan) const {
  if (engine::has_foreign_code(plan) && no_foreign_code()) {
    return engine::FieldErrors{{pointer_to_fmu(plan), *no_foreign_code()}};
  }
  return std::nullopt;
}

engine::EstimateSettings Planner::estimate_settings() const {
  return {.speed = trial_speed(),
          .threads = settings_.threads,
          .trial_timeout_s = settings_.foreign.trial_timeout_s};
}

}  // namespace macrostep::server
