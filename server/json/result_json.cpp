#include "server/json/result_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "server/json/job_json.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json();
}

Json number(const std::optional<double>& value) {
  return value ? number(*value) : Json();
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(text);
}

Json configurations_json(const engine::Plan& plan, const std::vector<std::size_t>& indices) {
  Json list = Json::array();
  for (const std::size_t index : indices) {
    list.push_back(configuration_json(plan.configurations[index]));
  }
  return list;
}

Json points_json(const engine::Curve& curve) {
  Json list = Json::array();
  for (const auto& point : curve.points) {
    list.push_back({{"macro_step_s", number(point.macro_step_s)},
                    {"residual_J", number(point.residual_j)},
                    {"relative_residual", number(point.relative_residual)},
                    {"status", to_string(point.status)},
                    {"inside_linear_region", inside_linear_region(curve, point)}});
  }
  return list;
}

Json missing_curves_json(const engine::Plan& plan, const std::vector<engine::Curve>& curves) {
  std::vector<bool> present(plan.curves.size());
  for (const auto& curve : curves) {
    present[curve.id] = true;
  }
  Json list = Json::array();
  for (std::size_t id = 0; id < present.size(); ++id) {
    if (!present[id]) {
      const auto& key = plan.curves[id];
      list.push_back({{"id", id},
                      {"configuration", configuration_json(plan.configurations[key.configuration])},
                      {"test", plan.job.tests[key.test].name}});
    }
  }
  return list;
}

}  // namespace

Json configuration_json(const engine::Configuration& configuration) {
  Json integrators = Json::object();
  for (const auto& [group, integrator] : configuration.integrators) {
    integrators[group] = to_string(integrator);
  }
  return {{"coupling", configuration.coupling},
          {"scheme", to_string(configuration.scheme)},
          {"extrapolation", to_string(configuration.extrapolation)},
          {"integrators", integrators},
          {"substeps", Json::object()},
          {"correction", to_string(configuration.correction)}};
}

Json recommendation_json(const engine::Plan& plan, const engine::Recommendation& recommendation) {
  Json json = configuration_json(plan.configurations[recommendation.configuration]);
  json["macro_step_s"] = number(recommendation.macro_step_s);
  json["bend_s"] = number(recommendation.bend_s);
  json["cliff_s"] = number(recommendation.cliff_s);
  json["relative_residual"] = number(recommendation.relative_residual);
  json["rule"] = recommendation.rule;
  json["confidence"] = nullptr;
  json["warnings"] = recommendation.warnings;
  json["reason"] = recommendation.reason;
  json["ties"] = configurations_json(plan, recommendation.ties);
  return json;
}

Json recommendation_json(const engine::Plan& plan,
                         const std::optional<engine::Recommendation>& recommendation) {
  return recommendation ? recommendation_json(plan, *recommendation) : Json();
}

Json table_json(const engine::Plan& plan, const std::vector<engine::TableRow>& table) {
  Json list = Json::array();
  for (const auto& row : table) {
    list.push_back({{"test", plan.job.tests[row.test].name},
                    {"configurations", configurations_json(plan, row.configurations)},
                    {"macro_step_s", number(row.macro_step_s)},
                    {"cliff_s", number(row.cliff_s)},
                    {"flags", row.flags}});
  }
  return list;
}

bool inside_linear_region(const engine::Curve& curve, const engine::CurvePoint& point) {
  return curve.region.fit && curve.region.last_s && point.macro_step_s <= *curve.region.last_s;
}

Json curve_json(const engine::Plan& plan, const engine::Curve& curve, Points points) {
  const auto& fit = curve.region.fit;
  Json json = {{"id", curve.id},
               {"configuration", configuration_json(plan.configurations[curve.key.configuration])},
               {"test", plan.job.tests[curve.key.test].name},
               {"bend_s", number(curve.region.bend_s())},
               {"cliff_s", number(curve.region.cliff_s)},
               {"slope", fit ? number(fit->exponent) : Json()},
               {"fit", nullptr},
               {"reason", curve.region.reason},
               {"flags", curve.flags}};
  if (fit && std::isfinite(fit->coefficient) && std::isfinite(fit->exponent)) {
    json["fit"] = {{"coefficient", fit->coefficient}, {"exponent", fit->exponent}};
  }
  if (points == Points::with) {
    json["points"] = points_json(curve);
  }
  return json;
}

