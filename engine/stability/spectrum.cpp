#include "engine/stability/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <cmath>
#include <complex>
#include <limits>
#include <vector>

namespace macrostep::engine {

namespace {

/// Sweeps over rows and columns; each halves what is left, and a few are enough.
constexpr int max_balancing_sweeps = 50;
/// A row and its column are scaled only if that makes their sum smaller than this share of it.
constexpr double worthwhile_share = 0.95;

}  // namespace

Eigen::VectorXd balance(Eigen::MatrixXd& m) {
  const Eigen::Index n = m.rows();
  Eigen::VectorXd scale = Eigen::VectorXd::Ones(n);
  for (int sweep = 0; sweep < max_balancing_sweeps; ++sweep) {
    bool changed = false;
    for (Eigen::Index i = 0; i < n; ++i) {
      const double own = std::abs(m(i, i));
      const double row = m.row(i).cwiseAbs().sum() - own;
      const double column = m.col(i).cwiseAbs().sum() - own;
      if (!(row > 0) || !(column > 0) || !std::isfinite(row) || !std::isfinite(column)) {
        continue;
      }
      const int exponent = static_cast<int>(std::lround(std::log2(row / column) / 2));
      const double factor = std::ldexp(1.0, exponent);
      if (exponent != 0 && column * factor + row / factor < worthwhile_share * (column + row)) {
        m.col(i) *= factor;
        m.row(i) /= factor;
        scale[i] *= factor;
        changed = true;
      }
    }
    if (!changed) {
      break;
    }
  }
  return scale;
}

Eigen::VectorXcd eigenvalues(Eigen::MatrixXd matrix) {
  if (matrix.rows() == 0) {
    return {};
  }
  balance(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix, /*computeEigenvectors=*/false);
  if (solver.info() != Eigen::Success) {
    return Eigen::VectorXcd::Constant(1, std::numeric_limits<double>::quiet_NaN());
  }
  return solver.eigenvalues();
}

std::vector<Eigenvalue> conditioned_eigenvalues(Eigen::MatrixXd matrix) {
  if (matrix.rows() == 0) {
    return {};
  }
  balance(matrix);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(matrix);
  if (solver.info() != Eigen::Success) {
    return {{std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}};
  }
  const Eigen::MatrixXcd right = solver.eigenvectors();
  const Eigen::MatrixXcd left = right.partialPivLu().inverse();
  std::vector<Eigenvalue> list;
  for (Eigen::Index k = 0; k < matrix.rows(); ++k) {
    const double condition = right.col(k).norm() * left.row(k).norm();
    list.push_back({solver.eigenvalues()[k], std::isfinite(condition)
                                                 ? condition
                                                 : std::numeric_limits<double>::infinity()});
  }
  return list;
}

double spectral_radius(const Eigen::MatrixXd& matrix) {
  const auto found = eigenvalues(matrix);
  return found.size() == 0 ? 0 : found.cwiseAbs().maxCoeff();
}

double growth_rate_per_s(const Eigen::MatrixXd& matrix) {
  const auto found = eigenvalues(matrix);
  return found.size() == 0 ? 0 : found.real().maxCoeff();
}

}  // namespace macrostep::engine
