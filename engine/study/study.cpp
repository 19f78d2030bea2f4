#include "engine/study/study.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <variant>

#include "engine/confirm.hpp"
#include "engine/curve_flags.hpp"
#include "engine/curve_scan.hpp"
#include "engine/growth_probe.hpp"
#include "engine/random_input.hpp"
#include "engine/recommendation.hpp"
#include "engine/refinement.hpp"
#include "engine/stability.hpp"

namespace macrostep::engine {

namespace {

/// Random inputs of a check are the same for all problems, up to their times and ranges.
constexpr std::uint64_t checking_seed = 0x6d616372;
/// And change so many times, about.
constexpr double changes = 40;

/// Trials of a problem, each run once for all rules that ask for it.
class Trials {
 public:
  Trials(const Plan& plan, const std::atomic<bool>* stop) : plan_(plan), stop_(stop) {}

  const TrialResult& at(std::size_t curve, double macro_step_s) {
    const auto found = results_.find({curve, macro_step_s});
    if (found != results_.end()) {
      return found->second;
    }
    const auto key = plan_.curves[curve];
    return results_
        .emplace(std::pair(curve, macro_step_s),
                 run_trial(plan_, {.configuration = &plan_.configurations[key.configuration],
                                   .test = &plan_.job.tests[key.test],
                                   .macro_step_s = macro_step_s,
                                   .stop = stop_}))
        .first->second;
  }

 private:
  const Plan& plan_;
  const std::atomic<bool>* stop_;
  std::map<std::pair<std::size_t, double>, TrialResult> results_;
};

Plan planned(const Job& job) {
  auto plan = make_plan(job);
  if (const auto* errors = std::get_if<FieldErrors>(&plan)) {
    throw std::runtime_error(errors->front().pointer + ": " + errors->front().message);
  }
  return std::get<Plan>(std::move(plan));
}

Job with_rule(Job job, const StudyRule& rule) {
  job.linear_region.rule = rule.rule;
  job.linear_region.tolerance = rule.tolerance;
  job.linear_region.points = rule.points;
  job.relative_residual_max = rule.relative_residual_max;
  job.stability_check = rule.stability;
  return job;
}

/// Checks of what rules recommend, each made once for all rules that ask for it.
class Checks {
 public:
  Checks(const Plan& plan, const std::atomic<bool>* stop)
      : plan_(plan), stop_(stop), duration_s_(longest_test_s(plan)), tests_(plan.job.tests) {
    Random random(checking_seed, 0);
    for (auto& test :
         random_inputs(random, plan.problem.external_inputs,
                       {.shortest_s = duration_s_ / changes, .duration_s = duration_s_})) {
      tests_.push_back(std::move(test));
    }
  }

  const ProbedGrowth& growth(std::size_t configuration, double macro_step_s) {
    const std::pair key(configuration, macro_step_s);
    auto found = growth_.find(key);
    if (found == growth_.end()) {
      found = growth_
                  .emplace(key, probe_growth(plan_, plan_.configurations[configuration],
                                             macro_step_s, duration_s_, stop_))
                  .first;
    }
    return found->second;
  }

  /// Above the limit it may be that of one test alone.
  const Refinement& change(std::size_t configuration, double macro_step_s, double limit,
                           bool random_too) {
    auto& known = changes_[{{configuration, macro_step_s}, random_too}];
    const bool is_of_one_test = known.refinement.change && known.limit < *known.refinement.change;
    if (known.limit == 0 || (is_of_one_test && *known.refinement.change <= limit)) {
      const auto tests =
          random_too ? std::span(tests_) : std::span(tests_).first(plan_.job.tests.size());
      known.refinement =
          refine(plan_, plan_.configurations[configuration], macro_step_s, tests, limit, stop_);
      known.limit = limit;
    }
    return known.refinement;
  }

 private:
  using Key = std::pair<std::size_t, double>;
  struct Change {
    Refinement refinement;
    double limit = 0;  ///< with which it was found; 0: it was not
  };

