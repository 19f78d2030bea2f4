#include "server/workers/task_json.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/job/extrapolation.hpp"
#include "models/fmi/description/finding.hpp"
#include "server/base/printable.hpp"
#include "server/jobs/correction_json.hpp"
#include "server/jobs/job_json.hpp"
#include "server/json/exact_json.hpp"
#include "server/results/result_json.hpp"

namespace macrostep::server {

namespace {

constexpr std::array<std::pair<WorkerTaskKind, const char*>, 7> kinds{
    {{WorkerTaskKind::trial, "trial"},
     {WorkerTaskKind::step_times, "step_times"},
     {WorkerTaskKind::error, "error"},
     {WorkerTaskKind::analysis, "analysis"},
     {WorkerTaskKind::reference, "reference"},
     {WorkerTaskKind::bond_sign, "bond_sign"},
     {WorkerTaskKind::calls, "calls"}}};

/// The largest size of each text of a finding, which holds names and messages of an FMU.
constexpr std::size_t max_finding_bytes = 4096;

const char* name_of(WorkerTaskKind kind) {
  return kinds.at(static_cast<std::size_t>(kind)).second;
}

WorkerTaskKind kind_from(const std::string& name) {
  for (const auto& [kind, known] : kinds) {
    if (name == known) {
      return kind;
    }
  }
  throw std::runtime_error("a task of an unknown kind");
}

/// The enumerator of a name that this program wrote.
template <class Read>
auto named(const Json& json, const Read& read) {
  const auto value = read(json.get_ref<const std::string&>());
  if (!value) {
    throw std::runtime_error("an unknown name: " + json.get<std::string>());
  }
  return *value;
}

Json growth_text(const std::optional<engine::Growth>& growth) {
  return growth ? Json{{"kind", to_string(growth->kind)},
                       {"rate_per_s", exact(growth->rate_per_s)},
                       {"exact_rate_per_s", exact(growth->exact_rate_per_s)},
                       {"excess_per_s", exact(growth->excess_per_s)}}
                : Json();
}

std::optional<engine::Growth> read_growth(const Json& json) {
  if (json.is_null()) {
    return std::nullopt;
  }
  return engine::Growth{.kind = named(json.at("kind"), engine::growth_kind_from),
                        .rate_per_s = exact_number(json.at("rate_per_s")),
                        .exact_rate_per_s = exact_number(json.at("exact_rate_per_s")),
                        .excess_per_s = exact_number(json.at("excess_per_s"))};
}

Json configuration_text(const engine::Configuration& configuration) {
  Json json = json::configuration_json(configuration);
  json["order"] = configuration.order;
  json["correction_parameters"] =
      json::correction_parameters_json(configuration.correction_parameters);
  return json;
}

engine::Configuration read_configuration(const Json& json) {
  engine::Configuration configuration{
      .coupling = json.at("coupling").get<std::string>(),
      .scheme = named(json.at("scheme"), engine::scheme_from),
      .order = json.at("order").get<std::vector<std::string>>(),
      .extrapolation = named(json.at("extrapolation"), engine::extrapolation_from),
      .substeps = json.at("substeps").get<std::map<std::string, int>>(),
      .correction = named(json.at("correction"), engine::correction_from)};
  for (const auto& [group, integrator] : json.at("integrators").items()) {
    configuration.integrators[group] = named(integrator, models::integrator_from);
  }
  json::Errors errors;
  const nlohmann::json parameters = json.at("correction_parameters");
  json::read_correction_parameters(json::Value(parameters, "", errors),
                                   configuration.correction_parameters);
  if (errors.count() > 0) {
    throw std::runtime_error("invalid correction parameters");
  }
  return configuration;
}

/// Leaves no control characters in a text of one line that people see.
void remove_control_characters(std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const auto bytes = control_bytes(text, i); bytes > 0) {
      text.replace(i, bytes, " ");
    }
  }
}

/// JSON that an FMU may have written instead of its worker: refused before it takes memory, its
/// texts cleaned. Throws std::runtime_error or Json::exception.
Json parsed_reply(std::string_view text) {
  constexpr int max_depth = 8;
  constexpr std::size_t max_values = 4'000'000;  // energies
  constexpr std::size_t max_text_bytes = 64U << 10U;
  std::size_t values = 0;
  const Json::parser_callback_t watch = [&](int depth, Json::parse_event_t event, Json& value) {
    const bool long_text = event == Json::parse_event_t::value && value.is_string() &&
                           value.get_ref<const std::string&>().size() > max_text_bytes;
    if (depth > max_depth || ++values > max_values || long_text) {
      throw std::runtime_error("an invalid reply");
    }
    if (event == Json::parse_event_t::value && value.is_string()) {
      remove_control_characters(value.get_ref<std::string&>());
    }
    return true;
  };
  return Json::parse(text, watch);
}

Json times_json(const engine::StepTimes& times) {
  return {{"median_s", exact(times.median_s)},
          {"p999_s", exact(times.p999_s)},
          {"worst_s", exact(times.worst_s)}};
}

