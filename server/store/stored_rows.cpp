#include "server/store/stored_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <utility>

#include "engine/plan/plan_fmus.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "engine/recommendation/why_nothing.hpp"
#include "server/jobs/job_json.hpp"
#include "server/json/json_text.hpp"
#include "server/results/notices_json.hpp"
#include "server/results/result_json.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

/// What NULL stands for in a column whose number is always known: it was not finite.
double number_of(const std::optional<double>& column) {
  return column.value_or(std::numeric_limits<double>::quiet_NaN());
}

std::optional<std::string> unless_empty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// The cost that breaks ties: of the trial at the largest H that may be used.
std::optional<double> ranking_cost(const engine::Curve& curve) {
  std::optional<double> cost;
  for (const auto& point : curve.points) {
    if (curve.usable_s && point.macro_step_s <= *curve.usable_s) {
      cost = point.cost;
    }
  }
  return cost;
}

/// The paper's rule where it alone was asked.
std::string_view asked_rule(const std::vector<db::RecommendationRow>& rows) {
  const bool by_paper =
      std::ranges::find(rows, "max_min", &db::RecommendationRow::rule) == rows.end();
  return by_paper ? "paper" : "max_min";
}

db::RecommendationRow recommendation_row(const engine::Plan& plan, std::string rule,
                                         const std::optional<engine::Recommendation>& found,
                                         std::span<const engine::Notice> why_none) {
  if (!found) {
    return {.rule = std::move(rule),
            .reason = unless_empty(joined_sentences(why_none)),
            .reasons = json::notices_json(why_none).dump(),
            .accuracy = plan.job.accuracy};
  }
  const auto& error = found->error;
  const auto json = json::recommendation_json(plan, *found);
  return {.rule = std::move(rule),
          .configuration_id = static_cast<std::int64_t>(found->configuration),
          .macro_step_s = found->macro_step_s,
          .bend_s = found->bend_s,
          .cliff_s = found->cliff_s,
          .relative_residual = found->relative_residual,
          .confidence = found->confidence,
          .reason = found->reason(),
          .json = json.dump(),
          .sentence = json.at("sentence").get<std::string>(),
          .nrmse = error ? error->nrmse : std::nullopt,
          .error_test = error ? unless_empty(error->test) : std::nullopt,
          .stability_limit_s = found->stability_limit_s,
          .growth_per_s = found->growth ? finite(found->growth->growth.rate_per_s) : std::nullopt,
          .verdict = found->is_verified() ? "verified" : "unverified",
          .accuracy = plan.job.accuracy};
}

}  // namespace

std::string plan_text(const engine::Plan& plan) {
  return json::job_json(plan.job).dump();
}

db::NewSearch new_search(const engine::Plan& plan, std::string id, std::string job,
                         json::SearchLabels labels, std::string created_at) {
  std::vector<std::string> fmus;
  for (const auto& fmu : engine::fmus_of(plan)) {
    fmus.push_back(fmu->sha256);
  }
  return {.id = std::move(id),
          .name = plan.job.name,
          .problem = plan.problem.name,
          .created_at = std::move(created_at),
          .linear_region_rule = std::string(to_string(plan.job.linear_region.rule)),
          .job = std::move(job),
          .plan = plan_text(plan),
          .provenance = json::provenance_json(engine::provenance()).dump(),
          .curves_total = static_cast<std::int64_t>(plan.curves.size()),
          .note = std::move(labels.note),
          .tags = std::move(labels.tags),
          .priority = labels.priority,
          .fmus = std::move(fmus)};
}

std::runtime_error unusable_job(const engine::FieldErrors& errors) {
  const auto first = errors.empty() ? engine::FieldError{} : errors.front();
  const std::string why = first.pointer.ends_with("/fmu")
                              ? "an FMU of the stored job cannot be used: "
                              : "this build does not accept the stored job: ";
  return std::runtime_error(why + first.pointer + ": " + first.message);
}

