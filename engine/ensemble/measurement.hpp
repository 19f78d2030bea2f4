// What is measured of single runs beside how they end, as plain values: places in the plan, and no
// addresses. Every measurement names the type of its result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "engine/bonds/bond_sign.hpp"
#include "engine/ensemble/run_control.hpp"
#include "engine/job/correction.hpp"
#include "engine/plan/plan.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/stability/analysis_point.hpp"
#include "engine/trial/time_macro_steps.hpp"
#include "engine/trial/trial.hpp"
#include "engine/trial/trial_spec.hpp"

namespace macrostep::engine {

/// A correction in place of that of the configuration.
struct CorrectionSetting {
  Correction correction = Correction::none;
  CorrectionParameters parameters;
};

struct MeasuredRun {
  TrialResult result;
  std::optional<StepTimes> step_times;  ///< if asked for
  std::optional<EnergyTrace> energies;  ///< likewise
};
/// One run, with what is measured while it goes on; without any of it, a trial.
struct MeasureRun {
  using Result = MeasuredRun;

  TrialSpec run;
  std::optional<CorrectionSetting> corrected = {};
  bool step_times = false;
  bool energies = false;
};

/// How long macro-steps take (time_macro_steps.hpp).
struct TimeMacroSteps {
  using Result = TimedMacroSteps;

  TrialSpec run;
  bool single_run = false;  ///< StepTimeSettings::single_run
};

/// The error of one run against the monolithic solution (true_error.hpp).
struct MeasureError {
  using Result = MeasuredError;

  TrialSpec run;
};

/// Stability and errors at one H (analysis_point.hpp).
struct AnalysePoint {
  using Result = AnalysisPoint;

  TrialSpec run;
  std::optional<double> linearise_at_s;  ///< of what is not linear
};

struct FollowedReference {
  std::string reason;  ///< why there are not all rows; empty: there are
};
/// The monolithic solution (reference_rows.hpp), each row told as a point without power and energy.
struct FollowReference {
  using Result = FollowedReference;

  TrialSpec run;          ///< its macro-step is the interval of the rows; it has no end
  std::int64_t rows = 0;  ///< at 0, one interval, two intervals …
};

/// The sign of a power bond (bond_sign.hpp). It is not stopped by RunControl::stop.
struct FindBondSign {
  using Result = BondSign;

  std::size_t configuration = 0;
  std::size_t bond = 0;  ///< in its coupling
};

using Measurement = std::variant<MeasureRun, TimeMacroSteps, MeasureError, AnalysePoint,
                                 FollowReference, FindBondSign>;
/// In the order of the measurements.
using Measured = std::variant<MeasuredRun, TimedMacroSteps, MeasuredError, AnalysisPoint,
                              FollowedReference, BondSign>;

/// In this process, on this thread. Throws std::out_of_range where the plan lacks something that
/// the measurement names.
Measured measure(const Plan& plan, const Measurement& measurement, const RunControl& control = {});

/// What stands for a measurement that has no result, for that reason. A run ends with that status;
/// a time is not known, and has the status, too.
Measured not_measured(const Measurement& measurement, TrialStatus status,
                      const std::string& reason);

}  // namespace macrostep::engine
