#include "engine/verification/growth_checks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <utility>

#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

constexpr std::int64_t quarter = 4;
/// What ends in a jump has so many times as long to end so with a smaller macro-step, and a run up
/// to there so many macro-steps.
constexpr double ends_up_to = 2;
constexpr double most_to_the_end = 500'000;
/// Share of the time to there that is looked at instead.
constexpr double before_the_end = 0.9;
/// Smaller macro-steps that must not grow either, by this ratio. Islands of instability that are
/// narrower are missed, but for resonances. Deviation from the ratio 1.02 from H/32 on: that would
/// be 180 probes of runs for each H that is checked.
constexpr double growth_grid_ratio = 1.25;
/// Two oscillations whose turns within a macro-step add up to a full one excite each other, in
/// bands a few percent wide. From where the fastest turns by somewhat less than half a one [rad],
/// bands are looked for by this ratio.
constexpr double resonant_turn = 2.5;
constexpr double resonance_grid_ratio = 1.02;
/// What takes part in that: of all that moves, and after a macro-step of itself.
constexpr double least_resonant_share = 1e-3;
constexpr double resonant_remainder = 0.5;

/// [rad/s]; 0 where nothing oscillates.
double fastest_turn(const ProbedGrowth& probed, double macro_step_s) {
  double fastest = 0;
  for (const auto& motion : probed.motions) {
    if (motion.share >= least_resonant_share &&
        std::exp(motion.rate_per_s * macro_step_s) >= resonant_remainder) {
      fastest = std::max(fastest, motion.turn_rad_s);
    }
  }
  return fastest;
}

}  // namespace

GrowthChecks::GrowthChecks(const Plan& plan, PerformTasks perform, std::optional<double> session_s)
    : plan_(plan),
      perform_(std::move(perform)),
      session_s_(session_s),
      duration_s_(longest_test_s(plan)) {}

/// Whether what ends in a jump ends so with the smallest macro-step, too: then the jump has no
/// solution to follow, or one that leaves every bound, as where nothing holds a shaft.
bool GrowthChecks::ends_by_itself(CheckedStep run, const EndedJump& ended, double& cost) {
  const double duration_s = ends_up_to * ended.time_s;
  const double fine_s =
      std::min(run.second / static_cast<double>(quarter),
               std::max(plan_.job.macro_step.initial_s, duration_s / most_to_the_end));
  const std::vector<RunTask> task{{.run = {.configuration = run.first,
                                           .input = plan_.job.tests.size() + ended.jump,
                                           .macro_step_s = fine_s,
                                           .until_s = duration_s}}};
  const auto result = results_of<TrialResult>(perform_, task).front();
  cost += result.cost;
  return result.status == TrialStatus::diverged || result.status == TrialStatus::solver_failed;
}

ProbedGrowth GrowthChecks::probe(CheckedStep run, std::int64_t times) {
  const auto ends_s = ends_s_.find(run);
  const std::vector<ProbeTask> task{
      {.configuration = run.first,
       .macro_step_s = run.second,
       .duration_s = duration_s_,
       .finer = times,
       .session_s = session_s_,
       .longest_s = ends_s == ends_s_.end() ? std::nullopt
                                            : std::optional(before_the_end * ends_s->second)}};
  return std::move(results_of<ProbedGrowth>(perform_, task).front());
}

/// What leaves every bound in a jump that lasts, as a body that nothing holds, is looked at up to
/// there.
const ProbedGrowth& GrowthChecks::probed(CheckedStep run, std::int64_t times) {
  auto found = growth_.find({run, times});
  if (found == growth_.end()) {
    auto made = probe(run, times);
    if (times == 1 && made.ended && made.verdict == GrowthVerdict::growing &&
        ends_by_itself(run, *made.ended, made.cost)) {
      ends_s_.emplace(run, made.ended->time_s);
      auto shorter = probe(run, times);
      shorter.cost += made.cost;
      if (shorter.ended) {
        shorter.verdict = GrowthVerdict::unknown;
        shorter.findings.front().code = NoticeCode::jump_incomplete_with_smaller_too;
      }
      made = std::move(shorter);
    }
    found = growth_.emplace(std::pair(run, times), std::move(made)).first;
  }
  return found->second;
}

