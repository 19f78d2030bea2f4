// Between the engine's values and the store's rows, in both directions.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "db/rows/rows.hpp"
#include "engine/search/search.hpp"
#include "server/jobs/labels.hpp"

namespace macrostep::server {

/// The normalised job of the plan, from which the plan can be made again.
std::string plan_text(const engine::Plan& plan);

/// With the FMUs that the plan needs. `job`: as it was submitted.
db::NewSearch new_search(const engine::Plan& plan, std::string id, std::string job,
                         json::SearchLabels labels, std::string created_at);

/// Why a stored job cannot be run: an FMU that it names is not there, or what this build thinks of
/// it.
std::runtime_error unusable_job(const engine::FieldErrors& errors);

std::vector<db::ConfigurationRow> configuration_rows(const engine::Plan& plan);

/// Every curve of the plan as long as nothing is known of it: without a reason for its end.
std::vector<db::CurveRow> unfinished_curve_rows(const engine::Plan& plan);
std::vector<db::CurveRow> curve_rows(const engine::Plan& plan,
                                     const std::vector<engine::Curve>& curves);

db::TrialRow trial_row(const engine::TrialRecord& record, std::int64_t id);
/// All of it that a scan and a recommendation use; the final time is not stored.
engine::TrialRecord trial_record(const db::TrialRow& row);

/// One row per rule, also where it recommends nothing.
std::vector<db::RecommendationRow> recommendation_rows(const engine::Plan& plan,
                                                       const engine::Answer& answer);

/// By configuration and H.
std::vector<db::StepTimesRow> step_times_rows(const engine::StepTimeTable& table);

/// With what the search recommends: by max_min, or where it was not asked by the paper's rule.
db::SearchSummary with_recommendation(db::SearchSummary summary,
                                      const std::vector<db::RecommendationRow>& rows);

/// Why it recommends nothing, as JSON: the reasons of the rule that was asked; nothing where it
/// does.
std::optional<std::string> reasons_of_none(const std::vector<db::RecommendationRow>& rows);

/// The whole recommendation of one rule as JSON, if it recommends anything.
std::optional<std::string> recommendation_by(const std::vector<db::RecommendationRow>& rows,
                                             std::string_view rule);

/// How the search ends: succeeded, or cancelled if curves are missing. Its trials are stored apart.
db::SearchEnd search_end(const engine::Plan& plan, const engine::SearchResult& result,
                         std::string finished_at);

}  // namespace macrostep::server
