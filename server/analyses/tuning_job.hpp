// The job of a tuning (engine/studies/tuning.hpp) as JSON: that of a search with one configuration,
// with the kind `tune` and a member `tune` for what a search does not have.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <variant>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/plan/plan.hpp"
#include "engine/problem/fmu_source.hpp"
#include "engine/studies/tuning.hpp"

namespace macrostep::server::json {

/// Plans of the same problem, subsystems and one configuration.
struct TuningPlan {
  engine::Plan plan;
  std::vector<engine::Plan> further;  ///< their tests count as well
  double macro_step_s = 0;
  std::optional<engine::TuningObjective> objective;  ///< absent: the first that is known
};

/// All plans, the first one first.
std::vector<const engine::Plan*> plans_of(const TuningPlan& tuning);

/// What the engine asks for; `tuning` must outlive it.
engine::TuningSettings settings_of(const TuningPlan& tuning);

/// Or all mistakes of the job. A job without a kind is taken for a tuning.
std::variant<TuningPlan, engine::FieldErrors> read_tuning(const nlohmann::json& document,
                                                          const engine::FmuSource& fmus = {});

/// The normal form: every member present, every default filled in. Reading it gives the same
/// tuning.
nlohmann::ordered_json tuning_job_json(const TuningPlan& tuning);

}  // namespace macrostep::server::json
