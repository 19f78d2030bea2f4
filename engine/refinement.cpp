#include "engine/refinement.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/reference.hpp"
#include "engine/trial.hpp"

namespace macrostep::engine {

namespace {

constexpr std::int64_t finer = 4;

/// Outputs at every `stride`-th communication point of a run.
TrialResult record_run(const Plan& plan, TrialSettings run, std::int64_t stride,
                       std::vector<double>& rows) {
  std::int64_t point = 0;
  run.trace = [&](const TracePoint& at) {
    if (point++ % stride == 0) {
      rows.insert(rows.end(), at.outputs.begin(), at.outputs.end());
    }
  };
  return run_trial(plan, run);
}

}  // namespace

Refinement refine(const Plan& plan, const Configuration& configuration, double macro_step_s,
                  std::span<const TestInput> tests, double limit, const std::atomic<bool>* stop) {
  Refinement refinement;
  const auto& graph = plan.graph(configuration);
  for (const auto& test : tests) {
    std::vector<double> coarse;
    std::vector<double> fine;
    TrialSettings run{
        .configuration = &configuration, .test = &test, .macro_step_s = macro_step_s, .stop = stop};
    auto result = record_run(plan, run, 1, coarse);
    refinement.cost += result.cost;
    if (result.status == TrialStatus::complete) {
      run.macro_step_s = macro_step_s / finer;
      result = record_run(plan, run, finer, fine);
      refinement.cost += result.cost;
    }
    if (result.status != TrialStatus::complete) {
      refinement.change = std::nullopt;
      refinement.test = test.name;
      refinement.reason = std::string(to_string(result.status)) + ": " + result.reason;
      return refinement;
    }
    ErrorSums errors(graph);
    const std::size_t outputs = graph.output_count;
    // The finer run may end up to three of its macro-steps earlier.
    const std::size_t points = std::min(coarse.size(), fine.size()) / outputs;
    for (std::size_t n = 0; n < points; ++n) {
      errors.add({coarse.data() + n * outputs, outputs}, {fine.data() + n * outputs, outputs});
    }
    const double change = errors.error().nrmse;
    if (!(change <= refinement.change.value_or(-1))) {
      refinement.change = change;
      refinement.test = test.name;
    }
    if (!(change <= limit)) {
      break;
    }
  }
  return refinement;
}

}  // namespace macrostep::engine
