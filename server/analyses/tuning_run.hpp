// A tuning of the energy correction, kept in the database as an analysis of the kind "tune".
#pragma once

#include <functional>
#include <string>

#include "db/store/store.hpp"
#include "engine/studies/tuning.hpp"
#include "server/analyses/tuning_job.hpp"

namespace macrostep::server {

/// The row of a tuning that is submitted now. `job`: as the user wrote it.
db::NewAnalysis new_tuning(const json::TuningPlan& tuning, std::string id, std::string job);

/// Tunes, and stores what was found, the landscape included, or that it failed where no run
/// completes, or, where the stop of `settings` was set, what `stopped` says of it. Throws what
/// keeps it from going on; then its end is the caller's to store.
engine::TuningResult run_and_keep_tuning(db::Store& store, const std::string& id,
                                         const engine::Plan& plan,
                                         const engine::TuningSettings& settings,
                                         const std::function<db::StatusChange()>& stopped);

/// The plan of a stored tuning. Throws std::runtime_error if this build does not accept its job, or
/// an FMU of it is gone.
json::TuningPlan tuning_from_row(const db::AnalysisRow& row, const engine::FmuSource& fmus);

/// All settings that were tried, a line each: mu, nu, limit, ratio, and the objective by test.
std::string tuning_csv(const engine::TuningResult& result);

/// tuning_svg() with the titles of this tuning.
std::string tuning_picture(const engine::Plan& plan, double macro_step_s,
                           const engine::TuningResult& result);

}  // namespace macrostep::server
