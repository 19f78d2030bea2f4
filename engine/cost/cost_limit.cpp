#include "engine/cost/cost_limit.hpp"

#include <cmath>

#include "engine/base/text.hpp"
#include "engine/cost/largest_excess.hpp"

namespace macrostep::engine {

namespace {

constexpr double usual_points = 100;  ///< of a curve

std::string largest_excess(const Plan& plan) {
  const auto& job = plan.job;
  const auto& grid = job.macro_step;
  LargestExcess largest;
  const auto& longest = longest_test(job);
  largest.consider(longest.duration_s / grid.maximum_s, LargestExcess::usual_macro_steps_at_largest,
                   duration_pointer(job, longest));
  largest.consider(grid.maximum_s / grid.initial_s, LargestExcess::usual_range,
                   "/search/macro_step/initial_s");
  if (!grows_by_ratio(job.linear_region.scan)) {
    largest.consider((grid.maximum_s - grid.initial_s) / grid.increment_s, usual_points,
                     "/search/macro_step/increment_s");
  } else {
    largest.consider(std::log(grid.maximum_s / grid.initial_s) / std::log(job.linear_region.ratio),
                     usual_points, "/search/linear_region/ratio");
  }
  largest.consider_choices(plan);
  largest.consider(static_cast<double>(job.tests.size()), LargestExcess::usual_tests, "/tests");
  largest.consider_steps(job, grid.maximum_s);
  return largest.pointer();
}

}  // namespace

std::optional<FieldError> beyond_cost_limit(const ExpectedCost& expected, double limit,
                                            const char* what, const std::string& in,
                                            const std::string& remedy, const std::string& pointer) {
  const auto& work = expected.work;
  if (work.cost <= limit) {
    return std::nullopt;
  }
  std::string message = "makes the " + std::string(what) + " cost about " + number_text(work.cost) +
                        (expected.seconds ? " right-hand sides × the weight of their model"
                                          : " steps of its FMUs and right-hand sides × the weight "
                                            "of their model") +
                        in;
  if (expected.seconds.value_or(0) > 0) {
    message += ", " + rough_duration_text(*expected.seconds);
  }
  return FieldError{pointer, message + "; the limit is " + number_text(limit) + ". " + remedy};
}

std::string in_trials(const Work& work) {
  return " in " + number_text(std::ceil(work.trials)) + " trials";
}

std::optional<FieldError> too_costly(const Plan& plan, const CostEstimate& estimate, double limit,
                                     const std::string& remedy) {
  const auto expected = expected_cost(estimate);
  return beyond_cost_limit(expected, limit, "search", in_trials(expected.work), remedy,
                           largest_excess(plan));
}

}  // namespace macrostep::engine
