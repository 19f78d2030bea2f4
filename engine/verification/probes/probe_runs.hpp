// Runs whose outputs are recorded to tell the motions of a coupling from them, for growth_probe.hpp
// and operating_points.hpp.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/ensemble/trial_backend.hpp"
#include "engine/plan/plan.hpp"
#include "engine/trial/trial.hpp"
#include "engine/verification/probes/identified_growth.hpp"

namespace macrostep::engine {

/// A rate that is not so many times its uncertainty may be none.
inline constexpr double certain = 3;
/// What changes by less than this share of an output is rounding.
inline constexpr double rounding_share = 1e-9;
/// A run lasts so many periods of the slowest motion that is found in it, and is made anew at most
/// so often until it does.
inline constexpr double periods_of_slowest = 3;
inline constexpr int most_probe_runs = 3;

struct ProbedMotion {
  double rate_per_s = 0;         ///< λ
  double uncertainty_per_s = 0;  ///< u
  double turn_rad_s = 0;         ///< of what oscillates; fast ones as the points show them
  double share = 0;              ///< of all that moves, root mean square

  double at_most_per_s() const { return rate_per_s + uncertainty_per_s; }
  double at_least_per_s() const { return rate_per_s - certain * uncertainty_per_s; }
};

/// Runs with H / finer, looked at at some communication points of runs with H from `from_s` on.
struct ProbeRuns {
  const Plan& plan;
  std::size_t configuration = 0;  ///< in the plan
  double macro_step_s = 0;        ///< H
  std::int64_t finer = 1;
  std::int64_t macro_steps = 0;  ///< of H, that are looked at
  const RunsOnThreads& runs;
  double from_s = 0;
  std::optional<double> session_s;  ///< where it is known already
  std::optional<double> longest_s;  ///< no run is made longer than that

  const CouplingGraph& graph() const { return plan.graph(plan.configurations[configuration]); }
  std::int64_t stride() const;  ///< of longer runs every second, third … point
  double interval_s() const { return static_cast<double>(stride()) * macro_step_s; }
  double looked_at_s() const { return static_cast<double>(macro_steps) * macro_step_s; }
  double duration_s() const { return from_s + looked_at_s(); }
};

/// As many macro-steps as a duration has, within bounds: for the identification, and for the price.
std::int64_t probed_macro_steps(double duration_s, double macro_step_s);

/// Exchanged outputs (rows) at the points of one run, from where the extrapolation has its order.
struct RecordedRun {
  TrialResult result;
  Eigen::MatrixXd record;
};

/// An input of the plan, or a variant of it.
struct ProbeInput {
  std::size_t input = 0;
  std::size_t variant = 0;
};

/// Under each of these, in their order.
std::vector<RecordedRun> record_runs(const ProbeRuns& of, std::span<const ProbeInput> inputs);

/// What `probe` tells of runs, made longer until it has seen enough of the slowest motion. What it
/// tells has a slowest_s and a cost, which is that of all runs.
template <class Probe>
auto long_enough(ProbeRuns& of, const Probe& probe) {
  auto probed = probe(of);
  for (int run = 1; run < most_probe_runs; ++run) {
    const double wanted_s = periods_of_slowest * probed.slowest_s;
    const auto wanted =
        probed_macro_steps(std::min(wanted_s, of.longest_s.value_or(wanted_s)), of.macro_step_s);
    if (wanted <= of.macro_steps) {
      break;
    }
    of.macro_steps = wanted;
    const double cost = probed.cost;
    probed = probe(of);
    probed.cost += cost;
  }
  return probed;
}

/// By row of a record: whether it moves by more than rounding of `values`, which are those of a
/// record, too.
std::vector<bool> moving_rows(const Eigen::MatrixXd& record, const Eigen::MatrixXd& values);

/// By output of the graph: whether it is of a subsystem that is not connected with that of an
/// earlier one of `outputs`, and moves as a multiple of that: what moves them apart was not seen,
/// as in a machine with two equal limbs. `increments` are those of each of `outputs`.
std::vector<std::size_t> tied_outputs(const CouplingGraph& graph,
                                      const std::vector<std::size_t>& outputs,
                                      const std::vector<std::vector<double>>& increments);

/// Responding outputs, in the order of the graph, that in all records stand still but for rounding
/// of their values, which are those of as many other records, or are tied.
std::vector<std::size_t> still_outputs(const CouplingGraph& graph,
                                       const std::vector<Eigen::MatrixXd>& records,
                                       const std::vector<Eigen::MatrixXd>& values);

/// Those that may grow fastest first.
std::vector<ProbedMotion> motions_of(const IdentifiedModel& model, double interval_s);

/// The longest period of oscillations and time constant of others, of those that are no longer than
/// `longest_s`; 0 where none has a time.
double slowest_of(const std::vector<ProbedMotion>& motions,
                  double longest_s = std::numeric_limits<double>::infinity());

/// The motion of the same frequency in others; nothing if there is none. It excuses one growing
/// motion: then it is removed, and another one must have its own.
std::optional<ProbedMotion> same_motion(const ProbedMotion& motion,
                                        std::vector<ProbedMotion>& others);

}  // namespace macrostep::engine