std::vector<db::ConfigurationRow> configuration_rows(const engine::Plan& plan) {
  std::vector<db::ConfigurationRow> rows;
  for (const auto& configuration : plan.configurations) {
    const Json json = json::configuration_json(configuration);
    rows.push_back({.id = static_cast<std::int64_t>(rows.size()),
                    .coupling = configuration.coupling,
                    .scheme = std::string(to_string(configuration.scheme)),
                    .extrapolation = std::string(to_string(configuration.extrapolation)),
                    .integrators = json["integrators"].dump(),
                    .substeps = json["substeps"].dump(),
                    .correction = std::string(to_string(configuration.correction)),
                    .subsystem_order = Json(configuration.order).dump(),
                    .json = json.dump()});
  }
  return rows;
}

std::vector<db::CurveRow> unfinished_curve_rows(const engine::Plan& plan) {
  std::vector<db::CurveRow> rows;
  for (const auto& key : plan.curves) {
    rows.push_back({.id = static_cast<std::int64_t>(rows.size()),
                    .configuration_id = static_cast<std::int64_t>(key.configuration),
                    .test = plan.job.tests[key.test].name});
  }
  return rows;
}

std::vector<db::CurveRow> curve_rows(const engine::Plan& plan,
                                     const std::vector<engine::Curve>& curves) {
  std::vector<db::CurveRow> rows;
  for (const auto& curve : curves) {
    const auto& fit = curve.region.fit;
    rows.push_back({.id = static_cast<std::int64_t>(curve.id),
                    .configuration_id = static_cast<std::int64_t>(curve.key.configuration),
                    .test = plan.job.tests[curve.key.test].name,
                    .bend_s = curve.region.bend_s(),
                    .cliff_s = curve.region.cliff_s,
                    .slope = fit ? finite(fit->exponent) : std::nullopt,
                    .fit_coefficient = fit ? finite(fit->coefficient) : std::nullopt,
                    .fit_exponent = fit ? finite(fit->exponent) : std::nullopt,
                    .reason = curve.region.reason(),
                    .flags = Json(curve.flags).dump(),
                    .weighted_rhs_evaluations = ranking_cost(curve),
                    .counts = curve.counts,
                    .stability_limit_s = curve.stability_limit_s,
                    .rejected_from_s = curve.rejected_from_s,
                    .linear_up_to_s = fit ? curve.region.last_s.value_or(0) : 0,
                    .usable_s = curve.usable_s,
                    .limited_by = unless_empty(std::string(curve.limited_by))});
  }
  return rows;
}

db::TrialRow trial_row(const engine::TrialRecord& record, std::int64_t id) {
  const auto& result = record.result;
  std::string bonds;
  json::append_list(bonds, result.bond_residuals_j, json::append_number);
  return {.id = id,
          .curve_id = static_cast<std::int64_t>(record.curve),
          .point = static_cast<std::int64_t>(record.index),
          .macro_step_s = record.macro_step_s,
          .status = std::string(to_string(result.status)),
          .reason = unless_empty(result.reason),
          .residual_J = finite(result.residual_j),
          .startup_residual_J = finite(result.startup_residual_j),
          .relative_residual = result.relative_residual(),
          .transmitted_J = finite(result.transmitted_j),
          .bond_residuals_J = std::move(bonds),
          .macro_steps = result.macro_steps,
          .rhs_evaluations = result.rhs_evaluations,
          .cost = finite(result.cost),
          .wall_s = finite(result.wall_s),
          .event_delay_s = finite(result.event_delay_s)};
}