ProbedGrowth GrowthChecks::judged(CheckedStep run, double& cost) {
  auto probed = this->probed(run, 1);
  cost += probed.cost;
  if (!probed.motions.empty() && probed.verdict != GrowthVerdict::stable) {
    const auto& fine = this->probed(run, quarter);
    cost += fine.cost;
    hold_against_finer(probed, fine);
  }
  if (probed.verdict <= GrowthVerdict::within_session && !probed.still.empty()) {
    const auto& coupling = plan_.coupling(plan_.configurations[run.first]);
    probed.verdict = GrowthVerdict::unknown;
    probed.findings = {
        {.code = NoticeCode::outputs_not_moved, .subject = output_list(coupling, probed.still)}};
  }
  return probed;
}

CheckOutcome GrowthChecks::at(CheckedStep run, double& cost) {
  const auto probed = judged(run, cost);
  CheckOutcome outcome{.check = "growth", .findings = probed.findings};
  if (!probed.motions.empty()) {
    outcome.value = probed.motions[probed.deciding].at_most_per_s();
    outcome.limit = probed.limit_per_s;
  }
  switch (probed.verdict) {
    case GrowthVerdict::stable:
    case GrowthVerdict::within_session:
      outcome.verdict = Verdict::agrees;
      outcome.within_session = probed.verdict == GrowthVerdict::within_session;
      break;
    case GrowthVerdict::unknown:
      outcome.verdict = Verdict::unknown;
      outcome.grows_by_itself = probed.findings.front().code == NoticeCode::grows_with_quarter_too;
      break;
    case GrowthVerdict::growing:
      outcome.verdict = Verdict::objects;
      break;
  }
  return outcome;
}

/// What objects to the macro-step itself, to a smaller one or to one within the margin, else
/// `outcome`. The smaller ones are powers of a ratio times the first of the scan, the same for
/// every H, so that none is looked at twice.
CheckOutcome GrowthChecks::below(CheckedStep run, CheckOutcome outcome, double& cost) {
  const auto asked = [&](double from_s, double to_s, double ratio) {
    const double first_s = plan_.job.macro_step.initial_s;
    const double first_power = std::ceil(std::log(from_s / first_s) / std::log(ratio));
    const double powers = std::log(to_s / from_s) / std::log(ratio) + 1;
    std::vector<double> list;
    for (int k = 0; k < powers; ++k) {
      const double at_s = first_s * std::pow(ratio, first_power + k);
      if (at_s >= to_s) {
        break;
      }
      list.push_back(at_s);
    }
    return list;
  };
  const auto objection = [&](double at_s) -> std::optional<CheckOutcome> {
    auto other = at({run.first, at_s}, cost);
    if (other.verdict != Verdict::objects) {
      return std::nullopt;
    }
    if (at_s < run.second) {
      other.findings = {{.code = NoticeCode::smaller_step_grows,
                         .numbers = {{"macro_step_s", at_s}},
                         .causes = std::move(other.findings)}};
    }
    return other;
  };
  auto coarse = asked(run.second / growth_grid_depth, run.second, growth_grid_ratio);
  coarse.insert(coarse.begin(), run.second);
  double fastest_rad_s = 0;
  for (const double at_s : coarse) {
    if (auto found = objection(at_s)) {
      return *std::move(found);
    }
    fastest_rad_s = std::max(fastest_rad_s, fastest_turn(probed({run.first, at_s}, 1), at_s));
  }
  const double margin_s = growth_margin * run.second;
  if (fastest_rad_s * margin_s <= resonant_turn) {
    return outcome;
  }
  const double resonant_s = std::max(resonant_turn / fastest_rad_s, run.second / growth_grid_depth);
  for (const double at_s : asked(resonant_s, margin_s, resonance_grid_ratio)) {
    if (auto found = objection(at_s)) {
      return *std::move(found);
    }
  }
  return outcome;
}

const AroundStates& GrowthChecks::probed_states(CheckedStep run) {
  auto found = states_.find(run);
  if (found == states_.end()) {
    auto made = engine::around_states(plan_, plan_.configurations[run.first],
                                      [&](const std::vector<std::size_t>& points) {
                                        std::vector<StateTask> tasks;
                                        for (const std::size_t point : points) {
                                          tasks.push_back({.configuration = run.first,
                                                           .macro_step_s = run.second,
                                                           .duration_s = duration_s_,
                                                           .point = point});
                                        }
                                        return results_of<StateMotions>(perform_, tasks);
                                      });
    if (!made.findings.empty()) {
      made.findings.front().numbers.push_back({"macro_step_s", run.second});
    }
    found = states_.emplace(run, std::move(made)).first;
  }
  return found->second;
}

