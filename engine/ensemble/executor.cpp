#include "engine/ensemble/executor.hpp"

#include <algorithm>

#include "engine/ensemble/run_trials.hpp"
#include "engine/ensemble/sharing.hpp"
#include "models/lanes/lane_count.hpp"

namespace macrostep::engine {

bool runs_in_this_process(const Executor& executor) {
  using Function = TrialResult (*)(const Plan&, const TrialSettings&);
  const auto* function = executor.run_trial.target<Function>();
  return function && *function == &run_trial;
}

std::vector<TrialResult> run_trials(const Executor& executor, const Plan& plan,
                                    std::span<const TrialSettings> trials) {
  if (runs_in_this_process(executor)) {
    return run_trials(plan, trials);
  }
  std::vector<TrialResult> results;
  for (const auto& trial : trials) {
    results.push_back(executor.run_trial(plan, trial));
  }
  return results;
}

std::size_t parts_of_trials(const Executor& executor, const Plan& plan,
                            const Configuration& configuration, std::size_t trials, int threads) {
  if (!runs_in_this_process(executor) || !steps_in_lanes(plan, configuration)) {
    return trials;
  }
  const std::size_t full = (trials + models::lane_count - 1) / models::lane_count;
  return std::min(trials, std::max(full, static_cast<std::size_t>(thread_count(threads))));
}

}  // namespace macrostep::engine
