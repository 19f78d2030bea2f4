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

namespace macrostep::engine {

namespace {

/// Outputs that a linear model predicts worse than this from step to step are not linear: what it
/// says of a slow growth is then worth nothing.
constexpr double largest_unexplained = 1e-4;

/// Every second of the lasting inputs tells whether the problem is linear.
constexpr std::size_t lasting_inputs_step = 2;
/// Macro-steps of these runs.
constexpr double most_lasting_steps = 100'000;

/// Share of what an input changes of the free motion that is not twice of what half of it changes.
double nonlinearity(const Eigen::MatrixXd& free, const Eigen::MatrixXd& driven,
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

/// For the first jump; 0 without one. Records as CheckInputs::jumps are ordered.
double nonlinearity(const std::vector<Eigen::MatrixXd>& records) {
  return records.size() < 3 ? 0 : nonlinearity(records[0], records[1], records[2]);
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

/// Runs, and what they say. Where one jump moves two limbs alike nothing shows how they move apart,
/// nor does rounding within a run: so one of the runs is disturbed at first, and looked at after.
ProbedGrowth probe_once(const ProbeRuns& of) {
  const auto& jumps = of.plan.check_inputs.jumps;
  const auto input_of = [&](std::size_t jump) {  // inputs() has them behind the tests
    return of.plan.job.tests.size() + jump;
  };
  std::vector<RecordedRun> recorded(jumps.size());
  of.runs.backend.for_each_index(jumps.size(), of.runs.threads,
                                 [&](std::size_t i) { recorded[i] = record_run(of, input_of(i)); });
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
    const std::size_t disturbed = std::min<std::size_t>(1, jumps.size() - 1);
    auto later = of;
    later.from_s = disturbed_share / (1 - disturbed_share) * of.looked_at_s();
    auto run = record_run(later, input_of(disturbed), of.plan.disturbed_variant());
    if (!completes(run.result, disturbed, of, probed)) {
      return probed;
    }
    records.push_back(std::move(run.record));
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

bool Linearity::is_linear() const {
  return nonlinear_share <= largest_unexplained;
}

Linearity probe_linearity(const Plan& plan, std::size_t configuration, double macro_step_s,
                          const RunsOnThreads& runs) {
  Linearity linearity;
  const auto& lasting = plan.check_inputs.lasting;
  if (lasting.size() < 2) {
    return linearity;  // nothing drives it
  }
  const auto& whole = lasting[0];
  const auto& half = lasting[1];
  const auto place_of = [inputs = plan.inputs()](const TestInput& input) {
    return static_cast<std::size_t>(std::ranges::find(inputs, &input) - inputs.begin());
  };
  std::vector<std::size_t> places{place_of(plan.check_inputs.jumps.front())};  // the free motion
  std::vector<const TestInput*> tried;
  for (std::size_t i = 0; i < whole.size(); i += lasting_inputs_step) {
    tried.push_back(&whole[i]);
    places.push_back(place_of(whole[i]));
    places.push_back(place_of(half[i]));
  }
  const ProbeRuns of{
      .plan = plan,
      .configuration = configuration,
      .macro_step_s = macro_step_s,
      .macro_steps = macro_steps_in(
          std::min(whole.front().duration_s, most_lasting_steps * macro_step_s), macro_step_s),
      .runs = runs,
      .session_s = {},
      .longest_s = {}};
  std::vector<RecordedRun> recorded(places.size());
  runs.backend.for_each_index(places.size(), runs.threads,
                              [&](std::size_t i) { recorded[i] = record_run(of, places[i]); });
  const auto is_complete = [&](std::size_t i) {
    return recorded[i].result.status == TrialStatus::complete;
  };
  for (std::size_t i = 0; i < tried.size() && is_complete(0); ++i) {
    const std::size_t at = 1 + 2 * i;
    if (!is_complete(at) || !is_complete(at + 1)) {
      continue;
    }
    const double share =
        nonlinearity(recorded[0].record, recorded[at].record, recorded[at + 1].record);
    if (share > linearity.nonlinear_share) {
      linearity.nonlinear_share = share;
      linearity.input = tried[i]->name;
    }
  }
  for (const auto& run : recorded) {
    linearity.cost += run.result.cost;
  }
  return linearity;
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
