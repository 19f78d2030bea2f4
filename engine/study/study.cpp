#include "engine/study/study.hpp"

#include <algorithm>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "engine/base/text.hpp"
#include "engine/ensemble/trial_backend.hpp"
#include "engine/job/bond_order.hpp"
#include "engine/recommendation/confidence.hpp"
#include "engine/recommendation/confirm.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/recommendation/recommendation.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/scan/finish_curve.hpp"
#include "engine/search/run_search.hpp"
#include "engine/study/curve_rules.hpp"
#include "engine/study/draw_problem.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::engine {

namespace {

/// Trials of a problem, each run once for all rules that ask for it.
class KnownTrials {
 public:
  KnownTrials(const Plan& plan, const std::atomic<bool>* stop) : plan_(plan), stop_(stop) {}

  const TrialResult& at(std::size_t configuration, const TestInput& test, double macro_step_s) {
    const Key key(configuration, test.name, macro_step_s);
    const auto found = results_.find(key);
    if (found != results_.end()) {
      return found->second;
    }
    return results_
        .emplace(key, run_trial(plan_, {.configuration = &plan_.configurations[configuration],
                                        .test = &test,
                                        .macro_step_s = macro_step_s,
                                        .stop = stop_}))
        .first->second;
  }

  ResidualGrowth residual_growth_of(std::size_t configuration, double macro_step_s) const {
    return residual_growth(plan_, plan_.configurations[configuration], macro_step_s, stop_);
  }

 private:
  using Key = std::tuple<std::size_t, std::string, double>;
  const Plan& plan_;
  const std::atomic<bool>* stop_;
  std::map<Key, TrialResult> results_;
};

/// Runs that several searches of one problem ask for, each made once; and what they cost whoever
/// asks. In this process, for plans that have the same configurations and inputs; not for several
/// threads at once. Runs that are followed point by point are made whenever they are asked for.
class KnownRuns final : public TrialBackend {
 public:
  bool shares_work() const override { return true; }

  std::vector<TrialResult> trials(const Plan& plan, std::span<const TrialSpec> specs,
                                  const RunControl& control) const override {
    auto results = control.on_point ? this_process().trials(plan, specs, control)
                                    : known(plan, specs, control);
    for (const auto& result : results) {
      cost_ += result.cost;
    }
    return results;
  }

  /// TrialResult::cost of all that was asked for, known or not.
  double cost() const { return cost_; }

 private:
  using Key = std::tuple<std::size_t, std::size_t, double, double, std::size_t, double>;

  static Key key_of(const TrialSpec& spec) {
    constexpr double to_its_end = std::numeric_limits<double>::infinity();
    return {spec.configuration, spec.input,  spec.macro_step_s, spec.until_s.value_or(to_its_end),
            spec.variant,       spec.delay_s};
  }

  std::vector<TrialResult> known(const Plan& plan, std::span<const TrialSpec> specs,
                                 const RunControl& control) const {
    std::vector<TrialSpec> made;
    std::ranges::copy_if(specs, std::back_inserter(made),
                         [&](const TrialSpec& spec) { return !known_.contains(key_of(spec)); });
    if (!made.empty()) {
      auto results = this_process().trials(plan, made, control);
      for (std::size_t i = 0; i < made.size(); ++i) {
        known_.emplace(key_of(made[i]), std::move(results[i]));
      }
    }
    std::vector<TrialResult> results;
    for (const auto& spec : specs) {
      results.push_back(known_.at(key_of(spec)));
    }
    return results;
  }

