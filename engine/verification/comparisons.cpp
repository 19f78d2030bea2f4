#include "engine/verification/comparisons.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <utility>

#include "engine/plan/witnesses.hpp"

namespace macrostep::engine {

namespace {

/// A run that follows a finer one, or the solution, changes by less, or errs by less (NRMSE).
constexpr double followed_change = 0.5;
/// How much finer the runs are that those under sines are compared with.
constexpr std::int64_t sines_smaller_by = 8;

/// Asks for what is not known of a run under these inputs: the worst of the tasks `task_of(one)` of
/// the runs that `runs_of(input)` lists.
template <class Run, class Result, class RunsOf, class TaskOf>
void complete(std::map<std::pair<Run, const TestInput*>, Result>& known, const Run& run,
              const std::vector<const TestInput*>& inputs, const PerformTasks& perform,
              const RunsOf& runs_of, const TaskOf& task_of) {
  std::vector<const TestInput*> missing;
  std::ranges::copy_if(inputs, std::back_inserter(missing), [&](const auto* input) {
    return !known.contains({run, input});
  });
  std::vector<decltype(task_of(TrialSpec()))> tasks;
  std::vector<std::size_t> counts;
  for (const auto* input : missing) {
    const auto of_input = runs_of(input);
    counts.push_back(of_input.size());
    std::ranges::transform(of_input, std::back_inserter(tasks), task_of);
  }
  auto made = results_of<Result>(perform, tasks);
  auto next = std::make_move_iterator(made.begin());
  for (std::size_t i = 0; i < missing.size(); ++i) {
    const auto end = next + static_cast<std::ptrdiff_t>(counts[i]);
    known.emplace(std::pair(run, missing[i]), worst_of(std::vector(next, end)));
    next = end;
  }
}

std::string_view name_of(Comparisons::Quantity quantity) {
  using enum Comparisons::Quantity;
  return quantity == change ? "change" : quantity == swing ? "swing" : "unseen";
}

}  // namespace

Comparisons::Comparisons(const Plan& plan, PerformTasks perform)
    : plan_(plan),
      perform_(std::move(perform)),
      completion_(plan, perform_),
      witnesses_(witnesses(plan)) {}

std::optional<double> Comparisons::change_in_tests(Run run) {
  const auto tests = addresses(plan_.job.tests);
  const Refined refined(run, smaller_by);
  refine_all(refined, tests);
  double largest = 0;
  for (const auto* test : tests) {
    const auto& change = changes_.at({refined, test}).change;
    if (!change) {
      return std::nullopt;
    }
    largest = std::max(largest, *change);
  }
  return largest;
}

void Comparisons::refine_all(Refined refined, const Inputs& inputs) {
  const auto& [run, finer] = refined;
  complete(
      changes_, refined, inputs, perform_, runs_of(run),
      [times = finer](const TrialSpec& one) { return RefineTask{.run = one, .finer = times}; });
}

std::vector<Compared> Comparisons::of(Quantity quantity, Run run, const Inputs& inputs,
                                      double& cost) {
  switch (quantity) {
    case Quantity::change:
      return by_refinement(&Refinement::change, {run, smaller_by}, inputs, cost);
    case Quantity::swing:
      return by_refinement(&Refinement::swing, {run, smaller_by}, inputs, cost);
    case Quantity::error:
      break;
  }
  return by_solution(run, inputs, cost);
}

std::vector<Compared> Comparisons::by_refinement(std::optional<double> Refinement::*value,
                                                 Refined run, const Inputs& inputs, double& cost) {
  refine_all(run, inputs);
  const auto& [coarse, finer] = run;
  std::vector<Compared> list;
  for (const auto* input : inputs) {
    const auto& refinement = changes_.at({run, input});
    cost += refinement.cost;
    list.push_back({.value = refinement.*value,
                    .follows = refinement.change && *refinement.change <= followed_change,
                    .completes = refinement.completes,
                    .findings = {finding_of(refinement, value, coarse.second, finer)},
                    .still = refinement.still});
  }
  return list;
}

void Comparisons::compare_random(Quantity quantity, Run run, const InputsByShare& by_share,
                                 std::vector<std::size_t> left, double limit, double& cost,
                                 Worst& worst) {
  const Run smallest = smallest_of(plan_, run);
  worst.of += left.size();
  for (const auto& share : by_share) {
    const auto inputs = chosen(share, left);
    auto coarse = of(quantity, run, inputs, cost);
    Inputs doubtful, asked;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (coarse[i].badness() > limit || !coarse[i].follows) {
        doubtful.push_back(inputs[i]);
        if (!is_followed_by_nobody(quantity, run, inputs[i])) {
          asked.push_back(inputs[i]);
        }
      }
    }
    const auto fine = of(quantity, smallest, asked, cost);
    std::vector<std::size_t> not_followed;
    for (std::size_t i = 0, d = 0, a = 0; i < inputs.size(); ++i) {
      const bool is_doubtful = d < doubtful.size() && doubtful[d] == inputs[i];
      d += is_doubtful ? 1 : 0;
      const bool is_asked = a < asked.size() && asked[a] == inputs[i];
      if (is_doubtful && !(is_asked && fine[a].follows)) {
        not_followed.push_back(left[i]);
      } else {
        ++worst.inputs;
        worst.add(std::move(coarse[i]), left[i]);
      }
      a += is_asked ? 1 : 0;
    }
    left = std::move(not_followed);
    if (left.empty()) {
      break;
    }
    hold_against_others(quantity, run, share, left, cost, worst);
  }
}

