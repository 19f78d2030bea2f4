#include "engine/verification/run_checks.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

/// What is unstable in a problem that is not linear swings farther than so many times the swing of
/// the finer run, and so does a run with a macro-step that is smaller by this margin under some
/// input that was not tried (README.md).
constexpr double largest_swing = 2;
constexpr double margin = 1.25;
/// An error of the named accuracy shows as this share of it in the change: chosen by the study.
constexpr double change_of_accuracy = 0.5;
/// Limit for a run whose accuracy nobody asked for: off by as much as the outputs move.
constexpr double stable_unseen = 1;
constexpr int finer = 4;
/// What ends in a jump has so many times as long to end so with a smaller macro-step, and a run up
/// to there so many macro-steps.
constexpr double ends_up_to = 2;
constexpr double most_to_the_end = 500'000;
/// Share of the time to there that is looked at instead.
constexpr double before_the_end = 0.9;
/// Smaller macro-steps that must not grow either, by this ratio. Islands
/// of instability that are narrower are missed, but for resonances. Deviation from the ratio 1.02
/// from H/32 of the exact analysis: that would be 180 probes of runs for each H that is checked.
constexpr double growth_grid_ratio = 1.25;
/// Two oscillations whose turns within a macro-step add up to a full one excite each other, in
/// bands a few percent wide. From where the fastest turns by somewhat less than half a one [rad],
/// bands are looked for by this ratio.
constexpr double resonant_turn = 2.5;
constexpr double resonance_grid_ratio = 1.02;
/// What takes part in that: of all that moves, and after a macro-step of itself.
constexpr double resonant_share = 1e-3;
constexpr double resonant_remainder = 0.5;

/// [rad/s]; 0 where nothing oscillates.
double fastest_turn(const ProbedGrowth& probed, double macro_step_s) {
  double fastest = 0;
  for (const auto& motion : probed.motions) {
    if (motion.share >= resonant_share &&
        std::exp(motion.rate_per_s * macro_step_s) >= resonant_remainder) {
      fastest = std::max(fastest, motion.turn_rad_s);
    }
  }
  return fastest;
}

}  // namespace

CheckRule check_rule(const Job& job) {
  CheckRule rule;
  if (job.stability_check == StabilityCheck::all ||
      job.stability_check == StabilityCheck::identified) {
    rule.growth = true;
    rule.swing_where_unknown = largest_swing;
    rule.margin = margin;
    rule.states = true;
  }
  if (job.accuracy) {
    rule.change = change_of_accuracy * *job.accuracy;
  }
  if (job.validate_unseen) {
    rule.unseen = job.accuracy.value_or(stable_unseen);
  }
  return rule;
}

bool CheckedRun::passes() const {
  return std::ranges::none_of(
      outcomes, [](const CheckOutcome& outcome) { return outcome.verdict == Verdict::objects; });
}

Evidence CheckedRun::evidence() const {
  if (is_exact) {
    return Evidence::growth;
  }
  const auto growth = std::ranges::find(outcomes, "growth", &CheckOutcome::check);
  if (growth != outcomes.end() && growth->verdict == Verdict::agrees) {
    return growth->within_session ? Evidence::growth_within_session : Evidence::growth;
  }
  return tells_stable(outcomes) ? Evidence::swing : Evidence::none;
}

bool CheckedRun::lacks(Evidence asked) const {
  return std::ranges::find(outcomes, "growth", &CheckOutcome::check) != outcomes.end() &&
         evidence() < asked;
}

RunChecks::RunChecks(const Plan& plan, const PerformTasks& perform, std::optional<double> session_s)
    : plan_(plan),
      perform_(perform),
      session_s_(session_s),
      duration_s_(longest_test_s(plan)),
      comparisons_(plan, perform) {}

