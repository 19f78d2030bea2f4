#include "engine/verification/probes/triangular_factor.hpp"

#include <array>
#include <cmath>
#include <cstddef>

namespace macrostep::engine {

namespace {

using Eigen::Index;

/// Terms are added to so many sums in turn, which may be those of one register or of several.
constexpr Index sums_at_once = 8;
/// A column whose squares sum to less has no direction: 1 / square would not be finite.
constexpr double least_square = 1e-280;

double dot(const double* a, const double* b, Index size) {
  std::array<double, sums_at_once> sums{};
  Index i = 0;
  for (; i + sums_at_once <= size; i += sums_at_once) {
    for (Index k = 0; k < sums_at_once; ++k) {
      sums[static_cast<std::size_t>(k)] += a[i + k] * b[i + k];
    }
  }
  double sum = 0;
  for (const double one : sums) {
    sum += one;
  }
  for (; i < size; ++i) {
    sum += a[i] * b[i];
  }
  return sum;
}

void add_multiple(double* to, double factor, const double* of, Index size) {
  for (Index i = 0; i < size; ++i) {
    to[i] += factor * of[i];
  }
}

}  // namespace

/// One reflection for each column: of its diagonal element and what stands below it in the piece.
void TriangularFactor::add(Eigen::MatrixXd& rows) {
  const Index size = rows.rows();
  for (Index k = 0; k < r_.cols(); ++k) {
    const double* below = rows.col(k).data();
    const double square = dot(below, below, size);
    if (square < least_square) {
      continue;
    }
    const double before = r_(k, k);
    const double after = -std::copysign(std::sqrt(before * before + square), before);
    const double first = before - after;
    const double scale = 1 / (after * first);
    for (Index j = k + 1; j < r_.cols(); ++j) {
      double* other = rows.col(j).data();
      const double part = scale * (first * r_(k, j) + dot(below, other, size));
      r_(k, j) += part * first;
      add_multiple(other, part, below, size);
    }
    r_(k, k) = after;
  }
}

void TriangularFactor::add(const TriangularFactor& other) {
  Eigen::MatrixXd rows = other.r_;
  add(rows);
}

}  // namespace macrostep::engine