  const Plan& plan_;
  const std::atomic<bool>* stop_;
  double duration_s_;
  std::vector<TestInput> tests_;  ///< those of the job, then random ones
  std::map<Key, ProbedGrowth> growth_;
  std::map<std::pair<Key, bool>, Change> changes_;
};

/// Whether what a rule recommends stands its checks; adds up what they cost.
bool stands(const StudyRule& rule, Checks& checks, std::size_t configuration, double macro_step_s,
            RuleOutcome& outcome) {
  const auto changes_little = [&] {
    const auto& refined =
        checks.change(configuration, macro_step_s, *rule.largest_change, rule.random_inputs);
    ++outcome.checks;
    outcome.cost += refined.cost;
    return refined.change && *refined.change <= *rule.largest_change;
  };
  if (rule.largest_change && !rule.change_where_unknown && !changes_little()) {
    return false;
  }
  if (rule.stability != StabilityCheck::identified) {
    return true;
  }
  const auto& probed = checks.growth(configuration, macro_step_s);
  ++outcome.checks;
  outcome.cost += probed.cost;
  if (probed.verdict == GrowthVerdict::unknown && rule.change_where_unknown) {
    return changes_little();
  }
  return probed.verdict != GrowthVerdict::growing;
}

RuleOutcome apply(const StudyProblem& problem, const StudyRule& rule, Trials& trials,
                  Checks& checks) {
  RuleOutcome outcome{.rule = rule.name, .configuration = {}, .quality = {}};
  const auto plan = planned(with_rule(problem.job, rule));
  std::vector<Curve> curves;
  for (std::size_t id = 0; id < plan.curves.size(); ++id) {
    CurveScan scan(plan, id);
    while (const auto macro_step_s = scan.next()) {
      const auto& result = trials.at(id, *macro_step_s);
      outcome.cost += result.cost;
      scan.add(result);
    }
    curves.push_back(finish_curve(plan, id, scan));
  }
  auto analysis = recommend(plan, std::move(curves));
  const auto confirmed = confirm(
      plan, std::move(analysis),
      [&](std::size_t configuration, double macro_step_s) {
        return stands(rule, checks, configuration, macro_step_s, outcome);
      },
      rule.largest_change ? cut_at_refinement : cut_at_identified_growth);
  if (confirmed.holds) {
    outcome.configuration = confirmed.analysis.recommendation->configuration;
    outcome.macro_step_s = confirmed.analysis.recommendation->macro_step_s;
  }
  return outcome;
}

}  // namespace

const std::vector<StudyRule>& study_rules() {
  using enum StabilityCheck;
  static const std::vector<StudyRule> rules{
      {.name = "local_power_law", .rule = Rule::local_power_law, .points = 5},
      {.name = "tangent", .rule = Rule::tangent, .points = 5},
      {.name = "baseline_power_law", .rule = Rule::baseline_power_law, .points = 8},
      {.name = "baseline, residual ≤ 5 %",
       .rule = Rule::baseline_power_law,
       .points = 8,
       .relative_residual_max = 0.05},
      {.name = "baseline, residual ≤ 1 %",
       .rule = Rule::baseline_power_law,
       .points = 8,
       .relative_residual_max = 0.01},
      {.name = "local, growth",
       .rule = Rule::local_power_law,
       .points = 5,
       .stability = identified},
      {.name = "baseline, growth",
       .rule = Rule::baseline_power_law,
       .points = 8,
       .stability = identified},
      {.name = "local, growth or change ≤ 50 %",
       .rule = Rule::local_power_law,
       .points = 5,
       .stability = identified,
       .largest_change = 0.5,
       .change_where_unknown = true},
      {.name = "baseline, growth or random change ≤ 50 %",
       .rule = Rule::baseline_power_law,
       .points = 8,
       .stability = identified,
       .largest_change = 0.5,
       .change_where_unknown = true,
       .random_inputs = true},
      {.name = "baseline, growth or random change ≤ 25 %",
       .rule = Rule::baseline_power_law,
       .points = 8,
       .stability = identified,
       .largest_change = 0.25,
       .change_where_unknown = true,
       .random_inputs = true},
      {.name = "local, exact stability",
       .rule = Rule::local_power_law,
       .points = 5,
       .stability = exact},
      {.name = "residual ≤ 10 %, change ≤ 2 %, growth",
       .rule = Rule::local_power_law,
       .points = 5,
       .relative_residual_max = 0.1,
       .stability = identified,
       .largest_change = 0.02},
      {.name = "residual ≤ 10 %, random change ≤ 4 %, growth",
       .rule = Rule::local_power_law,
       .points = 5,
       .relative_residual_max = 0.1,
       .stability = identified,
       .largest_change = 0.04,
       .random_inputs = true},
      {.name = "residual ≤ 10 %, random change ≤ 3 %, growth",
       .rule = Rule::local_power_law,
       .points = 5,
       .relative_residual_max = 0.1,
       .stability = identified,
       .largest_change = 0.03,
       .random_inputs = true}};
  return rules;
}

StudyRow study_problem(std::uint64_t seed, std::uint64_t number, const std::atomic<bool>* stop) {
  const auto problem = make_study_problem(seed, number);
  StudyRow row{.number = number,
               .family = problem.family,
               .description = problem.description,
               .initial_macro_step_s = problem.job.macro_step.initial_s,
               .largest_macro_step_s = problem.job.macro_step.maximum_s,
               .configurations = {},
               .limits = {},
               .outcomes = {},
               .failure = {}};
  try {
    const auto plan = planned(problem.job);
    const Truth truth(problem, plan, stop);
    for (const auto& configuration : plan.configurations) {
      row.configurations.push_back(describe(configuration));
      row.limits.push_back(truth.limits(configuration));
    }
    Trials trials(plan, stop);
    Checks checks(plan, stop);
    for (const auto& rule : study_rules()) {
      auto outcome = apply(problem, rule, trials, checks);
      if (outcome.configuration) {
        outcome.quality =
            truth.at(plan.configurations[*outcome.configuration], outcome.macro_step_s);
      }
      row.outcomes.push_back(std::move(outcome));
    }
  } catch (const std::runtime_error& failure) {
    row.failure = failure.what();
  }
  return row;
}

}  // namespace macrostep::engine