  mutable std::map<Key, TrialResult> known_;
  mutable double cost_ = 0;
};

Plan planned(const Job& job) {
  auto plan = make_plan(job);
  if (const auto* errors = std::get_if<FieldErrors>(&plan)) {
    throw std::runtime_error(errors->front().pointer + ": " + errors->front().message);
  }
  return std::get<Plan>(std::move(plan));
}

/// Its tests as the rule wants them.
void change_tests(Job& job, const StudyRule& rule) {
  if (rule.random_tests) {
    job.tests = planned(job).check_inputs.fast.front();
  }
  auto tests = job.tests;
  std::erase_if(tests, [&](const TestInput& test) {
    return (rule.only && test.kind != *rule.only) || (rule.without && test.kind == *rule.without);
  });
  if (!tests.empty()) {  // a given problem may have none of the kind, or no other
    job.tests = std::move(tests);
  }
  if (rule.duration_share != 1) {
    for (auto& test : job.tests) {
      test.duration_s *= rule.duration_share;
      test.name += " × " + number_text(rule.duration_share);
    }
  }
}

Job with_rule(Job job, const StudyRule& rule) {
  job.linear_region.rule = rule.rule;
  job.linear_region.tolerance = rule.tolerance;
  job.linear_region.points = rule.points;
  job.relative_residual_max = rule.relative_residual_max;
  job.stability_check = rule.exact_stability ? StabilityCheck::exact : StabilityCheck::none;
  job.minimum_macro_steps = rule.minimum_macro_steps;
  change_tests(job, rule);
  return job;
}

/// What is left of a scanned curve.
Curve finished(const Plan& plan, const StudyRule& rule, std::size_t id, const CurveScan& scan,
               StabilityVerdicts& verdicts) {
  auto curve = finish_curve(plan, id, scan, verdicts);
  if (rule.slope_tolerance) {
    const auto& configuration = plan.configurations[curve.key.configuration];
    const int expected = bond_order(plan.graph(configuration), configuration.extrapolation) + 1;
    const auto on = points_on_slope(curve.points, expected, *rule.slope_tolerance);
    limit_use(plan, curve, on < minimum_accepted_points ? 0 : curve.points[on - 1].macro_step_s);
  }
  if (rule.share < 1 && curve.usable_s) {
    constexpr double rounding = 1e-9;  // 0.8 of a macro-step is the one before at a ratio of 1.25
    limit_use(plan, curve, rule.share * (1 + rounding) * *curve.usable_s);
  }
  return curve;
}

bool residual_stays(const StudyRule& rule, const KnownTrials& trials, std::size_t configuration,
                    double macro_step_s, RuleOutcome& outcome) {
  if (!rule.largest_residual_growth) {
    return true;
  }
  const auto growth = trials.residual_growth_of(configuration, macro_step_s);
  outcome.cost += growth.cost;
  return growth.ratio <= *rule.largest_residual_growth;
}

/// What a user gets.
RuleOutcome searched(const StudyProblem& problem, const StudyRule& rule, const KnownRuns& runs,
                     const std::atomic<bool>* stop) {
  auto job = problem.job;
  job.stability_check = rule.search->check;
  job.accuracy = rule.search->accuracy;
  const auto plan = planned(job);
  const double cost_before = runs.cost();
  const auto result = run_search(plan, {.threads = 1, .stop = stop, .backend = &runs});
  RuleOutcome outcome{.rule = rule.name, .configuration = {}, .quality = {}, .agreed = {}};
  outcome.cost = runs.cost() - cost_before;
  if (const auto& recommendation = result.answer.recommendation) {
    outcome.configuration = recommendation->configuration;
    outcome.macro_step_s = recommendation->macro_step_s;
    outcome.agreed = counted_check(*recommendation);
  }
  return outcome;
}

RuleOutcome apply(const StudyProblem& problem, const StudyRule& rule, KnownTrials& trials,
                  RunChecks& checks_in_all_tests, const RunsOnThreads& runs) {
  RuleOutcome outcome{.rule = rule.name, .configuration = {}, .quality = {}, .agreed = {}};
  const auto plan = planned(with_rule(problem.job, rule));
  RunChecks checks_in_its_tests(plan, performed_by(plan, runs));
  auto& checks = plan.job.tests == problem.job.tests ? checks_in_all_tests : checks_in_its_tests;
  StabilityVerdicts verdicts(plan);
  std::vector<Curve> curves;
  for (std::size_t id = 0; id < plan.curves.size(); ++id) {
    const auto key = plan.curves[id];
    CurveScan scan(plan, id);
    while (const auto macro_step_s = scan.next()) {
      const auto& result = trials.at(key.configuration, plan.job.tests[key.test], *macro_step_s);
      outcome.cost += result.cost;
      scan.add(result);
    }
    curves.push_back(finished(plan, rule, id, scan, verdicts));
  }
  auto answer = recommend(plan, std::move(curves));
  if (rule.checks.checks_anything() || rule.largest_residual_growth) {
    const auto check = [&](std::size_t configuration, double macro_step_s, Asked asked) {
      auto asked_rule = rule.checks;
      asked_rule.ends_at_unknown = asks_for_growth(asked.evidence);
      asked_rule.in_full = asked.in_full;
      auto checked = checks.check(asked_rule, configuration, macro_step_s);
      outcome.cost += checked.cost;
      if (checked.passes() && !residual_stays(rule, trials, configuration, macro_step_s, outcome)) {
        checked.outcomes.push_back({.check = "residual_growth",
                                    .verdict = Verdict::objects,
                                    .value = {},
                                    .limit = rule.largest_residual_growth,
                                    .findings = {}});
      }
      return checked;
    };
    answer = confirm(plan, std::move(answer), check);
  }
  if (const auto& recommendation = answer.recommendation) {
    outcome.configuration = recommendation->configuration;
    outcome.macro_step_s = recommendation->macro_step_s;
    outcome.agreed = counted_check(*recommendation);
  }
  return outcome;
}

}  // namespace

