// Backends whose trials, or times of macro-steps, a test makes by a function.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <variant>
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

  engine::Measured perform(const engine::Plan& plan, const engine::Measurement& measurement,
                           const engine::RunControl& control) const override {
    const auto* asked = std::get_if<engine::MeasureRun>(&measurement);
    if (asked == nullptr) {
      return engine::measure(plan, measurement, control);
    }
    engine::MeasuredRun run;
    engine::Drivers drivers;
    auto settings = engine::settings_of(plan, asked->run, drivers);
    auto configuration = *settings.configuration;
    if (asked->corrected) {
      configuration.correction = asked->corrected->correction;
      configuration.correction_parameters = asked->corrected->parameters;
      settings.configuration = &configuration;
    }
    settings.stop = control.stop;
    if (control.on_point) {
      settings.trace = [&](const engine::TracePoint& point) { control.on_point(0, point); };
      settings.trace_every = control.points_every;
    }
    settings.energies = asked->energies ? &run.energies.emplace() : nullptr;
    run.result = run_(plan, settings);
    return run;
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
  std::vector<engine::TrialResult> trials(const engine::Plan& plan,
                                          std::span<const engine::TrialSpec> specs,
                                          const engine::RunControl& control) const override {
    return engine::this_process().trials(plan, specs, control);
  }
  engine::Measured perform(const engine::Plan& plan, const engine::Measurement& measurement,
                           const engine::RunControl& control) const override {
    const auto* timed = std::get_if<engine::TimeMacroSteps>(&measurement);
    engine::Drivers drivers;
    return timed == nullptr
               ? engine::measure(plan, measurement, control)
               : time_(plan, {.configuration = &plan.configurations.at(timed->run.configuration),
                              .test = &drivers.of(plan, timed->run),
                              .macro_step_s = timed->run.macro_step_s,
                              .stop = control.stop});
  }

 private:
  Time time_;
};

}  // namespace macrostep::tests
