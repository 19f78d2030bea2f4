// From the options of `macrostep run` to a checked trial: the options are put into the job, so that
// they are checked, and named in messages, as a job's members are.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/problem/test_input.hpp"
#include "server/cli/frame/output_file.hpp"

namespace macrostep::server {

/// "NAME=VALUE", taken apart.
using Assignment = std::pair<std::string, std::string>;

/// As given on the command line; what is absent is the job's own.
struct RunChoices {
  std::string job;
  std::optional<double> macro_step_s;
  std::optional<std::string> extrapolation;
  std::optional<std::string> test;
  bool all_tests = false;               ///< of the job, instead of its first, where none is named
  std::optional<double> until_s;        ///< end time; the input stays as it is
  std::optional<double> event_delay_s;  ///< TestInput::delay_s, of every test
  std::optional<double> duration_s;     ///< of every test, which changes with it; not with until_s
  std::optional<std::string> coupling;
  std::optional<std::string> scheme;
  std::optional<std::string> order;  ///< subsystem names with commas between
  std::optional<std::string> correction;
  std::vector<Assignment> integrators;  ///< group = integrator
  std::vector<Assignment> micro_steps;  ///< subsystem or group = seconds
  std::vector<Assignment> substeps;     ///< subsystem or group = count
  std::vector<Assignment> parameters;   ///< path = value
};

/// A plan of one test (of all with all_tests), and of one configuration if the choices leave no
/// other; where there is a macro-step, for trials that end at until_s. Throws CommandError with all
/// mistakes at once, and where the job is read from one of the outputs.
engine::Plan plan_run(const RunChoices& choices, const Outputs& outputs = Outputs());

/// Takes "NAME=VALUE" apart. Throws CommandError, telling the form that the option should have.
std::vector<Assignment> assignments(const std::vector<std::string>& texts,
                                    const std::string& option, const std::string& form);

/// The columns of a trace as a line of CSV: t, the outputs, others, and the external inputs.
std::string trace_header(const engine::Plan& plan, const std::vector<std::string>& others = {});

/// What drives the external inputs in the plan's first test. The plan must outlive them.
std::vector<models::Signal> external_signals(const engine::Plan& plan);

}  // namespace macrostep::server
