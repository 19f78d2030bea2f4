#include "engine/verification/probes/triangular_factor.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numbers>

using Eigen::Index;
using Eigen::MatrixXd;
using macrostep::engine::TriangularFactor;

namespace {

/// Columns of very different size, the last a multiple of the first.
MatrixXd uneven_matrix(Index rows) {
  MatrixXd matrix(rows, 7);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < matrix.cols(); ++j) {
      const auto at = static_cast<double>(i);
      matrix(i, j) = std::pow(10.0, -2.0 * static_cast<double>(j)) *
                     std::sin(at * (0.1 + std::numbers::sqrt2 * static_cast<double>(j)));
    }
    matrix(i, 6) = 3 * matrix(i, 0);
  }
  return matrix;
}

TriangularFactor factor_in_pieces(const MatrixXd& matrix, Index rows_at_once) {
  TriangularFactor factor(matrix.cols());
  for (Index row = 0; row < matrix.rows(); row += rows_at_once) {
    MatrixXd piece = matrix.middleRows(row, std::min(rows_at_once, matrix.rows() - row));
    factor.add(piece);
  }
  return factor;
}

}  // namespace

TEST_CASE("the triangular factor of pieces is that of the whole, by another library's QR") {
  const auto matrix = uneven_matrix(333);
  const Eigen::HouseholderQR<MatrixXd> qr(matrix);
  const MatrixXd expected = qr.matrixQR().topRows(7).triangularView<Eigen::Upper>();
  for (const Index rows_at_once : {1, 5, 64, 333}) {
    CAPTURE(rows_at_once);
    const auto r = factor_in_pieces(matrix, rows_at_once).r();
    CHECK(r.isUpperTriangular(0));
    for (Index k = 0; k < 6; ++k) {  // the last diagonal element is rounding
      const double same_sign = std::copysign(1.0, r(k, k) * expected(k, k));
      for (Index j = k; j < 7; ++j) {
        const double off = std::abs(same_sign * r(k, j) - expected(k, j));
        CHECK(off <= 1e-14 * matrix.col(j).norm());
      }
    }
  }
}

TEST_CASE("a factor takes up that of other rows") {
  const auto matrix = uneven_matrix(200);
  auto factor = factor_in_pieces(matrix.topRows(77), 20);
  factor.add(factor_in_pieces(matrix.bottomRows(123), 50));
  const MatrixXd gram = matrix.transpose() * matrix;
  CHECK((factor.r().transpose() * factor.r() - gram).norm() <= 1e-13 * gram.norm());
}

TEST_CASE("what decays to less than can be squared leaves the factor finite") {
  MatrixXd decaying(1000, 4);
  for (Index i = 0; i < decaying.rows(); ++i) {
    decaying.row(i).setConstant(std::pow(0.3, static_cast<double>(i)));
  }
  for (const Index first : {0, 250, 600}) {
    CHECK(factor_in_pieces(decaying.bottomRows(decaying.rows() - first), 100).r().allFinite());
  }
}
