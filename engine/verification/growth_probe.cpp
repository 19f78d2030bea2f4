#include "engine/verification/growth_probe.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/cosim/residual.hpp"
#include "engine/stability/growth.hpp"
#include "engine/stability/stability.hpp"
#include "engine/trial/trial.hpp"
#include "engine/verification/identified_growth.hpp"

namespace macrostep::engine {

namespace {

/// Macro-steps of a run: at least, for the identification, and at most, for its price.
constexpr std::int64_t fewest_macro_steps = 300;
constexpr std::int64_t most_macro_steps = 20'000;
/// A run lasts so many periods of the slowest motion that is found in it, and is made anew at most
/// so often until it does.
constexpr double slowest_periods = 3;
constexpr int most_runs = 3;
/// Communication points that are looked at: of a longer run every second, third … one. Motions that
/// are slow against the macro-step would else not move enough to be told apart.
constexpr std::int64_t most_recorded_points = 1000;
/// What a jump changes by less than this share of an output is rounding.
constexpr double rounding_share = 1e-9;
/// Outputs that a linear model predicts worse than this from step to step are not linear: what it
/// says of a slow growth is then worth nothing.
constexpr double largest_unexplained = 1e-4;
/// A rate that is not so many times its uncertainty may be none.
constexpr double certain = 3;
/// A motion that turns by less [rad] from one point to the next does not oscillate.
constexpr double smallest_turn = 1e-6;

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

/// Runs after jumps with H / finer, looked at at some communication points of runs with H.
struct JumpRuns {
  const Plan& plan;
  const Configuration& configuration;
  double macro_step_s;  ///< H
  std::int64_t finer;
  std::int64_t macro_steps;  ///< of H
  const RunsOnThreads& runs;

  std::int64_t stride() const {
    return (macro_steps + most_recorded_points - 1) / most_recorded_points;
  }
  double interval_s() const { return static_cast<double>(stride()) * macro_step_s; }
  double duration_s() const { return static_cast<double>(macro_steps) * macro_step_s; }
};

/// Outputs of one run, from the macro-step on at which the extrapolation has its full order.
struct RecordedJump {
  TrialResult result;
  Eigen::MatrixXd record;
};

RecordedJump record_run(const JumpRuns& of, const TestInput& jump) {
  const auto outputs = exchanged_outputs(of.plan.graph(of.configuration));
  const auto first = first_counted_macro_step(of.configuration.extrapolation);
  const auto stride = of.stride() * of.finer;
  Eigen::MatrixXd record(static_cast<Eigen::Index>(outputs.size()),
                         (of.macro_steps * of.finer - first) / stride + 1);
  std::int64_t point = -first;
  TrialSettings run{.configuration = &of.configuration,
                    .test = &jump,
                    .macro_step_s = of.macro_step_s / static_cast<double>(of.finer),
                    .stop = of.runs.stop};
  run.trace = [&](const TracePoint& at) {
    const auto column = static_cast<Eigen::Index>(point / stride);
    if (point >= 0 && point % stride == 0 && column < record.cols()) {
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        record(static_cast<Eigen::Index>(i), column) = at.outputs[outputs[i]];
      }
    }
    ++point;
  };
  auto result = of.runs.executor.run_trial(of.plan, run);
  return {.result = std::move(result), .record = std::move(record)};
}

std::vector<ProbedMotion> motions_of(const IdentifiedModel& model, double interval_s) {
  std::vector<ProbedMotion> list;
  for (const auto& motion : model.motions) {
    list.push_back({.rate_per_s = motion.log_growth / interval_s,
                    .uncertainty_per_s = motion.uncertainty / interval_s,
                    .turn_rad_s = motion.turn > smallest_turn ? motion.turn / interval_s : 0});
  }
  std::ranges::sort(list, std::greater{}, &ProbedMotion::at_most_per_s);
  return list;
}

/// 0 where none has a time: periods of oscillations, time constants of others.
double slowest_of(const std::vector<ProbedMotion>& motions) {
  double slowest_s = 0;
  for (const auto& motion : motions) {
    if (motion.turn_rad_s > 0) {
      slowest_s = std::max(slowest_s, 2 * std::numbers::pi / motion.turn_rad_s);
    } else if (std::abs(motion.rate_per_s) > certain * motion.uncertainty_per_s) {
      slowest_s = std::max(slowest_s, 1 / std::abs(motion.rate_per_s));
    }
  }
  return slowest_s;
}

bool grows(const ProbedMotion& motion) {
  return motion.rate_per_s > certain * motion.uncertainty_per_s;
}

/// Whether it does not grow, whatever the uncertainty leaves open.
bool is_stable(const ProbedMotion& motion, const ProbedGrowth& probed) {
  return motion.at_most_per_s() <=
         std::max(smallest_exponent / probed.session_s, largest_rounding / probed.macro_step_s);
}

/// By the motions alone.
GrowthVerdict verdict_of(const ProbedGrowth& probed) {
  auto verdict = GrowthVerdict::stable;
  for (const auto& motion : probed.motions) {
    if (is_stable(motion, probed)) {
      continue;
    }
    if (grows(motion)) {
      return GrowthVerdict::growing;
    }
    verdict = GrowthVerdict::unknown;
  }
  return verdict;
}

/// "grows by 4 % in a session of 100 s (0.0004 ± 0.0001 per s)".
std::string motion_text(const ProbedMotion& motion, double session_s) {
  return growth_text({.growth = {.rate_per_s = motion.rate_per_s}, .session_s = session_s}) + " (" +
         number_text(motion.rate_per_s) + " ± " + number_text(motion.uncertainty_per_s) + " per s)";
}

std::string reason_of(GrowthVerdict verdict, const ProbedMotion& motion, double session_s) {
  return (verdict == GrowthVerdict::growing ? "a motion "
                                            : "whether it grows is not known: a motion ") +
         motion_text(motion, session_s);
}

/// What the records of complete runs say.
void judge(const std::vector<Eigen::MatrixXd>& records, const JumpRuns& of, ProbedGrowth& probed) {
  const auto model = identify_model(records);
  if (!model) {
    probed.reason = "nothing moves in it, or it is too short";
    return;
  }
  probed.unexplained = std::max(model->unexplained, nonlinearity(records));
  if (probed.unexplained > largest_unexplained) {
    probed.reason = "the outputs do not follow a linear model, which is off by " +
                    percent_text(probed.unexplained) + " of how far they move";
    return;
  }
  probed.macro_step_s = of.macro_step_s;
  probed.motions = motions_of(*model, of.interval_s());
  probed.slowest_s = slowest_of(probed.motions);
  probed.session_s = of.plan.job.session_s.value_or(
      session_factor * (probed.slowest_s > 0 ? probed.slowest_s : of.duration_s()));
  if (probed.motions.empty()) {
    probed.reason = "no motion could be told from rounding";
    return;
  }
  probed.verdict = verdict_of(probed);
  if (probed.verdict != GrowthVerdict::stable) {
    probed.reason = reason_of(probed.verdict, probed.motions.front(), probed.session_s);
  }
}

/// Runs, and what they say. The verdict of what does not complete is final.
ProbedGrowth probe_once(const JumpRuns& of) {
  auto inputs = of.plan.check_inputs.jumps;
  std::vector<RecordedJump> recorded(inputs.size());
  of.runs.executor.for_each_index(inputs.size(), of.runs.threads, [&](std::size_t i) {
    inputs[i].duration_s = of.duration_s();
    recorded[i] = record_run(of, inputs[i]);
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
      probed.ended = true;
      probed.verdict = grows ? GrowthVerdict::growing : GrowthVerdict::unknown;
      probed.reason = std::string(to_string(result.status)) + " in the " + inputs[i].name + ": " +
                      result.reason;
      return probed;
    }
    records.push_back(std::move(recorded[i].record));
  }
  judge(records, of, probed);
  probed.still = still_outputs(of.plan.graph(of.configuration), records);
  return probed;
}

/// The motion of the same frequency; null if there is none.
const ProbedMotion* same_motion(const ProbedMotion& motion, const ProbedGrowth& in) {
  const auto distance = [&](const ProbedMotion& other) {
    return std::abs(other.turn_rad_s - motion.turn_rad_s);
  };
  const auto nearest = std::ranges::min_element(in.motions, {}, distance);
  return nearest != in.motions.end() && distance(*nearest) <= frequency_share * motion.turn_rad_s
             ? &*nearest
             : nullptr;
}

}  // namespace