Json curves_json(const engine::Plan& plan, const std::vector<engine::Curve>& curves,
                 Points points) {
  Json list = Json::array();
  for (const auto& curve : curves) {
    list.push_back(curve_json(plan, curve, points));
  }
  return list;
}

Json trial_json(const engine::Plan& plan, std::size_t id, const engine::TrialRecord& trial) {
  const auto& key = plan.curves[trial.curve];
  const auto& result = trial.result;
  return {{"id", id},
          {"curve_id", trial.curve},
          {"test", plan.job.tests[key.test].name},
          {"configuration", configuration_json(plan.configurations[key.configuration])},
          {"macro_step_s", number(trial.macro_step_s)},
          {"status", to_string(result.status)},
          {"reason", text_or_null(result.reason)},
          {"residual_J", number(result.residual_j)},
          {"startup_residual_J", number(result.startup_residual_j)},
          {"relative_residual", number(result.relative_residual())},
          {"macro_steps", result.macro_steps},
          {"rhs_evaluations", result.rhs_evaluations},
          {"wall_s", number(result.wall_s)}};
}

Json progress_json(const engine::SearchProgress& progress) {
  return {{"curves_done", progress.curves_done},
          {"curves_total", progress.curves_total},
          {"trials_done", progress.trials_done}};
}

Json cost_json(const engine::SearchCost& cost) {
  return {{"trials", cost.trials},
          {"rhs_evaluations", cost.rhs_evaluations},
          {"wall_s", number(cost.wall_s)}};
}

Json provenance_json(const engine::Provenance& provenance) {
  return {{"version", provenance.version},
          {"build_id", provenance.build_id},
          {"math_class", provenance.math_class}};
}

Json search_json(const engine::Plan& plan, const engine::SearchResult& result,
                 const SearchHead& head) {
  const auto& analysis = result.analysis;
  Json json = {{"id", head.id ? Json(*head.id) : Json()},
               {"name", plan.job.name},
               {"problem", plan.problem.name},
               {"status", head.status},
               {"complete", result.complete},
               {"recommendation", recommendation_json(plan, analysis.recommendation)},
               {"reason", text_or_null(head.reason.empty() ? analysis.reason : head.reason)},
               {"job", job_json(plan.job)},
               {"table", table_json(plan, analysis.table)},
               {"paper_rule", recommendation_json(plan, analysis.paper_rule)},
               {"curves", curves_json(plan, analysis.curves, Points::with)}};
  if (!result.complete) {
    json["missing_curves"] = missing_curves_json(plan, analysis.curves);
  }
  json["cost"] = cost_json(result.cost);
  json["provenance"] = provenance_json(engine::provenance());
  return json;
}

Json run_json(const RunReport& report) {
  const auto& result = report.result;
  Json outputs = Json::object();
  for (std::size_t i = 0; i < report.output_names.size(); ++i) {
    const bool known = i < report.final_outputs.size();
    outputs[report.output_names[i]] = {{"final", known ? number(report.final_outputs[i]) : Json()}};
  }
  return {{"status", to_string(result.status)},
          {"reason", text_or_null(result.reason)},
          {"residual_J", number(result.residual_j)},
          {"startup_residual_J", number(result.startup_residual_j)},
          {"applied_residual_J", nullptr},
          {"relative_residual", number(result.relative_residual())},
          {"energy", {{"initial_J", nullptr}, {"final_J", nullptr}}},
          {"error", {{"nrmse", nullptr}, {"max", nullptr}, {"reference", nullptr}}},
          {"outputs", outputs},
          {"final_time_s", number(result.final_time_s)},
          {"macro_steps", result.macro_steps},
          {"rhs_evaluations", result.rhs_evaluations},
          {"step_time",
           {{"median_s", number(report.step_times.median_s)},
            {"p999_s", number(report.step_times.p999_s)},
            {"worst_s", number(report.step_times.worst_s)}}}};
}

}  // namespace macrostep::server::json
