// Every problem has a monolithic solution, under every test input of its default job.
#include <doctest/doctest.h>

#include "engine/reference/reference.hpp"
#include "engine/reference/reference_errors.hpp"
#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
namespace tests = macrostep::tests;

TEST_CASE("every problem has a reference that every test input's trial comes close to") {
  // Communication points n·H meet events of the inputs but for rounding, on either side. A missed
  // event would show as an error of the size of the motion, 0.5 and more. The trial's own errors at
  // the first H of the default scan are largest on the cranes, whose force is held: H/2 late, of a
  // sine of 70 Hz 2π·70 Hz·H/2 = 0.044 of the force, and more of its effects. 0.1 separates them.
  for (const auto& problem : catalogue()) {
    const auto plan = tests::built_in(problem.name);
    auto chosen = plan.configurations.front();
    chosen.extrapolation = Extrapolation::order_1;
    for (const auto& test : plan.job.tests) {
      CAPTURE(problem.name);
      CAPTURE(test.name);
      auto made = Reference::make(plan, chosen, test);
      REQUIRE(std::holds_alternative<std::unique_ptr<Reference>>(made));
      const auto& reference = std::get<std::unique_ptr<Reference>>(made);
      ErrorSums errors(plan.graph(chosen), first_event_s(test));
      bool solved = true;
      const auto result =
          run_trial(plan, {.configuration = &chosen,
                           .test = &test,
                           .macro_step_s = plan.job.macro_step.initial_s,
                           .until_s = std::nullopt,
                           .stop = nullptr,
                           .trace =
                               [&](const TracePoint& point) {
                                 solved = solved && reference->advance_to(point.time_s);
                                 errors.add(point.time_s, point.outputs, reference->outputs());
                               },
                           .step_times = nullptr});
      CHECK(result.status == TrialStatus::complete);
      CHECK(solved);
      CHECK(errors.error().nrmse < 0.1);
    }
  }
}
