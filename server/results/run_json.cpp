#include "server/results/run_json.hpp"

#include <nlohmann/json.hpp>

#include "server/json/json_text.hpp"
#include "server/results/result_json.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;

std::optional<double> energy_deviation_j(const RunReport& report) {
  if (!report.result.final_energy_j || !report.reference_energy_j) {
    return std::nullopt;
  }
  return *report.result.final_energy_j - *report.reference_energy_j;
}

/// What a run computed, where that is known.
template <class Value>
Json known(const engine::TrialResult& result, const Value& value) {
  return tells_residuals(result) ? number(value) : Json();
}

}  // namespace

bool tells_residuals(const engine::TrialResult& result) {
  return result.status == engine::TrialStatus::complete || !result.bond_residuals_j.empty();
}

Json run_json(const engine::Plan& plan, const RunReport& report) {
  const auto& result = report.result;
  Json outputs = Json::object();
  for (std::size_t i = 0; i < report.output_names.size(); ++i) {
    const bool known = i < report.final_outputs.size();
    outputs[report.output_names[i]] = {{"final", known ? number(report.final_outputs[i]) : Json()}};
  }
  Json json = {{"status", to_string(result.status)},
               {"reason", result.reason.empty() ? Json() : Json(result.reason)},
               {"residual_J", known(result, result.residual_j)},
               {"startup_residual_J", known(result, result.startup_residual_j)},
               {"applied_residual_J", number(result.applied_residual_j)},
               {"relative_residual", number(result.relative_residual())},
               {"energy",
                {{"initial_J", number(result.initial_energy_j)},
                 {"final_J", number(result.final_energy_j)}}},
               {"error",
                {{"nrmse", report.error ? number(report.error->nrmse) : Json()},
                 {"max", report.error ? number(report.error->largest) : Json()},
                 {"energy_deviation_J", number(energy_deviation_j(report))},
                 {"energy_rms", number(report.energy_rms)},
                 {"reference", report.reference}}},
               {"outputs", outputs},
               {"final_time_s", number(result.final_time_s)},
               {"macro_steps", result.macro_steps},
               {"rhs_evaluations", tells_residuals(result) ? Json(result.rhs_evaluations) : Json()},
               {"step_time",
                {{"median_s", known(result, report.step_times.median_s)},
                 {"p999_s", known(result, report.step_times.p999_s)},
                 {"worst_s", known(result, report.step_times.worst_s)}}}};
  if (auto fmus = fmus_json(plan, plan.configurations.front()); !fmus.empty()) {
    json["fmus"] = std::move(fmus);
  }
  return json;
}

}  // namespace macrostep::server::json
