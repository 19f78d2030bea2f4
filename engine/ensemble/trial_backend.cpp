#include "engine/ensemble/trial_backend.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/base/parallel.hpp"
#include "engine/ensemble/lane_trials.hpp"
#include "engine/ensemble/shared_prefix.hpp"
#include "engine/ensemble/sharing.hpp"
#include "engine/trial/event_phases.hpp"
#include "engine/trial/trial_checkpoint.hpp"
#include "models/lanes/lane_count.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

namespace {

using Clock = std::chrono::steady_clock;

const TrialCheckpoint* checkpoint_at(std::span<const TrialCheckpoint> list,
                                     std::int64_t macro_steps) {
  const auto found = std::ranges::find(list, macro_steps, &TrialCheckpoint::macro_steps);
  return found == list.end() ? nullptr : &*found;
}

/// Fewer trials than this run faster one by one.
constexpr std::size_t fewest_in_lanes = 2;

/// Each leaves what those begin with that are like it.
void run_from_one_start(const Plan& plan, const TrialList& trials,
                        std::span<TrialResult*> results) {
  SignalsOfTests signals(plan.problem, plan.coupling(*trials.front()->configuration));
  const auto prefixes = shared_prefixes(trials, signals);
  std::vector<std::vector<TrialCheckpoint>> left(trials.size());
  for (const auto& [like, macro_steps] : prefixes) {
    if (macro_steps > 0 && !checkpoint_at(left[like], macro_steps)) {
      left[like].push_back({.macro_steps = macro_steps});
    }
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const auto& [like, macro_steps] = prefixes[i];
    auto settings = *trials[i];
    settings.from = like == i ? nullptr : checkpoint_at(left[like], macro_steps);
    if (settings.from && !settings.from->reached) {  // that one ended where both are alike
      *results[i] = *results[like];
      results[i]->shared_evaluations = results[i]->rhs_evaluations;
      continue;
    }
    settings.leave = left[i];
    *results[i] = run_trial(plan, settings);
  }
}

/// What trials may share, asked once of each configuration.
struct Sharing {
  bool lanes = false;
  bool starts = false;
};
std::vector<Sharing> sharing_of(const Plan& plan, std::span<const TrialSettings> trials) {
  std::vector<Sharing> list;
  std::map<const Configuration*, Sharing> known;
  for (const auto& trial : trials) {
    auto found = known.find(trial.configuration);
    if (found == known.end()) {
      const auto& configuration = *trial.configuration;
      found = known
                  .emplace(trial.configuration,
                           Sharing{.lanes = steps_in_lanes(plan, configuration),
                                   .starts = goes_on_from_one_start(plan, configuration)})
                  .first;
    }
    const bool may = may_run_together(trial);
    list.push_back({.lanes = may && found->second.lanes,
                    .starts = may && !trial.trace && found->second.starts});
  }
  return list;
}

/// Whether two trials that step in lanes may share theirs.
bool share_lanes(const TrialSettings& a, const TrialSettings& b) {
  return a.macro_step_s == b.macro_step_s &&
         a.configuration->coupling == b.configuration->coupling &&
         a.configuration->integrators == b.configuration->integrators;
}

/// What it did not take over from another trial, in units of TrialResult::cost.
double own_cost(const TrialResult& result) {
  const auto all = static_cast<double>(result.rhs_evaluations);
  const auto own = static_cast<double>(result.rhs_evaluations - result.shared_evaluations);
  return all > 0 ? result.cost * own / all : 0;
}

void share_time(double wall_s, std::span<TrialResult* const> results) {
  double sum = 0;
  for (const auto* result : results) {
    sum += own_cost(*result);
  }
  for (auto* result : results) {
    const double share =
        sum > 0 ? own_cost(*result) / sum : 1 / static_cast<double>(results.size());
    result->wall_s = share * wall_s;
  }
}

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

std::vector<TrialResult> run_trials(const Plan& plan, std::span<const TrialSettings> trials) {
  for (const auto& trial : trials) {
    models::ensure(trial.stop == trials.front().stop && !trial.from && trial.leave.empty(),
                   "trials that run together have one stop flag and begin at t = 0");
  }
  std::vector<TrialResult> results(trials.size());
  std::vector<std::size_t> left(trials.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  const auto sharing = sharing_of(plan, trials);
  while (!left.empty()) {
    const std::size_t first = left.front();
    const auto shares = [&](std::size_t i) {
      const bool lanes =
          sharing[first].lanes && sharing[i].lanes && share_lanes(trials[first], trials[i]);
      return lanes || (!sharing[first].lanes && sharing[first].starts && sharing[i].starts &&
                       trials[first].configuration == trials[i].configuration &&
                       trials[first].macro_step_s == trials[i].macro_step_s);
    };
    std::vector<std::size_t> others;
    TrialList together;
    std::vector<TrialResult*> of_together;
    for (const std::size_t i : left) {
      if (i == first || shares(i)) {
        together.push_back(&trials[i]);
        of_together.push_back(&results[i]);
      } else {
        others.push_back(i);
      }
    }
    left = std::move(others);
    const auto started = Clock::now();
    std::optional<std::vector<TrialResult>> made;
    if (sharing[first].lanes && together.size() >= fewest_in_lanes) {
      made = run_in_lanes(plan, together);
    }
    if (made) {
      for (std::size_t n = 0; n < together.size(); ++n) {
        *of_together[n] = std::move((*made)[n]);
      }
    } else {
      run_from_one_start(plan, together, of_together);
    }
    if (together.size() > 1) {
      share_time(std::chrono::duration<double>(Clock::now() - started).count(), of_together);
    }
  }
  return results;
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