engine::StepTimes read_times(const Json& json) {
  return {.median_s = exact_number(json.at("median_s")),
          .p999_s = exact_number(json.at("p999_s")),
          .worst_s = exact_number(json.at("worst_s"))};
}

}  // namespace

Json trial_result_json(const engine::TrialResult& result) {
  return {{"status", to_string(result.status)},
          {"reason", result.reason},
          {"residual_J", exact(result.residual_j)},
          {"startup_residual_J", exact(result.startup_residual_j)},
          {"applied_residual_J", exact(result.applied_residual_j)},
          {"transmitted_J", exact(result.transmitted_j)},
          {"bond_residuals_J", exact(result.bond_residuals_j)},
          {"initial_energy_J", exact(result.initial_energy_j)},
          {"final_energy_J", exact(result.final_energy_j)},
          {"macro_steps", result.macro_steps},
          {"rhs_evaluations", result.rhs_evaluations},
          {"cost", exact(result.cost)},
          {"final_time_s", exact(result.final_time_s)},
          {"wall_s", exact(result.wall_s)}};
}

engine::TrialResult read_trial_result(const Json& json) {
  return {.status = named(json.at("status"), engine::trial_status_from),
          .reason = json.at("reason").get<std::string>(),
          .residual_j = exact_number(json.at("residual_J")),
          .startup_residual_j = exact_number(json.at("startup_residual_J")),
          .applied_residual_j = exact_optional(json.at("applied_residual_J")),
          .transmitted_j = exact_number(json.at("transmitted_J")),
          .bond_residuals_j = exact_numbers(json.at("bond_residuals_J")),
          .initial_energy_j = exact_optional(json.at("initial_energy_J")),
          .final_energy_j = exact_optional(json.at("final_energy_J")),
          .macro_steps = json.at("macro_steps").get<std::int64_t>(),
          .rhs_evaluations = json.at("rhs_evaluations").get<std::int64_t>(),
          .cost = exact_number(json.at("cost")),
          .final_time_s = exact_number(json.at("final_time_s")),
          .wall_s = exact_number(json.at("wall_s"))};
}

std::string finding_text(const models::fmi::Finding& finding) {
  return dumped({{"error", finding.severity == models::fmi::Severity::error},
                 {"part", finding.part},
                 {"where", finding.where},
                 {"message", finding.message}});
}

models::fmi::Finding read_finding(std::string_view text) {
  const Json json = parsed_reply(text);
  const auto text_of = [&](const char* key) {
    const auto& whole = json.at(key).get_ref<const std::string&>();
    const auto shown = engine::whole_characters(whole, max_finding_bytes);
    return std::string(shown) + (shown.size() < whole.size() ? "…" : "");
  };
  return {.severity = json.at("error").get<bool>() ? models::fmi::Severity::error
                                                   : models::fmi::Severity::warning,
          .part = text_of("part"),
          .where = text_of("where"),
          .message = text_of("message")};
}

std::string calls_text(std::int64_t calls) {
  return dumped({{"calls", calls}});
}

std::int64_t read_calls(std::string_view text) {
  return parsed_reply(text).at("calls").get<std::int64_t>();
}

std::string job_text(const engine::Plan& plan) {
  return dumped({{"job", json::job_json(plan.job)}, {"until_s", exact(plan.until_s)}});
}

std::string task_text(const WorkerTask& task) {
  if (task.kind == WorkerTaskKind::calls) {
    return dumped({{"kind", name_of(task.kind)}, {"fmu", task.fmu}, {"sequence", task.sequence}});
  }
  return dumped({{"kind", name_of(task.kind)},
                 {"job", task.job},
                 {"configuration", configuration_text(task.configuration)},
                 {"test", task.test},
                 {"duration_s", exact(task.duration_s)},
                 {"macro_step_s", exact(task.macro_step_s)},
                 {"rows", task.rows},
                 {"until_s", exact(task.until_s)},
                 {"linearise_at_s", exact(task.linearise_at_s)},
                 {"trace", task.trace},
                 {"step_times", task.step_times},
                 {"energies", task.energies},
                 {"single_run", task.single_run},
                 {"bond", task.bond}});
}

WorkerTask read_task(std::string_view text) {
  const Json json = Json::parse(text);
  const auto kind = kind_from(json.at("kind").get<std::string>());
  if (kind == WorkerTaskKind::calls) {
    return {.kind = kind,
            .fmu = json.at("fmu").get<std::string>(),
            .sequence = json.at("sequence").get<std::size_t>()};
  }
  return {.kind = kind,
          .job = json.at("job").get<std::uint64_t>(),
          .configuration = read_configuration(json.at("configuration")),
          .test = json.at("test").get<std::size_t>(),
          .duration_s = exact_number(json.at("duration_s")),
          .macro_step_s = exact_number(json.at("macro_step_s")),
          .rows = json.at("rows").get<std::int64_t>(),
          .until_s = exact_optional(json.at("until_s")),
          .linearise_at_s = exact_optional(json.at("linearise_at_s")),
          .trace = json.at("trace").get<bool>(),
          .step_times = json.at("step_times").get<bool>(),
          .energies = json.at("energies").get<bool>(),
          .single_run = json.at("single_run").get<bool>(),
          .bond = json.at("bond").get<std::size_t>()};
}

