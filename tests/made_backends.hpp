// Backends whose trials, or times of macro-steps, a test makes by a function.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/parallel.hpp"
#include "engine/ensemble/trial_backend.hpp"

namespace macrostep::tests {

class TrialsBy final : public engine::TrialBackend {
 public:
  using Run = std::function<engine::TrialResult(const engine::Plan&, const engine::TrialSettings&)>;

  explicit TrialsBy(Run run) : run_(std::move(run)) {}

  void for_each_index(std::size_t count, int threads,
                      const std::function<void(std::size_t)>& task) const override {
    engine::for_each_index(count, threads, task);
  }

  engine::TrialResult run_trial(const engine::Plan& plan,
                                const engine::TrialSettings& settings) const override {
    return run_(plan, settings);
  }

 private:
  Run run_;
};

class TimesBy final : public engine::TrialBackend {
 public:
  using Time =
      std::function<engine::TimedMacroSteps(const engine::Plan&, const engine::StepTimeSettings&)>;

  explicit TimesBy(Time time) : time_(std::move(time)) {}

  void for_each_index(std::size_t count, int threads,
                      const std::function<void(std::size_t)>& task) const override {
    engine::for_each_index(count, threads, task);
  }
  bool shares_work() const override { return true; }
  std::vector<engine::TrialResult> run_trials(
      const engine::Plan& plan, std::span<const engine::TrialSettings> trials) const override {
    return engine::this_process().run_trials(plan, trials);
  }

  engine::TimedMacroSteps time_macro_steps(
      const engine::Plan& plan, const engine::StepTimeSettings& settings) const override {
    return time_(plan, settings);
  }

 private:
  Time time_;
};

}  // namespace macrostep::tests
