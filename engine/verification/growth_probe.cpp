#include "engine/verification/growth_probe.hpp"

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
#include "engine/verification/identified_growth.hpp"

namespace macrostep::engine {

namespace {

/// Outputs that a linear model predicts worse than this from step to step are not linear: what it
/// says of a slow growth is then worth nothing.
constexpr double largest_unexplained = 1e-4;

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

bool grows(const ProbedMotion& motion) {
  return motion.at_least_per_s() > 0;
}

/// Whether it does not grow, whatever the uncertainty leaves open: up to rounding, but in a long
/// session by no more than an undamped oscillation may.
bool is_stable(const ProbedMotion& motion, const ProbedGrowth& probed) {
  const double rounding_per_s = std::min(largest_rounding / probed.macro_step_s,
                                         std::log(allowed_session_growth) / probed.session_s);
  return motion.at_most_per_s() <= std::max(smallest_exponent / probed.session_s, rounding_per_s);
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

/// What the records of complete runs say.
void judge(const std::vector<Eigen::MatrixXd>& records, const ProbeRuns& of, ProbedGrowth& probed) {
  const auto is_linear = [&](std::string_view number, double unexplained) {
    probed.unexplained = std::max(probed.unexplained, unexplained);
    if (unexplained <= largest_unexplained) {
      return true;
    }
    probed.findings = {
        {.code = NoticeCode::outputs_not_linear, .numbers = {{std::string(number), unexplained}}}};
    return false;
  };
  if (!is_linear("jump", nonlinearity(records))) {
    return;  // a model of it costs many times the runs, and would say nothing
  }
  const auto model = identify_model(records, largest_unexplained);
  if (!model) {
    probed.findings = {{.code = NoticeCode::nothing_moves}};
    return;
  }
  if (!is_linear("unexplained", model->unexplained)) {
    return;
  }
  probed.macro_step_s = of.macro_step_s;
  probed.motions = motions_of(*model, of.interval_s());
  probed.slowest_s = slowest_of(probed.motions);
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

/// Runs, and what they say. The verdict of what does not complete is final.
ProbedGrowth probe_once(const ProbeRuns& of) {
  const auto& jumps = of.plan.check_inputs.jumps;
  std::vector<RecordedRun> recorded(jumps.size());
  of.runs.backend.for_each_index(jumps.size(), of.runs.threads, [&](std::size_t i) {
    recorded[i] = record_run(of, of.plan.job.tests.size() + i);  // inputs() has them there
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
      probed.ended = {.jump = i, .time_s = result.final_time_s};
      probed.verdict = grows ? GrowthVerdict::growing : GrowthVerdict::unknown;
      probed.findings = {
          {.code = NoticeCode::jump_incomplete,
           .subject = jumps[i].name,
           .numbers = {{"macro_step_s", of.macro_step_s / static_cast<double>(of.finer)}},
           .detail = end_text(result)}};
      return probed;
    }
    records.push_back(std::move(recorded[i].record));
  }
  judge(records, of, probed);
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
  ProbeRuns of{.plan = plan,
               .configuration = configuration,
               .macro_step_s = macro_step_s,
               .finer = finer,
               .macro_steps = probed_macro_steps(duration_s, macro_step_s),
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
    const double allowed_per_s = own && motion.turn_rad_s > 0 && own->at_most_per_s() >= 0
                                     ? std::log(allowed_session_growth) / probed.session_s
                                     : 0;
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