ProbedGrowth probe_growth(const Plan& plan, const Configuration& configuration, double macro_step_s,
                          double duration_s, const RunsOnThreads& runs, std::int64_t finer) {
  JumpRuns of{.plan = plan,
              .configuration = configuration,
              .macro_step_s = macro_step_s,
              .finer = finer,
              .macro_steps = std::clamp(macro_steps_in(duration_s, macro_step_s),
                                        fewest_macro_steps, most_macro_steps),
              .runs = runs};
  auto probed = probe_once(of);
  for (int run = 1; run < most_runs; ++run) {
    const auto wanted = static_cast<std::int64_t>(std::ceil(std::min(
        slowest_periods * probed.slowest_s / macro_step_s, static_cast<double>(most_macro_steps))));
    if (wanted <= of.macro_steps) {
      break;
    }
    of.macro_steps = wanted;
    const double cost = probed.cost;
    probed = probe_once(of);
    probed.cost += cost;
  }
  return probed;
}

void hold_against_finer(ProbedGrowth& probed, const ProbedGrowth& fine) {
  using enum GrowthVerdict;
  probed.verdict = stable;
  for (const auto& motion : probed.motions) {
    if (is_stable(motion, probed)) {
      continue;
    }
    const double exponent = motion.at_most_per_s() * probed.session_s;
    const auto* const own = same_motion(motion, fine);
    const double apart = own ? std::abs(own->rate_per_s - motion.rate_per_s) : 0;
    GrowthVerdict one = grows(motion) ? growing : unknown;
    auto reason = reason_of(one, motion, probed.session_s);
    if (own && motion.turn_rad_s > 0 && own->at_most_per_s() >= 0 &&
        exponent <= std::log(allowed_session_growth)) {
      one = within_session;
      reason = "an oscillation that is not damped " + motion_text(motion, probed.session_s) +
               ", which is allowed";
    } else if (own && one == growing && grows(*own) &&
               apart <= own_growth_share * motion.rate_per_s) {
      one = unknown;
      reason = "the problem grows by itself: a motion " + motion_text(motion, probed.session_s) +
               ", and as fast with a quarter of H";
    }
    if (one > probed.verdict) {
      probed.verdict = one;
      probed.reason = reason;
    }
  }
}

}  // namespace macrostep::engine
