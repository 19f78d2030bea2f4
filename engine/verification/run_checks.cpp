#include "engine/verification/run_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/stability/stability.hpp"

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
/// Limit for a run whose accuracy nobody asked for: off by as much as the outputs move.
constexpr double stable_unseen = 1;
constexpr int finer = 4;
/// Smaller macro-steps that must not grow either: from this share of H up, by this ratio. Islands
/// of instability that are narrower are missed.
constexpr double growth_grid_depth = 8;
constexpr double growth_grid_ratio = 1.25;

std::vector<const TestInput*> addresses(const std::vector<TestInput>& tests) {
  std::vector<const TestInput*> list;
  for (const auto& test : tests) {
    list.push_back(&test);
  }
  return list;
}

/// The inputs of which nothing is known of this run.
template <typename Run, typename Known>
std::vector<const TestInput*> missing_in(const Known& known, const Run& run,
                                         const std::vector<const TestInput*>& inputs) {
  std::vector<const TestInput*> list;
  std::ranges::copy_if(inputs, std::back_inserter(list), [&](const TestInput* input) {
    return !known.contains({run, input});
  });
  return list;
}

}  // namespace

/// What a comparison says of a run under one input.
struct RunChecks::Compared {
  std::optional<double> value;  ///< absent: a run does not complete
  bool follows = false;         ///< what it is compared with
  std::string detail;           ///< where the value was found, or why there is none
  /// Exchanged outputs that stand still; nothing is said of what is not compared by runs.
  std::vector<std::size_t> still{};

  /// A value, a larger one, none at all: each is worse than those before.
  double badness() const { return value.value_or(std::numeric_limits<double>::infinity()); }
};

/// What is told of a run by comparison, by input.
struct RunChecks::Measure {
  std::string_view check;
  std::function<std::vector<Compared>(Run, const Inputs&, double& cost)> of;
  bool of_what_moves = false;  ///< says nothing of outputs that stand still
};

/// The worst of what was compared, and what has not moved in any of it.
struct RunChecks::Worst {
  Compared compared{.value = 0, .follows = true, .detail = {}};
  std::vector<std::size_t> still;  ///< of the outputs that can move
  std::size_t inputs = 0;          ///< random ones that a run follows
  std::size_t of = 0;              ///< followed or not

