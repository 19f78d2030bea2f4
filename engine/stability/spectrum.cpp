#include "engine/stability/spectrum.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <vector>

namespace macrostep::engine {

namespace {

/// An eigenvalue of multiplicity 2 or 3 is found to the square or third root of rounding.
constexpr double circle_width = 1e-6;
constexpr double cluster_width = 2e-5;
constexpr double spread_factor = 100;
constexpr double rounding_of_singular_values = 1e-13;
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

bool is_defective_on_unit_circle(Eigen::MatrixXd matrix) {
  balance(matrix);
  std::vector<std::complex<double>> left;
  for (const std::complex<double> value : eigenvalues(matrix)) {
    if (std::abs(std::abs(value) - 1) < circle_width) {
      left.push_back(value);
    }
  }
  while (!left.empty()) {
    const auto first = left.back();
    const auto others = std::partition(left.begin(), left.end(), [&](const auto& value) {
      return std::abs(value - first) > cluster_width;
    });
    const auto multiplicity = left.end() - others;
    const std::complex<double> mean = std::accumulate(others, left.end(), std::complex<double>()) /
                                      static_cast<double>(multiplicity);
    double spread = 0;
    for (auto value = others; value != left.end(); ++value) {
      spread = std::max(spread, std::abs(*value - mean));
    }
    left.erase(others, left.end());
    if (multiplicity < 2) {
      continue;
    }
    // Different eigenvectors leave as many singular values of about the spread.
    const Eigen::MatrixXcd shifted =
        matrix.cast<std::complex<double>>() -
        mean * Eigen::MatrixXcd::Identity(matrix.rows(), matrix.cols());
    const Eigen::JacobiSVD<Eigen::MatrixXcd, Eigen::NoQRPreconditioner> decomposition(shifted);
    const Eigen::VectorXd singular = decomposition.singularValues();
    const double zero = spread_factor * spread + rounding_of_singular_values * singular[0];
    if ((singular.array() <= zero).count() < multiplicity) {
      return true;
    }
  }
  return false;
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
