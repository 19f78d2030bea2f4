#include "server/store/search_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "server/store/stored_rows.hpp"

namespace macrostep::server {

namespace {

std::vector<db::TrialRow> trial_rows(const std::vector<engine::TrialRecord>& records) {
  std::vector<db::TrialRow> rows;
  for (const auto& record : records) {
    rows.push_back(trial_row(record, static_cast<std::int64_t>(rows.size())));
  }
  return rows;
}

}  // namespace

bool is_final(std::string_view status) {
  return status == "succeeded" || status == "failed" || status == "cancelled";
}

std::optional<SearchRows> load_search(const db::Store& store, const std::string& id,
                                      TrialPoints trials) {
  auto row = store.get_search(id);
  if (!row) {
    return std::nullopt;
  }
  // From what refers to what is referred to: a search that begins meanwhile lacks nothing then.
  SearchRows search{
      .row = std::move(*row), .configurations = {}, .curves = {}, .trials = {}, .step_times = {}};
  if (trials == TrialPoints::with) {
    search.trials = store.trials_of_search(id);
  }
  search.step_times = store.step_times(id);
  search.curves = store.curves(id);
  search.configurations = store.configurations(id);
  const bool deleted_meanwhile =
      (search.curves.empty() && !search.trials.empty()) ||
      (search.configurations.empty() && !(search.curves.empty() && search.step_times.empty()));
  if (deleted_meanwhile) {
    return std::nullopt;
  }
  return search;
}

std::vector<const db::TrialRow*> points_of(const SearchRows& search, std::int64_t curve) {
  const auto range = std::ranges::equal_range(search.trials, curve, {}, &db::TrialRow::curve_id);
  std::vector<const db::TrialRow*> ascending;
  for (const auto& trial : range) {
    ascending.push_back(&trial);
  }
  std::ranges::sort(ascending, {}, &db::TrialRow::macro_step_s);
  return ascending;
}

SearchRows rows_of(const EngineSearch& search) {
  const auto& plan = search.plan;
  auto trials = trial_rows(search.trials);
  db::SearchEnd end = search_end(plan, search.result, search.finished_at);
  std::ranges::sort(trials, {}, [](const db::TrialRow& trial) {
    return std::tuple(trial.curve_id, trial.point);
  });
  for (const auto& curve : end.curves) {
    for (auto& trial : std::ranges::equal_range(trials, curve.id, {}, &db::TrialRow::curve_id)) {
      trial.inside_linear_region = trial.macro_step_s <= curve.linear_up_to_s.value_or(0);
    }
  }
  auto curves = unfinished_curve_rows(plan);
  for (auto& curve : end.curves) {
    curves[static_cast<std::size_t>(curve.id)] = std::move(curve);
  }
  db::NewSearch begin = new_search(plan, "", "{}", search.labels, search.created_at);
  return {.row = {.summary = with_recommendation(
                      {.id = std::move(begin.id),
                       .name = std::move(begin.name),
                       .problem = std::move(begin.problem),
                       .status = std::move(end.status),
                       .complete = end.complete,
                       .created_at = search.created_at,
                       .started_at = search.created_at,
                       .finished_at = std::move(end.finished_at),
                       .reason = std::move(end.reason),
                       .linear_region_rule = std::move(begin.linear_region_rule),
                       .progress = end.progress,
                       .note = std::move(begin.note),
                       .tags = nlohmann::json(begin.tags).dump(),
                       .priority = begin.priority},
                      end.recommendations),
                  .job = std::move(begin.job),
                  .plan = std::move(begin.plan),
                  .provenance = std::move(begin.provenance),
                  .table = std::move(end.table),
                  .paper_recommendation = recommendation_by(end.recommendations, "paper"),
                  .reasons_of_none = reasons_of_none(end.recommendations),
                  .cost = end.cost},
          .configurations = configuration_rows(plan),
          .curves = std::move(curves),
          .trials = std::move(trials),
          .step_times = std::move(end.step_times)};
}

}  // namespace macrostep::server