engine::TrialRecord trial_record(const db::TrialRow& row) {
  engine::TrialRecord record{.curve = static_cast<std::size_t>(row.curve_id),
                             .index = static_cast<std::size_t>(row.point),
                             .macro_step_s = row.macro_step_s};
  auto& result = record.result;
  const auto status = engine::trial_status_from(row.status);
  if (!status) {
    throw std::runtime_error("trial " + std::to_string(row.id) + " has the unknown status " +
                             row.status);
  }
  result.status = *status;
  result.reason = row.reason.value_or("");
  result.residual_j = number_of(row.residual_J);
  result.startup_residual_j = number_of(row.startup_residual_J);
  result.transmitted_j = number_of(row.transmitted_J);
  for (const auto& residual_j : Json::parse(row.bond_residuals_J)) {
    result.bond_residuals_j.push_back(
        number_of(residual_j.is_null() ? std::nullopt : std::optional(residual_j.get<double>())));
  }
  result.macro_steps = row.macro_steps;
  result.rhs_evaluations = row.rhs_evaluations;
  result.cost = number_of(row.cost);
  result.wall_s = number_of(row.wall_s);
  result.event_delay_s = row.event_delay_s.value_or(0);
  return record;
}

std::vector<db::RecommendationRow> recommendation_rows(const engine::Plan& plan,
                                                       const engine::Answer& answer) {
  if (plan.job.preset) {  // the paper's rule alone has been asked
    return {recommendation_row(plan, "paper", answer.recommendation, answer.reasons)};
  }
  return {recommendation_row(plan, "max_min", answer.recommendation, answer.reasons),
          recommendation_row(plan, "paper", answer.paper_rule, why_no_row(answer))};
}

std::vector<db::StepTimesRow> step_times_rows(const engine::StepTimeTable& table) {
  std::vector<db::StepTimesRow> rows;
  for (const auto& one : table.rows) {
    rows.push_back({.configuration_id = static_cast<std::int64_t>(one.configuration),
                    .macro_step_s = one.macro_step_s,
                    .macro_steps = static_cast<std::int64_t>(one.macro_steps),
                    .median_s = one.times.median_s,
                    .p999_s = one.times.p999_s,
                    .worst_s = one.times.worst_s});
  }
  std::ranges::sort(rows, {}, [](const db::StepTimesRow& row) {
    return std::pair(row.configuration_id, row.macro_step_s);
  });
  return rows;
}

db::SearchSummary with_recommendation(db::SearchSummary summary,
                                      const std::vector<db::RecommendationRow>& rows) {
  const auto found = std::ranges::find(rows, asked_rule(rows), &db::RecommendationRow::rule);
  if (found != rows.end()) {
    summary.recommendation = found->json;
    summary.recommended_configuration = found->configuration_id;
    summary.recommended_macro_step_s = found->macro_step_s;
    summary.recommended_sentence = found->sentence;
  }
  return summary;
}

std::optional<std::string> reasons_of_none(const std::vector<db::RecommendationRow>& rows) {
  const auto found = std::ranges::find(rows, asked_rule(rows), &db::RecommendationRow::rule);
  return found == rows.end() ? std::nullopt : found->reasons;
}

std::optional<std::string> recommendation_by(const std::vector<db::RecommendationRow>& rows,
                                             std::string_view rule) {
  const auto found = std::ranges::find(rows, rule, &db::RecommendationRow::rule);
  return found == rows.end() ? std::nullopt : found->json;
}

db::SearchEnd search_end(const engine::Plan& plan, const engine::SearchResult& result,
                         std::string finished_at) {
  const auto& answer = result.answer;
  const std::string ended = engine::nothing_ran(answer.curves) ? "failed" : "succeeded";
  return {.status = result.complete ? ended : "cancelled",
          .complete = result.complete,
          .finished_at = std::move(finished_at),
          .reason = answer.recommendation ? std::nullopt : std::optional(answer.reason()),
          .curves = curve_rows(plan, answer.curves),
          .recommendations = recommendation_rows(plan, answer),
          .step_times = step_times_rows(answer.step_times),
          .table = json::table_json(plan, answer.table).dump(),
          .progress = {.curves_done = static_cast<std::int64_t>(answer.curves.size()),
                       .curves_total = static_cast<std::int64_t>(plan.curves.size()),
                       .trials_done = static_cast<std::int64_t>(result.cost.trials)},
          .cost = {.trials = static_cast<std::int64_t>(result.cost.trials),
                   .rhs_evaluations = result.cost.rhs_evaluations,
                   .wall_s = result.cost.wall_s}};
}

}  // namespace macrostep::server