const std::vector<StudyRule>& study_rules(StudyRules which) {
  static const std::vector<StudyRule> searches{
      {.name = std::string(default_study_rule), .search = AskedSearch{}},
      {.name = std::string(accuracy_study_rule), .search = AskedSearch{StabilityCheck::all, 0.05}}};
  static const auto rules = [] {
    const StudyRule local{.name = "local_power_law", .rule = Rule::local_power_law, .points = 5};
    const StudyRule baseline{
        .name = "baseline_power_law", .rule = Rule::baseline_power_law, .points = 8};
    auto list = searches;
    list.push_back(
        {.name = "search, by runs alone", .search = AskedSearch{StabilityCheck::identified, {}}});
    list.push_back(local);
    list.push_back({.name = "tangent", .rule = Rule::tangent, .points = 5});
    list.push_back(baseline);
    const auto add = [&](StudyRule rule, std::string name) -> StudyRule& {
      rule.name = std::move(name);
      return list.emplace_back(std::move(rule));
    };
    add(baseline, "baseline, slope within 0.5").slope_tolerance = 0.5;
    add(baseline, "baseline, residual ≤ 5 %").relative_residual_max = 0.05;
    add(baseline, "baseline, residual ≤ 1 %").relative_residual_max = 0.01;
    add(baseline, "baseline × 0.8").share = 0.8;
    add(baseline, "baseline, residual power grows ≤ 1.2").largest_residual_growth = 1.2;
    add(baseline, "baseline, exact stability").exact_stability = true;
    add(baseline, "baseline, growth").checks.growth = true;

    const auto growing = list.back();
    auto swinging = growing;
    swinging.checks.swing_where_unknown = 1.5;
    add(swinging, "growth, or swing ≤ 1.5");
    auto changing = growing;
    changing.checks.change_where_unknown = 0.5;
    add(changing, "growth, or change ≤ 50 %");
    changing.checks.change_where_unknown = 1;
    changing.checks.margin = 1.25;
    add(changing, "growth, or change ≤ 100 % with 1.25 H");
    auto checked = baseline;
    checked.checks = check_rule(Job{});
    add(checked, "growth, or swing ≤ 2 with 1.25 H");
    add(checked, "growth, or swing ≤ 2 with 1.1 H").checks.margin = 1.1;
    add(checked, "growth, or swing ≤ 2 with 1.5 H").checks.margin = 1.5;
    add(checked, "swing 1.25 H, tests alone").checks.random_inputs = false;
    add(checked, "swing 1.25 H, no fast inputs").checks.fast_inputs = false;
    add(checked, "swing 1.25 H, step alone").only = TestKind::step;
    add(checked, "swing 1.25 H, no sine").without = TestKind::sine;
    add(checked, "swing 1.25 H, no impulse").without = TestKind::impulse;
    add(checked, "swing 1.25 H, half as long").duration_share = 0.5;
    add(checked, "swing 1.25 H, random tests").random_tests = true;
    add(checked, "swing 1.25 H, 40 macro-steps").minimum_macro_steps = 40;
    add(checked, "swing 1.25 H, × 0.8").share = 0.8;

    Job wants_accuracy;
    wants_accuracy.accuracy = 0.05;
    auto accurate = checked;
    accurate.relative_residual_max = 0.1;
    accurate.checks = check_rule(wants_accuracy);
    for (const auto& [change, text] :
         {std::pair(0.03, "3"), std::pair(0.02, "2"), std::pair(0.025, "2.5")}) {
      add(accurate, std::string("swing 1.25 H, residual ≤ 10 %, change ≤ ") + text + " %")
          .checks.change = change;
    }
    return list;
  }();
  return which == StudyRules::all ? rules : searches;
}

