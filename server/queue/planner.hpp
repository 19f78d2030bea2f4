// What a server makes of a job before anything is stored: its plan and what it will cost here, or
// all mistakes. From any thread.
#pragma once

#include <future>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <variant>

#include "engine/base/field_error.hpp"
#include "engine/cost/cost_limit.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/analyses/map_json.hpp"
#include "server/analyses/tuning_job.hpp"
#include "server/jobs/labels.hpp"
#include "server/process/foreign_settings.hpp"
#include "server/schedulers/offer.hpp"
#include "server/searches/search_plan.hpp"

namespace macrostep::server {

struct PlannedSearch {
  SharedSearchPlan search;
  json::SearchLabels labels;
  engine::CostEstimate estimate;
};

struct PlannerSettings {
  int threads = 0;  ///< that costs are told for; 0: all processors
  ForeignSettings foreign;
  engine::FmuSource fmus;  ///< that jobs may name
  double max_job_cost = engine::default_max_job_cost;
  BatchOffer batch;  ///< besides the threads of this process
};

class Planner {
 public:
  template <class Planned>
  using Answer = std::variant<Planned, engine::FieldErrors>;

  explicit Planner(PlannerSettings settings);

  Answer<PlannedSearch> search(const nlohmann::json& job) const;
  Answer<json::MapPlan> map(const nlohmann::json& job) const;
  Answer<json::TuningPlan> tuning(const nlohmann::json& job) const;
  /// Why this server does not run the search, as it costs too much.
  std::optional<engine::FieldError> too_costly(const engine::Plan& plan) const;

  const BatchOffer& batch() const { return settings_.batch; }
  /// Why jobs with FMUs are refused, if they are. Waits until the sandbox has been tried, which
  /// begins with the planner.
  const std::optional<std::string>& no_foreign_code() const { return no_foreign_code_.get(); }

 private:
  std::optional<engine::FieldErrors> why_not_here(const engine::Plan& plan) const;
  engine::EstimateSettings estimate_settings() const;

  const PlannerSettings settings_;
  const std::shared_future<std::optional<std::string>> no_foreign_code_;
};

/// Whether the job of an analysis is a tuning; every other one is a map.
bool asks_for_tuning(const nlohmann::json& job);

/// How fast this computer is: measured by whoever asks first in this process, some 50 ms.
const engine::TrialSpeed& trial_speed();

}  // namespace macrostep::server
