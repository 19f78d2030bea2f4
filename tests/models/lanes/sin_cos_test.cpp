#include "models/subsystem/sin_cos.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

using macrostep::models::sin_cos;

TEST_CASE("sine and cosine are those of long double to rounding") {
  // Half a unit in the last place of 1 is 1.1e-16: the rounding of the result. That of the reduced
  // angle and of the first terms of the series adds as much at most.
  constexpr double rounding = 2.3e-16;
  std::mt19937_64 random(1);
  for (const double range : {1e-3, 0.8, 7.0, 1e3, 1e6}) {
    CAPTURE(range);
    std::uniform_real_distribution<double> angles(-range, range);
    double worst = 0;
    for (int i = 0; i < 100'000; ++i) {
      const double angle = angles(random);
      const auto [sine, cosine] = sin_cos(angle);
      const auto exact = static_cast<long double>(angle);
      worst = std::max(worst, static_cast<double>(std::abs(sine - std::sin(exact))));
      worst = std::max(worst, static_cast<double>(std::abs(cosine - std::cos(exact))));
    }
    CHECK(worst < rounding);
  }
}

TEST_CASE("sine and cosine of every quadrant, of large angles and of none") {
  constexpr double quarter = 1.5707963267948966;
  for (int k = -9; k <= 9; ++k) {
    CAPTURE(k);
    const auto [sine, cosine] = sin_cos(k * quarter);
    CHECK(sine == doctest::Approx(std::sin(k * quarter)).epsilon(1e-15).scale(1));
    CHECK(cosine == doctest::Approx(std::cos(k * quarter)).epsilon(1e-15).scale(1));
  }
  CHECK(sin_cos(0.0).sin == 0);
  CHECK(sin_cos(0.0).cos == 1);
  for (const double large : {1.5e6, -1e300}) {
    CHECK(sin_cos(large).sin == std::sin(large));
    CHECK(sin_cos(large).cos == std::cos(large));
  }
  CHECK(std::isnan(sin_cos(std::numeric_limits<double>::quiet_NaN()).sin));
  CHECK(std::isnan(sin_cos(std::numeric_limits<double>::infinity()).cos));
}
