#include "engine/verification/probes/linearity.hpp"

#include <algorithm>
#include <vector>

#include "engine/trial/trial.hpp"
#include "engine/verification/probes/probe_runs.hpp"

namespace macrostep::engine {

namespace {

constexpr std::size_t every_other = 2;
/// Macro-steps of a run.
constexpr double most_lasting_steps = 100'000;

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

/// Compares with the free motion over the longest of the pairs. Returns how many of them complete.
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
  const auto is_complete = [&](std::size_t i) {
    return recorded[i].result.status == TrialStatus::complete;
  };
  for (std::size_t i = 0; i < pairs.size() && is_complete(0); ++i) {
    const std::size_t at = 1 + 2 * i;
    if (!is_complete(at) || !is_complete(at + 1)) {
      continue;
    }
    ++compared;
    const double share =
        nonlinear_share(recorded[0].record, recorded[at].record, recorded[at + 1].record);
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