bool Comparisons::is_followed_by_nobody(Quantity quantity, Run run, const TestInput* input) const {
  return nobody_follows_.contains(
      {plan_.configurations[run.first].coupling, quantity == Quantity::error, input});
}

/// Inputs at these places, which the configuration does not follow with any macro-step.
void Comparisons::hold_against_others(Quantity quantity, Run run,
                                      const std::vector<TestInput>& share,
                                      std::vector<std::size_t> places, double& cost, Worst& worst) {
  std::erase_if(places, [&](std::size_t place) {
    return is_followed_by_nobody(quantity, run, &share[place]);
  });
  for (const std::size_t other : witnesses_) {
    if (other == run.first || places.empty()) {
      continue;
    }
    const Run witness(other, plan_.job.macro_step.initial_s);
    const auto seen = of(quantity, witness, chosen(share, places), cost);
    std::vector<std::size_t> unseen;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (!seen[i].follows) {
        unseen.push_back(places[i]);
        continue;
      }
      worst.add({.value = {},
                 .follows = false,
                 .findings = {{.code = NoticeCode::input_not_followed,
                               .subject = share[places[i]].name,
                               .numbers = {{"macro_step_s", smallest_of(plan_, run).second}}},
                              {.code = NoticeCode::input_followed_by,
                               .subject = "(" + describe(plan_.configurations[other]) + ")",
                               .numbers = {{"macro_step_s", witness.second}}}}},
                places[i]);
    }
    places = std::move(unseen);
  }
  for (const std::size_t place : places) {
    nobody_follows_.emplace(plan_.configurations[run.first].coupling, quantity == Quantity::error,
                            &share[place]);
  }
}

CheckOutcome Comparisons::compare(Quantity quantity, Run run, double limit, bool tests,
                                  const RandomInputs& random, double& cost) {
  const auto& configuration = plan_.configurations[run.first];
  for (const auto* by_share : random) {
    const auto last = objected_.find(by_share);
    if (last != objected_.end()) {
      Worst one;
      double cost_of_one = 0;
      compare_random(quantity, run, *by_share, {last->second}, limit, cost_of_one, one);
      if (one.compared.badness() > limit) {
        cost += cost_of_one;
        return {.check = name_of(quantity),
                .verdict = Verdict::objects,
                .value = one.compared.value,
                .limit = limit,
                .findings = std::move(one.compared.findings)};
      }
    }
  }
  Worst worst{.still = responding_outputs(plan_.graph(configuration))};
  if (tests) {
    const auto list = addresses(plan_.job.tests);
    for (auto& one : of(quantity, run, list, cost)) {
      worst.add(std::move(one));
    }
    if (quantity == Quantity::swing && worst.compared.badness() <= limit) {
      // A chatter that a quarter of H has, too, is no motion of the problem.
      const double times = run.second / plan_.job.macro_step.initial_s;
      const auto finer = std::max(smaller_by, static_cast<std::int64_t>(std::ceil(times - 1e-9)));
      for (auto& one : by_refinement(&Refinement::swing, {run, finer}, list, cost)) {
        worst.add(std::move(one));
      }
    }
  }
  for (const auto* by_share : random) {
    if (worst.compared.badness() > limit) {
      break;
    }
    compare_random(quantity, run, *by_share, all_of(*by_share), limit, cost, worst);
    if (worst.compared.badness() > limit) {
      objected_[by_share] = worst.place;
    }
  }
  const bool was_compared = !worst.compared.findings.empty();
  CheckOutcome outcome{.check = name_of(quantity),
                       .verdict = Verdict::agrees,
                       .value = was_compared ? worst.compared.value : std::nullopt,
                       .limit = limit,
                       .findings = worst.compared.findings,
                       .left_out = worst.of - worst.inputs,
                       .most_left_out = worst.of > 0 && 2 * worst.inputs <= worst.of};
  if (worst.compared.badness() > limit) {
    outcome.verdict = Verdict::objects;
    return outcome;
  }
  if (outcome.left_out > 0) {
    outcome.findings.push_back({.code = NoticeCode::random_inputs_left_out,
                                .numbers = {{"followed", static_cast<double>(worst.inputs)},
                                            {"inputs", static_cast<double>(worst.of)}}});
  }
  if (outcome.most_left_out) {
    outcome.verdict = Verdict::unknown;
  } else if (quantity == Quantity::swing && !worst.still.empty()) {
    outcome.verdict = Verdict::unknown;
    outcome.findings.push_back(
        {.code = NoticeCode::outputs_not_moved,
         .subject = output_list(plan_.coupling(configuration), worst.still)});
  }
  return outcome;
}

