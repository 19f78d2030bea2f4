#include "server/analyses/tuning_run.hpp"

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <stdexcept>
#include <utility>
#include <variant>

#include "engine/base/text.hpp"
#include "server/analyses/tuning_svg.hpp"
#include "server/base/identity.hpp"
#include "server/results/tuning_json.hpp"
#include "server/store/stored_rows.hpp"
#include "server/store/trials_csv.hpp"

namespace macrostep::server {

namespace {

void append_cell(std::string& line, const std::optional<double>& value) {
  line += ',';
  if (value) {
    line += engine::exact_text(*value);
  }
}

}  // namespace

db::NewAnalysis new_tuning(const json::TuningPlan& tuning, std::string id, std::string job) {
  return {.id = std::move(id),
          .kind = "tune",
          .name = tuning.plan.job.name,
          .problem = tuning.plan.job.problem,
          .created_at = utc_now(),
          .job = std::move(job),
          .plan = json::tuning_job_json(tuning).dump(),
          .points_total = 1};
}

engine::TuningResult run_and_keep_tuning(db::Store& store, const std::string& id,
                                         const engine::Plan& plan,
                                         const engine::TuningSettings& settings,
                                         const std::function<db::StatusChange()>& stopped) {
  store.start_analysis(id, utc_now());
  const auto started = std::chrono::steady_clock::now();
  auto result = engine::tune(plan, settings);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
  if (settings.stop && settings.stop->load()) {
    store.set_analysis_status(id, stopped());
  } else if (engine::no_run_completes(result)) {
    store.set_analysis_status(
        id, {.status = "failed", .reason = result.reason(), .finished_at = utc_now()});
  } else {
    store.finish_analysis(id, {.status = "succeeded",
                               .finished_at = utc_now(),
                               .points_done = 1,
                               .wall_s = wall.count(),
                               .result = json::tuning_json(result).dump()});
  }
  return result;
}

json::TuningPlan tuning_from_row(const db::AnalysisRow& row, const engine::FmuSource& fmus) {
  auto tuning = json::read_tuning(nlohmann::json::parse(row.plan), fmus);
  if (const auto* errors = std::get_if<engine::FieldErrors>(&tuning)) {
    throw unusable_job(*errors);
  }
  return std::move(std::get<json::TuningPlan>(tuning));
}

std::string tuning_csv(const engine::TuningResult& result) {
  std::string text = "mu,nu,limit,ratio";
  for (const auto& test : result.tests) {
    text += "," + csv_cell(test);
  }
  text += '\n';
  for (const auto& point : result.landscape) {
    text += engine::exact_text(point.mu);
    append_cell(text, point.nu);
    append_cell(text, point.limit);
    append_cell(text, point.ratio);
    for (const auto& objective : point.by_test) {
      append_cell(text, objective);
    }
    text += '\n';
  }
  return text;
}

std::string tuning_picture(const engine::Plan& plan, double macro_step_s,
                           const engine::TuningResult& result) {
  return tuning_svg(result, "Energy correction of " + plan.job.name,
                    "H = " + engine::macro_step_text(macro_step_s) + ", " +
                        engine::describe(plan.configurations.front()));
}

}  // namespace macrostep::server
