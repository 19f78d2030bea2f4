#include "engine/scan/curve_groups.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "engine/cost/cost_estimate.hpp"
#include "tests/engine/plan/planned.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;

TEST_CASE("every curve is in one group, and there are groups for every thread") {
  const auto plan = planned(find_built_in("single_actuator_crane")->default_job);
  const TrialBackend elsewhere;
  std::vector<std::size_t> ids;
  for (std::size_t c = 0; c < plan.curves.size(); c += 2) {
    ids.push_back(c);
  }
  const auto costs = expected_costs(plan);
  for (const TrialBackend* backend : {&this_process(), &elsewhere}) {
    for (const int threads : {1, 2, 8, 1000}) {
      const auto groups = curve_groups(plan, ids, costs, {.backend = *backend, .threads = threads});
      std::vector<std::size_t> found;
      for (const auto& group : groups) {
        CHECK((backend == &this_process() || group.size() == 1));
        found.insert(found.end(), group.begin(), group.end());
      }
      CHECK(groups.size() >= std::min(ids.size(), static_cast<std::size_t>(threads)));
      std::ranges::sort(found);
      CHECK(found == ids);
    }
  }
}
