#include "engine/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/reference.hpp"
#include "engine/trial.hpp"

namespace macrostep::engine {

namespace {

constexpr std::int64_t refined_by = 4;
/// Communication points that are compared: of a longer run every second, third … one.
constexpr std::int64_t most_points = 20'000;

/// Outputs at every `stride`-th communication point of a run.
TrialResult record_run(const Plan& plan, TrialSettings run, std::int64_t stride,
                       std::vector<double>& rows, const Executor& executor) {
  std::int64_t point = 0;
  run.trace = [&](const TracePoint& at) {
    if (point++ % stride == 0) {
      rows.insert(rows.end(), at.outputs.begin(), at.outputs.end());
    }
  };
  return executor.run_trial(plan, run);
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

Refinement refine_in(const Plan& plan, TrialSettings run, const Executor& executor) {
  Refinement refinement{.change = {}, .still = {}, .test = run.test->name, .reason = {}};
  const auto stride =
      1 + (macro_steps_in(run.test->duration_s, run.macro_step_s) - 1) / most_points;
  std::vector<double> coarse;
  std::vector<double> fine;
  auto result = record_run(plan, run, stride, coarse, executor);
  refinement.cost += result.cost;
  if (result.status == TrialStatus::complete) {
    run.macro_step_s /= refined_by;
    result = record_run(plan, run, refined_by * stride, fine, executor);
    refinement.cost += result.cost;
  }
  if (result.status != TrialStatus::complete) {
    refinement.reason = std::string(to_string(result.status)) + ": " + result.reason;
    return refinement;
  }
  const auto& graph = plan.graph(*run.configuration);
  const std::size_t outputs = graph.output_count;
  ErrorSums errors(graph);
  // The finer run may end up to three of its macro-steps earlier.
  const std::size_t points = std::min(coarse.size(), fine.size()) / outputs;
  for (std::size_t n = 0; n < points; ++n) {
    errors.add({coarse.data() + n * outputs, outputs}, {fine.data() + n * outputs, outputs});
  }
  refinement.change = errors.error().nrmse;
  refinement.swing = 0;
  for (const std::size_t i : exchanged_outputs(graph)) {
    const double still = still_share * graph.nominal[i];
    const double swing = swing_of(coarse, i, outputs, points);
    const double fine_swing = swing_of(fine, i, outputs, points);
    refinement.swing = std::max(*refinement.swing, swing / std::max(fine_swing, still));
    if (swing <= still && fine_swing <= still) {
      refinement.still.push_back(i);
    }
  }
  return refinement;
}

}  // namespace

std::vector<Refinement> refine(const Plan& plan, const Configuration& configuration,
                               double macro_step_s, std::span<const TestInput* const> tests,
                               const RunsOnThreads& runs) {
  std::vector<Refinement> changes(tests.size());
  runs.executor.for_each_index(tests.size(), runs.threads, [&](std::size_t i) {
    changes[i] = refine_in(plan,
                           {.configuration = &configuration,
                            .test = tests[i],
                            .macro_step_s = macro_step_s,
                            .stop = runs.stop},
                           runs.executor);
  });
  return changes;
}

}  // namespace macrostep::engine
