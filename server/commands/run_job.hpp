// From the options of `macrostep run` to a checked trial: the options are put into the job, so that
// they are checked, and named in messages, as a job's members are.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan.hpp"

namespace macrostep::server::commands {

/// "NAME=VALUE", taken apart.
using Assignment = std::pair<std::string, std::string>;

/// As given on the command line.
struct RunChoices {
  std::string job;
  double macro_step_s = 0;
  std::string extrapolation;
  std::optional<std::string> test;
  std::optional<double> until_s;
  std::optional<std::string> coupling;
  std::optional<std::string> scheme;
  std::optional<std::string> order;  ///< subsystem names with commas between
  std::optional<std::string> correction;
  std::vector<Assignment> integrators;  ///< group = integrator
  std::vector<Assignment> micro_steps;  ///< subsystem or group = seconds
  std::vector<Assignment> substeps;     ///< subsystem or group = count
  std::vector<Assignment> parameters;   ///< path = value
};

/// A plan of one configuration and one test. Throws CommandError with all mistakes at once.
engine::Plan plan_run(const RunChoices& choices);

}  // namespace macrostep::server::commands
