#include "engine/verification/completion.hpp"

#include <algorithm>
#include <utility>

#include "engine/trial/trial_end.hpp"

namespace macrostep::engine {

namespace {

/// The most macro-steps of a run over the session.
constexpr double most_session_steps = 300'000;
/// And of one that has to go beyond the end of another run, or is compared with one that ended;
/// only a quarter of the H of that may need more.
constexpr double most_steps_beyond = 3'000'000;
/// Once a run over a session has ended, others, and what it is compared with, last so many times as
/// long.
constexpr double beyond_the_end = 1.5;
/// A problem that leaves its bounds by itself, as a body that nothing holds, leaves them with the
/// smallest macro-step up to so many times as late.
constexpr double as_late = 1.1;
constexpr double rounding = 1e-9;  // of times

/// What `judge` says of a run, and its cost, once.
template <class Key, class Judge>
CheckOutcome once(std::map<Key, std::pair<CheckOutcome, double>>& known, const Key& run,
                  double& cost, const Judge& judge) {
  auto found = known.find(run);
  if (found == known.end()) {
    double own = 0;
    auto outcome = judge(own);
    found = known.emplace(run, std::pair(std::move(outcome), own)).first;
  }
  cost += found->second.second;
  return found->second.first;
}

}  // namespace

CheckedStep smallest_of(const Plan& plan, CheckedStep run) {
  return {run.first,
          std::min(run.second / static_cast<double>(smaller_by), plan.job.macro_step.initial_s)};
}

Completion::Completion(const Plan& plan, PerformTasks perform)
    : plan_(plan), perform_(std::move(perform)) {
  for (const auto* input : plan.inputs()) {
    place_.emplace(input, place_.size());
  }
}

std::vector<TrialResult> Completion::results(CheckedStep run, const Inputs& inputs,
                                             std::optional<double> until_s, double& cost) {
  std::vector<RunTask> tasks;
  for (const auto* input : inputs) {
    tasks.push_back({.run = run_of(run, input)});
    tasks.back().run.until_s = until_s;
  }
  auto list = results_of<TrialResult>(perform_, tasks);
  for (const auto& result : list) {
    cost += result.cost;
  }
  return list;
}

std::vector<std::string> Completion::why_not(CheckedStep run, const Inputs& inputs, double& cost) {
  std::vector<std::string> reasons;
  for (const auto& result : results(run, inputs, {}, cost)) {
    reasons.push_back(result.status == TrialStatus::complete ? "" : end_text(result));
  }
  return reasons;
}

CheckOutcome Completion::of_lasting(CheckedStep run, double& cost) {
  return once(lasting_, run, cost, [&](double& own) { return judge_lasting(run, own); });
}

CheckOutcome Completion::of_session(CheckedStep run, double session_s, double& cost) {
  const double wanted_s = std::min(session_s, beyond_the_end * latest_end_s_);
  const double steps_s =
      std::max(most_session_steps * run.second, std::min(wanted_s, most_steps_beyond * run.second));
  const double until_s = std::min({session_s, plan_.check_inputs.longest_session_s, steps_s});
  if (until_s <= 0) {
    return {.check = "swing", .verdict = Verdict::agrees};  // nothing is known of its length
  }
  auto outcome = once(session_, {run, until_s}, cost,
                      [&](double& own) { return judge_session(run, until_s, session_s, own); });
  if (outcome.verdict == Verdict::agrees && until_s < (1 - rounding) * wanted_s) {
    outcome.verdict = Verdict::unknown;
    outcome.findings = {
        {.code = NoticeCode::session_run_too_short,
         .numbers = {
             {"macro_step_s", run.second}, {"until_s", until_s}, {"end_s", latest_end_s_}}}};
  }
  return outcome;
}

/// Whether the problem leaves its bounds by itself where a run under this input has.
bool Completion::leaves_bounds(CheckedStep smallest, const TestInput* input,
                               const TrialResult& ended, double& cost) {
  return is_beyond_nominal(ended.reason) &&
         is_beyond_nominal(
             results(smallest, {input}, as_late * ended.final_time_s, cost).front().reason);
}

std::vector<bool> Completion::smallest_goes_on(CheckedStep run, const Inputs& ended, double& cost) {
  const auto smallest = smallest_of(plan_, run);
  const auto reasons = why_not(smallest, ended, cost);
  std::vector<bool> list;
  for (std::size_t i = 0; i < ended.size(); ++i) {
    list.push_back(
        reasons[i].empty() &&
        !leaves_bounds(smallest, ended[i], results(run, {ended[i]}, {}, cost).front(), cost));
  }
  return list;
}

CheckOutcome Completion::judge_lasting(CheckedStep run, double& cost) {
  CheckOutcome outcome{.check = "swing"};
  auto left = all_of(plan_.check_inputs.lasting);
  const std::size_t all = left.size();
  std::optional<Notice> why;
  for (const auto& share : plan_.check_inputs.lasting) {
    const auto inputs = chosen(share, left);
    const auto made = results(run, inputs, {}, cost);
    std::vector<std::size_t> ended;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (made[i].status == TrialStatus::complete) {
        continue;
      }
      const auto smallest = smallest_of(plan_, run);
      const auto incomplete = [&](NoticeCode code) {
        return Notice{
            .code = code,
            .subject = inputs[i]->name,
            .numbers = {{"macro_step_s", run.second}, {"smaller_macro_step_s", smallest.second}},
            .detail = end_text(made[i])};
      };
      if (why_not(smallest, {inputs[i]}, cost).front().empty() &&
          !leaves_bounds(smallest, inputs[i], made[i], cost)) {
        outcome.verdict = Verdict::objects;
        outcome.findings = {incomplete(NoticeCode::incomplete_where_smaller_completes)};
        return outcome;
      }
      ended.push_back(left[i]);
      why = incomplete(NoticeCode::incomplete_with_smaller_too);
    }
    left = std::move(ended);
    if (left.empty()) {
      break;
    }
  }
  outcome.left_out = left.size();
  outcome.verdict = 2 * left.size() >= all && all > 0 ? Verdict::unknown : Verdict::agrees;
  outcome.findings = {{.code = NoticeCode::lasting_inputs_completed,
                       .numbers = {{"macro_step_s", run.second},
                                   {"completed", static_cast<double>(all - left.size())},
                                   {"inputs", static_cast<double>(all)}}}};
  if (!left.empty()) {
    outcome.findings.push_back(*why);
  }
  return outcome;
}