std::string reply_text(const TrialReply& reply) {
  Json json = {{"result", trial_result_json(reply.result)}};
  if (const auto& times = reply.step_times) {
    json["step_times"] = times_json(*times);
  }
  if (const auto& energies = reply.energies) {
    json["energies"] = {{"system_J", exact(energies->system_j)},
                        {"interface_J", exact(energies->interface_j)}};
  }
  return dumped(json);
}

TrialReply read_trial_reply(std::string_view text) {
  const Json json = parsed_reply(text);
  TrialReply reply{.result = read_trial_result(json.at("result"))};
  if (const auto times = json.find("step_times"); times != json.end()) {
    reply.step_times = read_times(*times);
  }
  if (const auto energies = json.find("energies"); energies != json.end()) {
    reply.energies = {.system_j = exact_numbers(energies->at("system_J")),
                      .interface_j = exact_numbers(energies->at("interface_J"))};
  }
  return reply;
}

std::string reply_text(const engine::TimedMacroSteps& timed) {
  return dumped({{"macro_steps", timed.macro_steps},
                 {"step_times", times_json(timed.times)},
                 {"status", to_string(timed.status)},
                 {"reason", timed.reason}});
}

engine::TimedMacroSteps read_timed_reply(std::string_view text) {
  const Json json = parsed_reply(text);
  return {.macro_steps = json.at("macro_steps").get<std::size_t>(),
          .times = read_times(json.at("step_times")),
          .status = named(json.at("status"), engine::trial_status_from),
          .reason = json.at("reason").get<std::string>()};
}

std::string reply_text(const engine::MeasuredError& error) {
  return dumped({{"nrmse", exact(error.nrmse)},
                 {"largest", exact(error.largest)},
                 {"test", error.test},
                 {"reference", error.reference},
                 {"reason", error.reason}});
}

engine::MeasuredError read_error_reply(std::string_view text) {
  const Json json = parsed_reply(text);
  return {.nrmse = exact_optional(json.at("nrmse")),
          .largest = exact_optional(json.at("largest")),
          .test = json.at("test").get<std::string>(),
          .reference = json.at("reference").get<std::string>(),
          .reason = json.at("reason").get<std::string>()};
}

std::string reply_text(const engine::AnalysisPoint& point) {
  return dumped({{"macro_step_s", exact(point.macro_step_s)},
                 {"spectral_radius", exact(point.spectral_radius)},
                 {"growth", growth_text(point.growth)},
                 {"phase_margin_deg", exact(point.phase_margin_deg)},
                 {"local_error", exact(point.local_error)},
                 {"global_error", exact(point.global_error)},
                 {"no_radius_reason", point.no_radius_reason},
                 {"no_local_error_reason", point.no_local_error_reason},
                 {"no_global_error_reason", point.no_global_error_reason}});
}

engine::AnalysisPoint read_analysis_reply(std::string_view text) {
  const Json json = parsed_reply(text);
  return {.macro_step_s = exact_number(json.at("macro_step_s")),
          .spectral_radius = exact_optional(json.at("spectral_radius")),
          .growth = read_growth(json.at("growth")),
          .phase_margin_deg = exact_optional(json.at("phase_margin_deg")),
          .local_error = exact_optional(json.at("local_error")),
          .global_error = exact_optional(json.at("global_error")),
          .no_radius_reason = json.at("no_radius_reason").get<std::string>(),
          .no_local_error_reason = json.at("no_local_error_reason").get<std::string>(),
          .no_global_error_reason = json.at("no_global_error_reason").get<std::string>()};
}

std::string reply_text(const ReferenceReply& reply) {
  return dumped({{"rows", reply.rows}, {"reason", reply.reason}});
}

ReferenceReply read_reference_reply(std::string_view text) {
  const Json json = parsed_reply(text);
  return {.rows = json.at("rows").get<std::int64_t>(),
          .reason = json.at("reason").get<std::string>()};
}

std::string reply_text(const engine::BondSign& sign) {
  return dumped({{"sign", sign.sign.value_or(0)},
                 {"contradicts", sign.contradicts},
                 {"evidence", sign.evidence}});
}

engine::BondSign read_bond_sign_reply(std::string_view text) {
  const Json json = parsed_reply(text);
  const int sign = json.at("sign").get<int>();
  if (sign < -1 || sign > 1) {
    throw std::runtime_error("an invalid sign");
  }
  return {.sign = sign == 0 ? std::nullopt : std::optional(sign),
          .contradicts = json.at("contradicts").get<bool>(),
          .evidence = json.at("evidence").get<std::string>()};
}

}  // namespace macrostep::server
