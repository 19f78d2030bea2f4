#include "engine/cost/largest_excess.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

constexpr double usual_choices = 100;      ///< configurations
constexpr double usual_micro_steps = 100;  ///< in the largest macro-step
constexpr double usual_repeats = 100;

}  // namespace

void LargestExcess::consider(double amount, double usual, const std::string& pointer) {
  if (amount / usual > times_) {
    times_ = amount / usual;
    pointer_ = pointer;
  }
}

void LargestExcess::consider_steps(const Job& job, double macro_step_s) {
  for (const auto& [name, micro_step_s] : job.micro_steps) {
    consider(macro_step_s / micro_step_s, usual_micro_steps, "/micro_steps/" + pointer_token(name));
  }
  for (const auto& [name, count] : job.substeps) {
    consider(count, usual_micro_steps, "/substeps/" + pointer_token(name));
  }
  if (job.iteration.repeats) {
    consider(*job.iteration.repeats, usual_repeats, "/search/iteration/repeats");
  }
}

void LargestExcess::consider_choices(const Plan& plan) {
  consider(static_cast<double>(plan.configurations.size()), usual_choices, "/search");
}

std::string duration_pointer(const Job& job, const TestInput& test) {
  return "/tests/" + std::to_string(&test - job.tests.data()) + "/duration_s";
}

const TestInput& longest_test(const Job& job) {
  return *std::ranges::max_element(job.tests, {}, &TestInput::duration_s);
}

}  // namespace macrostep::engine
