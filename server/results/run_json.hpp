// One run as JSON: the trial, the last value of every output and the time that macro-steps took. A
// number that is unknown or not finite is null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/reference/reference_errors.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::server::json {

struct RunReport {
  engine::TrialResult result;
  std::vector<std::string> output_names;
  std::vector<double> final_outputs;  ///< empty where the run ended before its first point
  engine::StepTimes step_times;
  std::optional<engine::TrialError> error;   ///< against the reference, up to where the run ended
  std::string reference;                     ///< how it was computed, or why there is none
  std::optional<double> reference_energy_j;  ///< at the end of a run that is complete
  std::optional<double> energy_rms;  ///< deviation from it over the run (engine::EnergyError)
  bool reference_grows = false;      ///< nearly as far as a trial may, not in the JSON
};

/// Whether what a run computed is known: not where its process ended with it, or it never began.
bool tells_residuals(const engine::TrialResult& result);

/// The run of the first configuration of the plan.
nlohmann::ordered_json run_json(const engine::Plan& plan, const RunReport& report);

}  // namespace macrostep::server::json
