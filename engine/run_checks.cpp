#include "engine/run_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "engine/stability.hpp"
#include "engine/text.hpp"
#include "engine/true_error.hpp"
#include "models/names.hpp"

namespace macrostep::engine {

namespace {

/// What is unstable in a problem that is not linear swings farther than so many times the swing of
/// the finer run, and so does a run with a macro-step that is smaller by this margin under some
/// input that was not tried (README.md).
constexpr double largest_swing = 2;
constexpr double margin = 1.25;
/// A run that follows a finer one changes by less.
constexpr double followed_change = 0.5;
/// An error of the named accuracy shows as this share of it in the change: chosen by the study.
constexpr double change_of_accuracy = 0.5;
/// Of a run whose accuracy nobody asked for: off by as much as the outputs move.
constexpr double stable_unseen = 1;
/// The growth of a problem is its own where a quarter of the macro-step shows it, too, to this
/// share; what the coupling makes grow falls at least with H.
constexpr double own_growth_share = 0.05;
constexpr double finer = 4;

constexpr models::Names<Verdict, 3> verdict_names{
    {{Verdict::agrees, "agrees"}, {Verdict::objects, "objects"}, {Verdict::unknown, "unknown"}}};

CheckOutcome judged(std::string_view check, double value, double limit, std::string detail) {
  return {.check = check,
          .verdict = value <= limit ? Verdict::agrees : Verdict::objects,
          .value = value,
          .limit = limit,
          .detail = std::move(detail)};
}

double cost_of(const std::vector<Refinement>& refinements) {
  double cost = 0;
  for (const auto& refinement : refinements) {
    cost += refinement.cost;
  }
  return cost;
}

CheckOutcome judged(std::string_view check, const Refinement& refined,
                    const std::optional<double>& value, double limit) {
  if (!value) {
    return {.check = check,
            .verdict = Verdict::objects,
            .value = {},
            .limit = limit,
            .detail = refined.reason + " in " + refined.test};
  }
  return judged(check, *value, limit,
                "the largest in " + refined.test + ", against a quarter of H");
}

}  // namespace

/// What is told by comparison with a finer run.
struct RunChecks::Measure {
  std::string_view check;
  std::optional<double> Refinement::*value;
  double followed;  ///< a run that is compared at the smallest macro-step follows up to here

  /// A value, a larger one, none at all: each is worse than those before.
  double badness(const Refinement& refinement) const {
    return (refinement.*value).value_or(std::numeric_limits<double>::infinity());
  }
  Refinement worst_of(const std::vector<Refinement>& refinements) const {
    return *std::ranges::max_element(
        refinements, {}, [this](const Refinement& refinement) { return badness(refinement); });
  }

