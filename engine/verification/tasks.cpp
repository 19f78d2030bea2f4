#include "engine/verification/tasks.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

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
  return one != nullptr && !one->duration_s
             ? std::optional(Group(false, 1, one->run.configuration, one->run.macro_step_s))
             : std::nullopt;
}

std::size_t input_of(const Task& task) {
  const auto* refined = std::get_if<RefineTask>(&task);
  return refined != nullptr ? refined->run.input : std::get<RunTask>(task).run.input;
}

/// Makes the runs of a task that shares no work with others.
struct Alone {
  const Plan& plan;
  const std::vector<const TestInput*>& inputs;
  const RunsOnThreads& runs;

  const Configuration& configuration(std::size_t index) const {
    return plan.configurations.at(index);
  }

  TaskResult operator()(const RunTask& task) const {
    auto input = *inputs.at(task.run.input);
    input.duration_s = task.duration_s.value_or(input.duration_s);
    const std::array<const TestInput*, 1> one{&input};
    return run_alone(plan, configuration(task.run.configuration), task.run.macro_step_s, one, runs)
        .front();
  }
  TaskResult operator()(const RefineTask& task) const {
    const std::array one{inputs.at(task.run.input)};
    return refine(plan, configuration(task.run.configuration), task.run.macro_step_s, task.finer,
                  one, runs)
        .front();
  }
  TaskResult operator()(const ErrorTask& task) const {
    return runs.backend.error_in_test(plan, configuration(task.run.configuration),
                                      *inputs.at(task.run.input), task.run.macro_step_s, runs.stop,
                                      std::nullopt);
  }
  TaskResult operator()(const ProbeTask& task) const {
    return probe_growth(plan, configuration(task.configuration), task.macro_step_s, task.duration_s,
                        runs, task.finer, task.session_s);
  }
  TaskResult operator()(const TimesTask& task) const {
    return measure_step_times(plan, task.candidate, runs.stop, runs.backend);
  }
  TaskResult operator()(const StateTask& task) const {
    return probe_state(plan, configuration(task.configuration), task.macro_step_s, task.duration_s,
                       runs, plan.check_inputs.operating_points.at(task.point));
  }
};

}  // namespace

std::vector<TaskResult> perform(const Plan& plan, std::span<const Task> tasks,
                                const RunsOnThreads& runs) {
  const auto inputs = plan.inputs();
  std::vector<TaskResult> results(tasks.size());
  std::map<Group, std::vector<std::size_t>> groups;
  std::vector<std::size_t> alone;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (std::holds_alternative<TimesTask>(tasks[i])) {
      results[i] = std::visit(Alone{plan, inputs, runs}, tasks[i]);
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
    const auto& [is_refined, finer, configuration, macro_step_s] = group;
    std::vector<const TestInput*> tests;
    for (const std::size_t i : members) {
      tests.push_back(inputs.at(input_of(tasks[i])));
    }
    const auto put = [&results, &of = members](auto made) {
      for (std::size_t n = 0; n < of.size(); ++n) {
        results[of[n]] = std::move(made[n]);
      }
    };
    const auto& one = plan.configurations.at(configuration);
    if (is_refined) {
      put(refine(plan, one, macro_step_s, finer, tests, runs));
    } else {
      put(run_alone(plan, one, macro_step_s, tests, runs));
    }
  }
  const auto make = [&](std::size_t n, const RunsOnThreads& own) {
    results[alone[n]] = std::visit(Alone{plan, inputs, own}, tasks[alone[n]]);
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

    TaskResult operator()(const RunTask&) const {
      return TrialResult{.status = status, .reason = reason};
    }
    TaskResult operator()(const RefineTask&) const { return Refinement{.reason = reason}; }
    TaskResult operator()(const ErrorTask&) const { return MeasuredError{.reason = reason}; }
    TaskResult operator()(const ProbeTask&) const { return ProbedGrowth{.reason = reason}; }
    TaskResult operator()(const StateTask&) const { return StateMotions{.reason = reason}; }
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
    tasks.push_back(
        {{.configuration = configuration, .input = test, .macro_step_s = macro_step_s}});
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
