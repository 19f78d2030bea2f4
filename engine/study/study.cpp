#include "engine/study/study.hpp"

#include <map>
#include <stdexcept>
#include <utility>
#include <variant>

#include "engine/confirm.hpp"
#include "engine/curve_scan.hpp"
#include "engine/executor.hpp"
#include "engine/recommendation.hpp"
#include "engine/run_checks.hpp"

namespace macrostep::engine {

namespace {

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

CheckRule check_rule(const StudyRule& rule) {
  CheckRule checks{.growth = rule.stability == StabilityCheck::identified,
                   .random_inputs = rule.random_inputs};
  (rule.change_where_unknown ? checks.change_where_unknown : checks.change) = rule.largest_change;
  return checks;
}

RuleOutcome apply(const StudyProblem& problem, const StudyRule& rule, Trials& trials,
                  RunChecks& checks) {
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
  const auto wanted = check_rule(rule);
  if (wanted.checks_anything()) {
    analysis =
        confirm(plan, std::move(analysis), [&](std::size_t configuration, double macro_step_s) {
          auto checked = checks.check(wanted, configuration, macro_step_s);
          outcome.cost += checked.cost;
          ++outcome.checks;
          return checked;
        });
  }
  if (const auto& answer = analysis.recommendation) {
    outcome.configuration = answer->configuration;
    outcome.macro_step_s = answer->macro_step_s;
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
    const Executor executor;
    RunChecks checks(plan, {.executor = executor, .threads = 1, .stop = stop});
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
