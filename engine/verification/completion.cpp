#include "engine/verification/completion.hpp"

#include <algorithm>
#include <utility>

namespace macrostep::engine {

namespace {

/// A run over the session has no more macro-steps.
constexpr double most_session_steps = 300'000;
/// But where one with a larger macro-step has ended: it goes on beyond so many times that.
constexpr double beyond_the_end = 1.5;

/// What `judge` says of a run, and its cost, once.
template <class Judge>
CheckOutcome once(std::map<CheckedStep, std::pair<CheckOutcome, double>>& known, CheckedStep run,
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

std::vector<std::string> Completion::why_not(CheckedStep run, const Inputs& inputs, double& cost) {
  std::vector<std::string> reasons;
  std::vector<RunTask> tasks;
  for (const auto* input : inputs) {
    tasks.push_back({.run = run_of(run, input)});
  }
  for (const auto& result : results_of<TrialResult>(perform_, tasks)) {
    cost += result.cost;
    reasons.push_back(result.status == TrialStatus::complete ? "" : end_text(result));
  }
  return reasons;
}

CheckOutcome Completion::of_lasting(CheckedStep run, double& cost) {
  return once(lasting_, run, cost, [&](double& own) { return judge_lasting(run, own); });
}

CheckOutcome Completion::of_session(CheckedStep run, double session_s, double& cost) {
  return once(session_, run, cost, [&](double& own) { return judge_session(run, session_s, own); });
}

CheckOutcome Completion::judge_lasting(CheckedStep run, double& cost) {
  CheckOutcome outcome{.check = "swing"};
  auto left = all_of(plan_.check_inputs.lasting);
  const std::size_t all = left.size();
  std::optional<Notice> why;
  for (const auto& share : plan_.check_inputs.lasting) {
    const auto inputs = chosen(share, left);
    const auto reasons = why_not(run, inputs, cost);
    std::vector<std::size_t> ended;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (reasons[i].empty()) {
        continue;
      }
      const auto incomplete = [&](NoticeCode code) {
        return Notice{.code = code,
                      .subject = inputs[i]->name,
                      .numbers = {{"macro_step_s", run.second},
                                  {"smaller_macro_step_s", smallest_of(plan_, run).second}},
                      .detail = reasons[i]};
      };
      if (why_not(smallest_of(plan_, run), {inputs[i]}, cost).front().empty()) {
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

CheckOutcome Completion::judge_session(CheckedStep run, double session_s, double& cost) {
  CheckOutcome outcome{.check = "swing", .verdict = Verdict::agrees};
  const auto& input = plan_.check_inputs.session.front();
  const double until_s =
      std::min({session_s, plan_.check_inputs.longest_session_s, most_session_steps * run.second});
  if (until_s <= 0) {
    return outcome;  // nothing is known of its length
  }
  const auto why_not_with = [&](double macro_step_s) {
    std::vector<RunTask> task{{.run = run_of({run.first, macro_step_s}, &input)}};
    task.front().run.until_s = until_s;
    const auto result = results_of<TrialResult>(perform_, task).front();
    cost += result.cost;
    if (result.status == TrialStatus::complete) {
      return std::string();
    }
    latest_end_s_ = std::max(latest_end_s_, result.final_time_s);
    return end_text(result);
  };
  const auto reason = why_not_with(run.second);
  if (reason.empty()) {
    outcome.findings = {
        {.code = NoticeCode::session_completed,
         .numbers = {
             {"macro_step_s", run.second}, {"until_s", until_s}, {"session_s", session_s}}}};
    return outcome;
  }
  const double smaller_s = run.second / static_cast<double>(smaller_by);
  const bool smaller_completes = why_not_with(smaller_s).empty();
  outcome.verdict = smaller_completes ? Verdict::objects : Verdict::unknown;
  outcome.findings = {
      {.code = smaller_completes ? NoticeCode::incomplete_where_smaller_completes
                                 : NoticeCode::incomplete_with_smaller_too,
       .subject = input.name,
       .numbers = {{"macro_step_s", run.second}, {"smaller_macro_step_s", smaller_s}},
       .detail = reason}};
  return outcome;
}

}  // namespace macrostep::engine