  void add(Compared one) {
    std::erase_if(still, [&](std::size_t output) {
      return one.value && !std::ranges::binary_search(one.still, output);
    });
    if (compared.detail.empty() || one.badness() > compared.badness()) {
      compared = std::move(one);
    }
  }
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

bool CheckedRun::passes() const {
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
    return checked.passes();
  };
  // The cheaper ones first: the first that objects ends it.
  bool unknown = false;
  if (rule.growth) {
    auto outcome = growth({configuration, growth_margin * macro_step_s}, checked.cost);
    if (outcome.verdict == Verdict::agrees && rule.growth_below) {
      outcome = growth_below(run, std::move(outcome), checked.cost);
    }
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
    auto outcome = compare(measure, at, *limit, true, inputs, checked.cost);
    if (at != run) {
      outcome.detail = "at " + number_text(rule.margin) + " H: " + outcome.detail;
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
    add(compare(by_solution(), run, *rule.unseen, false, {&plan_.check_inputs.unseen},
                checked.cost));
  }
  return checked;
}

const ProbedGrowth& RunChecks::probed(Run run, std::int64_t finer) {
  auto found = growth_.find({run, finer});
  if (found == growth_.end()) {
    auto made =
        probe_growth(plan_, plan_.configurations[run.first], run.second, duration_s_, runs_, finer);
    found = growth_.emplace(std::pair(run, finer), std::move(made)).first;
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
  } else if (probed.ended && probed.verdict == GrowthVerdict::growing) {
    // What ends with a run at the smallest macro-step, too, has no solution to follow.
    const double fine_s = std::min(run.second / finer, plan_.job.macro_step.initial_s);
    const auto& fine = this->probed({run.first, fine_s}, 1);
    cost += fine.cost;
    if (fine.ended && fine.verdict == GrowthVerdict::growing) {
      probed.verdict = GrowthVerdict::unknown;
      probed.reason =
          "the problem grows by itself: " + probed.reason + ", and so at the smallest macro-step";
    }
  }
  if (probed.verdict <= GrowthVerdict::within_session && !probed.still.empty()) {
    const auto& coupling = plan_.coupling(plan_.configurations[run.first]);
    probed.verdict = GrowthVerdict::unknown;
    probed.reason = "no jump moves " + output_list(coupling, probed.still);
  }
  return probed;
}

CheckOutcome RunChecks::growth(Run run, double& cost) {
  const auto probed = judged_growth(run, cost);
  CheckOutcome outcome{.check = "growth", .detail = probed.reason};
  if (!probed.motions.empty()) {
    outcome.value = probed.motions.front().at_most_per_s();
    outcome.limit = 0;
  }
  switch (probed.verdict) {
    case GrowthVerdict::stable:
    case GrowthVerdict::within_session:
      outcome.verdict = Verdict::agrees;
      break;
    case GrowthVerdict::unknown:
      outcome.verdict = Verdict::unknown;
      break;
    case GrowthVerdict::growing:
      outcome.verdict = Verdict::objects;
      break;
  }
  return outcome;
}

/// What objects to a smaller macro-step, else `outcome`. The macro-steps looked at are the same
/// ones for every H, so that none is looked at twice.
CheckOutcome RunChecks::growth_below(Run run, CheckOutcome outcome, double& cost) {
  double below_s = plan_.job.macro_step.initial_s;
  while (below_s * growth_grid_ratio < run.second / growth_grid_depth) {
    below_s *= growth_grid_ratio;
  }
  for (; below_s < run.second; below_s *= growth_grid_ratio) {
    auto smaller = growth({run.first, below_s}, cost);
    if (smaller.verdict == Verdict::objects) {
      smaller.detail = "a larger macro-step is stable, but with H = " + milliseconds_text(below_s) +
                       " " + smaller.detail;
      return smaller;
    }
  }
  return outcome;
}

std::optional<SessionGrowth> RunChecks::identified_growth(std::size_t configuration,
                                                          double macro_step_s) {
  double cost = 0;
  const auto probed = judged_growth({configuration, macro_step_s}, cost);
  const bool is_stable = probed.verdict == GrowthVerdict::stable;
  if (!is_stable && probed.verdict != GrowthVerdict::within_session) {
    return std::nullopt;
  }
  const auto& fastest = probed.motions.front();
  return SessionGrowth{
      .growth = {.kind = is_stable ? GrowthKind::stable : GrowthKind::within_session,
                 .rate_per_s = fastest.rate_per_s},
      .session_s = probed.session_s,
      .is_exact = false,
      .uncertainty_per_s = fastest.uncertainty_per_s};
}

void RunChecks::refine_all(Run run, const Inputs& inputs) {
  const auto missing = missing_in(changes_, run, inputs);
  auto made = refine(plan_, plan_.configurations[run.first], run.second, missing, runs_);
  for (std::size_t i = 0; i < missing.size(); ++i) {
    changes_.emplace(std::pair(run, missing[i]), std::move(made[i]));
  }
}

RunChecks::Measure RunChecks::by_refinement(std::string_view check,
                                            std::optional<double> Refinement::*value) {
  return {
      .check = check,
      .of =
          [this, value](Run run, const Inputs& inputs, double& cost) {
            refine_all(run, inputs);
            std::vector<Compared> list;
            for (const auto* input : inputs) {
              const auto& refinement = changes_.at({run, input});
              cost += refinement.cost;
              const auto& shown = refinement.*value;
              list.push_back({.value = shown,
                              .follows = refinement.change && *refinement.change <= followed_change,
                              .detail = shown ? refinement.test + ", against a quarter of H"
                                              : refinement.reason + " in " + refinement.test,
                              .still = refinement.still});
            }
            return list;
          },
      .of_what_moves = value == &Refinement::swing};
}

void RunChecks::compare_random(const Measure& measure, Run run, const InputsByShare& by_share,
                               double limit, double& cost, Worst& worst) {
  // Asked of the smallest macro-step of the job, or of a smaller one than this: never of itself.
  const Run smallest(run.first, std::min(run.second / finer, plan_.job.macro_step.initial_s));
  std::vector<std::size_t> left(by_share.front().size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  worst.of += left.size();
  for (const auto& share : by_share) {
    Inputs inputs;
    for (const std::size_t i : left) {
      inputs.push_back(&share[i]);
    }
    auto coarse = measure.of(run, inputs, cost);
    Inputs doubtful;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (coarse[i].badness() > limit || !coarse[i].follows) {
        doubtful.push_back(inputs[i]);
      }
    }
    const auto fine = measure.of(smallest, doubtful, cost);
    std::vector<std::size_t> not_followed;
    for (std::size_t i = 0, d = 0; i < inputs.size(); ++i) {
      const bool is_doubtful = d < doubtful.size() && doubtful[d] == inputs[i];
      if (is_doubtful && !fine[d++].follows) {
        not_followed.push_back(left[i]);
      } else {
        ++worst.inputs;
        worst.add(std::move(coarse[i]));
      }
    }
    left = std::move(not_followed);
    if (left.empty()) {
      break;
    }
  }
}

CheckOutcome RunChecks::compare(const Measure& measure, Run run, double limit, bool tests,
                                const RandomInputs& random, double& cost) {
  const auto& configuration = plan_.configurations[run.first];
  Worst worst{.still = responding_outputs(plan_.graph(configuration))};
  if (tests) {
    for (auto& one : measure.of(run, addresses(plan_.job.tests), cost)) {
      worst.add(std::move(one));
    }
  }
  for (const auto* by_share : random) {
    if (worst.compared.badness() > limit) {
      break;
    }
    compare_random(measure, run, *by_share, limit, cost, worst);
  }
  const auto& detail = worst.compared.detail;
  CheckOutcome outcome{.check = measure.check,
                       .verdict = Verdict::agrees,
                       .value = worst.compared.value,
                       .limit = limit,
                       .detail = (worst.compared.value ? "the largest in " : "") + detail,
                       .left_out = worst.of - worst.inputs};
  if (detail.empty()) {  // nothing was compared
    outcome.value.reset();
    outcome.detail.clear();
  }
  if (worst.compared.badness() > limit) {
    outcome.verdict = Verdict::objects;
    return outcome;
  }
  if (outcome.left_out > 0) {
    outcome.detail += (outcome.detail.empty() ? "" : "; ") + std::string("runs follow ") +
                      (worst.inputs > 0 ? std::to_string(worst.inputs) : "none") + " of the " +
                      std::to_string(worst.of) + " random inputs" +
                      (worst.inputs > 0 ? ", the others" : ",") +
                      " not even with a smaller H or over an eighth of their range";
  }
  if (worst.of > 0 && worst.inputs == 0) {
    outcome.verdict = Verdict::unknown;
  } else if (measure.of_what_moves && !worst.still.empty()) {
    outcome.verdict = Verdict::unknown;
    outcome.detail += "; nothing moves " + output_list(plan_.coupling(configuration), worst.still) +
                      ", of whose coupling nothing is known";
  }
  return outcome;
}

RunChecks::Measure RunChecks::by_solution() {
  return {.check = "unseen",
          .of = [this, change = by_refinement("change", &Refinement::change)](
                    Run run, const Inputs& inputs, double& cost) {
            measure_all(run, inputs);
            std::vector<Compared> list;
            Inputs without;
            for (const auto* input : inputs) {
              const auto& measured = errors_.at({run, input});
              if (!measured.nrmse) {
                without.push_back(input);
              }
              list.push_back({.value = measured.nrmse,
                              .follows = measured.nrmse && *measured.nrmse <= followed_change,
                              .detail = measured.test + ", against " + measured.reference});
            }
            auto changes = change.of(run, without, cost);
            for (std::size_t i = 0, c = 0; c < without.size(); ++i) {
              if (inputs[i] == without[c]) {
                list[i] = std::move(changes[c++]);
                list[i].detail += "; there is no error: " + errors_.at({run, inputs[i]}).reason;
              }
            }
            return list;
          }};
}

void RunChecks::measure_all(Run run, const Inputs& inputs) {
  const auto missing = missing_in(errors_, run, inputs);
  std::vector<MeasuredError> made(missing.size());
  runs_.executor.for_each_index(missing.size(), runs_.threads, [&](std::size_t i) {
    made[i] = runs_.executor.error_in_test(plan_, plan_.configurations[run.first], *missing[i],
                                           run.second, runs_.stop, std::nullopt);
  });
  for (std::size_t i = 0; i < missing.size(); ++i) {
    errors_.emplace(std::pair(run, missing[i]), std::move(made[i]));
  }
}

}  // namespace macrostep::engine
