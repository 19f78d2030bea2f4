// Where the code of subsystems runs: in this process, or in others that may crash.
//
// Whatever the backend, results are the same bit for bit; what ends the process that a trial runs
// in is the trial's result (crashed, timed_out), not an exception.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/bonds/bond_sign.hpp"
#include "engine/reference/reference_rows.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/stability/analysis_point.hpp"
#include "engine/trial/time_macro_steps.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// The functions of this class itself run in this process, one after the other. A backend that
/// works elsewhere overrides them. They may be called from several threads at once, and return soon
/// after their stop flag is set; bond_sign() has none, and returns within the timeout of a trial.
/// Tests are the inputs of the plan, with any duration.
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
  /// Whether trials that run together share work.
  virtual bool shares_work() const { return false; }
  /// In their order.
  virtual std::vector<TrialResult> run_trials(const Plan& plan,
                                              std::span<const TrialSettings> trials) const;
  virtual TrialResult run_trial(const Plan& plan, const TrialSettings& settings) const;
  virtual TimedMacroSteps time_macro_steps(const Plan& plan,
                                           const StepTimeSettings& settings) const;
  virtual MeasuredError error_in_test(const Plan& plan, const Configuration& configuration,
                                      const TestInput& test, double macro_step_s,
                                      const std::atomic<bool>* stop,
                                      std::optional<double> until_s) const;
  virtual AnalysisPoint analyse_point(const Plan& plan, const AnalysisSettings& settings,
                                      double macro_step_s) const;
  virtual std::string follow_reference(const Plan& plan, const ReferenceRows& wanted) const;
  virtual BondSign bond_sign(const Plan& plan, const Configuration& configuration, std::size_t bond,
                             std::atomic<std::int64_t>* progress) const;
};

/// In this process, on several threads; trials that run together share work (run_trials.hpp).
const TrialBackend& this_process();

/// Into how many parts, each for run_trials() on one thread, to divide trials of a configuration.
std::size_t parts_of_trials(const TrialBackend& backend, const Plan& plan,
                            const Configuration& configuration, std::size_t trials, int threads);

/// How a caller wants several runs made.
struct RunsOnThreads {
  const TrialBackend& backend;
  int threads = 0;  ///< 0: all processors
  const std::atomic<bool>* stop = nullptr;
};

}  // namespace macrostep::engine
