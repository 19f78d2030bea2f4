#include "server/service/stored_json.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "server/service/search_events.hpp"

namespace macrostep::server::service {

namespace {

using Json = nlohmann::ordered_json;

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}

Json cost_json(const std::optional<db::Cost>& cost) {
  if (!cost) {
    return nullptr;
  }
  return {{"trials", cost->trials},
          {"rhs_evaluations", cost->rhs_evaluations},
          {"wall_s", cost->wall_s}};
}

/// Ids of configurations and curves are their indices: the rows come in that order.
Json configuration_of(const StoredSearch& search, const db::CurveRow& curve) {
  return Json::parse(
      search.configurations.at(static_cast<std::size_t>(curve.configuration_id)).json);
}

Json curve_json(const StoredSearch& search, const db::CurveRow& curve) {
  Json fit = nullptr;
  if (curve.fit_coefficient && curve.fit_exponent) {
    fit = {{"coefficient", *curve.fit_coefficient}, {"exponent", *curve.fit_exponent}};
  }
  return {{"id", curve.id},
          {"configuration", configuration_of(search, curve)},
          {"test", curve.test},
          {"bend_s", or_null(curve.bend_s)},
          {"cliff_s", or_null(curve.cliff_s)},
          {"slope", or_null(curve.slope)},
          {"fit", std::move(fit)},
          {"reason", curve.reason.value_or("")},
          {"flags", Json::parse(curve.flags)}};
}

/// The points of one curve: trials are ordered by curve and by when they ran, points by H.
Json points_json(const StoredSearch& search, std::int64_t curve) {
  const auto range = std::ranges::equal_range(search.trials, curve, {}, &db::TrialRow::curve_id);
  std::vector<const db::TrialRow*> ascending;
  for (const auto& trial : range) {
    ascending.push_back(&trial);
  }
  std::ranges::sort(ascending, {}, &db::TrialRow::macro_step_s);
  Json points = Json::array();
  for (const auto* trial : ascending) {
    Json point = point_json(*trial);
    point["inside_linear_region"] = or_null(trial->inside_linear_region);
    points.push_back(std::move(point));
  }
  return points;
}

Json curve_list(const StoredSearch& search, Trials points) {
  Json list = Json::array();
  for (const auto& curve : search.curves) {
    Json json = curve_json(search, curve);
    if (points == Trials::with) {
      json["points"] = points_json(search, curve.id);
    }
    list.push_back(std::move(json));
  }
  return list;
}

Json missing_curves(const StoredSearch& search) {
  Json list = Json::array();
  for (const auto& curve : search.curves) {
    if (!curve.reason) {
      list.push_back({{"id", curve.id},
                      {"configuration", configuration_of(search, curve)},
                      {"test", curve.test}});
    }
  }
  return list;
}

}  // namespace

Json stored_json(const std::optional<std::string>& text) {
  return text ? Json::parse(*text) : Json();
}

Json progress_json(const db::Progress& progress) {
  return {{"curves_done", progress.curves_done},
          {"curves_total", progress.curves_total},
          {"trials_done", progress.trials_done}};
}

Json summary_json(const db::SearchSummary& summary) {
  return {{"id", summary.id},
          {"name", summary.name},
          {"problem", summary.problem},
          {"status", summary.status},
          {"complete", summary.complete},
          {"created_at", summary.created_at},
          {"started_at", or_null(summary.started_at)},
          {"finished_at", or_null(summary.finished_at)},
          {"progress", progress_json(summary.progress)},
          {"recommendation", stored_json(summary.recommendation)},
          {"reason", or_null(summary.reason)}};
}

Json point_json(const db::TrialRow& trial) {
  // Rows on their way to the file may still hold what becomes NULL there.
  const auto finite = [](const std::optional<double>& value) {
    return value && std::isfinite(*value) ? Json(*value) : Json();
  };
  return {{"macro_step_s", trial.macro_step_s},
          {"residual_J", finite(trial.residual_J)},
          {"relative_residual", finite(trial.relative_residual)},
          {"status", trial.status}};
}

std::optional<StoredSearch> read_search(const db::Store& store, const std::string& id,
                                        Trials trials) {
  auto row = store.get_search(id);
  if (!row) {
    return std::nullopt;
  }
  // From what refers to what is referred to: a search that begins meanwhile lacks nothing then.
  StoredSearch search{.row = std::move(*row), .configurations = {}, .curves = {}, .trials = {}};
  if (trials == Trials::with) {
    search.trials = store.trials_of_search(id);
  }
  search.curves = store.curves(id);
  search.configurations = store.configurations(id);
  const bool deleted_meanwhile = (search.curves.empty() && !search.trials.empty()) ||
                                 (search.configurations.empty() && !search.curves.empty());
  if (deleted_meanwhile) {
    return std::nullopt;
  }
  return search;
}

Json search_json(const StoredSearch& search, Trials points) {
  const auto& row = search.row;
  Json json = summary_json(row.summary);
  json["job"] = Json::parse(row.plan);
  json["table"] = stored_json(row.table);
  json["paper_rule"] = stored_json(row.paper_recommendation);
  json["curves"] = curve_list(search, points);
  if (is_final(row.summary.status) && !row.summary.complete) {
    json["missing_curves"] = missing_curves(search);
  }
  json["cost"] = cost_json(row.cost);
  json["provenance"] = stored_json(row.provenance);
  return json;
}

Json curves_json(const StoredSearch& search) {
  return {{"curves", curve_list(search, Trials::with)}};
}

Json trial_json(const StoredSearch& search, const db::TrialRow& trial) {
  const auto& curve = search.curves.at(static_cast<std::size_t>(trial.curve_id));
  return {{"id", trial.id},
          {"curve_id", trial.curve_id},
          {"test", curve.test},
          {"configuration", configuration_of(search, curve)},
          {"macro_step_s", trial.macro_step_s},
          {"status", trial.status},
          {"reason", or_null(trial.reason)},
          {"residual_J", or_null(trial.residual_J)},
          {"startup_residual_J", or_null(trial.startup_residual_J)},
          {"relative_residual", or_null(trial.relative_residual)},
          {"macro_steps", trial.macro_steps},
          {"rhs_evaluations", trial.rhs_evaluations},
          {"wall_s", or_null(trial.wall_s)}};
}

}  // namespace macrostep::server::service
