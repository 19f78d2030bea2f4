#include "server/results/result_json.hpp"

#include <nlohmann/json.hpp>

#include "engine/plan/fmu_roles.hpp"
#include "server/jobs/correction_json.hpp"
#include "server/json/json_text.hpp"
#include "server/json/words.hpp"
#include "server/results/notices_json.hpp"

namespace macrostep::server::json {

namespace {

using Json = nlohmann::ordered_json;

Json configurations_json(const engine::Plan& plan, const std::vector<std::size_t>& indices) {
  Json list = Json::array();
  for (const std::size_t index : indices) {
    list.push_back(configuration_json(plan.configurations[index]));
  }
  return list;
}

Json error_json(const std::optional<engine::MeasuredError>& error) {
  if (!error) {
    return nullptr;
  }
  return {{"nrmse", number(error->nrmse)},
          {"max", number(error->largest)},
          {"test", error->test.empty() ? Json() : Json(error->test)},
          {"reference", error->nrmse ? error->reference : "none: " + error->reason}};
}

Json real_time_json(const engine::RealTimeMargin& margin) {
  return {{"share", number(margin.share)},
          {"limit_s", number(margin.limit_s)},
          {"p999_s", number(margin.p999_s)},
          {"factor", number(margin.factor())}};
}

}  // namespace

Json configuration_json(const engine::Configuration& configuration) {
  Json integrators = Json::object();
  for (const auto& [group, integrator] : configuration.integrators) {
    integrators[group] = to_string(integrator);
  }
  Json json = {{"coupling", configuration.coupling},
               {"scheme", to_string(configuration.scheme)},
               {"extrapolation", to_string(configuration.extrapolation)},
               {"integrators", integrators},
               {"substeps", configuration.substeps},
               {"correction", to_string(configuration.correction)}};
  if (configuration.correction != engine::Correction::none) {
    json["correction_parameters"] =
        correction_parameters_json(configuration.correction, configuration.correction_parameters);
  }
  if (!configuration.order.empty()) {
    json["order"] = configuration.order;
  }
  return json;
}

Json fmus_json(const engine::Plan& plan, const engine::Configuration& configuration) {
  Json json = Json::object();
  for (const auto& role : engine::fmu_roles(plan, configuration)) {
    json[role.subsystem] = {
        {"interface", role.interface}, {"inputs", to_string(role.inputs)}, {"events", role.events}};
  }
  return json;
}

namespace {

Json gain_json(const engine::Plan& plan, const std::optional<engine::CorrectionGain>& gain) {
  if (!gain) {
    return nullptr;
  }
  return {{"without", gain->configuration
                          ? configuration_json(plan.configurations[*gain->configuration])
                          : Json()},
          {"macro_step_s_without", number(gain->macro_step_s)},
          {"cost_per_macro_step", number(gain->cost_per_macro_step)},
          {"cost_per_macro_step_without", number(gain->cost_per_macro_step_without)}};
}

/// Where only the swing of runs tells that this is stable, no rate is known.
Json swing_json() {
  return {{"rate_per_s", nullptr},       {"uncertainty_per_s", nullptr}, {"unseen_share", nullptr},
          {"exact_rate_per_s", nullptr}, {"doubles_every_s", nullptr},   {"session_s", nullptr},
          {"over_session", nullptr},     {"verdict_by", "swing"}};
}

Json growth_json(const engine::Recommendation& recommendation) {
  const auto& growth = recommendation.growth;
  if (!growth) {
    return engine::agrees(recommendation.checks, "swing") ? swing_json() : Json();
  }
  return {{"rate_per_s", number(growth->growth.rate_per_s)},
          {"uncertainty_per_s", number(growth->uncertainty_per_s)},
          {"unseen_share", number(growth->unseen_share)},
          {"exact_rate_per_s",
           growth->is_exact() ? number(growth->growth.exact_rate_per_s) : Json(nullptr)},
          {"doubles_every_s", number(growth->doubles_every_s())},
          {"session_s", number(growth->session_s)},
          {"over_session", number(growth->over_session())},
          {"verdict_by", to_string(growth->by)}};
}

Json checks_json(const std::vector<engine::CheckOutcome>& checks) {
  Json list = Json::array();
  for (const auto& outcome : checks) {
    list.push_back({{"check", outcome.check},
                    {"verdict", to_string(outcome.verdict)},
                    {"value", number(outcome.value)},
                    {"limit", number(outcome.limit)},
                    {"detail", joined_sentences(outcome.findings)},
                    {"findings", notices_json(outcome.findings)}});
  }
  return list;
}

}  // namespace

Json recommendation_json(const engine::Plan& plan, const engine::Recommendation& recommendation) {
  Json json = configuration_json(plan.configurations[recommendation.configuration]);
  json["macro_step_s"] = number(recommendation.macro_step_s);
  json["verified"] = recommendation.is_verified();
  json["macro_step_verified_s"] = number(recommendation.verified_s);
  json["bend_s"] = number(recommendation.bend_s);
  json["cliff_s"] = number(recommendation.cliff_s);
  json["stability_limit_s"] = number(recommendation.stability_limit_s);
  json["session_limit_s"] = number(recommendation.session_limit_s);
  json["growth"] = growth_json(recommendation);
  json["relative_residual"] = number(recommendation.relative_residual);
  json["error"] = error_json(recommendation.error);
  json["correction_gain"] = gain_json(plan, recommendation.gain);
  json["rule"] = recommendation.rule;
  json["confidence"] = number(recommendation.confidence);
  json["checks"] = checks_json(recommendation.checks);
  json["warnings"] = engine::sentences(recommendation.notices);
  json["notices"] = notices_json(recommendation.notices);
  json["reason"] = recommendation.reason();
  json["reasons"] = notices_json(recommendation.reasons);
  json["sentence"] = sentence(plan, recommendation);
  json["ties"] = configurations_json(plan, recommendation.ties);
  auto fmus = fmus_json(plan, plan.configurations[recommendation.configuration]);
  if (recommendation.real_time) {
    json["real_time"] = real_time_json(*recommendation.real_time);
  }
  if (!fmus.empty()) {
    json["fmus"] = std::move(fmus);
  }
  return json;
}

Json table_json(const engine::Plan& plan, const std::vector<engine::TableRow>& table) {
  Json list = Json::array();
  for (const auto& row : table) {
    Json verified = Json::array();
    for (const auto& verified_s : row.verified_s) {
      verified.push_back(number(verified_s));
    }
    list.push_back({{"test", plan.job.tests[row.test].name},
                    {"configurations", configurations_json(plan, row.configurations)},
                    {"macro_step_s", number(row.macro_step_s)},
                    {"macro_step_verified_s", number(verified_for_all(row))},
                    {"macro_steps_verified_s", std::move(verified)},
                    {"cliff_s", number(row.cliff_s)},
                    {"flags", row.flags}});
  }
  return list;
}

Json provenance_json(const engine::Provenance& provenance) {
  return {{"version", provenance.version},
          {"build_id", provenance.build_id},
          {"math_class", provenance.math_class}};
}

}  // namespace macrostep::server::json
