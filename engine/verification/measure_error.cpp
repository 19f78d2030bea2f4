#include "engine/verification/measure_error.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace macrostep::engine {

MeasuredError measure_error(const Plan& plan, const Configuration& configuration,
                            double macro_step_s, int threads, const std::atomic<bool>* stop,
                            const Executor& executor) {
  const auto& tests = plan.job.tests;
  std::vector<MeasuredError> errors(tests.size());
  executor.for_each_index(tests.size(), threads, [&](std::size_t i) {
    errors[i] =
        executor.error_in_test(plan, configuration, tests[i], macro_step_s, stop, std::nullopt);
  });
  return worst_of(std::move(errors));
}

}  // namespace macrostep::engine
