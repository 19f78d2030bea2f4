#include "engine/verification/tasks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <variant>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/trial/event_phases.hpp"
#include "tests/engine/notices/found_notice.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/verification/one_thread.hpp"

using namespace macrostep;
using namespace macrostep::engine;
using macrostep::tests::one_thread;
using macrostep::tests::planned;

namespace {

Job crane() {
  auto job = find_built_in("single_actuator_crane")->default_job;
  job.space.extrapolation = {Extrapolation::order_1, Extrapolation::order_2};
  return job;
}

/// Every kind of task; some share work.
std::vector<Task> some_of_each(const Plan& plan) {
  const std::size_t jump = plan.job.tests.size() + 1;
  const TrialSpec run{.configuration = 0, .input = 0, .macro_step_s = 1e-3};
  const TrialSpec longer{.configuration = 0, .input = jump, .macro_step_s = 2e-3, .until_s = 1.5};
  auto other = run;
  other.input = 2;
  auto of_other = run;
  of_other.configuration = 1;
  return {RefineTask{.run = run, .finer = 4},
          ErrorTask{.run = run},
          RunTask{longer},
          RefineTask{.run = other, .finer = 4},
          ProbeTask{.configuration = 0, .macro_step_s = 1e-3, .duration_s = 1, .finer = 1},
          RefineTask{.run = of_other, .finer = 4},
          LinearityTask{.configuration = 0, .macro_step_s = 1e-3},
          RunTask{other},
          RefineTask{.run = run, .finer = 8},
          StateTask{.configuration = 0, .macro_step_s = 1e-3, .duration_s = 1, .point = 1},
          RunTask{run}};
}

}  // namespace

TEST_CASE("results are in the order of tasks, and the same together, alone and on any backend") {
  const auto plan = planned(crane());
  const auto tasks = some_of_each(plan);
  const TrialBackend one_by_one;
  for (const auto& runs : {RunsOnThreads{this_process(), 1}, RunsOnThreads{this_process(), 3},
                           RunsOnThreads{one_by_one}}) {
    const auto together = perform(plan, tasks, runs);
    REQUIRE(together.size() == tasks.size());
    for (std::size_t i = 0; i < tasks.size(); ++i) {
      CAPTURE(i);
      REQUIRE(together[i].index() == tasks[i].index());
      const auto alone = perform(plan, {&tasks[i], 1}, one_thread).front();
      if (const auto* run = std::get_if<TrialResult>(&alone)) {
        const auto& same = std::get<TrialResult>(together[i]);
        CHECK(same.residual_j == run->residual_j);
        CHECK(same.final_time_s == run->final_time_s);
      } else if (const auto* refined = std::get_if<Refinement>(&alone)) {
        const auto& same = std::get<Refinement>(together[i]);
        CHECK(same.change == refined->change);
        CHECK(same.swing == refined->swing);
        CHECK(same.test == refined->test);
        CHECK(same.cost == refined->cost);
      } else if (const auto* error = std::get_if<MeasuredError>(&alone)) {
        CHECK(std::get<MeasuredError>(together[i]).nrmse == error->nrmse);
      } else if (const auto* probed = std::get_if<ProbedGrowth>(&alone)) {
        CHECK(std::get<ProbedGrowth>(together[i]).findings == probed->findings);
        CHECK(std::get<ProbedGrowth>(together[i]).cost == probed->cost);
      } else if (const auto* linearity = std::get_if<Linearity>(&alone)) {
        CHECK(std::get<Linearity>(together[i]).nonlinear_share == linearity->nonlinear_share);
        CHECK(std::get<Linearity>(together[i]).input == linearity->input);
      } else {
        CHECK(std::get<StateMotions>(together[i]).findings ==
              std::get<StateMotions>(alone).findings);
        CHECK(std::get<StateMotions>(together[i]).cost == std::get<StateMotions>(alone).cost);
      }
    }
  }
}

TEST_CASE(
    "a run may go on longer than its input, and the error of an answer is that of all tests") {
  const auto plan = planned(crane());
  const std::size_t jump = plan.job.tests.size() + 1;
  const std::vector<Task> longer{
      RunTask{{.configuration = 0, .input = jump, .macro_step_s = 2e-3, .until_s = 1.5}}};
  const auto ended = std::get<TrialResult>(perform(plan, longer, one_thread).front());
  CHECK(ended.final_time_s == doctest::Approx(1.5).epsilon(1e-6));

  std::atomic<std::size_t> asked = 0;
  const auto here = performed_by(plan, one_thread);
  const auto error = error_in_tests(plan, 1, 1e-3, [&](std::vector<Task> tasks) {
    asked += tasks.size();
    return here(std::move(tasks));
  });
  REQUIRE(error.nrmse);
  double largest = 0;
  std::size_t runs = 0;
  for (std::size_t test = 0; test < plan.job.tests.size(); ++test) {
    runs += runs_of_trial(plan, test);
    const auto one =
        error_at_every_phase(plan, plan.configurations[1], plan.job.tests[test], 1e-3, nullptr);
    REQUIRE(one.nrmse);
    largest = std::max(largest, *one.nrmse);
  }
  CHECK(*error.nrmse == largest);
  CHECK(asked == runs);
}

TEST_CASE("runs that are refined alike are made together") {
  const auto plan = planned(crane());
  struct Together final : TrialBackend {
    mutable std::vector<std::size_t> sizes;

    std::vector<TrialResult> trials(const Plan& of, std::span<const TrialSpec> specs,
                                    const RunControl& control) const override {
      sizes.push_back(specs.size());
      return TrialBackend::trials(of, specs, control);
    }
    bool shares_work() const override { return true; }
  };
  const Together backend;
  std::vector<Task> tasks;
  for (std::size_t input = 0; input < 3; ++input) {  // of one duration
    tasks.emplace_back(RefineTask{.run = {.input = input, .macro_step_s = 1e-3}, .finer = 4});
  }
  perform(plan, tasks, {.backend = backend, .threads = 1});
  CHECK(backend.sizes == std::vector<std::size_t>{3, 3});  // with H, and with a quarter of it
}
