// How long a macro-step takes on this machine: of the few best configurations of a search, measured
// once all curves are finished, alone, one run after the other.
//
// Times differ from run to run: they rank nothing and are no part of what is compared bit for bit.
// Only where the job asks for real time do they choose (real_time.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/trial/time_macro_steps.hpp"

namespace macrostep::engine {

/// Configurations that are timed, beside the one of the paper's rule.
inline constexpr std::size_t timed_configurations = 3;
/// H of each of them.
inline constexpr std::size_t timed_macro_step_sizes = 5;
/// A configuration to be timed, in which test, and at which H.
struct TimingCandidate {
  std::size_t configuration = 0;
  std::size_t test = 0;               ///< the longest one that counts for it
  std::vector<double> macro_steps_s;  ///< the largest first
  bool eligible = true;  ///< for the recommendation; false: the run of the paper's rule
};

struct MeasuredStepTimes {
  std::size_t configuration = 0;
  double macro_step_s = 0;
  std::size_t macro_steps = 0;  ///< that were timed
  StepTimes times;
};

/// How a recommended run keeps real time: measured, so different from run to run.
struct RealTimeMargin {
  double share = 0;    ///< of the job
  double limit_s = 0;  ///< share·H
  double p999_s = 0;

  bool is_kept() const { return p999_s <= limit_s; }
  /// How many times faster than it must be.
  double factor() const { return limit_s / p999_s; }
};

RealTimeMargin margin_of(const MeasuredStepTimes& measured, double share);

/// Up to `count` of these macro-steps, the largest first, at about equal ratios. `ascending` is not
/// empty; its largest and its smallest are among them.
std::vector<double> spread_down(std::span<const double> ascending, std::size_t count);

struct StepTimeTable {
  std::vector<MeasuredStepTimes> rows;  ///< in the order of the candidates and their H
  std::string failure;                  ///< why one of them is missing; the first
};

/// The times of one candidate, on one thread, its H in their order. What fails at one H may hang at
/// the next: the rest is missing then, as it is once stopped.
StepTimeTable measure_step_times(const Plan& plan, const TimingCandidate& candidate,
                                 const std::atomic<bool>* stop, const TrialBackend& backend);

}  // namespace macrostep::engine
