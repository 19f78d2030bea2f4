// The triangular factor of a matrix with many rows, which are given in pieces: R of A = Q R, so
// that AᵀA = RᵀR. The pieces may be R of other matrices: the factor of two matrices, one below the
// other, is that of their factors. By Householder reflections (Golub and Van Loan, Matrix
// Computations, section 5.2), on a piece at a time, which stays in the cache. Sums are in one
// order, whatever the instructions of the computer.
#pragma once

#include <Eigen/Core>

namespace macrostep::engine {

class TriangularFactor {
 public:
  explicit TriangularFactor(Eigen::Index columns) : r_(Eigen::MatrixXd::Zero(columns, columns)) {}

  /// More rows of A, whose values are lost. Columns of a piece smaller than 1e-140 count as 0.
  void add(Eigen::MatrixXd& rows);
  /// Those of another one with as many columns.
  void add(const TriangularFactor& other);

  /// Upper triangular, with as many rows as columns.
  const Eigen::MatrixXd& r() const { return r_; }

 private:
  Eigen::MatrixXd r_;
};

}  // namespace macrostep::engine
