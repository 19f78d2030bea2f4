#include "engine/ensemble/trial_backend.hpp"

#include <algorithm>

#include "engine/base/parallel.hpp"
#include "engine/ensemble/run_trials.hpp"
#include "engine/ensemble/sharing.hpp"
#include "engine/trial/event_phases.hpp"
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
  std::vector<TrialResult> trials(const Plan& plan, std::span<const TrialSpec> specs,
                                  const RunControl& control) const override {
    Drivers drivers;
    std::vector<TrialSettings> list;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      auto& settings = list.emplace_back(settings_of(plan, specs[i], drivers));
      settings.stop = control.stop;
      settings.progress = control.progress;
      if (control.on_point) {
        settings.trace = [&control, i](const TracePoint& point) { control.on_point(i, point); };
        settings.trace_every = control.points_every;
      }
    }
    return run_trials(plan, list);
  }
};

}  // namespace

void TrialBackend::for_each_index(std::size_t count, int,
                                  const std::function<void(std::size_t)>& task) const {
  for (std::size_t i = 0; i < count; ++i) {
    task(i);
  }
}

std::vector<TrialResult> TrialBackend::trials(const Plan& plan, std::span<const TrialSpec> specs,
                                              const RunControl& control) const {
  std::vector<TrialResult> results;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    RunControl own{
        .stop = control.stop, .points_every = control.points_every, .progress = control.progress};
    if (control.on_point) {
      own.on_point = [&control, i](std::size_t, const TracePoint& point) {
        control.on_point(i, point);
      };
    }
    results.push_back(measure(plan, MeasureRun{.run = specs[i]}, own).result);
  }
  return results;
}

Measured TrialBackend::perform(const Plan& plan, const Measurement& measurement,
                               const RunControl& control) const {
  return engine::measure(plan, measurement, control);
}

std::vector<TrialResult> TrialBackend::at_every_phase(const Plan& plan,
                                                      std::span<const TrialSpec> specs,
                                                      const std::atomic<bool>* stop) const {
  std::vector<TrialSpec> runs;
  std::vector<std::size_t> counts;
  for (const auto& spec : specs) {
    const auto of_one = engine::at_every_phase(plan, spec);
    counts.push_back(of_one.size());
    runs.insert(runs.end(), of_one.begin(), of_one.end());
  }
  const auto results = trials(plan, runs, {.stop = stop});
  std::vector<TrialResult> worst;
  std::size_t first = 0;
  for (const std::size_t count : counts) {
    worst.push_back(worst_of_phases(std::span(runs).subspan(first, count),
                                    std::span(results).subspan(first, count)));
    first += count;
  }
  return worst;
}

TrialResult TrialBackend::trial(const Plan& plan, const TrialSpec& spec,
                                const RunControl& control) const {
  return std::move(trials(plan, {&spec, 1}, control).front());
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
