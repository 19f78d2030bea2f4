#include "engine/cost_limit.hpp"

#include <algorithm>
#include <cmath>

#include "engine/text.hpp"

namespace macrostep::engine {

namespace {

// What is usual: the scale on which members are compared, not limits.
constexpr double usual_macro_steps_at_largest = 1e3;  ///< of a trial at the largest H
constexpr double usual_range = 100;                   ///< largest H over the first
constexpr double usual_points = 100;                  ///< of a curve
constexpr double usual_choices = 100;                 ///< configurations
constexpr double usual_tests = 10;
constexpr double usual_micro_steps = 100;  ///< in the largest macro-step
constexpr double usual_repeats = 100;
constexpr double usual_axis = 50;  ///< of a map
constexpr double usual_map_macro_steps = 10;
constexpr double usual_duration_s = 10;  ///< of a test of a tuning, which has but one H
constexpr double usual_macro_step_s = 1e-4;

/// The member of the job that is the most times beyond what is usual.
class LargestExcess {
 public:
  void consider(double amount, double usual, const std::string& pointer) {
    if (amount / usual > times_) {
      times_ = amount / usual;
      pointer_ = pointer;
    }
  }

  /// How the subsystems step, at the largest H.
  void consider_steps(const Job& job, double macro_step_s) {
    for (const auto& [name, micro_step_s] : job.micro_steps) {
      consider(macro_step_s / micro_step_s, usual_micro_steps,
               "/micro_steps/" + pointer_token(name));
    }
    for (const auto& [name, count] : job.substeps) {
      consider(count, usual_micro_steps, "/substeps/" + pointer_token(name));
    }
    if (job.iteration.repeats) {
      consider(*job.iteration.repeats, usual_repeats, "/search/iteration/repeats");
    }
  }

  void consider_choices(const Plan& plan) {
    consider(static_cast<double>(plan.configurations.size()), usual_choices, "/search");
  }

  const std::string& pointer() const { return pointer_; }

 private:
  double times_ = 0;
  std::string pointer_;
};

std::string duration_pointer(const Job& job, const TestInput& test) {
  return "/tests/" + std::to_string(&test - job.tests.data()) + "/duration_s";
}

const TestInput& longest_test(const Job& job) {
  return *std::ranges::max_element(job.tests, {}, &TestInput::duration_s);
}

std::string largest_excess(const Plan& plan) {
  const auto& job = plan.job;
  const auto& grid = job.macro_step;
  LargestExcess largest;
  const auto& longest = longest_test(job);
  largest.consider(longest.duration_s / grid.maximum_s, usual_macro_steps_at_largest,
                   duration_pointer(job, longest));
  largest.consider(grid.maximum_s / grid.initial_s, usual_range, "/search/macro_step/initial_s");
  if (job.linear_region.scan != ScanKind::geometric) {
    largest.consider((grid.maximum_s - grid.initial_s) / grid.increment_s, usual_points,
                     "/search/macro_step/increment_s");
  } else {
    largest.consider(std::log(grid.maximum_s / grid.initial_s) / std::log(job.linear_region.ratio),
                     usual_points, "/search/linear_region/ratio");
  }
  largest.consider_choices(plan);
  largest.consider(static_cast<double>(job.tests.size()), usual_tests, "/tests");
  largest.consider_steps(job, grid.maximum_s);
  return largest.pointer();
}

std::string largest_excess(const Plan& plan, const MapJob& map) {
  LargestExcess largest;
  const auto test = std::ranges::find(plan.job.tests, map.test, &TestInput::name);
  const auto& steps_s = map.macro_steps_s;
  if (map.quantity == MapQuantity::accuracy && test != plan.job.tests.end()) {
    largest.consider(test->duration_s / steps_s.back(), usual_macro_steps_at_largest,
                     duration_pointer(plan.job, *test));
    largest.consider(steps_s.back() / steps_s.front(), usual_range, "/map/macro_steps_s");
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
  largest.consider(static_cast<double>(plan.job.tests.size()), usual_tests, "/tests");
  largest.consider(static_cast<double>(tuning.further_plans.size()), usual_tests, "/tune/also");
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

/// `what`: "search"; `in`: "trials".
std::optional<FieldError> beyond(const ExpectedCost& expected, double limit, const char* what,
                                 const std::string& in, const std::string& remedy,
                                 const std::string& pointer) {
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

}  // namespace

std::optional<FieldError> too_costly(const Plan& plan, const CostEstimate& estimate, double limit,
                                     const std::string& remedy) {
  const auto expected = expected_cost(estimate);
  return beyond(expected, limit, "search", in_trials(expected.work), remedy, largest_excess(plan));
}

std::optional<FieldError> too_costly(const Plan& plan, const MapJob& map,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy) {
  const auto in = map.quantity == MapQuantity::accuracy
                      ? in_trials(expected.work)
                      : " in " + number_text(values_of(map, plan)) + " values";
  return beyond(expected, limit, "map", in, remedy, largest_excess(plan, map));
}

std::optional<FieldError> too_costly(const Plan& plan, const TuningSettings& tuning,
                                     const ExpectedCost& expected, double limit,
                                     const std::string& remedy) {
  return beyond(expected, limit, "tuning", in_trials(expected.work), remedy,
                largest_excess(plan, tuning));
}

}  // namespace macrostep::engine
