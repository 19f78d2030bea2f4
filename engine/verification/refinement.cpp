#include "engine/verification/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "engine/reference/reference_errors.hpp"
#include "engine/trial/trial.hpp"
#include "engine/verification/probe_runs.hpp"

namespace macrostep::engine {

namespace {

/// Communication points that are compared: of a longer run every third, fifth … one, as every
/// second one does not see what changes its sign in every macro-step.
constexpr std::int64_t most_points = 20'000;

/// What is compared, and how it is made.
struct Run {
  const Plan& plan;
  const Configuration& configuration;
  double macro_step_s;
  const RunsOnThreads& runs;
};

struct Recorded {
  TrialResult result;
  std::vector<double> rows;  ///< outputs at every stride-th communication point
};

std::int64_t stride_of(const Run& run, const TestInput& test) {
  return (1 + (macro_steps_in(test.duration_s, run.macro_step_s) - 1) / most_points) | 1;
}

/// Runs in these tests with H/finer, at the points of those with H.
std::vector<Recorded> record(const Run& run, std::span<const TestInput* const> tests,
                             std::int64_t finer) {
  std::vector<Recorded> recorded(tests.size());
  std::vector<TrialSettings> trials;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    trials.push_back(
        {.configuration = &run.configuration,
         .test = tests[i],
         .macro_step_s = run.macro_step_s / static_cast<double>(finer),
         .stop = run.runs.stop,
         .trace = [&rows = recorded[i].rows, point = std::int64_t{0},
                   stride = finer * stride_of(run, *tests[i])](const TracePoint& at) mutable {
           if (point++ % stride == 0) {
             rows.insert(rows.end(), at.outputs.begin(), at.outputs.end());
           }
         }});
  }
  auto results = run.runs.backend.run_trials(run.plan, trials);
  for (std::size_t i = 0; i < tests.size(); ++i) {
    recorded[i].result = std::move(results[i]);
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

std::string end_text(const TrialResult& result) {
  return std::string(to_string(result.status)) + ": " + result.reason;
}

/// What two runs that have completed say.
void compare(const CouplingGraph& graph, const std::vector<double>& coarse,
             const std::vector<double>& fine, Refinement& refinement) {
  const std::size_t outputs = graph.output_count;
  ErrorSums errors(graph);
  // The finer run may end some of its macro-steps earlier.
  const std::size_t points = std::min(coarse.size(), fine.size()) / outputs;
  for (std::size_t n = 0; n < points; ++n) {
    errors.add({coarse.data() + n * outputs, outputs}, {fine.data() + n * outputs, outputs});
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

/// In tests that may run together.
void refine_in(const Run& run, std::int64_t finer, std::span<const TestInput* const> tests,
               std::span<Refinement> refinements) {
  const auto coarse = record(run, tests, 1);
  std::vector<const TestInput*> complete;
  for (std::size_t i = 0; i < tests.size(); ++i) {
    const auto& result = coarse[i].result;
    refinements[i] = {.change = {}, .still = {}, .test = tests[i]->name, .reason = {}};
    refinements[i].cost = result.cost;
    if (result.status == TrialStatus::complete) {
      refinements[i].completes = true;
      complete.push_back(tests[i]);
    } else {
      refinements[i].reason = end_text(result);
    }
  }
  const auto fine = record(run, complete, finer);
  for (std::size_t i = 0, n = 0; n < complete.size(); ++i) {
    if (tests[i] != complete[n]) {
      continue;
    }
    const auto& [result, rows] = fine[n++];
    refinements[i].cost += result.cost;
    if (result.status == TrialStatus::complete) {
      compare(run.plan.graph(run.configuration), coarse[i].rows, rows, refinements[i]);
    } else {
      refinements[i].reason = end_text(result);
    }
  }
}

/// Calls work(first, count) for parts of that many trials, on several threads.
template <class Work>
void for_each_part(const Run& run, std::size_t trials, const Work& work) {
  const auto& [plan, configuration, macro_step_s, runs] = run;
  const auto parts = parts_of_trials(runs.backend, plan, configuration, trials, runs.threads);
  runs.backend.for_each_index(parts, runs.threads, [&](std::size_t part) {
    const std::size_t first = part * trials / parts;
    work(first, (part + 1) * trials / parts - first);
  });
}

}  // namespace

std::vector<TrialResult> run_alone(const Plan& plan, const Configuration& configuration,
                                   double macro_step_s, std::span<const TestInput* const> tests,
                                   const RunsOnThreads& runs) {
  std::vector<TrialSettings> trials;
  for (const auto* test : tests) {
    trials.push_back({.configuration = &configuration,
                      .test = test,
                      .macro_step_s = macro_step_s,
                      .stop = runs.stop});
  }
  std::vector<TrialResult> results(tests.size());
  for_each_part({plan, configuration, macro_step_s, runs}, tests.size(),
                [&](std::size_t first, std::size_t count) {
                  std::ranges::move(
                      runs.backend.run_trials(plan, std::span(trials).subspan(first, count)),
                      results.begin() + static_cast<std::ptrdiff_t>(first));
                });
  return results;
}

std::vector<Refinement> refine(const Plan& plan, const Configuration& configuration,
                               double macro_step_s, std::int64_t finer,
                               std::span<const TestInput* const> tests, const RunsOnThreads& runs) {
  // The longest first, and those of one duration beside each other: they run together.
  std::vector<const TestInput*> ordered(tests.begin(), tests.end());
  std::vector<std::size_t> place(tests.size());
  std::iota(place.begin(), place.end(), std::size_t{0});
  std::ranges::stable_sort(place, std::greater{},
                           [&](std::size_t i) { return tests[i]->duration_s; });
  std::ranges::transform(place, ordered.begin(), [&](std::size_t i) { return tests[i]; });
  std::vector<Refinement> made(tests.size());
  const Run run{plan, configuration, macro_step_s, runs};
  for_each_part(run, tests.size(), [&](std::size_t first, std::size_t count) {
    refine_in(run, finer, std::span(ordered).subspan(first, count),
              std::span(made).subspan(first, count));
  });
  std::vector<Refinement> changes(tests.size());
  for (std::size_t i = 0; i < place.size(); ++i) {
    changes[place[i]] = std::move(made[i]);
  }
  return changes;
}

}  // namespace macrostep::engine
