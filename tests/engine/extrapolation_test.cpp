#include "engine/extrapolation.hpp"

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

/// The polynomial after these values, newest first, have come in one by one.
InputPolynomial continued(const std::array<double, 5>& history, int degree) {
  Differences differences{};
  for (std::size_t i = 0; i < history.size(); ++i) {
    const auto kept = std::min(i, static_cast<std::size_t>(degree));
    remember(differences, history[history.size() - 1 - i], kept);
  }
  return lagrange_polynomial(differences);
}

}  // namespace

TEST_CASE("order m continues polynomials of degree m exactly") {
  const std::array<double, 5> all{1.5, -0.7, 0.3, 0.11, -0.05};
  for (int degree = 0; degree <= 4; ++degree) {
    auto c = all;
    for (std::size_t k = static_cast<std::size_t>(degree) + 1; k < c.size(); ++k) {
      c[k] = 0;
    }
    const auto polynomial = continued(samples(c), degree);
    for (std::size_t k = 0; k < c.size(); ++k) {
      CHECK(polynomial.coefficients[k] == doctest::Approx(c[k]).epsilon(1e-12));
    }
  }
}

TEST_CASE("order m passes through its m + 1 newest values") {
  const std::array<double, 5> history{0.3, -1.2, 4.0, 2.2, -0.9};
  for (int degree = 0; degree <= 4; ++degree) {
    const auto polynomial = continued(history, degree);
    for (int i = 0; i <= degree; ++i) {
      CHECK(polynomial.value(-i) ==
            doctest::Approx(history[static_cast<std::size_t>(i)]).epsilon(1e-12));
    }
  }
}

TEST_CASE("names go both ways") {
  for (const auto extrapolation : all_extrapolations) {
    CHECK(extrapolation_from(to_string(extrapolation)) == extrapolation);
  }
  CHECK_FALSE(extrapolation_from("5"));
}
