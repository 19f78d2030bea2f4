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

  StabilityVerdicts verdicts(plan);
  std::atomic<int> different = 0;
  std::atomic<int> growing = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
        const auto modes = exact_modes(plan, plan.configurations[c]);
        const Stability alone(plan, plan.configurations[c], &*modes, session_s(plan, &*modes));
        different += verdicts.session_s(c) == session_s(plan, &*modes) ? 0 : 1;
        for (const double macro_step_s : macro_steps_s) {
          const auto growth = std::get<Growth>(alone.growth(macro_step_s));
          const auto shared = verdicts.growth(c, macro_step_s);
          different +=
              shared && shared->kind == growth.kind && shared->rate_per_s == growth.rate_per_s ? 0
                                                                                               : 1;
          growing += growth.kind == GrowthKind::growing ? 1 : 0;
        }
      }
    });
  }
  for (auto& thread : threads) {
    thread.join();
  }
  CHECK(different == 0);
  CHECK(growing > 0);  // the grid reaches beyond the limit of some configuration
}
