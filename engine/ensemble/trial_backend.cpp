#include "engine/ensemble/trial_backend.hpp"

#include <algorithm>

#include "engine/base/parallel.hpp"
#include "engine/ensemble/run_trials.hpp"
#include "engine/ensemble/sharing.hpp"
#include "models/lanes/lane_count.hpp"

namespace macrostep::engine {

namespace {

class ThisProcess final : public TrialBackend {
 public:
  void for_each_index(std::size_t count, int threads,
                      const std::function<void(std::size_t)>& task) const override {
    engine::for_each_index(count, threads, task);
  }
  bool shares_work() const override { return true; }
  std::vector<TrialResult> run_trials(const Plan& plan,
                                      std::span<const TrialSettings> trials) const override {
    return engine::run_trials(plan, trials);
  }
};

}  // namespace

void TrialBackend::for_each_index(std::size_t count, int,
                                  const std::function<void(std::size_t)>& task) const {
  for (std::size_t i = 0; i < count; ++i) {
    task(i);
  }
}

std::vector<TrialResult> TrialBackend::run_trials(const Plan& plan,
                                                  std::span<const TrialSettings> trials) const {
  std::vector<TrialResult> results;
  for (const auto& trial : trials) {
    results.push_back(run_trial(plan, trial));
  }
  return results;
}

TrialResult TrialBackend::run_trial(const Plan& plan, const TrialSettings& settings) const {
  return engine::run_trial(plan, settings);
}

TimedMacroSteps TrialBackend::time_macro_steps(const Plan& plan,
                                               const StepTimeSettings& settings) const {
  return engine::time_macro_steps(plan, settings);
}

MeasuredError TrialBackend::error_in_test(const Plan& plan, const Configuration& configuration,
                                          const TestInput& test, double macro_step_s,
                                          const std::atomic<bool>* stop,
                                          std::optional<double> until_s) const {
  return engine::error_in_test(plan, configuration, test, macro_step_s, stop, until_s);
}

AnalysisPoint TrialBackend::analyse_point(const Plan& plan, const AnalysisSettings& settings,
                                          double macro_step_s) const {
  return engine::analyse_point(plan, settings, macro_step_s);
}

std::string TrialBackend::follow_reference(const Plan& plan, const ReferenceRows& wanted) const {
  return engine::follow_reference(plan, wanted);
}

BondSign TrialBackend::bond_sign(const Plan& plan, const Configuration& configuration,
                                 std::size_t bond, std::atomic<std::int64_t>* progress) const {
  return engine::bond_sign(plan, configuration, bond, progress);
}

const TrialBackend& this_process() {
  static const ThisProcess backend;
  return backend;
}

std::size_t parts_of_trials(const TrialBackend& backend, const Plan& plan,
                            const Configuration& configuration, std::size_t trials, int threads) {
  if (!backend.shares_work() || !steps_in_lanes(plan, configuration)) {
    return trials;
  }
  const std::size_t full = (trials + models::lane_count - 1) / models::lane_count;
  return std::min(trials, std::max(full, static_cast<std::size_t>(thread_count(threads))));
}

}  // namespace macrostep::engine
