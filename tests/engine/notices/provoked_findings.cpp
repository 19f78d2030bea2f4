#include "tests/engine/notices/provoked_findings.hpp"

#include <cstdint>
#include <iterator>
#include <utility>
#include <variant>

#include "engine/cosim/residual.hpp"
#include "engine/verification/comparisons.hpp"
#include "engine/verification/probes/operating_points.hpp"
#include "engine/verification/run_checks.hpp"
#include "engine/verification/tasks.hpp"
#include "tests/engine/verification/one_thread.hpp"
#include "tests/made_backends.hpp"

namespace macrostep::tests::provoked {

namespace {

constexpr double checked_step_s = 2e-3;

Refinement following() {
  return {.change = 0.1, .swing = 1, .still = {}, .completes = true, .test = "ramp", .reason = {}};
}

Refinement ended() {
  return {.change = {}, .still = {}, .test = "ramp", .reason = "diverged: m2.v became NaN"};
}

ProbedGrowth unknown_growth() {
  return {.findings = {{.code = NoticeCode::nothing_moves}}};
}

/// What the tasks of checks say.
struct Told {
  std::function<Refinement(const RefineTask&)> refine = [](const auto&) { return following(); };
  std::function<bool(double at_s)> completes = [](double) { return true; };
  MeasuredError error = {.nrmse = 0.1, .test = "ramp", .reference = "CVODE BDF"};
  std::function<ProbedGrowth(double at_s)> probe = [](double) { return unknown_growth(); };
  Linearity linearity;

