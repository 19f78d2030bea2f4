#include "engine/verification/probes/growth_probe.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/stability/growth.hpp"
#include "engine/stability/stability.hpp"
#include "engine/verification/probes/identified_growth.hpp"
#include "engine/verification/probes/linearity.hpp"

namespace macrostep::engine {

namespace {

/// For the first jump; 0 without one. Records as CheckInputs::jumps are ordered.
double nonlinearity(const std::vector<Eigen::MatrixXd>& records) {
  return records.size() < 3 ? 0 : nonlinear_share(records[0], records[1], records[2]);
}

bool grows(const ProbedMotion& motion) {
  return motion.at_least_per_s() > 0;
}

/// What a rate may be off by for rounding: in a long session by no more than an undamped
/// oscillation may grow.
double rounding_per_s(const ProbedGrowth& probed) {
  const double largest_per_s = std::min(largest_rounding / probed.macro_step_s,
                                        std::log(allowed_session_growth) / probed.session_s);
  return std::max(smallest_exponent / probed.session_s, largest_per_s);
}

/// Whether it does not grow, whatever the uncertainty leaves open.
bool is_stable(const ProbedMotion& motion, const ProbedGrowth& probed) {
  return motion.at_most_per_s() <= rounding_per_s(probed);
}

/// Whether it is an oscillation that may have no damping.
bool is_undamped(const ProbedMotion& motion, const ProbedGrowth& probed) {
  return motion.turn_rad_s > 0 && motion.at_most_per_s() >= -rounding_per_s(probed);
}

/// By the motions alone; sets which of them decides.
void judge_motions(ProbedGrowth& probed) {
  probed.verdict = GrowthVerdict::stable;
  for (std::size_t i = 0; i < probed.motions.size(); ++i) {
    if (is_stable(probed.motions[i], probed)) {
      continue;
    }
    if (grows(probed.motions[i])) {
      probed.verdict = GrowthVerdict::growing;
      probed.deciding = i;
      return;
    }
    if (probed.verdict == GrowthVerdict::stable) {
      probed.verdict = GrowthVerdict::unknown;
      probed.deciding = i;
    }
  }
}

Notice told_of(NoticeCode code, const ProbedMotion& motion, const ProbedGrowth& probed) {
  return {.code = code,
          .numbers = {{"macro_step_s", probed.macro_step_s},
                      {"rate_per_s", motion.rate_per_s},
                      {"uncertainty_per_s", motion.uncertainty_per_s},
                      {"session_s", probed.session_s}}};
}

NoticeCode code_of(GrowthVerdict verdict) {
  return verdict == GrowthVerdict::growing ? NoticeCode::motion_grows : NoticeCode::motion_may_grow;
}

/// Whether the problem is linear up to this; else a finding says so with a number of this name.
bool is_linear(double unexplained, std::string_view number, ProbedGrowth& probed) {
  probed.unexplained = std::max(probed.unexplained, unexplained);
  if (unexplained <= largest_unexplained) {
    return true;
  }
  probed.findings = {
      {.code = NoticeCode::outputs_not_linear, .numbers = {{std::string(number), unexplained}}}};
  return false;
}

/// What the records of complete runs of what may be linear say.
void judge(const std::vector<Eigen::MatrixXd>& records, const ProbeRuns& of, ProbedGrowth& probed) {
  const auto model = identify_model(records, largest_unexplained);
  if (!model) {
    probed.findings = {{.code = NoticeCode::nothing_moves}};
    return;
  }
  if (!is_linear(model->unexplained, "unexplained", probed)) {
    return;
  }
  probed.macro_step_s = of.macro_step_s;
  probed.unseen_share = model->unseen_share;
  probed.motions = motions_of(*model, of.interval_s());
  // What changes by less than smallest_exponent in the whole record is a drift: its time would be
  // that of rounding, or of the errors of the subsystems' own solvers.
  probed.slowest_s = slowest_of(probed.motions, of.looked_at_s() / smallest_exponent);
  probed.session_s = probed_session_s(of.plan, of.session_s, probed.slowest_s);
  if (probed.motions.empty()) {
    probed.findings = {{.code = NoticeCode::no_motion_above_rounding}};
    return;
  }
  judge_motions(probed);
  if (probed.verdict != GrowthVerdict::stable) {
    probed.findings = {told_of(code_of(probed.verdict), probed.motions[probed.deciding], probed)};
  }
}

/// Whether a run of a jump completes; else that is the verdict, which is final.
bool completes(const TrialResult& result, std::size_t jump, const ProbeRuns& of,
               ProbedGrowth& probed) {
  probed.cost += result.cost;
  if (result.status == TrialStatus::complete) {
    return true;
  }
  const bool grows =
      result.status == TrialStatus::diverged || result.status == TrialStatus::solver_failed;
  probed.ended = {.jump = jump, .time_s = result.final_time_s};
  probed.verdict = grows ? GrowthVerdict::growing : GrowthVerdict::unknown;
  probed.findings = {
      {.code = NoticeCode::jump_incomplete,
       .subject = of.plan.check_inputs.jumps[jump].name,
       .numbers = {{"macro_step_s", of.macro_step_s / static_cast<double>(of.finer)}},
       .detail = end_text(result)}};
  return false;
}

/// Jumps to run once more with disturbed outputs: the first, and each that moves an output which
/// none of these before it moves, as a disturbance is a share of the output. Records as
/// CheckInputs::jumps are ordered.
std::vector<std::size_t> jumps_to_disturb(const std::vector<Eigen::MatrixXd>& records) {
  std::vector<std::size_t> jumps{std::min<std::size_t>(1, records.size() - 1)};
  auto reached = moving_rows(records[jumps.front()], records[jumps.front()]);
  for (std::size_t jump = 3; jump < records.size(); ++jump) {  // the second is half of the first
    const auto moving = moving_rows(records[jump], records[jump]);
    bool is_new = false;
    for (std::size_t row = 0; row < reached.size(); ++row) {
      is_new |= moving[row] && !reached[row];
      reached[row] = reached[row] || moving[row];
    }
    if (is_new) {
      jumps.push_back(jump);
    }
  }
  return jumps;
}

/// Runs, and what they say. Where a jump moves two limbs alike nothing shows how they move apart,
/// nor does rounding within a run: so runs are disturbed at first, and looked at after. Where no
/// jump moves some output at all, one run is disturbed in what stands still, too.
ProbedGrowth probe_once(const ProbeRuns& of) {
  const auto& jumps = of.plan.check_inputs.jumps;
  std::vector<ProbeInput> inputs;
  for (std::size_t jump = 0; jump < jumps.size(); ++jump) {
    inputs.push_back({of.plan.job.tests.size() + jump});  // inputs() has them behind the tests
  }
  auto recorded = record_runs(of, inputs);
  ProbedGrowth probed;
  std::vector<Eigen::MatrixXd> records;
  for (std::size_t i = 0; i < recorded.size(); ++i) {
    if (!completes(recorded[i].result, i, of, probed)) {
      return probed;
    }
    records.push_back(std::move(recorded[i].record));
  }
  // A model of what is not linear costs many times the runs, and would say nothing.
  if (is_linear(nonlinearity(records), "jump", probed)) {
    auto later = of;
    later.from_s = disturbed_share / (1 - disturbed_share) * of.looked_at_s();
    const auto disturbed = jumps_to_disturb(records);
    std::vector<ProbeInput> again;
    for (const std::size_t jump : disturbed) {
      again.push_back({inputs[jump].input, of.plan.disturbed_variant()});
    }
    auto runs = record_runs(later, again);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!completes(runs[i].result, disturbed[i], of, probed)) {
        return probed;
      }
      records.push_back(std::move(runs[i].record));
    }
    if (!still_outputs(of.graph(), records, records).empty()) {
      const std::vector<ProbeInput> nudged{{inputs.front().input, of.plan.nudged_variant()}};
      auto run = std::move(record_runs(later, nudged).front());
      if (!completes(run.result, 0, of, probed)) {
        return probed;
      }
      records.push_back(std::move(run.record));
    }
    judge(records, of, probed);
  }
  probed.still = still_outputs(of.graph(), records, records);
  return probed;
}

}  // namespace

