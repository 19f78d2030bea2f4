// What a search runs by: read once, from the job that was submitted or, after a restart, from what
// is stored of it.
#pragma once

#include <memory>
#include <optional>

#include "db/rows/rows.hpp"
#include "engine/plan/plan.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/jobs/executor_choice.hpp"

namespace macrostep::server {

struct SearchPlan {
  engine::Plan plan;
  std::optional<json::ExecutorChoice> executor;  ///< absent: the server's own
};

using SharedSearchPlan = std::shared_ptr<const SearchPlan>;

/// The plan of a stored search. Throws std::runtime_error if this build does not accept its job, or
/// an FMU of it is gone.
engine::Plan plan_from_row(const db::SearchRow& row, const engine::FmuSource& fmus);

/// What a stored search runs by. Throws what plan_from_row() does.
SharedSearchPlan search_plan_from_row(const db::SearchRow& row, const engine::FmuSource& fmus);

}  // namespace macrostep::server
