#include "engine/studies/validation.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <variant>

#include "engine/reference/true_error.hpp"
#include "engine/search/run_search.hpp"

namespace macrostep::engine {

namespace {

/// The scan for the limit ends this far above the recommended macro-step: beyond, the difference
/// tells nothing more.
constexpr double above_recommended = 10;

void find_stability_limit(const Plan& plan, double macro_step_s, Validation& validation) {
  const double largest_s = std::min(longest_test_s(plan), above_recommended * macro_step_s);
  auto found = stability_limit(plan, *validation.configuration, macro_step_s, largest_s,
                               std::array{macro_step_s});
  if (auto* reason = std::get_if<std::string>(&found)) {
    validation.no_stability_reason = std::move(*reason);
  } else {
    validation.stability = std::get<StabilityLimit>(found);
  }
}

/// The reference of a test is computed once for all schemes.
std::vector<SchemeError> errors_by_scheme(const Plan& plan, Configuration configuration,
                                          double macro_step_s, const std::atomic<bool>* stop) {
  std::array<std::vector<MeasuredError>, all_schemes.size()> measured;
  for (const auto& test : plan.job.tests) {
    const auto reference = reference_points(plan, configuration, test, macro_step_s, stop);
    for (std::size_t k = 0; k < all_schemes.size(); ++k) {
      configuration.scheme = all_schemes[k];
      measured[k].push_back(error_against(reference, plan, configuration, test, stop));
    }
  }
  std::vector<SchemeError> errors;
  for (std::size_t k = 0; k < all_schemes.size(); ++k) {
    auto worst = worst_of(std::move(measured[k]));
    errors.push_back({all_schemes[k], worst.nrmse, std::move(worst.reason)});
  }
  return errors;
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
  const auto& recommendation = search.answer.recommendation;
  if (!recommendation) {
    validation.reason = search.answer.reason();
    return validation;
  }
  validation.configuration = plan.configurations[recommendation->configuration];
  validation.macro_step_s = recommendation->macro_step_s;
  validation.bend_s = recommendation->bend_s;
  validation.cliff_s = recommendation->cliff_s;
  validation.relative_residual = recommendation->relative_residual;
  find_stability_limit(plan, recommendation->macro_step_s, validation);
  validation.errors =
      errors_by_scheme(plan, *validation.configuration, recommendation->macro_step_s, stop);
  if (stop && stop->load()) {
    return std::nullopt;
  }
  return validation;
}

}  // namespace macrostep::engine
