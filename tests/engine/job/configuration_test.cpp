#include "engine/job/configuration.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace macrostep::engine;
using macrostep::models::Integrator;

TEST_CASE("integrators are listed, or told once where more than three subsystems share one") {
  Configuration configuration{.extrapolation = Extrapolation::order_1};
  for (int part = 1; part <= 3; ++part) {
    configuration.integrators["part_" + std::to_string(part)] = Integrator::exact;
  }
  CHECK_FALSE(shared_integrator(configuration));
  CHECK(describe(configuration) == "extrapolation 1, part_1 exact, part_2 exact, part_3 exact");
  configuration.integrators["part_4"] = Integrator::exact;
  CHECK(shared_integrator(configuration) == Integrator::exact);
  CHECK(describe(configuration) == "extrapolation 1, all exact");
  configuration.integrators["part_4"] = Integrator::rk4;
  CHECK_FALSE(shared_integrator(configuration));
  CHECK(describe(configuration).ends_with("part_4 rk4"));
}
