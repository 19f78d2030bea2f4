#include "engine/true_error.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "engine/parallel.hpp"

namespace macrostep::engine {

namespace {

MeasuredError no_error(std::string reason) {
  MeasuredError none;
  none.reason = std::move(reason);
  return none;
}

}  // namespace

MeasuredError error_in_test(const Plan& plan, const Configuration& configuration,
                            const TestInput& test, double macro_step_s,
                            const std::atomic<bool>* stop) {
  auto made = Reference::make(plan, configuration, test);
  if (auto* reason = std::get_if<std::string>(&made)) {
    return no_error(std::move(*reason));
  }
  auto& reference = *std::get<std::unique_ptr<Reference>>(made);
  ErrorSums errors(plan.graph(configuration));
  bool follows = true;
  const auto result = run_trial(plan, {.configuration = &configuration,
                                       .test = &test,
                                       .macro_step_s = macro_step_s,
                                       .stop = stop,
                                       .trace = [&](const TracePoint& point) {
                                         follows = follows && reference.advance_to(point.time_s);
                                         if (follows) {
                                           errors.add(point.outputs, reference.outputs());
                                         }
                                       }});
  if (result.status != TrialStatus::complete) {
    return no_error(std::string(to_string(result.status)) + " in test " + test.name + ": " +
                    result.reason);
  }
  if (!follows) {
    return no_error("the reference solver failed in test " + test.name);
  }
  const auto error = errors.error();
  return {.nrmse = error.nrmse,
          .largest = error.largest,
          .test = test.name,
          .reference = reference.method(),
          .reason = {}};
}

MeasuredError measure_error(const Plan& plan, const Configuration& configuration,
                            double macro_step_s, int threads, const std::atomic<bool>* stop) {
  const auto& tests = plan.job.tests;
  std::vector<MeasuredError> errors(tests.size());
  for_each_index(tests.size(), threads, [&](std::size_t i) {
    errors[i] = error_in_test(plan, configuration, tests[i], macro_step_s, stop);
  });
  const auto none = std::ranges::find_if(errors, [](const auto& error) { return !error.nrmse; });
  if (none != errors.end()) {
    return std::move(*none);
  }
  MeasuredError worst = *std::ranges::max_element(errors, {}, &MeasuredError::nrmse);
  for (const auto& error : errors) {
    worst.largest = std::max(worst.largest, error.largest);
  }
  return worst;
}

}  // namespace macrostep::engine