  static const Measure change;
  static const Measure swing;
};

constexpr RunChecks::Measure RunChecks::Measure::change{"change", &Refinement::change,
                                                        followed_change};
constexpr RunChecks::Measure RunChecks::Measure::swing{"swing", &Refinement::swing, largest_swing};

CheckRule check_rule(const Job& job) {
  CheckRule rule;
  if (job.stability_check == StabilityCheck::all ||
      job.stability_check == StabilityCheck::identified) {
    rule.growth = true;
    rule.swing_where_unknown = largest_swing;
    rule.margin = margin;
  }
  if (job.accuracy) {
    rule.change = change_of_accuracy * *job.accuracy;
  }
  if (job.validate_unseen) {
    rule.unseen = job.accuracy.value_or(stable_unseen);
  }
  return rule;
}

std::string_view to_string(Verdict verdict) {
  return models::name_of(verdict_names, verdict);
}

bool CheckedRun::stands() const {
  return std::ranges::none_of(
      outcomes, [](const CheckOutcome& outcome) { return outcome.verdict == Verdict::objects; });
}

RunChecks::RunChecks(const Plan& plan, const RunsOnThreads& runs)
    : plan_(plan), runs_(runs), duration_s_(longest_test_s(plan)) {}

CheckedRun RunChecks::check(const CheckRule& rule, std::size_t configuration, double macro_step_s) {
  const Run run(configuration, macro_step_s);
  CheckedRun checked;
  const auto add = [&](CheckOutcome outcome) {
    checked.outcomes.push_back(std::move(outcome));
    return checked.stands();
  };
  // The cheaper ones first: the first that objects ends it.
  bool unknown = false;
  if (rule.growth) {
    auto outcome = growth(run, checked.cost);
    unknown = outcome.verdict == Verdict::unknown;
    if (!add(std::move(outcome))) {
      return checked;
    }
  }
  Inputs random, fast;
  if (rule.random_inputs) {
    random = {&plan_.check_inputs.random};
    fast = {&plan_.check_inputs.fast};
  }
  const Run beyond(configuration, rule.margin * macro_step_s);
  const auto passes = [&](const Measure& measure, Run at, const std::optional<double>& limit,
                          const Inputs& inputs) {
    if (!limit) {
      return true;
    }
    auto outcome = compare(measure, at, *limit, inputs, checked.cost);
    if (at != run) {
      outcome.detail += ", both with " + number_text(rule.margin) + " times the macro-step";
    }
    return add(std::move(outcome));
  };
  if (!passes(Measure::change, run, rule.change, fast)) {
    return checked;
  }
  if (unknown && (!passes(Measure::swing, beyond, rule.swing_where_unknown, random) ||
                  !passes(Measure::change, beyond, rule.change_where_unknown, random))) {
    return checked;
  }
  if (rule.unseen) {
    add(unseen(run, *rule.unseen, checked.cost));
  }
  return checked;
}

const ProbedGrowth& RunChecks::probed(Run run) {
  auto found = growth_.find(run);
  if (found == growth_.end()) {
    const auto& configuration = plan_.configurations[run.first];
    found = growth_.emplace(run, probe_growth(plan_, configuration, run.second, duration_s_, runs_))
                .first;
  }
  return found->second;
}

CheckOutcome RunChecks::growth(Run run, double& cost) {
  const auto& coarse = probed(run);
  cost += coarse.cost;
  CheckOutcome outcome{.check = "growth",
                       .verdict = Verdict::agrees,
                       .value = {},
                       .limit = allowed_growth,
                       .detail = coarse.reason};
  if (coarse.log_growth) {
    outcome.value = std::exp(*coarse.log_growth);
  }
  if (coarse.verdict == GrowthVerdict::unknown) {
    outcome.verdict = Verdict::unknown;
  } else if (coarse.verdict == GrowthVerdict::growing) {
    outcome.verdict = Verdict::objects;
    // What ends with a run at the smallest macro-step, too, has no solution to follow.
    const double finer_s = coarse.log_growth
                               ? run.second / finer
                               : std::min(run.second / finer, plan_.job.macro_step.initial_s);
    const auto& fine = probed({run.first, finer_s});
    cost += fine.cost;
    const bool both_end =
        !coarse.log_growth && fine.verdict == GrowthVerdict::growing && !fine.log_growth;
    const bool both_grow =
        coarse.log_growth && fine.log_growth &&
        std::abs(*fine.log_growth - *coarse.log_growth) <= own_growth_share * *coarse.log_growth;
    if (both_end || both_grow) {
      outcome.verdict = Verdict::unknown;
      outcome.detail =
          "the problem grows by itself: " + coarse.reason +
          (both_end ? ", and so at the smallest macro-step" : ", and as fast with a quarter of H");
    }
  }
  return outcome;
}

const std::vector<Refinement>& RunChecks::refined(Run run, const std::vector<TestInput>& inputs) {
  auto& known = changes_[{run, &inputs}];
  if (known.empty()) {
    known = refine(plan_, plan_.configurations[run.first], run.second, inputs, runs_);
  }
  return known;
}

/// The worst under inputs that runs follow; of no test where none is.
Refinement RunChecks::worst_followed(const Measure& measure, Run run,
                                     const std::vector<TestInput>& inputs, double limit,
                                     double& cost) {
  Refinement worst{.change = 0, .swing = 0, .test = {}, .reason = {}};
  const Run smallest(run.first, std::min(run.second, plan_.job.macro_step.initial_s));
  const auto& coarse = refined(run, inputs);
  cost += cost_of(coarse);
  const bool ask = std::ranges::any_of(
      coarse, [&](const Refinement& refinement) { return measure.badness(refinement) > limit; });
  if (ask) {
    cost += cost_of(refined(smallest, inputs));
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const bool is_followed = measure.badness(coarse[i]) <= limit ||
                             measure.badness(refined(smallest, inputs)[i]) <= measure.followed;
    if (is_followed &&
        (worst.test.empty() || measure.badness(coarse[i]) > measure.badness(worst))) {
      worst = coarse[i];
    }
  }
  return worst;
}

CheckOutcome RunChecks::compare(const Measure& measure, Run run, double limit, const Inputs& random,
                                double& cost) {
  const auto& in_tests = refined(run, plan_.job.tests);
  cost += cost_of(in_tests);
  auto worst = measure.worst_of(in_tests);
  for (const auto* inputs : random) {
    if (measure.badness(worst) > limit) {
      break;
    }
    auto followed = worst_followed(measure, run, *inputs, limit, cost);
    if (measure.badness(followed) > measure.badness(worst)) {
      worst = std::move(followed);
    }
  }
  return judged(measure.check, worst, worst.*measure.value, limit);
}

CheckOutcome RunChecks::unseen(Run run, double limit, double& cost) {
  const auto& inputs = plan_.check_inputs.unseen;
  std::vector<MeasuredError> errors(inputs.size());
  runs_.executor.for_each_index(inputs.size(), runs_.threads, [&](std::size_t i) {
    errors[i] = runs_.executor.error_in_test(plan_, plan_.configurations[run.first], inputs[i],
                                             run.second, runs_.stop);
  });
  const auto error = worst_of(std::move(errors));
  if (error.nrmse) {
    return judged("unseen", *error.nrmse, limit,
                  "the largest in " + error.test + ", against " + error.reference);
  }
  const auto& refinements = refined(run, inputs);
  cost += cost_of(refinements);
  const auto worst = Measure::change.worst_of(refinements);
  auto outcome = judged("unseen", worst, worst.change, limit);
  outcome.detail += "; there is no monolithic solution: " + error.reason;
  return outcome;
}

}  // namespace macrostep::engine
