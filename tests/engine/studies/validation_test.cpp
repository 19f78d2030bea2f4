#include "engine/studies/validation.hpp"

#include <doctest/doctest.h>

#include <atomic>

using namespace macrostep::engine;

TEST_CASE("a small relative residual means a small error, and iterating leaves less of it") {
  // Exact subsystems leave the coupling's error alone, and a damped motion forgets it: 1 % of the
  // energy may not make more than 5 % of error. The iteration removes all but the interpolation's.
  const auto row = validate(*find_built_in("stiff_oscillator"), 0.01, 1, nullptr);
  REQUIRE(row);
  REQUIRE(row->configuration);
  CHECK(*row->relative_residual <= 0.01);
  REQUIRE(row->stability);
  CHECK(*row->macro_step_s <= row->stability->range.stable_s / 1.1);
  REQUIRE(row->errors.size() == 3);
  for (const auto& error : row->errors) {
    REQUIRE(error.nrmse);
    CHECK(*error.nrmse < 0.05);
  }
  CHECK(*row->errors[2].nrmse < 0.5 * *row->errors[0].nrmse);
}

TEST_CASE("a stopped validation gives nothing") {
  const std::atomic<bool> stop = true;
  CHECK_FALSE(validate(*find_built_in("pipe_volume"), std::nullopt, 1, &stop));
}