CheckOutcome Completion::judge_session(CheckedStep run, double until_s, double session_s,
                                       double& cost) {
  const auto* input = &plan_.check_inputs.session.front();
  const auto result = results(run, {input}, until_s, cost).front();
  if (result.status == TrialStatus::complete) {
    return {.check = "swing",
            .verdict = Verdict::agrees,
            .findings = {{.code = NoticeCode::session_completed,
                          .numbers = {{"macro_step_s", run.second},
                                      {"until_s", until_s},
                                      {"session_s", session_s}}}}};
  }
  const double beyond_s = result.final_time_s > 0 ? beyond_the_end * result.final_time_s : until_s;
  const double quarter_s = run.second / static_cast<double>(smaller_by);
  const double finest_s = beyond_s / most_steps_beyond;
  double smaller_s = std::min(quarter_s, std::max(plan_.job.macro_step.initial_s, finest_s));
  const auto goes_on = [&] {
    return results({run.first, smaller_s}, {input}, beyond_s, cost).front().status ==
           TrialStatus::complete;
  };
  bool completes = goes_on();
  if (!completes && finest_s < smaller_s) {
    smaller_s = finest_s;
    completes = goes_on();
  }
  // A run that takes too long has not ended by what it computes.
  const bool has_ended = result.status != TrialStatus::timed_out;
  const bool objects = completes && has_ended;
  if (has_ended) {
    latest_end_s_ = std::max(latest_end_s_, result.final_time_s);
  }
  return {
      .check = "swing",
      .verdict = objects ? Verdict::objects : Verdict::unknown,
      .findings = {{.code = completes ? NoticeCode::incomplete_where_smaller_completes
                                      : NoticeCode::incomplete_with_smaller_too,
                    .subject = input->name,
                    .numbers = {{"macro_step_s", run.second}, {"smaller_macro_step_s", smaller_s}},
                    .detail = end_text(result)}}};
}

}  // namespace macrostep::engine
