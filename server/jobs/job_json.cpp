#include "server/jobs/job_json.hpp"

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "server/jobs/correction_json.hpp"
#include "server/jobs/own_problem_json.hpp"
#include "server/jobs/test_json.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;

Json number_or_open(double number, bool is_open) {
  return is_open ? Json(left_open) : Json(number);
}

Json scales_json(const engine::Job& job) {
  if (!job.scales) {
    return job.is_open() ? Json(left_open) : Json();
  }
  const auto& [fastest_s, slowest_s, growing_per_s, found_by] = *job.scales;
  return {{"fastest_s", fastest_s},
          {"slowest_s", slowest_s},
          {"growing_per_s", growing_per_s ? Json(*growing_per_s) : Json()},
          {"found_by", to_string(found_by)}};
}

}  // namespace

nlohmann::ordered_json job_json(const engine::Job& job) {
  const auto list = [](const auto& values) {
    Json names = Json::array();
    for (const auto value : values) {
      names.push_back(to_string(value));
    }
    return names;
  };
  const auto table = [](const std::map<std::string, double>& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) {
      object[key] = value;
    }
    return object;
  };
  Json integrators = Json::object();
  for (const auto& [group, values] : job.space.integrators) {
    integrators[group] = list(values);
  }
  Json tests = Json::array();
  for (const auto& test : job.tests) {
    tests.push_back(test_json(test));
  }
  const auto& region = job.linear_region;
  Json search = {
      {"preset", job.preset ? Json(to_string(*job.preset)) : Json()},
      {"couplings", job.space.couplings},
      {"schemes", list(job.space.schemes)},
      {"orders", job.space.orders},
      {"iteration",
       {{"tolerance", job.iteration.tolerance},
        {"maximum", job.iteration.maximum},
        {"repeats", job.iteration.repeats ? Json(*job.iteration.repeats) : Json()}}},
      {"extrapolation", list(job.space.extrapolation)},
      {"integrators", integrators},
      {"integrator_sets", to_string(job.space.integrator_sets)},
      {"corrections", list(job.space.corrections)},
      {"correction_parameters", correction_parameters_json(job.space.correction_parameters)},
      {"macro_step",
       {{"initial_s", number_or_open(job.macro_step.initial_s, job.open.initial)},
        {"increment_s", number_or_open(job.macro_step.increment_s, job.open.increment)},
        {"maximum_s", number_or_open(job.macro_step.maximum_s, job.open.maximum)}}},
      {"allowed_macro_steps_s",
       job.allowed_macro_steps_s.empty() ? Json() : Json(job.allowed_macro_steps_s)},
      {"linear_region",
       {{"rule", to_string(region.rule)},
        {"tolerance", region.tolerance},
        {"points", region.points},
        {"scan", to_string(region.scan)},
        {"ratio", region.ratio}}},
      {"event_phases", job.event_phases},
      {"relative_residual_max",
       job.relative_residual_max ? Json(*job.relative_residual_max) : Json()},
      {"accuracy", job.accuracy ? Json(*job.accuracy) : Json()},
      {"stability_check", to_string(job.stability_check)},
      {"validate_unseen", job.validate_unseen},
      {"minimum_macro_steps", job.minimum_macro_steps},
      {"real_time", job.real_time_share ? Json({{"share", *job.real_time_share}}) : Json()},
      {"indicator", "residual_energy"}};
  return {{"kind", "search"},
          {"name", job.name},
          {"problem", job.own_problem ? own_problem_json(*job.own_problem) : Json(job.problem)},
          {"parameters", table(job.parameters)},
          {"micro_steps", table(job.micro_steps)},
          {"substeps", job.substeps},
          {"within_substep", to_string(job.within_substep)},
          {"session_s", job.session_s ? Json(*job.session_s) : Json()},
          {"scales", scales_json(job)},
          {"search", search},
          {"tests", tests}};
}

engine::Job narrowed(engine::Job job, const engine::Configuration& configuration) {
  auto& space = job.space;
  space.couplings = {configuration.coupling};
  space.schemes = {configuration.scheme};
  space.orders.clear();
  if (!configuration.order.empty()) {
    space.orders = {configuration.order};
  }
  space.extrapolation = {configuration.extrapolation};
  for (const auto& [group, integrator] : configuration.integrators) {
    space.integrators[group] = {integrator};
  }
  space.corrections = {configuration.correction};
  return job;
}

}  // namespace macrostep::server::json
