#include "server/export/recommended_export.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <variant>

#include "engine/base/provenance.hpp"
#include "engine/base/text.hpp"
#include "engine/system_export/recommended_system.hpp"
#include "server/jobs/job_json.hpp"
#include "server/jobs/own_problem_json.hpp"
#include "server/results/result_json.hpp"
#include "server/searches/search_plan.hpp"
#include "server/store/search_json.hpp"

namespace macrostep::server {

namespace {

using Json = nlohmann::ordered_json;

void add_settings(const std::string& name, const Json& value,
                  std::vector<std::pair<std::string, std::string>>& settings) {
  if (value.is_object()) {
    for (const auto& [member, inner] : value.items()) {
      add_settings(name.empty() ? member : name + "." + member, inner, settings);
    }
  } else {
    settings.emplace_back(name, value.is_string() ? value.get<std::string>() : value.dump());
  }
}

std::string listed(const std::vector<std::string>& list) {
  std::string text;
  for (std::size_t i = 0; i < list.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == list.size() ? " and " : ", ") + list[i];
  }
  return text;
}

std::optional<RecommendedExport::Held> best_held(const SearchRows& search,
                                                 const engine::Plan& plan) {
  std::vector<std::optional<double>> smallest_s(plan.configurations.size());
  std::vector<std::size_t> usable(plan.configurations.size());
  for (const auto& curve : search.curves) {
    const auto configuration = static_cast<std::size_t>(curve.configuration_id);
    if (configuration < usable.size() && curve.usable_s) {
      ++usable[configuration];
      auto& smallest = smallest_s[configuration];
      smallest = std::min(smallest.value_or(*curve.usable_s), *curve.usable_s);
    }
  }
  std::optional<RecommendedExport::Held> best;
  for (std::size_t c = 0; c < smallest_s.size(); ++c) {
    const bool everywhere = usable[c] == plan.job.tests.size();
    if (everywhere && engine::beyond_holding(plan, plan.configurations[c]).empty() &&
        (!best || *smallest_s[c] > best->macro_step_s)) {
      best = {.configuration = c, .macro_step_s = *smallest_s[c]};
    }
  }
  return best;
}

engine::Recommended of(const RecommendedExport& recommended) {
  return {recommended.plan, recommended.plan.configurations[recommended.configuration],
          recommended.macro_step_s};
}

engine::WrittenSystem system_of(const RecommendedExport& recommended, const std::string& folder) {
  auto made = engine::recommended_system(of(recommended), folder);
  if (const auto* reason = std::get_if<std::string>(&made)) {
    throw NotForTarget(*reason);
  }
  auto& system = std::get<engine::WrittenSystem>(made);
  system.description = "Search " + recommended.id + " of macrostep " +
                       engine::provenance().version + ": " + recommended.sentence;
  system.settings.insert(system.settings.begin(), recommended.settings.begin(),
                         recommended.settings.end());
  return std::move(system);
}

/// What SSP has no place for, as members of the job that reads the archive. In an FMU of a built-in
/// problem its parameters, integrator and micro-steps stand already.
Json job_settings(const RecommendedExport& recommended) {
  const auto& plan = recommended.plan;
  const auto& configuration = plan.configurations[recommended.configuration];
  const auto& coupling = plan.coupling(configuration);
  Json job = json::job_json(json::narrowed(plan.job, configuration));
  for (const char* name : {"kind", "name", "parameters"}) {
    job.erase(name);
  }
  job["problem"] = json::own_problem_json({.subsystems = {},
                                           .connections = coupling.connections,
                                           .power_bonds = coupling.power_bonds,
                                           .external_inputs = plan.problem.external_inputs});
  job["problem"].erase("subsystems");
  if (plan.job.own_problem) {
    return job;
  }
  Json integrators = Json::object();
  Json substeps = Json::object();
  for (const auto& subsystem : coupling.subsystems) {
    integrators[subsystem.name] = {to_string(models::Integrator::fmu)};
    if (const auto* count = engine::setting_of(configuration.substeps, subsystem)) {
      substeps[subsystem.name] = *count;
    }
  }
  job["micro_steps"] = Json::object();
  job["substeps"] = std::move(substeps);
  job["search"]["couplings"] = {engine::own_coupling};
  job["search"]["integrators"] = std::move(integrators);
  return job;
}

/// "m2, of FMI 3.0"; those of built-in problems are exported anew.
std::vector<std::string> not_of_fmi_2(const engine::Plan& plan) {
  std::vector<std::string> list;
  if (plan.job.own_problem) {
    for (const auto& subsystem : plan.job.own_problem->subsystems) {
      const auto& description = subsystem.fmu->fmu->description;
      if (description.version != models::fmi::Version::fmi2) {
        list.push_back(subsystem.name + ", of FMI " + description.version_text);
      }
    }
  }
  return list;
}

/// OSP has no external inputs: an FMU keeps what they begin with.
void set_external_inputs(const engine::Plan& plan, engine::WrittenSystem& system) {
  for (const auto& input : plan.problem.external_inputs) {
    const auto written = std::ranges::find_if(system.components, [&](const auto& one) {
      return one.component.name == input.to.subsystem;
    });
    if (written != system.components.end()) {
      written->component.parameters[input.to.port] = input.initial;
    }
  }
}

}  // namespace

