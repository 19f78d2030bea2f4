#include "engine/verification/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/reference/reference_errors.hpp"
#include "engine/trial/trial.hpp"
#include "engine/verification/probes/probe_runs.hpp"

namespace macrostep::engine {

namespace {

/// Communication points that are compared: of a longer run every third, fifth … one, as every
/// second one does not see what changes its sign in every macro-step.
constexpr std::int64_t most_points = 20'000;

struct Recorded {
  TrialResult result;
  std::vector<double> rows;  ///< outputs at every stride-th communication point
};

std::int64_t stride_of(const Plan& plan, const TrialSpec& trial) {
  const auto macro_steps = macro_steps_in(duration_of(plan, trial), trial.macro_step_s);
  return (1 + (macro_steps - 1) / most_points) | 1;
}

/// These trials with H/finer, at the points of those with H.
std::vector<Recorded> record(const Plan& plan, std::span<const TrialSpec> trials,
                             std::int64_t finer, const RunsOnThreads& runs) {
  struct Rows {
    std::vector<double> values;
    std::int64_t stride = 1;
  };
  std::vector<Rows> rows;
  std::int64_t every = 0;  // greatest common divisor of the strides
  std::vector<TrialSpec> finer_trials(trials.begin(), trials.end());
  for (auto& trial : finer_trials) {
    rows.push_back({.values = {}, .stride = finer * stride_of(plan, trial)});
    every = std::gcd(every, rows.back().stride);
    trial.macro_step_s /= static_cast<double>(finer);
  }
  const auto add = [&](std::size_t run, const TracePoint& at) {
    auto& own = rows[run];
    if (std::llround(at.time_s / finer_trials[run].macro_step_s) % own.stride == 0) {
      own.values.insert(own.values.end(), at.outputs.begin(), at.outputs.end());
    }
  };
  auto results = runs.backend.trials(plan, finer_trials,
                                     {.stop = runs.stop, .on_point = add, .points_every = every});
  std::vector<Recorded> recorded;
  for (std::size_t i = 0; i < results.size(); ++i) {
    recorded.push_back({.result = std::move(results[i]), .rows = std::move(rows[i].values)});
  }
  return recorded;
}

/// Root mean square of an output about its mean.
double swing_of(const std::vector<double>& rows, std::size_t output, std::size_t outputs,
                std::size_t points) {
  double mean = 0;
  double sum = 0;
  for (std::size_t n = 0; n < points; ++n) {  // Welford, as a swing may be small beside its mean
    const double from_mean = rows[n * outputs + output] - mean;
    mean += from_mean / static_cast<double>(n + 1);
    sum += from_mean * (rows[n * outputs + output] - mean);
  }
  return std::sqrt(sum / static_cast<double>(points));
}

/// What two runs of a trial that have completed say.
void compare(const Plan& plan, const TrialSpec& trial, const std::vector<double>& coarse,
             const std::vector<double>& fine, Refinement& refinement) {
  const auto& graph = plan.graph(plan.configurations[trial.configuration]);
  const std::size_t outputs = graph.output_count;
  ErrorSums errors(graph, first_event_s(driver_of(plan, trial)));
  const double interval_s = static_cast<double>(stride_of(plan, trial)) * trial.macro_step_s;
  // The finer run may end some of its macro-steps earlier.
  const std::size_t points = std::min(coarse.size(), fine.size()) / outputs;
  for (std::size_t n = 0; n < points; ++n) {
    errors.add(static_cast<double>(n) * interval_s, {coarse.data() + n * outputs, outputs},
               {fine.data() + n * outputs, outputs});
  }
  refinement.change = errors.error().nrmse;
  refinement.swing = 0;
  const auto responding = responding_outputs(graph);
  std::vector<std::vector<double>> increments(responding.size());
  for (std::size_t i = 0; i < responding.size(); ++i) {
    for (std::size_t n = 1; n < points; ++n) {
      const double* const row = coarse.data() + n * outputs;
      increments[i].push_back(row[responding[i]] - (row - outputs)[responding[i]]);
    }
  }
  const auto tied = tied_outputs(graph, responding, increments);
  for (const std::size_t i : exchanged_outputs(graph)) {
    const double still = still_share * graph.nominal[i];
    const double swing = swing_of(coarse, i, outputs, points);
    const double fine_swing = swing_of(fine, i, outputs, points);
    refinement.swing = std::max(*refinement.swing, swing / std::max(fine_swing, still));
    if ((swing <= still && fine_swing <= still) || std::ranges::binary_search(tied, i)) {
      refinement.still.push_back(i);
    }
  }
}

/// Trials that may run together.
void refine_together(const Plan& plan, std::span<const TrialSpec> trials, std::int64_t finer,
                     const RunsOnThreads& runs, std::span<Refinement> refinements) {
  const auto coarse = record(plan, trials, 1, runs);
  std::vector<TrialSpec> complete;
  for (std::size_t i = 0; i < trials.size(); ++i) {
    const auto& result = coarse[i].result;
    refinements[i] = {
        .change = {}, .still = {}, .test = driver_of(plan, trials[i]).name, .reason = {}};
    refinements[i].cost = result.cost;
    if (result.status == TrialStatus::complete) {
      refinements[i].completes = true;
      complete.push_back(trials[i]);
    } else {
      refinements[i].reason = end_text(result);
    }
  }
  const auto fine = record(plan, complete, finer, runs);
  for (std::size_t i = 0, n = 0; n < complete.size(); ++i) {
    if (!refinements[i].completes) {
      continue;
    }
    const auto& [result, rows] = fine[n++];
    refinements[i].cost += result.cost;
    if (result.status == TrialStatus::complete) {
      compare(plan, trials[i], coarse[i].rows, rows, refinements[i]);
    } else {
      refinements[i].reason = end_text(result);
    }
  }
}

/// Calls work(first, count) for parts of the trials, on several threads.
template <class Work>
void for_each_part(const Plan& plan, std::span<const TrialSpec> trials, const RunsOnThreads& runs,
                   const Work& work) {
  const auto& configuration = plan.configurations.at(trials.front().configuration);
  const auto parts =
      parts_of_trials(runs.backend, plan, configuration, trials.size(), runs.threads);
  runs.backend.for_each_index(parts, runs.threads, [&](std::size_t part) {
    const std::size_t first = part * trials.size() / parts;
    work(first, (part + 1) * trials.size() / parts - first);
  });
}

}  // namespace

Refinement worst_of(std::vector<Refinement> refinements) {
  double cost = 0;
  auto still = refinements.front().still;
  for (const auto& one : refinements) {
    cost += one.cost;
    std::erase_if(still, [&](std::size_t output) {
      return std::ranges::find(one.still, output) == one.still.end();
    });
  }
  const auto none = std::ranges::find_if(refinements, [](const auto& one) { return !one.change; });
  auto worst = none != refinements.end()
                   ? std::move(*none)
                   : *std::ranges::max_element(refinements, {}, &Refinement::change);
  if (worst.change) {
    worst.swing = std::ranges::max_element(refinements, {}, &Refinement::swing)->swing;
    worst.still = std::move(still);
  }
  worst.completes = std::ranges::all_of(refinements, &Refinement::completes);
  worst.cost = cost;
  return worst;
}

std::vector<TrialResult> run_alone(const Plan& plan, std::span<const TrialSpec> trials,
                                   const RunsOnThreads& runs) {
  std::vector<TrialResult> results(trials.size());
  for_each_part(plan, trials, runs, [&](std::size_t first, std::size_t count) {
    std::ranges::move(runs.backend.trials(plan, trials.subspan(first, count), {.stop = runs.stop}),
                      results.begin() + static_cast<std::ptrdiff_t>(first));
  });
  return results;
}

std::vector<Refinement> refine(const Plan& plan, std::span<const TrialSpec> trials,
                               std::int64_t finer, const RunsOnThreads& runs) {
  // The longest first, and those of one duration beside each other: they run together.
  std::vector<std::size_t> place(trials.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::ranges::stable_sort(place, std::greater{},
                           [&](std::size_t i) { return duration_of(plan, trials[i]); });
  std::vector<TrialSpec> ordered;
  std::ranges::transform(place, std::back_inserter(ordered),
                         [&](std::size_t i) { return trials[i]; });
  std::vector<Refinement> made(trials.size());
  for_each_part(plan, ordered, runs, [&](std::size_t first, std::size_t count) {
    refine_together(plan, std::span(ordered).subspan(first, count), finer, runs,
                    std::span(made).subspan(first, count));
  });
  std::vector<Refinement> changes(trials.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    changes[place[i]] = std::move(made[i]);
  }
  return changes;
}

}  // namespace macrostep::engine
