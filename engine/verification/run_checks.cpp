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
/// An error of the named accuracy shows as this share of it in the change: chosen by the study.
constexpr double change_of_accuracy = 0.5;
/// Limit for a run whose accuracy nobody asked for: off by as much as the outputs move.
constexpr double stable_unseen = 1;

}  // namespace

CheckRule check_rule(const Job& job) {
  CheckRule rule;
  if (job.stability_check == StabilityCheck::all ||
      job.stability_check == StabilityCheck::identified) {
    rule.growth = true;
    rule.swing_where_unknown = largest_swing;
    rule.margin = margin_where_not_linear;
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
  if (tells_stable(outcomes)) {
    return Evidence::swing;
  }
  return std::ranges::any_of(outcomes, &CheckOutcome::most_left_out) ? Evidence::none
                                                                     : Evidence::little;
}

bool CheckedRun::lacks(Evidence asked) const {
  return !is_pending &&
         std::ranges::find(outcomes, "growth", &CheckOutcome::check) != outcomes.end() &&
         evidence() < asked;
}

RunChecks::RunChecks(const Plan& plan, const PerformTasks& perform, std::optional<double> session_s)
    : plan_(plan),
      comparisons_(plan, perform),
      completion_(plan, perform),
      growth_(plan, perform, session_s) {}

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
  const Run within_margin(configuration, growth_margin * macro_step_s);
  const bool tries_lasting = rule.swing_where_unknown && rule.long_motions;
  if (rule.growth) {
    auto outcome = growth_.at(within_margin, checked.cost);
    if (outcome.verdict == Verdict::agrees && rule.growth_below) {
      outcome = growth_.below(run, std::move(outcome), checked.cost);
    }
    if (outcome.verdict == Verdict::agrees && tries_lasting) {
      outcome = growth_.if_linear(within_margin, rule.in_full, std::move(outcome), checked.cost);
    }
    if (outcome.verdict == Verdict::unknown && !outcome.value) {
      is_linear = false;
      if (rule.states) {
        if (rule.swing_where_unknown && !growth_.is_linear_nowhere()) {
          const double limit = *rule.swing_where_unknown;
          auto again = rule.long_motions ? comparisons_.object_again(run, limit, cost_of_swings)
                                         : std::nullopt;
          auto swings = again
                            ? *std::move(again)
                            : comparisons_.compare(swing, run, limit, true, random, cost_of_swings);
          if (swings.verdict == Verdict::objects) {
            checked.cost += cost_of_swings;
            add(std::move(outcome));
            add(std::move(swings));
            return checked;
          }
        }
        checked.is_pending = !rule.in_full && !growth_.is_linear_nowhere();
        if (!checked.is_pending) {
          outcome = growth_.around_states({configuration, rule.margin * macro_step_s},
                                          std::move(outcome), checked.cost);
        }
      }
    }
    unknown = outcome.verdict == Verdict::unknown && !checked.is_pending;
    // Where it agrees they are looked at once more.
    checked.cost += outcome.verdict == Verdict::agrees ? 0 : cost_of_swings;
    if (!add(std::move(outcome))) {
      return checked;
    }
    if (unknown && rule.ends_at_unknown) {
      checked.is_whole = false;
      return checked;
    }
  }
  // Where states have a verdict they have it with the margin.
  const Run with_margin(configuration, (is_linear ? growth_margin : rule.margin) * macro_step_s);
  const auto passes = [&](Comparisons::Quantity quantity, Run at,
                          const std::optional<double>& limit,
                          const Comparisons::RandomInputs& inputs) {
    if (!limit) {
      return true;
    }
    return add(comparisons_.compare(quantity, at, *limit, true, inputs, checked.cost));
  };
  const auto beyond = [&] { return unknown ? with_margin : run; };
  const auto swings_stay = [&] {
    return passes(swing, beyond(), rule.swing_where_unknown, random) &&
           passes(change, beyond(), rule.change_where_unknown, random);
  };
  bool may_swing = unknown || !is_linear;
  if (!passes(change, run, rule.change, fast) || (may_swing && !swings_stay())) {
    return checked;
  }
  const bool has_session = rule.growth && !may_swing && tries_lasting;
  if (!rule.in_full &&
      ((may_swing && tries_lasting) || has_session || rule.unseen || checked.is_pending)) {
    checked.is_whole = false;
    return checked;
  }
  if (has_session) {
    if (!completes_session(within_margin, checked)) {
      return checked;
    }
    unknown = checked.evidence() < Evidence::growth_within_session;
    may_swing = unknown;
    if (unknown && rule.ends_at_unknown) {
      checked.is_whole = false;
      return checked;
    }
    if (unknown && !swings_stay()) {
      return checked;
    }
  }
  if (may_swing && tries_lasting) {
    auto outcome = comparisons_.compare_long(beyond(), *rule.swing_where_unknown, checked.cost);
    if (outcome.verdict == Verdict::objects) {
      add(std::move(outcome));
      return checked;
    }
    auto other = completion_.of_lasting(unknown ? run : with_margin, checked.cost);
    if (other.verdict == Verdict::objects) {
      add(std::move(other));
      return checked;
    }
    // That they agree is no evidence where some output has not moved.
    auto& swing = *std::ranges::find(checked.outcomes, "swing", &CheckOutcome::check);
    swing.value = std::max(swing.value, outcome.value);
    if (other.verdict == Verdict::unknown) {
      // Nothing is known beyond the tests, which is as far as growth around states goes.
      swing.verdict = Verdict::unknown;
      for (auto& one : checked.outcomes) {
        one.verdict = one.check == "growth" ? Verdict::unknown : one.verdict;
      }
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

/// Whether what a linear model of a few tests says of a session shows in runs of it, as far as they
/// go: what ages, or switches later, is in none of the tests. Else the growth objects.
bool RunChecks::completes_session(Run run, CheckedRun& checked) {
  const auto growth = std::ranges::find(checked.outcomes, "growth", &CheckOutcome::check);
  const auto object = [&](CheckOutcome why) {
    checked.outcomes.erase(growth);
    why.check = "growth";
    checked.outcomes.push_back(std::move(why));
    return false;
  };
  auto lasting = completion_.of_lasting(run, checked.cost);
  if (lasting.verdict == Verdict::objects) {
    return object(std::move(lasting));
  }
  auto session = completion_.of_session(run, growth_.session_s(run, checked.cost), checked.cost);
  if (session.verdict == Verdict::objects) {
    return object(std::move(session));
  }
  if (lasting.verdict == Verdict::unknown || session.verdict == Verdict::unknown) {
    growth->verdict = Verdict::unknown;
  }
  growth->left_out = lasting.left_out;
  for (auto* more : {&lasting, &session}) {
    std::ranges::move(more->findings, std::back_inserter(growth->findings));
  }
  return true;
}

}  // namespace macrostep::engine
