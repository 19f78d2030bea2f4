#include "engine/verification/tasks.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "engine/trial/event_phases.hpp"

namespace macrostep::engine {

namespace {

/// Runs that may share work: whether they are refined, how much finer, configuration, macro-step.
using Group = std::tuple<bool, std::int64_t, std::size_t, double>;

/// Nothing of a task that shares no work with others.
std::optional<Group> group_of(const Task& task) {
  if (const auto* one = std::get_if<RefineTask>(&task)) {
    return Group(true, one->finer, one->run.configuration, one->run.macro_step_s);
  }
  const auto* one = std::get_if<RunTask>(&task);
  return one != nullptr && !one->run.until_s
             ? std::optional(Group(false, 1, one->run.configuration, one->run.macro_step_s))
             : std::nullopt;
}

const TrialSpec& run_of(const Task& task) {
  const auto* refined = std::get_if<RefineTask>(&task);
  return refined != nullptr ? refined->run : std::get<RunTask>(task).run;
}

/// Makes the runs of a task that shares no work with others.
struct Alone {
  const Plan& plan;
  const RunsOnThreads& runs;

  TaskResult operator()(const RunTask& task) const {
    return run_alone(plan, {&task.run, 1}, runs).front();
  }
  TaskResult operator()(const RefineTask& task) const {
    return refine(plan, {&task.run, 1}, task.finer, runs).front();
  }
  TaskResult operator()(const ErrorTask& task) const {
    return runs.backend.measure(plan, MeasureError{task.run}, {.stop = runs.stop});
  }
  TaskResult operator()(const ProbeTask& task) const {
    return probe_growth(plan, task.configuration, task.macro_step_s, task.duration_s, runs,
                        task.finer, task.session_s, task.longest_s);
  }
  TaskResult operator()(const LinearityTask& task) const {
    return probe_linearity(plan, task.configuration, task.macro_step_s, runs);
  }
  TaskResult operator()(const TimesTask& task) const {
    return measure_step_times(plan, task.candidate, runs.stop, runs.backend);
  }
  TaskResult operator()(const StateTask& task) const {
    return probe_state(plan, task.configuration, task.macro_step_s, task.duration_s, runs,
                       task.point);
  }
};

}  // namespace

std::vector<TaskResult> perform(const Plan& plan, std::span<const Task> tasks,
                                const RunsOnThreads& runs) {
  std::vector<TaskResult> results(tasks.size());
  std::map<Group, std::vector<std::size_t>> groups;
  std::vector<std::size_t> alone;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (std::holds_alternative<TimesTask>(tasks[i])) {
      results[i] = std::visit(Alone{plan, runs}, tasks[i]);
      continue;
    }
    const auto group = group_of(tasks[i]);
    (group ? groups[*group] : alone).push_back(i);
  }
  for (const auto& [group, members] : groups) {
    if (members.size() == 1) {
      alone.push_back(members.front());
      continue;
    }
    std::vector<TrialSpec> together;
    for (const std::size_t i : members) {
      together.push_back(run_of(tasks[i]));
    }
    const auto put = [&results, &of = members](auto made) {
      for (std::size_t n = 0; n < of.size(); ++n) {
        results[of[n]] = std::move(made[n]);
      }
    };
    const auto& [is_refined, finer, configuration, macro_step_s] = group;
    if (is_refined) {
      put(refine(plan, together, finer, runs));
    } else {
      put(run_alone(plan, together, runs));
    }
  }
  const auto make = [&](std::size_t n, const RunsOnThreads& own) {
    results[alone[n]] = std::visit(Alone{plan, own}, tasks[alone[n]]);
  };
  if (alone.size() == 1) {  // it spreads its own runs
    make(0, runs);
  } else if (!alone.empty()) {
    const RunsOnThreads each{runs.backend, 1, runs.stop};
    runs.backend.for_each_index(alone.size(), runs.threads, [&](std::size_t n) { make(n, each); });
  }
  return results;
}

std::vector<TaskResult> not_performed(std::span<const Task> tasks, TrialStatus status,
                                      const std::string& reason) {
  struct Nothing {
    TrialStatus status;
    const std::string& reason;

    std::vector<Notice> no_result() const {
      return {{.code = NoticeCode::probe_without_result, .detail = reason}};
    }
    TaskResult operator()(const RunTask&) const {
      return TrialResult{.status = status, .reason = reason};
    }
    TaskResult operator()(const RefineTask&) const { return Refinement{.reason = reason}; }
    TaskResult operator()(const ErrorTask&) const { return MeasuredError{.reason = reason}; }
    TaskResult operator()(const ProbeTask&) const { return ProbedGrowth{.findings = no_result()}; }
    TaskResult operator()(const StateTask&) const { return StateMotions{.findings = no_result()}; }
    TaskResult operator()(const LinearityTask&) const { return Linearity{.reason = reason}; }
    TaskResult operator()(const TimesTask&) const { return StepTimeTable{.failure = reason}; }
  };
  std::vector<TaskResult> results;
  for (const auto& task : tasks) {
    results.push_back(std::visit(Nothing{status, reason}, task));
  }
  return results;
}

MeasuredError error_in_tests(const Plan& plan, std::size_t configuration, double macro_step_s,
                             const PerformTasks& perform) {
  std::vector<ErrorTask> tasks;
  for (std::size_t test = 0; test < plan.job.tests.size(); ++test) {
    for (const auto& run : at_every_phase(
             plan, {.configuration = configuration, .input = test, .macro_step_s = macro_step_s})) {
      tasks.push_back({run});
    }
  }
  return worst_of(results_of<MeasuredError>(perform, tasks));
}

StepTimeTable measured_step_times(const std::vector<TimingCandidate>& candidates,
                                  const PerformTasks& perform) {
  std::vector<TimesTask> tasks;
  for (const auto& candidate : candidates) {
    tasks.push_back({candidate});
  }
  StepTimeTable all;
  for (auto& table : results_of<StepTimeTable>(perform, tasks)) {
    std::ranges::move(table.rows, std::back_inserter(all.rows));
    if (all.failure.empty()) {
      all.failure = std::move(table.failure);
    }
  }
  return all;
}

PerformTasks performed_by(const Plan& plan, const RunsOnThreads& runs) {
  return [&plan, runs](const std::vector<Task>& tasks) { return perform(plan, tasks, runs); };
}

}  // namespace macrostep::engine
