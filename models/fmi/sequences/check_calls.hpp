// The functions of an FMU called in the orders that importers use, sequence by sequence.
//
// Runs foreign code: a process that permit_loading() was called in, made to be killed, runs one
// sequence; who started it knows from the list below which ones there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/calls/call_log.hpp"
#include "models/fmi/description/finding.hpp"

namespace macrostep::models::fmi {

using calls::CallReport;

struct CallSequence {
  std::string part;           ///< of findings: co_simulation or model_exchange
  std::string words;          ///< "two instances at once"
  bool is_plain_run = false;  ///< what every importer does
};

/// Those that the FMU's interfaces and flags allow, in an order that tells the simple things first.
/// Loads nothing.
std::vector<CallSequence> call_sequences(const Fmu& fmu);

/// How far the runs among them go.
struct RunLength {
  int steps = 0;
  double step_s = 0;                   ///< of model exchange at most
  std::optional<double> experiment_s;  ///< duration of the default experiment, where it is known
};

/// Nothing where the list is empty. By co-simulation if the FMU offers it.
std::optional<RunLength> run_length(const Fmu& fmu);

/// Why the list leaves out an interface that the FMU has, each as a warning.
Findings left_out(const Fmu& fmu);

/// Runs one of them, by its place in the list, and returns the number of calls. What the FMU throws
/// comes through.
std::int64_t run_call_sequence(const Fmu& fmu, std::size_t which, const CallReport& report);

}  // namespace macrostep::models::fmi
