#include "server/workers/task_json.hpp"

#include <nlohmann/json.hpp>
#include <optional>
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

constexpr const char* calls_kind = "calls";

/// The largest size of each text of a finding, which holds names and messages of an FMU.
constexpr std::size_t max_finding_bytes = 4096;

std::int64_t count(const Json& json) {
  if (!json.is_number_integer() || json.get<std::int64_t>() < 0) {
    throw std::runtime_error("no count: " + json.dump());
  }
  return json.get<std::int64_t>();
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

Json correction_text(const std::optional<engine::CorrectionSetting>& setting) {
  return setting ? Json{{"correction", to_string(setting->correction)},
                        {"parameters", json::correction_parameters_json(setting->parameters)}}
                 : Json();
}

std::optional<engine::CorrectionSetting> read_correction(const Json& json) {
  if (json.is_null()) {
    return std::nullopt;
  }
  engine::CorrectionSetting setting{
      .correction = named(json.at("correction"), engine::correction_from), .parameters = {}};
  json::Errors errors;
  const nlohmann::json parameters = json.at("parameters");
  json::read_correction_parameters(json::Value(parameters, "", errors), setting.parameters);
  if (errors.count() > 0) {
    throw std::runtime_error("invalid correction parameters");
  }
  return setting;
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

// What is read and written of measurements, by their kinds.

struct WriteMeasurement {
  Json operator()(const engine::MeasureRun& of) const {
    return {{"kind", "run"},
            {"run", trial_spec_json(of.run)},
            {"corrected", correction_text(of.corrected)},
            {"step_times", of.step_times},
            {"energies", of.energies}};
  }
  Json operator()(const engine::TimeMacroSteps& of) const {
    return {
        {"kind", "step_times"}, {"run", trial_spec_json(of.run)}, {"single_run", of.single_run}};
  }
  Json operator()(const engine::MeasureError& of) const {
    return {{"kind", "error"}, {"run", trial_spec_json(of.run)}};
  }
  Json operator()(const engine::AnalysePoint& of) const {
    return {{"kind", "analysis"},
            {"run", trial_spec_json(of.run)},
            {"linearise_at_s", exact(of.linearise_at_s)}};
  }
  Json operator()(const engine::FollowReference& of) const {
    return {{"kind", "reference"}, {"run", trial_spec_json(of.run)}, {"rows", of.rows}};
  }
  Json operator()(const engine::FindBondSign& of) const {
    return {{"kind", "bond_sign"}, {"configuration", of.configuration}, {"bond", of.bond}};
  }
};

engine::Measurement read_measurement(const Json& json, const std::string& kind) {
  if (kind == "bond_sign") {
    return engine::FindBondSign{.configuration = json.at("configuration").get<std::size_t>(),
                                .bond = json.at("bond").get<std::size_t>()};
  }
  const auto run = read_trial_spec(json.at("run"));
  if (kind == "run") {
    return engine::MeasureRun{.run = run,
                              .corrected = read_correction(json.at("corrected")),
                              .step_times = json.at("step_times").get<bool>(),
                              .energies = json.at("energies").get<bool>()};
  }
  if (kind == "step_times") {
    return engine::TimeMacroSteps{.run = run, .single_run = json.at("single_run").get<bool>()};
  }
  if (kind == "error") {
    return engine::MeasureError{run};
  }
  if (kind == "analysis") {
    return engine::AnalysePoint{.run = run,
                                .linearise_at_s = exact_optional(json.at("linearise_at_s"))};
  }
  if (kind == "reference") {
    return engine::FollowReference{.run = run, .rows = json.at("rows").get<std::int64_t>()};
  }
  throw std::runtime_error("a task of an unknown kind");
}

struct WriteMeasured {
  Json operator()(const engine::MeasuredRun& run) const {
    Json json = {{"result", trial_result_json(run.result)}};
    if (const auto& times = run.step_times) {
      json["step_times"] = times_json(*times);
    }
    if (const auto& energies = run.energies) {
      json["energies"] = {{"system_J", exact(energies->system_j)},
                          {"interface_J", exact(energies->interface_j)}};
    }
    return json;
  }
  Json operator()(const engine::TimedMacroSteps& timed) const {
    return {{"macro_steps", timed.macro_steps},
            {"step_times", times_json(timed.times)},
            {"status", to_string(timed.status)},
            {"reason", timed.reason}};
  }
  Json operator()(const engine::MeasuredError& error) const {
    return {{"nrmse", exact(error.nrmse)},
            {"largest", exact(error.largest)},
            {"test", error.test},
            {"reference", error.reference},
            {"reason", error.reason}};
  }
  Json operator()(const engine::AnalysisPoint& point) const {
    return {{"macro_step_s", exact(point.macro_step_s)},
            {"spectral_radius", exact(point.spectral_radius)},
            {"growth", growth_text(point.growth)},
            {"phase_margin_deg", exact(point.phase_margin_deg)},
            {"local_error", exact(point.local_error)},
            {"global_error", exact(point.global_error)},
            {"no_radius_reason", point.no_radius_reason},
            {"no_local_error_reason", point.no_local_error_reason},
            {"no_global_error_reason", point.no_global_error_reason}};
  }
  Json operator()(const engine::FollowedReference& followed) const {
    return {{"reason", followed.reason}};
  }
  Json operator()(const engine::BondSign& sign) const {
    return {{"sign", sign.sign.value_or(0)},
            {"contradicts", sign.contradicts},
            {"evidence", sign.evidence}};
  }
};

struct ReadMeasured {
  const Json& json;

  std::string text(const char* name) const { return json.at(name).get<std::string>(); }
  std::optional<double> number(const char* name) const { return exact_optional(json.at(name)); }

  engine::Measured operator()(const engine::MeasureRun&) const {
    engine::MeasuredRun run{
        .result = read_trial_result(json.at("result")), .step_times = {}, .energies = {}};
    if (const auto times = json.find("step_times"); times != json.end()) {
      run.step_times = read_times(*times);
    }
    if (const auto energies = json.find("energies"); energies != json.end()) {
      run.energies = {.system_j = exact_numbers(energies->at("system_J")),
                      .interface_j = exact_numbers(energies->at("interface_J"))};
    }
    return run;
  }
  engine::Measured operator()(const engine::TimeMacroSteps&) const {
    return engine::TimedMacroSteps{.macro_steps = json.at("macro_steps").get<std::size_t>(),
                                   .times = read_times(json.at("step_times")),
                                   .status = named(json.at("status"), engine::trial_status_from),
                                   .reason = text("reason")};
  }
  engine::Measured operator()(const engine::MeasureError&) const {
    return engine::MeasuredError{.nrmse = number("nrmse"),
                                 .largest = number("largest"),
                                 .test = text("test"),
                                 .reference = text("reference"),
                                 .reason = text("reason")};
  }
  engine::Measured operator()(const engine::AnalysePoint&) const {
    return engine::AnalysisPoint{.macro_step_s = exact_number(json.at("macro_step_s")),
                                 .spectral_radius = number("spectral_radius"),
                                 .growth = read_growth(json.at("growth")),
                                 .phase_margin_deg = number("phase_margin_deg"),
                                 .local_error = number("local_error"),
                                 .global_error = number("global_error"),
                                 .no_radius_reason = text("no_radius_reason"),
                                 .no_local_error_reason = text("no_local_error_reason"),
                                 .no_global_error_reason = text("no_global_error_reason")};
  }
  engine::Measured operator()(const engine::FollowReference&) const {
    return engine::FollowedReference{text("reason")};
  }
  engine::Measured operator()(const engine::FindBondSign&) const {
    const int sign = json.at("sign").get<int>();
    if (sign < -1 || sign > 1) {
      throw std::runtime_error("an invalid sign");
    }
    return engine::BondSign{.sign = sign == 0 ? std::nullopt : std::optional(sign),
                            .contradicts = json.at("contradicts").get<bool>(),
                            .evidence = text("evidence")};
  }
};

}  // namespace

Json trial_spec_json(const engine::TrialSpec& spec) {
  return {{"configuration", spec.configuration},
          {"input", spec.input},
          {"macro_step_s", exact(spec.macro_step_s)},
          {"until_s", exact(spec.until_s)},
          {"variant", spec.variant},
          {"delay_s", exact(spec.delay_s)}};
}

engine::TrialSpec read_trial_spec(const Json& json) {
  return {.configuration = json.at("configuration").get<std::size_t>(),
          .input = json.at("input").get<std::size_t>(),
          .macro_step_s = exact_number(json.at("macro_step_s")),
          .until_s = exact_optional(json.at("until_s")),
          .variant = json.at("variant").get<std::size_t>(),
          .delay_s = exact_number(json.at("delay_s"))};
}

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
          {"wall_s", exact(result.wall_s)},
          {"event_delay_s", exact(result.event_delay_s)}};
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
          .macro_steps = count(json.at("macro_steps")),
          .rhs_evaluations = count(json.at("rhs_evaluations")),
          .cost = exact_number(json.at("cost")),
          .final_time_s = exact_number(json.at("final_time_s")),
          .wall_s = exact_number(json.at("wall_s")),
          .event_delay_s = exact_number(json.at("event_delay_s"))};
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
  if (const auto* calls = std::get_if<WorkerCalls>(&task.what)) {
    return dumped({{"kind", calls_kind}, {"fmu", calls->fmu}, {"sequence", calls->sequence}});
  }
  Json json = std::visit(WriteMeasurement{}, std::get<engine::Measurement>(task.what));
  json["job"] = task.job;
  json["trace_every"] = task.trace_every;
  return dumped(json);
}

WorkerTask read_task(std::string_view text) {
  const Json json = Json::parse(text);
  const auto kind = json.at("kind").get<std::string>();
  if (kind == calls_kind) {
    return {.what = WorkerCalls{.fmu = json.at("fmu").get<std::string>(),
                                .sequence = json.at("sequence").get<std::size_t>()}};
  }
  return {.job = json.at("job").get<std::uint64_t>(),
          .what = read_measurement(json, kind),
          .trace_every = json.at("trace_every").get<std::int64_t>()};
}

std::string reply_text(const engine::Measured& measured) {
  return dumped(std::visit(WriteMeasured{}, measured));
}

engine::Measured read_measured(std::string_view text, const engine::Measurement& measurement) {
  const Json json = parsed_reply(text);
  return std::visit(ReadMeasured{json}, measurement);
}

}  // namespace macrostep::server
