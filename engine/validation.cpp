#include "engine/validation.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "engine/search.hpp"

namespace macrostep::engine {

namespace {

/// The reference at the communication points of one test, computed once for all schemes.
struct ReferencePoints {
  std::vector<double> values;  ///< point after point
  std::string reason;          ///< why there are none
};

ReferencePoints reference_points(const Plan& plan, const Configuration& configuration,
                                 const TestInput& test, double macro_step_s) {
  ReferencePoints points;
  auto made = Reference::make(plan, configuration, test);
  if (auto* reason = std::get_if<std::string>(&made)) {
    points.reason = std::move(*reason);
    return points;
  }
  auto& reference = *std::get<std::unique_ptr<Reference>>(made);
  const auto count = macro_steps_in(test.duration_s, macro_step_s);
  for (std::int64_t n = 0; n <= count; ++n) {
    if (!reference.advance_to(static_cast<double>(n) * macro_step_s)) {
      points.reason = "the reference solver failed";
      return points;
    }
    points.values.insert(points.values.end(), reference.outputs().begin(),
                         reference.outputs().end());
  }
  return points;
}

void compare(const Plan& plan, const Configuration& configuration, const TestInput& test,
             double macro_step_s, const ReferencePoints& reference, SchemeError& scheme) {
  if (!reference.reason.empty()) {
    scheme.reason = reference.reason;
    return;
  }
  ErrorSums errors(plan.graph(configuration));
  std::size_t at = 0;
  const auto result =
      run_trial(plan, {.configuration = &configuration,
                       .test = &test,
                       .macro_step_s = macro_step_s,
                       .trace = [&](const TracePoint& point) {
                         errors.add(point.outputs,
                                    std::span(reference.values).subspan(at, point.outputs.size()));
                         at += point.outputs.size();
                       }});
  if (result.status != TrialStatus::complete) {
    scheme.reason =
        std::string(to_string(result.status)) + " in test " + test.name + ": " + result.reason;
    return;
  }
  scheme.nrmse = std::max(scheme.nrmse.value_or(0), errors.error().nrmse);
}

/// The scan for the limit begins this far below the recommended macro-step.
constexpr double below_recommended = 1e-3;
/// And ends this far above it: beyond, the difference tells nothing more.
constexpr double above_recommended = 10;

void find_stability_limit(const Plan& plan, double macro_step_s, Validation& validation) {
  double duration_s = 0;
  for (const auto& test : plan.job.tests) {
    duration_s = std::max(duration_s, test.duration_s);
  }
  const double largest_s = std::min(duration_s, above_recommended * macro_step_s);
  auto found = stability_limit(plan, *validation.configuration, duration_s,
                               below_recommended * macro_step_s, largest_s);
  if (auto* reason = std::get_if<std::string>(&found)) {
    validation.no_stability_reason = std::move(*reason);
  } else {
    validation.stability = std::get<StabilityLimit>(found);
  }
}

}  // namespace

std::optional<Validation> validate(const BuiltInProblem& problem,
                                   std::optional<double> relative_residual_max, int threads,
                                   const std::atomic<bool>* stop) {
  auto job = problem.default_job;
  job.relative_residual_max = relative_residual_max;
  auto planned = make_plan(job);
  const auto& plan = std::get<Plan>(planned);  // the default job of a built-in problem holds
  const auto search = run_search(plan, {.threads = threads, .on_result = {}, .stop = stop});
  if (!search.complete) {
    return std::nullopt;
  }
  Validation validation{.problem = problem.name};
  const auto& recommendation = search.analysis.recommendation;
  if (!recommendation) {
    validation.reason = search.analysis.reason;
    return validation;
  }
  validation.configuration = plan.configurations[recommendation->configuration];
  validation.macro_step_s = recommendation->macro_step_s;
  validation.bend_s = recommendation->bend_s;
  validation.cliff_s = recommendation->cliff_s;
  validation.relative_residual = recommendation->relative_residual;
  find_stability_limit(plan, recommendation->macro_step_s, validation);
  for (const auto scheme : all_schemes) {
    validation.errors.push_back({.scheme = scheme});
  }
  for (const auto& test : plan.job.tests) {
    const auto reference =
        reference_points(plan, *validation.configuration, test, recommendation->macro_step_s);
    for (auto& error : validation.errors) {
      auto configuration = *validation.configuration;
      configuration.scheme = error.scheme;
      if (error.reason.empty()) {
        compare(plan, configuration, test, recommendation->macro_step_s, reference, error);
      }
    }
  }
  for (auto& error : validation.errors) {
    if (!error.reason.empty()) {
      error.nrmse.reset();
    }
  }
  return validation;
}

}  // namespace macrostep::engine
