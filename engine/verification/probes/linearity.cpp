#include "engine/verification/probes/linearity.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/trial/trial.hpp"
#include "engine/verification/probes/probe_runs.hpp"

namespace macrostep::engine {

namespace {

constexpr std::size_t every_other = 2;
/// Macro-steps of a run.
constexpr double most_lasting_steps = 100'000;
/// What is compared of a run that leaves every bound, as that of a shaft that nothing holds: such a
/// share of the way to there, where that is no shorter than the longest test.
constexpr double before_the_end = 0.9;
constexpr Eigen::Index fewest_points = 10;

}  // namespace

double nonlinear_share(const Eigen::MatrixXd& free, const Eigen::MatrixXd& driven,
                       const Eigen::MatrixXd& half_driven) {
  const Eigen::MatrixXd full = driven - free;
  const Eigen::MatrixXd half = half_driven - free;
  double largest = 0;
  for (Eigen::Index i = 0; i < full.rows(); ++i) {
    const double size = full.row(i).cwiseAbs().maxCoeff();
    const double rounding = rounding_share * driven.row(i).cwiseAbs().maxCoeff();
    if (size > rounding) {
      largest = std::max(largest, (full.row(i) - 2 * half.row(i)).cwiseAbs().maxCoeff() / size);
    }
  }
  return largest;
}

namespace {

/// Inputs at the same places of two lists, whole and halved.
struct Pair {
  const TestInput* whole;
  const TestInput* half;
};

std::vector<Pair> pairs_of(const InputsByShare& by_share, std::size_t step) {
  std::vector<Pair> pairs;
  if (by_share.size() > 1) {  // else nothing drives the problem
    for (std::size_t i = 0; i < by_share[0].size(); i += step) {
      pairs.push_back({&by_share[0][i], &by_share[1][i]});
    }
  }
  return pairs;
}

/// Points of a run that can be compared; 0 where the run has given nothing that can.
Eigen::Index points_to_compare(const RecordedRun& run, Eigen::Index fewest) {
  const auto points = run.record.cols();
  if (run.result.status == TrialStatus::complete) {
    return points;
  }
  if (run.result.status != TrialStatus::diverged) {
    return 0;
  }
  const auto before = static_cast<Eigen::Index>(before_the_end * static_cast<double>(points));
  return before >= fewest ? before : 0;
}

/// Compares with the free motion over the longest of the pairs, as far as all runs of a pair go.
/// Returns how many of them go far enough.
std::size_t compare(const Plan& plan, std::size_t configuration, double macro_step_s,
                    const RunsOnThreads& runs, const std::vector<Pair>& pairs,
                    Linearity& linearity) {
  std::size_t compared = 0;
  const auto place_of = [inputs = plan.inputs()](const TestInput& input) {
    return ProbeInput{static_cast<std::size_t>(std::ranges::find(inputs, &input) - inputs.begin())};
  };
  std::vector<ProbeInput> places{place_of(plan.check_inputs.jumps.front())};  // the free motion
  double longest_s = 0;
  for (const auto& [whole, half] : pairs) {
    places.push_back(place_of(*whole));
    places.push_back(place_of(*half));
    longest_s = std::max(longest_s, whole->duration_s);
  }
  const double until_s = std::min(longest_s, most_lasting_steps * macro_step_s);
  const ProbeRuns of{.plan = plan,
                     .configuration = configuration,
                     .macro_step_s = macro_step_s,
                     .macro_steps = macro_steps_in(until_s, macro_step_s),
                     .runs = runs,
                     .session_s = {},
                     .longest_s = {}};
  const auto recorded = record_runs(of, places);
  const auto fewest =
      std::max(fewest_points, static_cast<Eigen::Index>(longest_test_s(plan) / of.interval_s()));
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::array three{&recorded[0], &recorded[1 + 2 * i], &recorded[2 + 2 * i]};
    Eigen::Index points = recorded[0].record.cols();
    for (const auto* run : three) {
      points = std::min(points, points_to_compare(*run, fewest));
    }
    if (points == 0) {
      continue;
    }
    ++compared;
    const auto part = [&](std::size_t run) { return three[run]->record.leftCols(points); };
    const double share = nonlinear_share(part(0), part(1), part(2));
    if (share > linearity.nonlinear_share) {
      linearity.nonlinear_share = share;
      linearity.input = pairs[i].whole->name;
    }
  }
  for (const auto& run : recorded) {
    linearity.cost += run.result.cost;
  }
  return compared;
}

}  // namespace

Linearity probe_linearity(const Plan& plan, std::size_t configuration, double macro_step_s,
                          const RunsOnThreads& runs) {
  Linearity linearity;
  const auto lasting = pairs_of(plan.check_inputs.lasting, every_other);
  const auto sines = pairs_of(plan.check_inputs.sines, 1);
  if (!lasting.empty()) {
    linearity.compared = compare(plan, configuration, macro_step_s, runs, lasting, linearity);
  }
  if (!sines.empty()) {
    compare(plan, configuration, macro_step_s, runs, sines, linearity);
  }
  return linearity;
}

}  // namespace macrostep::engine