  TaskResult operator()(const RunTask& task) const {
    return completes(task.run.macro_step_s)
               ? TrialResult{}
               : TrialResult{.status = TrialStatus::diverged, .reason = "m2.v became NaN"};
  }
  TaskResult operator()(const RefineTask& task) const { return refine(task); }
  TaskResult operator()(const ErrorTask&) const { return error; }
  TaskResult operator()(const ProbeTask& task) const { return probe(task.macro_step_s); }
  TaskResult operator()(const StateTask&) const { return StateMotions{}; }
  TaskResult operator()(const LinearityTask&) const { return linearity; }
  TaskResult operator()(const TimesTask&) const { return StepTimeTable{}; }
};

PerformTasks performed_by_told(Told told) {
  return [told = std::move(told)](const std::vector<Task>& tasks) {
    std::vector<TaskResult> results;
    for (const auto& task : tasks) {
      results.push_back(std::visit(told, task));
    }
    return results;
  };
}

/// Findings with their causes, one after the other.
std::vector<Notice> with_causes(const std::vector<Notice>& findings) {
  std::vector<Notice> all;
  for (const auto& finding : findings) {
    all.push_back(finding);
    std::ranges::move(with_causes(finding.causes), std::back_inserter(all));
  }
  return all;
}

using Compare = std::function<CheckOutcome(Comparisons&, const Plan&, double& cost)>;

Provoke of_comparison(Told told, const Compare& compare) {
  return [=] {
    const auto plan = linear_plan();
    Comparisons comparisons(plan, performed_by_told(told));
    double cost = 0;
    return with_causes(compare(comparisons, plan, cost).findings);
  };
}

/// Under lasting inputs, or over a session.
Provoke of_completion(Told told, std::optional<double> session_s = std::nullopt) {
  return [=] {
    const auto plan = linear_plan();
    Completion completion(plan, performed_by_told(told));
    double cost = 0;
    const CheckedStep run(0, checked_step_s);
    return with_causes((session_s ? completion.of_session(run, *session_s, cost)
                                  : completion.of_lasting(run, cost))
                           .findings);
  };
}

/// A run over a session ends late, and one with a far smaller macro-step cannot go there.
std::vector<Notice> of_session_after_end() {
  const auto plan = linear_plan();
  constexpr double late_s = 1e8;
  Completion completion(plan, [](const std::vector<Task>& tasks) {
    const bool ends = std::get<RunTask>(tasks.front()).run.macro_step_s == checked_step_s;
    return std::vector<TaskResult>{ends ? TrialResult{.status = TrialStatus::diverged,
                                                      .reason = "m2.v became NaN",
                                                      .final_time_s = late_s}
                                        : TrialResult{}};
  });
  double cost = 0;
  completion.of_session({0, checked_step_s}, 2 * late_s, cost);
  return completion.of_session({0, checked_step_s / 1e3}, 2 * late_s, cost).findings;
}

Compare in_tests(Comparisons::Quantity quantity) {
  return [=](Comparisons& by, const Plan&, double& cost) {
    return by.compare(quantity, {0, checked_step_s}, 2, true, {}, cost);
  };
}

CheckOutcome under_random_inputs(Comparisons& by, const Plan& plan, double& cost) {
  return by.compare(Comparisons::Quantity::change, {1, checked_step_s}, 2, false,
                    {&plan.check_inputs.random}, cost);
}

CheckOutcome under_long_inputs(Comparisons& by, const Plan&, double& cost) {
  return by.compare_long({0, checked_step_s}, 2, cost);
}

Told with_refinement(std::function<Refinement(const RefineTask&)> refine) {
  Told told;
  told.refine = std::move(refine);
  return told;
}

Told with_ends(std::function<bool(double)> completes) {
  Told told;
  told.refine = [](const RefineTask&) { return ended(); };
  told.completes = std::move(completes);
  return told;
}

Told without_error() {
  Told told;
  told.error = {.reason = "the problem has none"};
  return told;
}

Refinement not_followed() {
  auto refinement = following();
  refinement.change = 9;
  return refinement;
}

/// What nothing moves.
Refinement standing_still() {
  auto refinement = following();
  refinement.still = {0, 1, 2, 3};
  return refinement;
}

ProbedGrowth moving(double rate_per_s, double uncertainty_per_s) {
  return {.macro_step_s = checked_step_s,
          .motions = {{.rate_per_s = rate_per_s,
                       .uncertainty_per_s = uncertainty_per_s,
                       .turn_rad_s = 50,
                       .share = 1}},
          .session_s = 100};
}

/// Where a quarter of H has a motion with this rate.
Provoke of_motion(double rate_per_s, double uncertainty_per_s, double fine_rate_per_s) {
  return [=] {
    auto probed = moving(rate_per_s, uncertainty_per_s);
    hold_against_finer(probed, moving(fine_rate_per_s, 1e-6));
    return probed.findings;
  };
}

/// Trials that fail, or whose outputs all are the same function of the communication point.
Provoke of_outputs(const std::function<double(std::int64_t point)>& output) {
  return [=] {
    const TrialsBy backend([&](const Plan& plan, const TrialSettings& run) {
      if (!output) {
        return TrialResult{.status = TrialStatus::diverged, .reason = "m2.v became NaN"};
      }
      std::vector<double> outputs(plan.graph(*run.configuration).output_count);
      const auto points = macro_steps_in(*run.until_s, run.macro_step_s);
      for (std::int64_t point = 0; point <= points; ++point) {
        std::ranges::fill(outputs, output(point));
        run.trace({.time_s = static_cast<double>(point) * run.macro_step_s,
                   .outputs = outputs,
                   .residual_power_w = 0});
      }
      return TrialResult{};
    });
    return probe_growth(linear_plan(), 0, checked_step_s, 1, {.backend = backend, .threads = 1})
        .findings;
  };
}

/// Around the first state; runs with smaller macro-steps than this diverge.
Provoke of_state(double ends_below_s) {
  return [=] {
    const TrialsBy backend([&](const Plan& plan, const TrialSettings& run) {
      return run.macro_step_s < ends_below_s
                 ? TrialResult{.status = TrialStatus::diverged, .reason = "m2.v became NaN"}
                 : run_trial(plan, run);
    });
    const auto state =
        probe_state(linear_plan(), 0, checked_step_s, 1, {.backend = backend, .threads = 1}, 0);
    return with_causes(state.findings);
  };
}

/// Around as many states, all of which say this.
Provoke of_states(std::size_t states, const StateMotions& each) {
  return [=] {
    auto plan = linear_plan();
    plan.check_inputs.operating_points.assign(states, {.name = "step at 1 s"});
    const auto around =
        around_states(plan, plan.configurations[0], [&](const std::vector<std::size_t>& asked) {
          return std::vector<StateMotions>(asked.size(), each);
        });
    return with_causes(around.findings);
  };
}

Provoke of_growth_check(Told told, const CheckRule& rule, int checks = 1) {
  return [=] {
    const auto plan = linear_plan();
    RunChecks by(plan, performed_by_told(told));
    CheckedRun checked;
    for (int check = 0; check < checks; ++check) {
      checked = by.check(rule, 0, checked_step_s);
    }
    return with_causes(checked.outcomes.front().findings);
  };
}

Told with_probe(std::function<ProbedGrowth(double)> probe) {
  Told told;
  told.probe = std::move(probe);
  return told;
}

/// Whose jumps are linear.
Told with_linearity(Linearity linearity) {
  auto told = with_probe([](double) {
    auto probed = moving(-1, 1e-6);
    probed.verdict = GrowthVerdict::stable;
    return probed;
  });
  told.linearity = std::move(linearity);
  return told;
}

/// A jump ends, with the smallest macro-step, too.
Told with_jump_that_ends() {
  auto told = with_probe([](double) {
    return ProbedGrowth{.verdict = GrowthVerdict::growing,
                        .ended = EndedJump{.jump = 0, .time_s = 1},
                        .findings = {{.code = NoticeCode::jump_incomplete,
                                      .subject = "jump of w",
                                      .numbers = {{"macro_step_s", checked_step_s}},
                                      .detail = "diverged: m2.v became NaN"}}};
  });
  told.completes = [](double) { return false; };
  return told;
}

ProbedGrowth growing_where_small(double at_s) {
  return at_s < checked_step_s ? ProbedGrowth{.verdict = GrowthVerdict::growing,
                                              .findings = {{.code = NoticeCode::nothing_moves}}}
                               : ProbedGrowth{.verdict = GrowthVerdict::stable};
}

StateMotions around(bool grows, bool is_verified) {
  return {.grows = grows,
          .is_verified = is_verified,
          .has_motions = true,
          .rate_per_s = grows ? 1.0 : -1.0,
          .findings = {{.code = NoticeCode::rate_around_state,
                        .numbers = {{"rate_per_s", 1}, {"uncertainty_per_s", 0.1}}}}};
}

std::vector<Notice> of_no_result() {
  const std::vector<Task> task{ProbeTask{}};
  const auto results = not_performed(task, TrialStatus::crashed, "its task was lost");
  return std::get<ProbedGrowth>(results.front()).findings;
}

}  // namespace

const Provoked& findings_of_comparisons() {
  using enum Comparisons::Quantity;
  static const auto first_follows = [](const RefineTask& task) {
    return task.run.configuration == 0 ? following() : not_followed();
  };
  static const Provoked all{
      {NoticeCode::compared_with_finer_run, of_comparison({}, in_tests(change))},
      {NoticeCode::compared_with_solution, of_comparison({}, in_tests(error))},
      {NoticeCode::no_solution, of_comparison(without_error(), in_tests(error))},
      {NoticeCode::run_incomplete,
       of_comparison(with_refinement([](const auto&) { return ended(); }), in_tests(change))},
      {NoticeCode::input_not_followed,
       of_comparison(with_refinement(first_follows), under_random_inputs)},
      {NoticeCode::input_followed_by,
       of_comparison(with_refinement(first_follows), under_random_inputs)},
      {NoticeCode::random_inputs_left_out,
       of_comparison(with_refinement([](const auto&) { return not_followed(); }),
                     under_random_inputs)},
      {NoticeCode::outputs_not_moved,
       of_comparison(with_refinement([](const auto&) { return standing_still(); }),
                     in_tests(swing))},
      {NoticeCode::nothing_known_of_inputs,
       of_comparison(with_ends([](double) { return false; }), under_long_inputs)},
      {NoticeCode::incomplete_where_smaller_completes,
       of_completion(with_ends([](double at_s) { return at_s < checked_step_s; }))},
      {NoticeCode::incomplete_with_smaller_too,
       of_completion(with_ends([](double) { return false; }))},
      {NoticeCode::lasting_inputs_completed, of_completion({})},
      {NoticeCode::session_completed, of_completion({}, 1e4)},
      {NoticeCode::session_run_too_short, of_session_after_end},
  };
  return all;
}

const Provoked& findings_of_growth() {
  static const CheckRule growth{.growth = true};
  static const CheckRule around_states_too{.growth = true, .states = true};
  static const auto noise = [](std::int64_t point) {
    return static_cast<double>((point * 7919) % 104'729 % 101);
  };
  static const Provoked all{
      {NoticeCode::motion_grows, of_motion(1.2, 0.001, 1)},
      {NoticeCode::motion_may_grow, of_motion(0.1, 1, -1)},
      {NoticeCode::undamped_oscillation_allowed, of_motion(1e-4, 1e-6, 1e-9)},
      {NoticeCode::grows_with_quarter_too, of_motion(0.5, 0.001, 1)},
      {NoticeCode::lasting_input_not_linear,
       of_growth_check(
           with_linearity(
               {.nonlinear_share = 0.2, .input = "lasting random levels", .compared = 1}),
           {.growth = true, .swing_where_unknown = 2})},
      {NoticeCode::jump_incomplete, of_outputs({})},
      {NoticeCode::jump_incomplete_with_smaller_too,
       of_growth_check(with_jump_that_ends(), growth)},
      {NoticeCode::nothing_moves, of_outputs([](std::int64_t) { return 1.0; })},
      {NoticeCode::outputs_not_linear, of_outputs(noise)},
      {NoticeCode::no_motion_above_rounding, of_outputs([](std::int64_t point) {
         return point > first_counted_macro_step(Extrapolation::order_0) ? 1.0 : 0.0;
       })},
      {NoticeCode::smaller_step_grows, of_growth_check(with_probe(growing_where_small), growth)},
      {NoticeCode::states_not_linear, of_growth_check({}, around_states_too, 2)},
      {NoticeCode::no_input_to_push, of_states(0, {})},
      {NoticeCode::states_verified, of_states(6, around(false, false))},
      {NoticeCode::no_state_grows, of_states(6, around(false, true))},
      {NoticeCode::states_grow, of_states(6, around(true, false))},
      {NoticeCode::around_state, of_states(6, around(true, false))},
      {NoticeCode::rate_around_state, of_state(0)},
      {NoticeCode::pushed_run_incomplete, of_state(1)},
      {NoticeCode::with_quarter_of_step, of_state(0.9 * checked_step_s)},
      {NoticeCode::probe_without_result, of_no_result},
  };
  return all;
}

}  // namespace macrostep::tests::provoked