RecommendedExport recommended_export(const SearchRows& search, const engine::FmuSource& fmus) {
  const auto& summary = search.row.summary;
  if (!summary.recommended_configuration || !summary.recommended_macro_step_s) {
    throw std::runtime_error("the search recommends nothing" +
                             (summary.reason ? ": " + *summary.reason : std::string()));
  }
  // By its text, as another build may count configurations otherwise.
  const auto place = static_cast<std::size_t>(*summary.recommended_configuration);
  const auto& recommended = search.configurations.at(place).json;
  RecommendedExport result{.id = summary.id,
                           .sentence = answer_sentence(summary).value_or(""),
                           .plan = plan_from_row(search.row, fmus),
                           .macro_step_s = *summary.recommended_macro_step_s};
  const auto& all = result.plan.configurations;
  const auto found = std::ranges::find_if(all, [&](const auto& configuration) {
    return json::configuration_json(configuration).dump() == recommended;
  });
  if (found == all.end()) {
    throw std::runtime_error("this build does not know the recommended configuration");
  }
  result.configuration = static_cast<std::size_t>(found - all.begin());
  result.best_held = best_held(search, result.plan);
  add_settings("", json::configuration_json(*found), result.settings);
  for (const auto& [name, micro_step_s] : result.plan.job.micro_steps) {
    add_settings("micro_steps." + name, micro_step_s, result.settings);
  }
  return result;
}

std::string what_others_leave_out(const RecommendedExport& recommended) {
  const auto& plan = recommended.plan;
  const auto beyond = engine::beyond_holding(plan, plan.configurations[recommended.configuration]);
  return beyond.empty() ? ""
                        : "other masters than macrostep hold inputs and step with H alone: they do "
                          "not do " +
                              listed(beyond) + ", and what was found of H does not hold for them";
}

std::string ssp_of(const RecommendedExport& recommended, std::span<const std::byte> library) {
  auto system = system_of(recommended, "resources/");
  if (const auto note = what_others_leave_out(recommended); !note.empty()) {
    system.description += " Note: " + note + ".";
  }
  system.settings.emplace_back(engine::job_setting, job_settings(recommended).dump());
  return engine::ssp_archive(of(recommended), system, library);
}

std::string osp_of(const RecommendedExport& recommended) {
  auto system = system_of(recommended, "");
  const auto& plan = recommended.plan;
  if (const auto others = not_of_fmi_2(plan); !others.empty()) {
    throw NotForTarget("masters of OSP systems run FMUs of FMI 1.0 and 2.0, and cannot run " +
                       listed(others));
  }
  const auto beyond = engine::beyond_holding(plan, plan.configurations[recommended.configuration]);
  if (!beyond.empty()) {
    const auto& held = recommended.best_held;
    throw NotForTarget(
        "masters of OSP systems hold inputs over one fixed step and cannot run " + listed(beyond) +
        (held ? "; of this search they can run (" +
                    engine::describe(plan.configurations[held->configuration]) +
                    ") with H = " + engine::macro_step_text(held->macro_step_s) +
                    ", which was not verified: search with what they can run alone"
              : "; this search has no configuration that they can run: one with extrapolation 0, "
                "the scheme jacobi, the correction none and FMUs for co-simulation, without "
                "substeps, micro_steps and delays"));
  }
  set_external_inputs(plan, system);
  return engine::write_osp(system);
}

}  // namespace macrostep::server