CheckedRun RunChecks::check(const CheckRule& rule, std::size_t configuration, double macro_step_s) {
  const Run run(configuration, macro_step_s);
  CheckedRun checked;
  const auto add = [&](CheckOutcome outcome) {
    checked.outcomes.push_back(std::move(outcome));
    return checked.passes();
  };
  using enum Comparisons::Quantity;
  Comparisons::RandomInputs random, fast;
  if (rule.random_inputs) {
    random = {&plan_.check_inputs.random};
    fast = {&plan_.check_inputs.fast};
    if (rule.fast_inputs) {
      random.push_back(&plan_.check_inputs.fast);
    }
  }
  // The cheaper ones first: the first that objects ends it.
  bool unknown = false;
  double cost_of_swings = 0;
  bool& is_linear = checked.is_linear;
  if (rule.growth) {
    auto outcome = growth({configuration, growth_margin * macro_step_s}, checked.cost);
    if (outcome.verdict == Verdict::agrees && rule.growth_below) {
      outcome = growth_below(run, std::move(outcome), checked.cost);
    } else if (outcome.verdict == Verdict::unknown && !outcome.value) {
      is_linear = false;
      if (rule.states) {
        if (rule.swing_where_unknown && !is_linear_nowhere_) {
          auto swings = comparisons_.compare(swing, run, *rule.swing_where_unknown, true, random,
                                             cost_of_swings);
          if (swings.verdict == Verdict::objects) {
            checked.cost += cost_of_swings;
            add(std::move(outcome));
            add(std::move(swings));
            return checked;
          }
        }
        outcome = around_states({configuration, rule.margin * macro_step_s}, std::move(outcome),
                                checked.cost);
      }
    }
    unknown = outcome.verdict == Verdict::unknown;
    // Where it agrees they are looked at once more.
    checked.cost += outcome.verdict == Verdict::agrees ? 0 : cost_of_swings;
    if (!add(std::move(outcome)) || (unknown && rule.ends_at_unknown)) {
      return checked;
    }
  }
  // Where states have a verdict they have it with the margin.
  const bool may_swing = unknown || !is_linear;
  const Run with_margin(configuration, (is_linear ? growth_margin : rule.margin) * macro_step_s);
  const auto& beyond = unknown ? with_margin : run;
  const auto passes = [&](Comparisons::Quantity quantity, Run at,
                          const std::optional<double>& limit,
                          const Comparisons::RandomInputs& inputs) {
    if (!limit) {
      return true;
    }
    return add(comparisons_.compare(quantity, at, *limit, true, inputs, checked.cost));
  };
  if (!passes(change, run, rule.change, fast)) {
    return checked;
  }
  if (may_swing && (!passes(swing, beyond, rule.swing_where_unknown, random) ||
                    !passes(change, beyond, rule.change_where_unknown, random))) {
    return checked;
  }
  const bool has_long_motions = may_swing && rule.swing_where_unknown && rule.long_motions;
  if (!rule.in_full && (has_long_motions || rule.unseen)) {
    checked.is_whole = false;
    return checked;
  }
  if (has_long_motions) {
    auto outcome = comparisons_.compare_long(beyond, *rule.swing_where_unknown, checked.cost);
    if (outcome.verdict == Verdict::objects) {
      add(std::move(outcome));
      return checked;
    }
    auto other = comparisons_.complete_lasting(unknown ? run : with_margin, checked.cost);
    if (other.verdict == Verdict::objects) {
      add(std::move(other));
      return checked;
    }
    // That they agree is no evidence where some output has not moved.
    auto& swing = *std::ranges::find(checked.outcomes, "swing", &CheckOutcome::check);
    swing.value = std::max(swing.value, outcome.value);
    if (other.verdict == Verdict::unknown) {
      swing.verdict = Verdict::unknown;
    }
    for (auto* more : {&outcome, &other}) {
      std::ranges::move(more->findings, std::back_inserter(swing.findings));
    }
  }
  if (rule.unseen) {
    add(comparisons_.compare(error, run, *rule.unseen, false, {&plan_.check_inputs.unseen},
                             checked.cost));
  }
  return checked;
}

/// Whether what ends in a jump ends so with the smallest macro-step, too: then the jump has no
/// solution to follow, or one that leaves every bound, as where nothing holds a shaft.
bool RunChecks::ends_by_itself(Run run, const EndedJump& ended, double& cost) {
  const double duration_s = ends_up_to * ended.time_s;
  const double fine_s = std::min(
      run.second / finer, std::max(plan_.job.macro_step.initial_s, duration_s / most_to_the_end));
  const auto& jump = plan_.check_inputs.jumps.at(ended.jump);
  std::vector<RunTask> task{{.run = comparisons_.input_run({run.first, fine_s}, &jump)}};
  task.front().run.until_s = duration_s;
  const auto result = results_of<TrialResult>(perform_, task).front();
  cost += result.cost;
  return result.status == TrialStatus::diverged || result.status == TrialStatus::solver_failed;
}

ProbedGrowth RunChecks::probe(Run run, std::int64_t times) {
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
const ProbedGrowth& RunChecks::probed(Run run, std::int64_t times) {
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

ProbedGrowth RunChecks::judged_growth(Run run, double& cost) {
  auto probed = this->probed(run, 1);
  cost += probed.cost;
  if (!probed.motions.empty() && probed.verdict != GrowthVerdict::stable) {
    const auto& fine = this->probed(run, finer);
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

CheckOutcome RunChecks::growth(Run run, double& cost) {
  const auto probed = judged_growth(run, cost);
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
CheckOutcome RunChecks::growth_below(Run run, CheckOutcome outcome, double& cost) {
  const auto asked = [&](double from_s, double to_s, double ratio) {
    std::vector<double> list;
    const double first_s = plan_.job.macro_step.initial_s;
    for (double power = std::ceil(std::log(from_s / first_s) / std::log(ratio));; ++power) {
      const double at_s = first_s * std::pow(ratio, power);
      if (at_s >= to_s) {
        return list;
      }
      list.push_back(at_s);
    }
  };
  const auto objection = [&](double at_s) -> std::optional<CheckOutcome> {
    auto other = growth({run.first, at_s}, cost);
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

const AroundStates& RunChecks::probed_states(Run run) {
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
CheckOutcome RunChecks::around_states(Run run, CheckOutcome outcome, double& cost) {
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

std::optional<SessionGrowth> RunChecks::growth_around_states(Run run) {
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
                       .uncertainty_per_s = around.uncertainty_per_s.value_or(0)};
}

std::optional<SessionGrowth> RunChecks::identified_growth(std::size_t configuration,
                                                          double macro_step_s) {
  for (const double at_s : {macro_step_s, growth_margin * macro_step_s}) {
    double cost = 0;
    const auto probed = judged_growth({configuration, at_s}, cost);
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
        .uncertainty_per_s = fastest.uncertainty_per_s};
  }
  return growth_around_states({configuration, margin * macro_step_s});
}

}  // namespace macrostep::engine
