#include "engine/run_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

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
/// A run that follows a finer one, or the solution, changes by less, or errs by less (NRMSE).
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

}  // namespace

/// What a comparison says of a run under one input.
struct RunChecks::Compared {
  std::optional<double> value;  ///< absent: a run does not complete
  bool follows = false;         ///< what it is compared with
  std::string detail;           ///< where the value was found, or why there is none

  /// A value, a larger one, none at all: each is worse than those before.
  double badness() const { return value.value_or(std::numeric_limits<double>::infinity()); }
};

/// What is told of a run by comparison, by input.
struct RunChecks::Measure {
  std::string_view check;
  std::function<std::vector<Compared>(Run, const std::vector<TestInput>&, double& cost)> of;
};

/// The worst of the inputs that a run follows, over as much of their range as it does.
struct RunChecks::Followed {
  Compared worst{.value = 0, .follows = true, .detail = {}};
  std::size_t inputs = 0;
  std::size_t of = 0;  ///< followed or not
};

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
  RandomInputs random, fast;
  if (rule.random_inputs) {
    random = {&plan_.check_inputs.random};
    fast = {&plan_.check_inputs.fast};
    if (rule.fast_inputs) {
      random.push_back(&plan_.check_inputs.fast);
    }
  }
  const Run beyond(configuration, rule.margin * macro_step_s);
  const auto passes = [&](const Measure& measure, Run at, const std::optional<double>& limit,
                          const RandomInputs& inputs) {
    if (!limit) {
      return true;
    }
    auto outcome = compare(measure, at, *limit, plan_.job.tests, inputs, checked.cost);
    if (at != run) {
      outcome.detail += ", at " + number_text(rule.margin) + " H";
    }
    return add(std::move(outcome));
  };
  const auto change = by_refinement("change", &Refinement::change);
  const auto swing = by_refinement("swing", &Refinement::swing);
  if (!passes(change, run, rule.change, fast)) {
    return checked;
  }
  if (unknown && (!passes(swing, beyond, rule.swing_where_unknown, random) ||
                  !passes(change, beyond, rule.change_where_unknown, random))) {
    return checked;
  }
  if (rule.unseen) {
    add(compare(by_solution(), run, *rule.unseen, {}, {&plan_.check_inputs.unseen}, checked.cost));
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

RunChecks::Measure RunChecks::by_refinement(std::string_view check,
                                            std::optional<double> Refinement::*value) {
  return {.check = check,
          .of = [this, value](Run run, const std::vector<TestInput>& inputs, double& cost) {
            std::vector<Compared> list;
            for (const auto& refined : refined(run, inputs)) {
              cost += refined.cost;
              const auto& shown = refined.*value;
              list.push_back({.value = shown,
                              .follows = refined.change && *refined.change <= followed_change,
                              .detail = shown ? refined.test + ", against a quarter of H"
                                              : refined.reason + " in " + refined.test});
            }
            return list;
          }};
}

RunChecks::Followed RunChecks::followed(const Measure& measure, Run run,
                                        const InputsByShare& by_share, double limit, double& cost) {
  const Run smallest(run.first, std::min(run.second, plan_.job.macro_step.initial_s));
  Followed result{.of = by_share.front().size()};
  std::vector<bool> is_followed(result.of);
  for (const auto& inputs : by_share) {
    const auto coarse = measure.of(run, inputs, cost);
    std::vector<Compared> fine;  // made where it is asked for: it costs the most
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (is_followed[i]) {
        continue;
      }
      const bool follows = coarse[i].badness() <= limit && coarse[i].follows;
      if (!follows && fine.empty()) {
        fine = measure.of(smallest, inputs, cost);
      }
      is_followed[i] = follows || fine[i].follows;
      result.inputs += is_followed[i] ? 1 : 0;
      if (is_followed[i] && coarse[i].badness() >= result.worst.badness()) {
        result.worst = coarse[i];
      }
    }
    if (result.inputs == result.of) {
      break;
    }
  }
  return result;
}

CheckOutcome RunChecks::compare(const Measure& measure, Run run, double limit,
                                const std::vector<TestInput>& tests, const RandomInputs& random,
                                double& cost) {
  Compared worst{.value = 0, .follows = true, .detail = {}};
  const auto add = [&](Compared one) {
    if (worst.detail.empty() || one.badness() > worst.badness()) {
      worst = std::move(one);
    }
  };
  if (!tests.empty()) {  // what is known of a list is kept by its address
    for (auto& one : measure.of(run, tests, cost)) {
      add(std::move(one));
    }
  }
  std::size_t inputs = 0;
  std::size_t of = 0;
  for (const auto* by_share : random) {
    if (worst.badness() > limit) {
      break;
    }
    auto result = followed(measure, run, *by_share, limit, cost);
    inputs += result.inputs;
    of += result.of;
    if (result.inputs > 0) {
      add(std::move(result.worst));
    }
  }
  CheckOutcome outcome{.check = measure.check,
                       .verdict = worst.badness() <= limit ? Verdict::agrees : Verdict::objects,
                       .value = worst.value,
                       .limit = limit,
                       .detail = (worst.value ? "the largest in " : "") + worst.detail};
  if (worst.badness() > limit || inputs == of) {
    return outcome;
  }
  if (inputs == 0) {
    outcome.verdict = Verdict::unknown;
    outcome.value.reset();
    outcome.detail =
        "runs follow none of the " + std::to_string(of) +
        " random inputs, not even with the smallest H or over an eighth of their range";
  } else {
    outcome.detail += ", of the " + std::to_string(inputs) + " of " + std::to_string(of) +
                      " random inputs that runs follow";
  }
  return outcome;
}

const std::vector<MeasuredError>& RunChecks::errors(Run run, const std::vector<TestInput>& inputs) {
  auto& known = errors_[{run, &inputs}];
  if (known.empty()) {
    known.resize(inputs.size());
    runs_.executor.for_each_index(inputs.size(), runs_.threads, [&](std::size_t i) {
      known[i] = runs_.executor.error_in_test(plan_, plan_.configurations[run.first], inputs[i],
                                              run.second, runs_.stop);
    });
  }
  return known;
}

RunChecks::Measure RunChecks::by_solution() {
  return {.check = "unseen",
          .of = [this, change = by_refinement("change", &Refinement::change)](
                    Run run, const std::vector<TestInput>& inputs, double& cost) {
            const auto& measured = errors(run, inputs);
            std::vector<Compared> list;
            std::vector<Compared> changes;
            for (std::size_t i = 0; i < inputs.size(); ++i) {
              if (measured[i].nrmse) {
                list.push_back({.value = measured[i].nrmse,
                                .follows = *measured[i].nrmse <= followed_change,
                                .detail = measured[i].test + ", against " + measured[i].reference});
                continue;
              }
              if (changes.empty()) {
                changes = change.of(run, inputs, cost);
              }
              list.push_back(changes[i]);
              list.back().detail += "; there is no error: " + measured[i].reason;
            }
            return list;
          }};
}

}  // namespace macrostep::engine