namespace {

struct Solved {
  std::unique_ptr<Truth> truth;
  double share = 1;                ///< of the range of the unseen inputs
  std::vector<TrueLimits> limits;  ///< by configuration
};

/// Whether there is a run to recommend: with the first macro-step of the scan one of the
/// configurations follows the solution under the unseen inputs.
bool is_followed(const Truth& truth, const Plan& plan) {
  constexpr double followed_nrmse = 0.5;
  return std::ranges::any_of(plan.configurations, [&](const Configuration& configuration) {
    const auto quality = truth.at(configuration, plan.job.macro_step.initial_s);
    return quality.stable && quality.nrmse && *quality.nrmse <= followed_nrmse;
  });
}

/// Makes a problem whose unseen inputs go over this share of their range.
using MakeProblem = std::function<StudyProblem(double share)>;

/// Unseen inputs may drive a problem to where it has no solution, or none that any run follows,
/// such as an arm to where it has no lever, where nearby motions part: nobody would do so twice,
/// and they go over less of their range.
Solved solved(StudyProblem& problem, const Plan& plan, const MakeProblem& make,
              const std::atomic<bool>* stop) {
  constexpr double least_share = 0.1;
  for (double share = 1;; share /= 2) {
    const bool is_last = share / 2 < least_share || (stop && *stop);
    try {
      Solved found{.truth = std::make_unique<Truth>(problem, plan, stop), .share = share};
      if (problem.linear || is_last || is_followed(*found.truth, plan)) {
        for (const auto& configuration : plan.configurations) {
          found.limits.push_back(found.truth->limits(configuration));
        }
        return found;
      }
    } catch (const std::runtime_error&) {
      if (is_last) {
        throw;
      }
    }
    problem.unseen = make(share / 2).unseen;
  }
}

StudyRow study(const MakeProblem& make, StudyRules rules, const std::atomic<bool>* stop) {
  auto problem = make(1);
  StudyRow row{.number = problem.number,
               .family = problem.family,
               .linear = problem.linear,
               .description = problem.description,
               .initial_macro_step_s = problem.job.macro_step.initial_s,
               .largest_macro_step_s = problem.job.macro_step.maximum_s,
               .unseen_share = 1,
               .configurations = {},
               .limits = {},
               .outcomes = {},
               .failure = {}};
  try {
    const auto plan = planned(problem.job);
    const auto [truth, share, limits] = solved(problem, plan, make, stop);
    row.unseen_share = share;
    row.limits = limits;
    for (const auto& configuration : plan.configurations) {
      row.configurations.push_back(describe(configuration) + (plan.problem.couplings.size() > 1
                                                                  ? ", " + configuration.coupling
                                                                  : ""));
    }
    const KnownRuns of_searches;
    KnownTrials trials(plan, stop);
    const RunsOnThreads runs{.backend = this_process(), .threads = 1, .stop = stop};
    RunChecks checks(plan, performed_by(plan, runs));
    for (const auto& rule : study_rules(rules)) {
      auto outcome = rule.search ? searched(problem, rule, of_searches, stop)
                                 : apply(problem, rule, trials, checks, runs);
      if (outcome.configuration) {
        outcome.quality =
            truth->at(plan.configurations[*outcome.configuration], outcome.macro_step_s);
      }
      row.outcomes.push_back(std::move(outcome));
    }
  } catch (const std::runtime_error& failure) {
    row.failure = failure.what();
  }
  return row;
}

}  // namespace

StudyRow study_problem(std::uint64_t seed, std::uint64_t number, StudyRules rules,
                       const std::atomic<bool>* stop) {
  return study([&](double share) { return make_study_problem(seed, number, share); }, rules, stop);
}

StudyRow study_problem(const GivenProblem& given, std::uint64_t seed, std::uint64_t number,
                       StudyRules rules, const std::atomic<bool>* stop) {
  return study([&](double share) { return make_study_problem(given, seed, number, share); }, rules,
               stop);
}

}  // namespace macrostep::engine
