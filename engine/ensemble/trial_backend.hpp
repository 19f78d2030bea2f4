// Where the code of subsystems runs: in this process, or in others that may crash.
//
// Whatever the backend, results are the same bit for bit; what ends the process that a trial runs
// in is the trial's result (crashed, timed_out), not an exception. What is asked of it is a plain
// value that names its run by places in the plan (trial_spec.hpp, measurement.hpp).
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "engine/ensemble/measurement.hpp"
#include "engine/ensemble/run_control.hpp"
#include "engine/trial/trial.hpp"
#include "engine/trial/trial_spec.hpp"

namespace macrostep::engine {

/// The functions of this class itself run in this process, one after the other. A backend that
/// works elsewhere overrides them. They may be called from several threads at once, and return soon
/// after their stop flag is set; the sign of a bond has none, and is found within the timeout of a
/// trial.
class TrialBackend {
 public:
  TrialBackend() = default;
  TrialBackend(const TrialBackend&) = delete;
  TrialBackend& operator=(const TrialBackend&) = delete;
  virtual ~TrialBackend() = default;

  /// Calls task(0) … task(count − 1), each once, on up to `threads` threads (0: all processors),
  /// and returns when all are done. Tasks start in ascending order: put the longest first.
  virtual void for_each_index(std::size_t count, int threads,
                              const std::function<void(std::size_t)>& task) const;
  /// Whether trials that are asked for together share work.
  virtual bool shares_work() const { return false; }
  /// The results of the trials, in their order; by perform(), where nobody overrides it.
  virtual std::vector<TrialResult> trials(const Plan& plan, std::span<const TrialSpec> specs,
                                          const RunControl& control = {}) const;
  virtual Measured perform(const Plan& plan, const Measurement& measurement,
                           const RunControl& control = {}) const;

  /// The results of the trials, each of runs at every phase of its events (event_phases.hpp).
  std::vector<TrialResult> at_every_phase(const Plan& plan, std::span<const TrialSpec> specs,
                                          const std::atomic<bool>* stop) const;
  /// The result of one trial.
  TrialResult trial(const Plan& plan, const TrialSpec& spec, const RunControl& control = {}) const;
  /// The result of one measurement.
  template <class One>
  typename One::Result measure(const Plan& plan, const One& measurement,
                               const RunControl& control = {}) const {
    return std::get<typename One::Result>(perform(plan, measurement, control));
  }
};

/// In this process, on several threads; trials that run together share work (run_trials()).
const TrialBackend& this_process();

/// Several trials of one plan in this process, for less than one after the other.
///
///   side by side     trials that differ in extrapolation and test alone step in the lanes of one
///                    processor (lane_trials.hpp), where models and processor allow
///   from one start   tests that drive a configuration alike until their first events share what
///                    comes before (shared_prefix.hpp); not of trials that are traced
///
/// Every trial has the result that run_trial() gives it, bit for bit, but for its wall time: that
/// is its share of theirs, by the cost of what it did not take over from another one. Results are
/// in the order of the settings, which have one stop flag and are not asked to go on from anywhere
/// or to leave anything (TrialSettings::from, leave).
std::vector<TrialResult> run_trials(const Plan& plan, std::span<const TrialSettings> trials);

/// Into how many parts, each for trials() on one thread, to divide trials of a configuration.
std::size_t parts_of_trials(const TrialBackend& backend, const Plan& plan,
                            const Configuration& configuration, std::size_t trials, int threads);

/// How a caller wants several runs made.
struct RunsOnThreads {
  const TrialBackend& backend;
  int threads = 0;  ///< 0: all processors
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace macrostep::engine
