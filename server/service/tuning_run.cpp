#include "server/service/tuning_run.hpp"

#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>

#include "server/json/job_json.hpp"
#include "server/json/result_json.hpp"
#include "server/json/tuning_json.hpp"
#include "server/service/analysis_run.hpp"
#include "server/service/identity.hpp"

namespace macrostep::server::service {

namespace {

/// What was asked, the jobs of further plans with it.
std::string question(const engine::Plan& plan, const engine::TuningSettings& settings) {
  auto also = nlohmann::ordered_json::array();
  for (const auto* further : settings.further_plans) {
    also.push_back(json::job_json(further->job));
  }
  const nlohmann::ordered_json asked{
      {"kind", "tune"},
      {"macro_step_s", settings.macro_step_s},
      {"objective", settings.objective ? nlohmann::ordered_json(to_string(*settings.objective))
                                       : nlohmann::ordered_json()},
      {"configuration", json::configuration_json(*settings.configuration)},
      {"job", json::job_json(plan.job)},
      {"also", also}};
  return asked.dump();
}

}  // namespace

KeptTuning tune_and_keep(db::Store& store, const engine::Plan& plan,
                         const engine::TuningSettings& settings) {
  KeptTuning kept{.result = {}, .id = new_search_id()};
  const auto asked = question(plan, settings);
  store.create_analysis({.id = kept.id,
                         .kind = "tune",
                         .name = plan.job.name,
                         .problem = plan.job.problem,
                         .created_at = utc_now(),
                         .job = asked,
                         .plan = asked,
                         .points_total = 1});
  try {
    store.start_analysis(kept.id, utc_now());
    const auto started = std::chrono::steady_clock::now();
    kept.result = engine::tune(plan, settings);
    const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - started;
    if (settings.stop && settings.stop->load()) {
      store.set_analysis_status(
          kept.id, {.status = "cancelled", .reason = "interrupted", .finished_at = utc_now()});
    } else {
      store.finish_analysis(kept.id, {.status = "succeeded",
                                      .finished_at = utc_now(),
                                      .points_done = 1,
                                      .wall_s = wall.count(),
                                      .result = json::tuning_json(kept.result).dump()});
    }
  } catch (const std::exception& error) {
    store_analysis_failure(store, kept.id, error.what());
    throw;
  }
  return kept;
}

}  // namespace macrostep::server::service
