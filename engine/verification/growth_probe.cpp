#include "engine/verification/growth_probe.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/cosim/residual.hpp"
#include "engine/stability/stability.hpp"
#include "engine/trial/trial.hpp"
#include "engine/verification/identified_growth.hpp"

namespace macrostep::engine {

namespace {

/// Macro-steps of a run: at least, for the identification, and at most, for its price.
constexpr std::int64_t fewest_macro_steps = 300;
constexpr std::int64_t most_macro_steps = 20'000;
/// Communication points that are looked at: of a longer run every second, third … one. Motions that
/// are slow against the macro-step would else not move enough to be told apart.
constexpr std::int64_t most_recorded_points = 1000;
/// What a jump changes by less than this share of an output is rounding.
constexpr double rounding_share = 1e-9;
/// Outputs that a linear model predicts worse than this from step to step are not linear: what it
/// says of a growth of a tenth in thousands of macro-steps is then worth nothing.
constexpr double largest_unexplained = 1e-4;
/// The growth counts beyond so many times what it is uncertain by.
constexpr double certain = 3;

/// Share of what a jump changes that is not twice of what half the jump changes; 0 without a jump.
/// Records as CheckInputs::jumps are ordered.
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

/// The responding outputs whose row stands still in all records.
std::vector<std::size_t> still_outputs(const CouplingGraph& graph,
                                       const std::vector<Eigen::MatrixXd>& records) {
  const auto rows = exchanged_outputs(graph);
  auto list = responding_outputs(graph);
  std::erase_if(list, [&](std::size_t output) {
    const auto row = std::ranges::lower_bound(rows, output) - rows.begin();
    return std::ranges::any_of(records, [&](const Eigen::MatrixXd& record) {
      const auto values = record.row(row);
      const double moves = values.maxCoeff() - values.minCoeff();
      return moves > rounding_share * values.cwiseAbs().maxCoeff();
    });
  });
  return list;
}

/// Outputs of one run, from the macro-step on at which the extrapolation has its full order.
struct RecordedJump {
  TrialResult result;
  Eigen::MatrixXd record;
};

RecordedJump record_run(const Plan& plan, TrialSettings run, std::int64_t macro_steps,
                        std::int64_t stride, const Executor& executor) {
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
  auto result = executor.run_trial(plan, run);
  return {.result = std::move(result), .record = std::move(record)};
}

/// `points_in_duration`: communication points that are looked at.
ProbedGrowth judge(const std::vector<Eigen::MatrixXd>& records, double points_in_duration,
                   double duration_s) {
  ProbedGrowth probed;
  const auto model = identify_model(records);
  if (!model) {
    probed.reason = "nothing moves in it, or it is too short";
    return probed;
  }
  probed.unexplained = std::max(model->unexplained, nonlinearity(records));
  if (probed.unexplained > largest_unexplained) {
    probed.reason = "the outputs do not follow a linear model, which is off by " +
                    percent_text(probed.unexplained) + " of how far they move";
    return probed;
  }
  const double allowed = std::log(allowed_growth);
  double certain_growth = 0;
  for (const auto& motion : model->motions) {
    const double log_growth = motion.log_growth * points_in_duration;
    probed.log_growth = std::max(probed.log_growth.value_or(log_growth), log_growth);
    certain_growth = std::max(
        certain_growth, (motion.log_growth - certain * motion.uncertainty) * points_in_duration);
  }
  if (!probed.log_growth) {
    probed.reason = "no motion could be told from rounding";
    return probed;
  }
  if (*probed.log_growth <= allowed) {
    probed.verdict = GrowthVerdict::stable;
    return probed;
  }
  const bool is_certain = certain_growth > allowed;
  probed.verdict = is_certain ? GrowthVerdict::growing : GrowthVerdict::unknown;
  probed.reason =
      std::string(is_certain ? "a motion grows" : "a motion may grow, which is uncertain,") +
      " by a factor of " + number_text(std::exp(*probed.log_growth)) + " in " +
      number_text(duration_s) + " s";
  return probed;
}

}  // namespace

ProbedGrowth probe_growth(const Plan& plan, const Configuration& configuration, double macro_step_s,
                          double duration_s, const RunsOnThreads& runs) {
  const auto macro_steps =
      std::clamp(macro_steps_in(duration_s, macro_step_s), fewest_macro_steps, most_macro_steps);
  const std::int64_t stride = (macro_steps + most_recorded_points - 1) / most_recorded_points;
  auto inputs = plan.check_inputs.jumps;
  std::vector<RecordedJump> recorded(inputs.size());
  runs.executor.for_each_index(inputs.size(), runs.threads, [&](std::size_t i) {
    inputs[i].duration_s = static_cast<double>(macro_steps) * macro_step_s;
    recorded[i] = record_run(plan,
                             {.configuration = &configuration,
                              .test = &inputs[i],
                              .macro_step_s = macro_step_s,
                              .stop = runs.stop},
                             macro_steps, stride, runs.executor);
  });
  ProbedGrowth probed;
  for (const auto& run : recorded) {
    probed.cost += run.result.cost;
  }
  std::vector<Eigen::MatrixXd> records;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    const auto& result = recorded[i].result;
    if (result.status != TrialStatus::complete) {
      const bool grows =
          result.status == TrialStatus::diverged || result.status == TrialStatus::solver_failed;
      probed.verdict = grows ? GrowthVerdict::growing : GrowthVerdict::unknown;
      probed.reason = std::string(to_string(result.status)) + " in the " + inputs[i].name + ": " +
                      result.reason;
      return probed;
    }
    records.push_back(std::move(recorded[i].record));
  }
  const double cost = probed.cost;
  probed = judge(records, duration_s / (static_cast<double>(stride) * macro_step_s), duration_s);
  probed.cost = cost;
  probed.still = still_outputs(plan.graph(configuration), records);
  if (probed.verdict == GrowthVerdict::stable && !probed.still.empty()) {
    probed.verdict = GrowthVerdict::unknown;
    probed.reason = "no jump moves " + output_list(plan.coupling(configuration), probed.still);
  }
  return probed;
}

}  // namespace macrostep::engine
