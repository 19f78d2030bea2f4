#include "server/cli/fmus/bond_trial.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <variant>

#include "engine/bonds/bond_sign.hpp"
#include "server/jobs/read_job.hpp"
#include "server/workers/plan_backend.hpp"

namespace macrostep::server {

namespace {

/// What of a job the trial needs: the search may be incomplete, and is not run.
nlohmann::json trial_job(const nlohmann::json& job) {
  nlohmann::json trial = {{"problem", job.at("problem")}};
  for (const char* member : {"micro_steps", "parameters"}) {
    if (job.contains(member)) {
      trial[member] = job[member];
    }
  }
  auto& problem = trial["problem"];
  if (problem.contains("external_inputs") && problem["external_inputs"].is_array()) {
    for (auto& input : problem["external_inputs"]) {
      if (input.is_object() && !(input.contains("minimum") && input.contains("maximum"))) {
        const auto initial = input.find("initial");
        const double start =
            initial != input.end() && initial->is_number() ? initial->get<double>() : 0;
        input["minimum"] = start;  // where it stays: any range does
        input["maximum"] = start + 1;
      }
    }
  }
  return trial;
}

std::string note_of(const nlohmann::json& bond, const engine::BondSign& found) {
  std::string name = "power bond " + bond.at("effort").get<std::string>() + " × " +
                     bond.at("flow").get<std::string>() + ": ";
  if (found.sign) {
    return name + "sign " + (*found.sign > 0 ? "+" : "−") + " by a short trial, as " +
           found.evidence;
  }
  return (found.contradicts ? "warning: " : "") + name +
         "a short trial does not tell the sign, please check: " + found.evidence;
}

}  // namespace

void try_bond_signs(JobDocument& document, const ForeignSettings& settings) {
  auto& bonds = document.json["problem"]["power_bonds"];
  if (bonds.empty()) {
    return;
  }
  const auto untried = [&](const std::string& why) {
    document.notes.push_back("the signs of the power bonds were not tried, please check: " + why);
  };
  const auto made = json::plan_of(json::read_job(trial_job(document.json), document.fmus));
  if (const auto* errors = std::get_if<engine::FieldErrors>(&made)) {
    return untried(errors->empty() ? "the job is not complete"
                                   : errors->front().pointer + " " + errors->front().message);
  }
  const auto& plan = std::get<engine::Plan>(made);
  try {
    const PlanBackend backend(settings, {&plan});
    for (std::size_t i = 0; i < bonds.size(); ++i) {
      const auto found = backend.get().measure(plan, engine::FindBondSign{.bond = i});
      if (found.sign) {
        const double size = std::abs(bonds[i].value("factor", 1.0));
        if (*found.sign < 0 || bonds[i].contains("factor")) {
          bonds[i]["factor"] = *found.sign * size;
        }
      }
      document.notes.push_back(note_of(bonds[i], found));
    }
  } catch (const std::runtime_error& failed) {  // no sandbox, or no worker starts
    untried(failed.what());
  }
}

}  // namespace macrostep::server
