#include "engine/reference/true_error.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "engine/reference/reference_errors.hpp"
#include "engine/trial/event_phases.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

namespace {

MeasuredError no_error(std::string reason) {
  MeasuredError none;
  none.reason = std::move(reason);
  return none;
}

std::string failure_in(const TestInput& test, const std::string& why) {
  return why + " in test " + test.name;
}

/// The solution's outputs at the next communication point, or why it cannot be continued.
using OutputsOrReason = std::variant<std::span<const double>, std::string>;
using NextReference = std::function<OutputsOrReason(double time_s)>;

/// `run` without a trace of its own.
MeasuredError compare(const Plan& plan, TrialSettings run, std::string method,
                      const NextReference& next_reference) {
  ErrorSums errors(plan.graph(*run.configuration), first_event_s(*run.test));
  std::optional<std::string> failure;
  run.trace = [&](const TracePoint& point) {
    if (failure) {
      return;
    }
    auto reference = next_reference(point.time_s);
    if (auto* why = std::get_if<std::string>(&reference)) {
      failure = std::move(*why);
    } else {
      errors.add(point.time_s, point.outputs, std::get<std::span<const double>>(reference));
    }
  };
  const auto result = run_trial(plan, run);
  const auto& test = *run.test;
  if (result.status != TrialStatus::complete) {
    return no_error(std::string(to_string(result.status)) + " in test " + test.name + ": " +
                    result.reason);
  }
  if (failure) {
    return no_error(failure_in(test, *failure));
  }
  const auto error = errors.error();
  return {.nrmse = error.nrmse,
          .largest = error.largest,
          .test = test.name,
          .reference = std::move(method),
          .reason = {}};
}

}  // namespace

MeasuredError error_in_test(const Plan& plan, const Configuration& configuration,
                            const TestInput& test, double macro_step_s,
                            const std::atomic<bool>* stop, std::optional<double> until_s) {
  auto made = Reference::make(plan, configuration, test, stop);
  if (auto* reason = std::get_if<std::string>(&made)) {
    return no_error(std::move(*reason));
  }
  auto& reference = *std::get<std::unique_ptr<Reference>>(made);
  const auto next = [&](double time_s) -> OutputsOrReason {
    if (!reference.advance_to(time_s)) {
      return reference.failure();
    }
    return reference.outputs();
  };
  return compare(plan,
                 {.configuration = &configuration,
                  .test = &test,
                  .macro_step_s = macro_step_s,
                  .until_s = until_s,
                  .stop = stop},
                 reference.method(), next);
}

MeasuredError error_at_every_phase(const Plan& plan, const Configuration& configuration,
                                   const TestInput& test, double macro_step_s,
                                   const std::atomic<bool>* stop, std::optional<double> until_s) {
  std::vector<MeasuredError> errors;
  for (const double delay_s : event_delays_s(test, macro_step_s, plan.job.event_phases)) {
    auto delayed = test;
    delayed.delay_s += delay_s;
    errors.push_back(error_in_test(plan, configuration, delayed, macro_step_s, stop, until_s));
  }
  return worst_of(std::move(errors));
}

MeasuredError worst_of(std::vector<MeasuredError> errors) {
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

ReferencePoints reference_points(const Plan& plan, const Configuration& configuration,
                                 const TestInput& test, double macro_step_s,
                                 const std::atomic<bool>* stop) {
  ReferencePoints points{.macro_step_s = macro_step_s,
                         .outputs = plan.graph(configuration).output_count};
  auto made = Reference::make(plan, configuration, test, stop);
  if (auto* reason = std::get_if<std::string>(&made)) {
    points.reason = std::move(*reason);
    return points;
  }
  auto& reference = *std::get<std::unique_ptr<Reference>>(made);
  points.method = reference.method();
  const auto macro_steps = macro_steps_in(test.duration_s, macro_step_s);
  for (std::int64_t n = 0; n <= macro_steps; ++n) {
    if (stop && stop->load(std::memory_order_relaxed)) {
      points.reason = "stopped";
      return points;
    }
    if (!reference.advance_to(static_cast<double>(n) * macro_step_s)) {
      points.reason = failure_in(test, reference.failure());
      return points;
    }
    const auto outputs = reference.outputs();
    points.values.insert(points.values.end(), outputs.begin(), outputs.end());
  }
  return points;
}

MeasuredError error_against(const ReferencePoints& reference, const Plan& plan,
                            const Configuration& configuration, const TestInput& test,
                            const std::atomic<bool>* stop) {
  if (!reference.reason.empty()) {
    return no_error(reference.reason);
  }
  const std::span<const double> values = reference.values;
  std::size_t at = 0;
  const auto next = [&](double) {
    const auto point = values.subspan(at, reference.outputs);
    at += reference.outputs;
    return point;
  };
  return compare(plan,
                 {.configuration = &configuration,
                  .test = &test,
                  .macro_step_s = reference.macro_step_s,
                  .stop = stop},
                 reference.method, next);
}

}  // namespace macrostep::engine
