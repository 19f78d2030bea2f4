#include "engine/job/extrapolation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

using namespace macrostep::engine;
using macrostep::models::InputPolynomial;

namespace {

/// p(θ) = Σ_k c_k θ^k sampled at θ = 0, −1, −2, −3, −4: newest first.
std::array<double, 5> samples(const std::array<double, 5>& c) {
  std::array<double, 5> values{};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double theta = -static_cast<double>(i);
    values[i] = c[0] + theta * (c[1] + theta * (c[2] + theta * (c[3] + theta * c[4])));
  }
  return values;
}

/// What is known after these values, newest first, have come in one by one, with derivatives if
/// given.
InputHistory after(const std::array<double, 5>& values, Extrapolation extrapolation,
                   const std::array<double, 5>& derivatives = {}) {
  InputHistory history;
  for (std::size_t i = values.size(); i-- > 0;) {
    remember(history, Sample{values[i], derivatives[i]}, older_values(extrapolation));
  }
  return history;
}

constexpr std::array by_order{Extrapolation::order_0, Extrapolation::order_1,
                              Extrapolation::order_2, Extrapolation::order_3,
                              Extrapolation::order_4};

}  // namespace

TEST_CASE("order m continues polynomials of degree m exactly") {
  const std::array<double, 5> all{1.5, -0.7, 0.3, 0.11, -0.05};
  for (int degree = 0; degree <= 4; ++degree) {
    auto c = all;
    for (std::size_t k = static_cast<std::size_t>(degree) + 1; k < c.size(); ++k) {
      c[k] = 0;
    }
    const auto extrapolation = by_order[static_cast<std::size_t>(degree)];
    const auto polynomial = continued(after(samples(c), extrapolation), extrapolation);
    for (std::size_t k = 0; k < c.size(); ++k) {
      CHECK(polynomial.coefficients[k] == doctest::Approx(c[k]).epsilon(1e-12));
    }
  }
}

TEST_CASE("order m passes through its m + 1 newest values") {
  const std::array<double, 5> history{0.3, -1.2, 4.0, 2.2, -0.9};
  for (int degree = 0; degree <= 4; ++degree) {
    const auto extrapolation = by_order[static_cast<std::size_t>(degree)];
    const auto polynomial = continued(after(history, extrapolation), extrapolation);
    for (int i = 0; i <= degree; ++i) {
      CHECK(polynomial.value(-i) ==
            doctest::Approx(history[static_cast<std::size_t>(i)]).epsilon(1e-12));
    }
  }
}

TEST_CASE("a known end value is met, and the polynomial is the same seen from one window earlier") {
  const std::array<double, 5> history{0.3, -1.2, 4.0, 2.2, -0.9};
  for (const auto extrapolation : by_order) {
    const auto known = after(history, extrapolation);
    const auto ahead = interpolated(known, extrapolation);
    CHECK(ahead.value(1) == doctest::Approx(history[0]).epsilon(1e-12));
    CHECK(ahead.value(0.25) ==
          doctest::Approx(continued(known, extrapolation).value(-0.75)).epsilon(1e-12));
  }
}

TEST_CASE("least squares and adaptive order continue a straight line exactly") {
  const auto line = samples({2.0, -0.3, 0, 0, 0});
  for (const auto extrapolation : {Extrapolation::least_squares, Extrapolation::adaptive}) {
    const auto polynomial = continued(after(line, extrapolation), extrapolation);
    CHECK(polynomial.value(1) == doctest::Approx(1.7).epsilon(1e-12));
  }
}

TEST_CASE("least squares follow noise less than order 1") {
  // Noise of ±1 on zeros: order 1 extends the last jump of 2, to ±3. The fitted line has slope
  // (2·1 − 1 + 1 − 2·1)/10 = 0 through the mean 1/5.
  const std::array<double, 5> noise{1, -1, 1, -1, 1};
  const auto at_end = [&](Extrapolation extrapolation) {
    return continued(after(noise, extrapolation), extrapolation).value(1);
  };
  CHECK(at_end(Extrapolation::order_1) == doctest::Approx(3));
  CHECK(at_end(Extrapolation::least_squares) == doctest::Approx(0.2));
}

TEST_CASE("the adaptive order falls to 0 behind a jump and rises on a smooth signal") {
  const auto degree = [](const InputPolynomial& p) {
    int highest = 0;
    for (int k = 1; k <= 4; ++k) {
      highest = p.coefficients[static_cast<std::size_t>(k)] != 0 ? k : highest;
    }
    return highest;
  };
  const auto choose = [&](const std::array<double, 5>& values) {
    return degree(continued(after(values, Extrapolation::adaptive), Extrapolation::adaptive));
  };
  CHECK(choose({5, 0, 0, 0, 0}) == 0);  // each order misses the jump by more than the one before
  CHECK(choose(samples({1, 0.5, 0.25, 0, 0})) == 2);
  CHECK(choose(samples({1, 0.5, 0.25, 0.125, 0})) == 3);
}

TEST_CASE("smooth inputs start where the last polynomial ended") {
  auto history = after(samples({2.0, -0.3, 0, 0, 0}), Extrapolation::smooth);
  history.end_value = 2.5;
  history.end_slope = 0.4;
  for (const auto extrapolation : {Extrapolation::smooth_c0, Extrapolation::smooth}) {
    const auto path = continued(history, extrapolation);
    CHECK(path.value(0) == doctest::Approx(2.5));
    CHECK(path.value(1) == doctest::Approx(1.7));  // where order 1 expects the signal
  }
  CHECK(continued(history, Extrapolation::smooth).coefficients[1] == doctest::Approx(0.4));
}

TEST_CASE("Hermite continues cubics exactly from two values and their derivatives") {
  // y = 1 + 0.5θ − 0.2θ² + 0.1θ³
  const std::array<double, 5> c{1, 0.5, -0.2, 0.1, 0};
  std::array<double, 5> slopes{};
  for (std::size_t i = 0; i < slopes.size(); ++i) {
    const double theta = -static_cast<double>(i);
    slopes[i] = c[1] + theta * (2 * c[2] + theta * 3 * c[3]);
  }
  const auto history = after(samples(c), Extrapolation::hermite, slopes);
  const auto polynomial = continued(history, Extrapolation::hermite);
  for (std::size_t k = 0; k < c.size(); ++k) {
    CHECK(polynomial.coefficients[k] == doctest::Approx(c[k]).epsilon(1e-12));
  }
}

TEST_CASE("until it has its values, a method takes as many as there are") {
  for (const auto extrapolation : all_extrapolations) {
    InputHistory history;
    history.end_value = 3;
    remember(history, 3, older_values(extrapolation));
    CHECK(continued(history, extrapolation).value(1) == 3);
  }
}

TEST_CASE("names go both ways") {
  for (const auto extrapolation : all_extrapolations) {
    CHECK(extrapolation_from(to_string(extrapolation)) == extrapolation);
  }
  CHECK_FALSE(extrapolation_from("5"));
}
