#include "engine/verification/check_tasks.hpp"

#include <array>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace macrostep::engine {

namespace {

/// Runs that may share work: whether they are refined, how much finer, configuration, macro-step.
using Group = std::tuple<bool, std::int64_t, std::size_t, double>;

/// Nothing of a task that shares no work with others.
std::optional<Group> group_of(const CheckTask& task) {
  if (const auto* one = std::get_if<RefineTask>(&task)) {
    return Group(true, one->finer, one->run.configuration, one->run.macro_step_s);
  }
  const auto* one = std::get_if<RunTask>(&task);
  return one != nullptr && !one->duration_s
             ? std::optional(Group(false, 1, one->run.configuration, one->run.macro_step_s))
             : std::nullopt;
}

std::size_t input_of(const CheckTask& task) {
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

  CheckResult operator()(const RunTask& task) const {
    auto input = *inputs.at(task.run.input);
    input.duration_s = task.duration_s.value_or(input.duration_s);
    const std::array<const TestInput*, 1> one{&input};
    return run_alone(plan, configuration(task.run.configuration), task.run.macro_step_s, one, runs)
        .front();
  }
  CheckResult operator()(const RefineTask& task) const {
    const std::array one{inputs.at(task.run.input)};
    return refine(plan, configuration(task.run.configuration), task.run.macro_step_s, task.finer,
                  one, runs)
        .front();
  }
  CheckResult operator()(const ErrorTask& task) const {
    return runs.backend.error_in_test(plan, configuration(task.run.configuration),
                                      *inputs.at(task.run.input), task.run.macro_step_s, runs.stop,
                                      std::nullopt);
  }
  CheckResult operator()(const ProbeTask& task) const {
    return probe_growth(plan, configuration(task.configuration), task.macro_step_s, task.duration_s,
                        runs, task.finer, task.session_s);
  }
  CheckResult operator()(const StateTask& task) const {
    return probe_state(plan, configuration(task.configuration), task.macro_step_s, task.duration_s,
                       runs, plan.check_inputs.operating_points.at(task.point));
  }
};

}  // namespace

std::vector<CheckResult> perform(const Plan& plan, std::span<const CheckTask> tasks,
                                 const RunsOnThreads& runs) {
  const auto inputs = plan.inputs();
  std::vector<CheckResult> results(tasks.size());
  std::map<Group, std::vector<std::size_t>> groups;
  std::vector<std::size_t> alone;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
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

MeasuredError error_in_tests(const Plan& plan, std::size_t configuration, double macro_step_s,
                             const PerformChecks& perform) {
  std::vector<ErrorTask> tasks;
  for (std::size_t test = 0; test < plan.job.tests.size(); ++test) {
    tasks.push_back(
        {{.configuration = configuration, .input = test, .macro_step_s = macro_step_s}});
  }
  return worst_of(results_of<MeasuredError>(perform, tasks));
}

PerformChecks performed_by(const Plan& plan, const RunsOnThreads& runs) {
  return [&plan, runs](const std::vector<CheckTask>& tasks) { return perform(plan, tasks, runs); };
}

}  // namespace macrostep::engine
