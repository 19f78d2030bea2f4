#include "engine/stability/stability_verdicts.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <thread>
#include <variant>
#include <vector>

#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;

TEST_CASE("verdicts that curves share are those of each configuration alone, from any thread") {
  auto job = macrostep::tests::two_masses();
  job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1,
                             Extrapolation::order_2};
  const auto plan = macrostep::tests::planned(job);
  const std::vector<double> macro_steps_s{1e-3, 5e-3, 0.02, 0.1, 0.5};
  const double longest_s = longest_test_s(plan);

  StabilityVerdicts verdicts(plan);
  CHECK(verdicts.duration_s() == longest_s);
  std::atomic<int> different = 0;
  std::atomic<int> unstable = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
        const Stability alone(plan, plan.configurations[c], longest_s);
        for (const double macro_step_s : macro_steps_s) {
          const bool is_unstable = !std::get<bool>(alone.is_stable(macro_step_s));
          different += verdicts.is_unstable(c, macro_step_s) == is_unstable ? 0 : 1;
          unstable += is_unstable ? 1 : 0;
        }
        different += verdicts.exact_log_growth(c) ==
                             exact_log_growth(plan, plan.configurations[c], longest_s)
                         ? 0
                         : 1;
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  CHECK(different == 0);
  CHECK(unstable > 0);  // the grid reaches beyond the limit of some configuration
}