double probed_session_s(const Plan& plan, const std::optional<double>& known_s, double slowest_s) {
  const bool is_found = slowest_s > 0 && !plan.job.session_s;
  return known_s.value_or(is_found ? session_factor * slowest_s : session_s(plan, nullptr));
}

ProbedGrowth probe_growth(const Plan& plan, std::size_t configuration, double macro_step_s,
                          double duration_s, const RunsOnThreads& runs, std::int64_t finer,
                          std::optional<double> session_s, std::optional<double> longest_s) {
  const double first_s = std::min(duration_s, longest_s.value_or(duration_s));
  ProbeRuns of{.plan = plan,
               .configuration = configuration,
               .macro_step_s = macro_step_s,
               .finer = finer,
               .macro_steps = probed_macro_steps(first_s, macro_step_s),
               .runs = runs,
               .session_s = session_s,
               .longest_s = longest_s};
  return long_enough(of, probe_once);
}

void hold_against_finer(ProbedGrowth& probed, const ProbedGrowth& fine) {
  using enum GrowthVerdict;
  probed.verdict = stable;
  probed.deciding = 0;
  auto others = fine.motions;
  for (std::size_t i = 0; i < probed.motions.size(); ++i) {
    const auto& motion = probed.motions[i];
    if (is_stable(motion, probed)) {
      continue;
    }
    const double exponent = motion.at_most_per_s() * probed.session_s;
    const auto own = same_motion(motion, others);
    const double own_per_s = own && grows(*own) ? (1 + own_growth_share) * own->rate_per_s +
                                                      certain * own->uncertainty_per_s
                                                : 0;
    GrowthVerdict one = grows(motion) ? growing : unknown;
    auto code = code_of(one);
    // An oscillation that is not damped may grow by so much.
    const double allowed_per_s =
        own && is_undamped(*own, probed) ? std::log(allowed_session_growth) / probed.session_s : 0;
    if (allowed_per_s > 0 && exponent <= std::log(allowed_session_growth)) {
      one = within_session;
      code = NoticeCode::undamped_oscillation_allowed;
    } else if (one == growing && motion.at_least_per_s() <= own_per_s) {
      one = unknown;
      code = NoticeCode::grows_with_quarter_too;
    }
    if (one > probed.verdict) {
      probed.verdict = one;
      probed.deciding = i;
      probed.limit_per_s = std::max(own_per_s, allowed_per_s);
      probed.findings = {told_of(code, motion, probed)};
    }
  }
}

}  // namespace macrostep::engine