/// What the motions around states say, where the problem is not linear; else `outcome`.
CheckOutcome GrowthChecks::around_states(CheckedStep run, CheckOutcome outcome, double& cost) {
  if (is_linear_nowhere_) {
    outcome.findings.push_back({.code = NoticeCode::states_not_linear});
    return outcome;
  }
  const auto& around = probed_states(run);
  cost += around.cost;
  is_linear_nowhere_ = around.is_linear_nowhere;
  std::ranges::copy(around.findings, std::back_inserter(outcome.findings));
  if (around.verdict == GrowthVerdict::unknown) {
    return outcome;
  }
  outcome.verdict = around.verdict == GrowthVerdict::growing ? Verdict::objects : Verdict::agrees;
  outcome.value = around.rate_per_s;
  outcome.limit = around.limit_per_s;
  return outcome;
}

std::optional<SessionGrowth> GrowthChecks::told_around_states(CheckedStep run) {
  if (is_linear_nowhere_) {
    return std::nullopt;
  }
  const auto& around = probed_states(run);
  if (around.verdict != GrowthVerdict::stable || !around.rate_per_s) {
    return std::nullopt;
  }
  return SessionGrowth{.growth = {.kind = GrowthKind::stable, .rate_per_s = *around.rate_per_s},
                       .session_s = probed_session_s(plan_, session_s_, around.slowest_s),
                       .by = VerdictBy::operating_points,
                       .uncertainty_per_s = around.uncertainty_per_s.value_or(0),
                       .unseen_share = around.unseen_share};
}

std::optional<SessionGrowth> GrowthChecks::told(std::size_t configuration, double macro_step_s) {
  const auto own = linearity_.find({configuration, growth_margin * macro_step_s});
  const bool is_linear =
      own != linearity_.end() && own->second.is_linear() && own->second.compared > 0;
  if (nonlinearity_ && !is_linear) {
    return told_around_states({configuration, margin_where_not_linear * macro_step_s});
  }
  for (const double at_s : {macro_step_s, growth_margin * macro_step_s}) {
    double cost = 0;
    const auto probed = judged({configuration, at_s}, cost);
    if (probed.verdict == GrowthVerdict::growing) {
      return std::nullopt;
    }
    if (probed.verdict == GrowthVerdict::unknown) {
      continue;
    }
    const bool is_stable = probed.verdict == GrowthVerdict::stable;
    const auto& fastest = probed.motions[probed.deciding];
    return SessionGrowth{
        .growth = {.kind = is_stable ? GrowthKind::stable : GrowthKind::within_session,
                   .rate_per_s = fastest.rate_per_s},
        .session_s = probed.session_s,
        .by = VerdictBy::identified,
        .uncertainty_per_s = fastest.uncertainty_per_s,
        .unseen_share = probed.unseen_share};
  }
  return told_around_states({configuration, margin_where_not_linear * macro_step_s});
}

/// `outcome` of a growth, unless lasting inputs show that the problem is not linear: what a linear
/// model says of jumps is then true as far as they go. Once seen, that holds for every run; it is
/// looked for where checks are made `in_full`.
CheckOutcome GrowthChecks::if_linear(CheckedStep run, bool in_full, CheckOutcome outcome,
                                     double& cost) {
  if (!nonlinearity_ && in_full) {
    auto found = linearity_.find(run);
    if (found == linearity_.end()) {
      const std::vector<LinearityTask> task{
          {.configuration = run.first, .macro_step_s = run.second}};
      found = linearity_.emplace(run, results_of<Linearity>(perform_, task).front()).first;
    }
    const auto& linearity = found->second;
    cost += linearity.cost;
    if (!linearity.is_linear()) {
      nonlinearity_ = {.code = NoticeCode::lasting_input_not_linear,
                       .subject = linearity.input,
                       .numbers = {{"share", linearity.nonlinear_share}}};
    } else if (linearity.compared == 0 && !plan_.problem.external_inputs.empty()) {
      return {.check = "growth",
              .findings = {{.code = NoticeCode::probe_without_result,
                            .detail = linearity.reason.empty()
                                          ? "no lasting input completes, whole and halved"
                                          : linearity.reason}}};
    }
  }
  return nonlinearity_ ? CheckOutcome{.check = "growth", .findings = {*nonlinearity_}}
                       : std::move(outcome);
}

}  // namespace macrostep::engine
