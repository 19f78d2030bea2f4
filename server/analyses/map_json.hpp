// The job of a map (engine/studies/map_job.hpp) as JSON: that of a search, with the kind `map` and
// a member `map` for what a search does not have.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>

#include "engine/base/field_error.hpp"
#include "engine/plan/plan.hpp"
#include "engine/studies/map_job.hpp"

namespace macrostep::server::json {

struct MapPlan {
  engine::Plan plan;
  engine::MapJob map;
};

/// Or all mistakes of the job. A job without a kind is taken for a map.
std::variant<MapPlan, engine::FieldErrors> read_map(const nlohmann::json& document);

/// The normal form: every member present, every default filled in. Reading it gives the same map.
nlohmann::ordered_json map_job_json(const MapPlan& map);

/// The unit of a parameter of the plan's built-in problem; empty: none.
std::string unit_of(const engine::Plan& plan, const std::string& parameter);

}  // namespace macrostep::server::json