std::array<Comparisons::LongInputs, 4> Comparisons::long_inputs() const {
  const auto& inputs = plan_.check_inputs;
  return {{{"long inputs", inputs.long_motions, smaller_by},
           {"sines", inputs.sines, sines_smaller_by},
           {"switching inputs", inputs.switching, smaller_by},
           {"lasting inputs", inputs.lasting, smaller_by}}};
}

std::optional<CheckOutcome> Comparisons::object_again(Run run, double limit, double& cost) {
  for (const auto& [kind, by_share, finer] : long_inputs()) {
    const auto last = objected_.find(&by_share);
    if (last != objected_.end()) {
      double cost_of_one = 0;
      auto one = compare_swings({run, finer}, limit, by_share, {last->second}, kind, cost_of_one);
      if (one.verdict == Verdict::objects) {
        cost += cost_of_one;
        return one;
      }
    }
  }
  return std::nullopt;
}

CheckOutcome Comparisons::compare_long(Run run, double limit, double& cost) {
  if (auto again = object_again(run, limit, cost)) {
    return *std::move(again);
  }
  CheckOutcome all{.check = name_of(Quantity::swing), .limit = limit};
  for (const auto& [kind, by_share, finer] : long_inputs()) {
    if (by_share.front().empty()) {
      continue;
    }
    auto one = compare_swings({run, finer}, limit, by_share, all_of(by_share), kind, cost);
    if (one.verdict == Verdict::objects) {
      return one;
    }
    all.verdict = one.verdict == Verdict::agrees ? one.verdict : all.verdict;
    all.value = std::max(all.value, one.value);
    std::ranges::move(one.findings, std::back_inserter(all.findings));
  }
  return all;
}

CheckOutcome Comparisons::compare_swings(Refined refined, double limit,
                                         const InputsByShare& by_share,
                                         std::vector<std::size_t> left, const std::string& kind,
                                         double& cost) {
  const auto& run = refined.first;
  Worst worst{.of = left.size()};
  std::vector<Notice> why;  // nothing is known under the first input of which nothing is
  for (const auto& share : by_share) {
    const auto inputs = chosen(share, left);
    auto coarse = by_refinement(&Refinement::swing, refined, inputs, cost);
    Inputs far, ended;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (!coarse[i].completes) {
        ended.push_back(inputs[i]);
      } else if (coarse[i].value && *coarse[i].value > limit) {
        far.push_back(inputs[i]);
      }
    }
    std::map<const TestInput*, bool> is_told;  // by the smallest macro-step
    const auto fine = of(Quantity::swing, smallest_of(plan_, run), far, cost);
    for (std::size_t i = 0; i < far.size(); ++i) {
      is_told[far[i]] = fine[i].follows;
    }
    const auto goes_on = completion_.smallest_goes_on(run, ended, cost);
    for (std::size_t i = 0; i < ended.size(); ++i) {
      is_told[ended[i]] = goes_on[i];
    }
    std::vector<std::size_t> not_told;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const auto asked = is_told.find(inputs[i]);
      if (asked != is_told.end() ? asked->second : coarse[i].value.has_value()) {
        ++worst.inputs;
        worst.add(std::move(coarse[i]), left[i]);
      } else {
        why = why.empty() ? coarse[i].findings : why;
        not_told.push_back(left[i]);
      }
    }
    left = std::move(not_told);
    if (left.empty() || worst.compared.badness() > limit) {
      break;
    }
  }
  if (worst.inputs == 0) {
    return {.check = name_of(Quantity::swing),
            .verdict = Verdict::unknown,
            .limit = limit,
            .findings = {{.code = NoticeCode::nothing_known_of_inputs,
                          .subject = kind,
                          .causes = std::move(why)}},
            .left_out = worst.of};
  }
  const bool objects = worst.compared.badness() > limit;
  if (objects) {
    objected_[&by_share] = worst.place;
  }
  return {.check = name_of(Quantity::swing),
          .verdict = objects ? Verdict::objects : Verdict::agrees,
          .value = worst.compared.value,
          .limit = limit,
          .findings = std::move(worst.compared.findings),
          .left_out = worst.of - worst.inputs};
}

std::vector<Compared> Comparisons::by_solution(Run run, const Inputs& inputs, double& cost) {
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
                    .findings = {finding_of(measured, run.second)}});
  }
  auto changes = of(Quantity::change, run, without, cost);
  for (std::size_t i = 0, c = 0; c < without.size(); ++i) {
    if (inputs[i] == without[c]) {
      list[i] = std::move(changes[c++]);
      list[i].findings.push_back(finding_of(errors_.at({run, inputs[i]}), run.second));
    }
  }
  return list;
}

void Comparisons::measure_all(Run run, const Inputs& inputs) {
  complete(errors_, run, inputs, perform_, runs_of(run),
           [](const TrialSpec& one) { return ErrorTask{one}; });
}

}  // namespace macrostep::engine
