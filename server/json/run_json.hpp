// One run as JSON: the trial, the last value of every output and the time that macro-steps took. A
// number that is unknown or not finite is null.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/trial.hpp"

namespace macrostep::server::json {

struct RunReport {
  engine::TrialResult result;
  std::vector<std::string> output_names;
  std::vector<double> final_outputs;  ///< empty where the run ended before its first point
  engine::StepTimes step_times;
};

nlohmann::ordered_json run_json(const RunReport& report);

}  // namespace macrostep::server::json
