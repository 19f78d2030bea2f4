// A job that a user wrote, read with all its mistakes, and its plan.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>
#include <variant>

#include "engine/base/field_error.hpp"
#include "engine/job/job.hpp"
#include "engine/plan/plan.hpp"
#include "engine/problem/fmu_source.hpp"
#include "server/jobs/executor_choice.hpp"
#include "server/jobs/labels.hpp"

namespace macrostep::server::json {

/// A job as far as it could be read: what is wrong keeps its default and is listed in `errors`.
struct JobReading {
  engine::Job job;
  SearchLabels labels;                     ///< of a search; a plan has none of them
  std::optional<ExecutorChoice> executor;  ///< likewise
  engine::FieldErrors errors;
};

/// Reads the form of a job and the names in it. What follows from the values together (a macro-step
/// longer than its test, too many trials) is checked by plan_of. `own_member` of a job of another
/// kind than a search is known, and left to the caller.
JobReading read_job(const nlohmann::json& document, const engine::FmuSource& fmus = {},
                    std::string_view own_member = {});

/// The plan of a job without mistakes, else all mistakes of its form and its values at once; for
/// trials that end at until_s, if given.
std::variant<engine::Plan, engine::FieldErrors> plan_of(
    JobReading reading, std::optional<double> until_s = std::nullopt);

}  // namespace macrostep::server::json
