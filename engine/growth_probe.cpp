#include "engine/growth_probe.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "engine/identified_growth.hpp"
#include "engine/residual.hpp"
#include "engine/stability.hpp"
#include "engine/text.hpp"
#include "engine/trial.hpp"

namespace macrostep::engine {

namespace {

/// Macro-steps of a run: at least, for the identification, and at most, for its price.
constexpr std::int64_t fewest_macro_steps = 300;
constexpr std::int64_t most_macro_steps = 20'000;
/// Communication points that are looked at: of a longer run every second, third … one. Motions that
/// are slow against the macro-step would else not move enough to be told apart.
constexpr std::int64_t most_points = 1000;
/// Runs: more tell little more about one Φ.
constexpr std::size_t most_runs = 6;
/// What a jump changes by less than this share of an output is rounding.
constexpr double rounding_share = 1e-9;
/// Outputs that a linear model predicts worse than this from step to step are not linear: what it
/// says of a growth of a tenth in thousands of macro-steps is then worth nothing.
constexpr double largest_unexplained = 1e-4;
/// The growth counts beyond so many times what it is uncertain by.
constexpr double certain = 3;

/// One external input that jumps at t = 0, to this share of the way to the end of its range.
TestInput jump(const ExternalInput& input, double share, double duration_s) {
  const double end = input.maximum != input.initial ? input.maximum : input.minimum;
  TestInput test{
      .name = "jump of " + input.to.text(), .kind = TestKind::recorded, .duration_s = duration_s};
  test.record = std::make_shared<models::Record>(models::Record{
      .time_s = {0}, .value = {input.initial + share * (end - input.initial)}, .linear = false});
  test.inputs = {input.to.text()};
  return test;
}

/// The free motion, then a jump of each input; of the first one also half of it, in third place.
std::vector<TestInput> runs_of(const Plan& plan, double duration_s) {
  std::vector<TestInput> list{
      {.name = "free motion", .kind = TestKind::none, .duration_s = duration_s}};
  for (const auto& input : plan.problem.external_inputs) {
    if (list.size() == most_runs) {
      break;
    }
    list.push_back(jump(input, 1, duration_s));
    if (list.size() == 2) {
      list.push_back(jump(input, 0.5, duration_s));
    }
  }
  return list;
}

/// Share of what a jump changes that is not twice of what half the jump changes; 0 without a jump.
/// Records as runs_of() orders them.
double nonlinearity(const std::vector<Eigen::MatrixXd>& records) {
  if (records.size() < 3) {
    return 0;
  }
  const Eigen::MatrixXd full = records[1] - records[0];
  const Eigen::MatrixXd half = records[2] - records[0];
  double largest = 0;
  for (Eigen::Index i = 0; i < full.rows(); ++i) {
    const double size = full.row(i).cwiseAbs().maxCoeff();
    const double rounding = rounding_share * records[1].row(i).cwiseAbs().maxCoeff();
    if (size > rounding) {
      largest = std::max(largest, (full.row(i) - 2 * half.row(i)).cwiseAbs().maxCoeff() / size);
    }
  }
  return largest;
}

/// Outputs that are sources of inputs, each once.
std::vector<std::size_t> exchanged_outputs(const CouplingGraph& graph) {
  std::set<std::size_t> sources;
  for (const auto& input : graph.inputs) {
    sources.insert(input.source);
  }
  return {sources.begin(), sources.end()};
}

/// Of one run, from the macro-step on from which the extrapolation has its full order.
Eigen::MatrixXd record_run(const Plan& plan, TrialSettings run, std::int64_t macro_steps,
                           std::int64_t stride, TrialResult& result) {
  const auto outputs = exchanged_outputs(plan.graph(*run.configuration));
  const auto first = first_counted_macro_step(run.configuration->extrapolation);
  Eigen::MatrixXd record(static_cast<Eigen::Index>(outputs.size()),
                         (macro_steps - first) / stride + 1);
  std::int64_t point = -first;
  run.trace = [&](const TracePoint& at) {
    const auto column = static_cast<Eigen::Index>(point / stride);
    if (point >= 0 && point % stride == 0 && column < record.cols()) {
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        record(static_cast<Eigen::Index>(i), column) = at.outputs[outputs[i]];
      }
    }
    ++point;
  };
  result = run_trial(plan, run);
  return record;
}

/// `points_in_duration`: communication points that are looked at.
ProbedGrowth judge(const std::vector<Eigen::MatrixXd>& records, double points_in_duration) {
  ProbedGrowth probed;
  const auto model = identify_model(records);
  if (!model) {
    probed.reason = "nothing moves in it, or it is too short";
    return probed;
  }
  probed.unexplained = std::max(model->unexplained, nonlinearity(records));
  if (probed.unexplained > largest_unexplained) {
    probed.reason =
        "the outputs do not follow a linear model: " + percent_text(probed.unexplained) +
        " of them is not explained";
    return probed;
  }
  for (const auto& motion : model->motions) {
    const double log_growth = motion.log_growth * points_in_duration;
    probed.log_growth = std::max(probed.log_growth.value_or(log_growth), log_growth);
    const double certain_growth =
        (motion.log_growth - certain * motion.uncertainty) * points_in_duration;
    if (certain_growth > std::log(allowed_growth)) {
      probed.verdict = GrowthVerdict::growing;
    }
  }
  if (probed.verdict == GrowthVerdict::growing) {
    probed.reason = "a motion grows by a factor of " + number_text(std::exp(*probed.log_growth)) +
                    " over the longest test";
  } else if (probed.log_growth) {
    probed.verdict = GrowthVerdict::stable;
  } else {
    probed.reason = "no motion could be told from rounding";
  }
  return probed;
}

}  // namespace

ProbedGrowth probe_growth(const Plan& plan, const Configuration& configuration, double macro_step_s,
                          double duration_s, const std::atomic<bool>* stop) {
  const auto macro_steps =
      std::clamp(macro_steps_in(duration_s, macro_step_s), fewest_macro_steps, most_macro_steps);
  const std::int64_t stride = (macro_steps + most_points - 1) / most_points;
  std::vector<Eigen::MatrixXd> records;
  double cost = 0;
  for (const auto& test : runs_of(plan, static_cast<double>(macro_steps) * macro_step_s)) {
    TrialResult result;
    records.push_back(record_run(plan,
                                 {.configuration = &configuration,
                                  .test = &test,
                                  .macro_step_s = macro_step_s,
                                  .stop = stop},
                                 macro_steps, stride, result));
    cost += result.cost;
    if (result.status == TrialStatus::complete) {
      continue;
    }
    ProbedGrowth probed{.reason = std::string(to_string(result.status)) + " in the " + test.name +
                                  ": " + result.reason,
                        .cost = cost};
    if (result.status == TrialStatus::diverged || result.status == TrialStatus::solver_failed) {
      probed.verdict = GrowthVerdict::growing;
    }
    return probed;
  }
  auto probed = judge(records, duration_s / (static_cast<double>(stride) * macro_step_s));
  probed.cost = cost;
  return probed;
}

}  // namespace macrostep::engine
