#include "engine/cost_limit.hpp"

#include <algorithm>
#include <cmath>

#include "engine/text.hpp"

namespace macrostep::engine {

namespace {

/// A member of the job and how many times it is beyond what is usual.
struct Excess {
  double times = 0;
  std::string pointer;
};

// What is usual: the scale on which members are compared, not limits.
constexpr double usual_macro_steps_at_largest = 1e3;  ///< of a trial at the largest H
constexpr double usual_range = 100;                   ///< largest H over the first
constexpr double usual_points = 100;                  ///< of a curve
constexpr double usual_choices = 100;                 ///< configurations
constexpr double usual_tests = 10;
constexpr double usual_micro_steps = 100;  ///< in the largest macro-step
constexpr double usual_repeats = 100;

Excess largest_excess(const Plan& plan) {
  const auto& job = plan.job;
  const auto& grid = job.macro_step;
  Excess largest;
  const auto consider = [&](double amount, double usual, const std::string& pointer) {
    if (amount / usual > largest.times) {
      largest = {amount / usual, pointer};
    }
  };
  const auto longest = std::ranges::max_element(job.tests, {}, &TestInput::duration_s);
  consider(longest->duration_s / grid.maximum_s, usual_macro_steps_at_largest,
           "/tests/" + std::to_string(longest - job.tests.begin()) + "/duration_s");
  consider(grid.maximum_s / grid.initial_s, usual_range, "/search/macro_step/initial_s");
  if (job.linear_region.scan == ScanKind::arithmetic) {
    consider((grid.maximum_s - grid.initial_s) / grid.increment_s, usual_points,
             "/search/macro_step/increment_s");
  } else {
    consider(std::log(grid.maximum_s / grid.initial_s) / std::log(job.linear_region.ratio),
             usual_points, "/search/linear_region/ratio");
  }
  consider(static_cast<double>(plan.configurations.size()), usual_choices, "/search");
  consider(static_cast<double>(job.tests.size()), usual_tests, "/tests");
  for (const auto& [name, micro_step_s] : job.micro_steps) {
    consider(grid.maximum_s / micro_step_s, usual_micro_steps,
             "/micro_steps/" + pointer_token(name));
  }
  for (const auto& [name, count] : job.substeps) {
    consider(count, usual_micro_steps, "/substeps/" + pointer_token(name));
  }
  if (job.iteration.repeats) {
    consider(*job.iteration.repeats, usual_repeats, "/search/iteration/repeats");
  }
  return largest;
}

}  // namespace

std::optional<FieldError> too_costly(const Plan& plan, const CostEstimate& estimate, double limit,
                                     const std::string& remedy) {
  const double evaluations = estimate.expected.rhs_evaluations;
  if (evaluations <= limit) {
    return std::nullopt;
  }
  const bool foreign = !estimate.rhs_evaluations_expected;
  std::string message = "makes the search take about " + number_text(evaluations) +
                        (foreign ? " steps of its FMUs and right-hand-side evaluations"
                                 : " right-hand-side evaluations") +
                        " in " + number_text(estimate.expected.trials) + " trials";
  if (estimate.seconds_expected.value_or(0) > 0) {
    message += ", about " + number_text(*estimate.seconds_expected / 3600) + " h";
  }
  return FieldError{largest_excess(plan).pointer,
                    message + "; the limit is " + number_text(limit) + " evaluations. " + remedy};
}

}  // namespace macrostep::engine
