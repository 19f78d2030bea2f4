// A matrix times a vector, as small as in most state-space models: Eigen's kernel takes longer to
// choose its blocks than to multiply. Same bits: rows are summed from left to right, then added.
#pragma once

#include <Eigen/Core>

namespace macrostep::models {

/// With more columns the kernel's blocks gain.
inline constexpr Eigen::Index most_small_columns = 32;

namespace detail {

template <class Vector>
double row_product(const Eigen::MatrixXd& m, Eigen::Index row, const Vector& x) {
  double sum = 0;
  for (Eigen::Index column = 0; column < m.cols(); ++column) {
    sum += m(row, column) * x[column];
  }
  return sum;
}

}  // namespace detail

/// y = M x. They may not overlap.
template <class Vector, class Result>
void set_product(const Eigen::MatrixXd& m, const Vector& x, Result& y) {
  if (m.cols() > most_small_columns) {
    y.noalias() = m * x;
    return;
  }
  for (Eigen::Index row = 0; row < m.rows(); ++row) {
    y[row] = detail::row_product(m, row, x);
  }
}

/// y += M x. They may not overlap.
template <class Vector, class Result>
void add_product(const Eigen::MatrixXd& m, const Vector& x, Result& y) {
  if (m.cols() > most_small_columns) {
    y.noalias() += m * x;
    return;
  }
  for (Eigen::Index row = 0; row < m.rows(); ++row) {
    y[row] += detail::row_product(m, row, x);
  }
}

}  // namespace macrostep::models
