#include "engine/studies/study_cost_limit.hpp"

#include <algorithm>

#include "engine/base/text.hpp"
#include "engine/cost/cost_limit.hpp"
#include "engine/cost/largest_excess.hpp"

namespace macrostep::engine {

namespace {

// What is usual: the scale on which members are compared, not limits.
constexpr double usual_axis = 50;  ///< of a map
constexpr double usual_map_macro_steps = 10;
constexpr double usual_duration_s = 10;  ///< of a test of a tuning, which has but one H
constexpr double usual_macro_step_s = 1e-4;

std::string largest_excess(const Plan& plan, const MapJob& map) {
  LargestExcess largest;
  const auto test = std::ranges::find(plan.job.tests, map.test, &TestInput::name);
  const auto& steps_s = map.macro_steps_s;
  if (map.quantity == MapQuantity::accuracy && test != plan.job.tests.end()) {
    largest.consider(test->duration_s / steps_s.back(), LargestExcess::usual_macro_steps_at_largest,
                     duration_pointer(plan.job, *test));
    largest.consider(steps_s.back() / steps_s.front(), LargestExcess::usual_range,
                     "/map/macro_steps_s");
  }
  largest.consider(static_cast<double>(steps_s.size()), usual_map_macro_steps,
                   "/map/macro_steps_s");
  largest.consider(map.x.count, usual_axis, "/map/x/count");
  largest.consider(map.y.count, usual_axis, "/map/y/count");
  largest.consider_choices(plan);
  largest.consider_steps(plan.job, steps_s.back());
  return largest.pointer();
}

std::string largest_excess(const Plan& plan, const TuningSettings& tuning) {
  LargestExcess largest;
  const auto& longest = longest_test(plan.job);
  largest.consider(longest.duration_s, usual_duration_s, duration_pointer(plan.job, longest));
  largest.consider(usual_macro_step_s, tuning.macro_step_s, "/tune/macro_step_s");
  largest.consider(static_cast<double>(plan.job.tests.size()), LargestExcess::usual_tests,
                   "/tests");
  largest.consider(static_cast<double>(tuning.further_plans.size()), LargestExcess::usual_tests,
                   "/tune/also");
  for (std::size_t i = 0; i < tuning.further_plans.size(); ++i) {
    const auto& job = tuning.further_plans[i]->job;
    // What a further job takes from the first one is not its own mistake: the first comes first.
    const auto& test = longest_test(job);
    largest.consider(test.duration_s, usual_duration_s,
                     "/tune/also/" + std::to_string(i) + duration_pointer(job, test));
  }
  largest.consider_steps(plan.job, tuning.macro_step_s);
  return largest.pointer();
}

}  // namespace

std::optional<FieldError> too_costly(const Plan& plan, const MapJob& map,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy) {
  const auto in = map.quantity == MapQuantity::accuracy
                      ? in_trials(expected.work)
                      : " in " + number_text(values_of(map, plan)) + " values";
  return beyond_cost_limit(expected, limit, "map", in, remedy, largest_excess(plan, map));
}

std::optional<FieldError> too_costly(const Plan& plan, const TuningSettings& tuning,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy) {
  return beyond_cost_limit(expected, limit, "tuning", in_trials(expected.work), remedy,
                           largest_excess(plan, tuning));
}

}  // namespace macrostep::engine
