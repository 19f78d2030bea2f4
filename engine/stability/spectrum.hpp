// Eigenvalues of a real square matrix, and what they say about powers of it and about ẋ = A x.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <vector>

namespace macrostep::engine {

/// A diagonal similarity by powers of 2, D⁻¹ M D, that makes rows and columns about equally large,
/// so that pascals and metres in one matrix cost no digits (Parlett and Reinsch 1969). Returns the
/// diagonal of D.
Eigen::VectorXd balance(Eigen::MatrixXd& matrix);

/// In no order; one NaN if they cannot be found. The matrix is balanced first.
Eigen::VectorXcd eigenvalues(Eigen::MatrixXd matrix);

struct Eigenvalue {
  std::complex<double> value;
  /// κ: by how much an error of the matrix may move it, relative to the size of both; infinite
  /// where it has too few eigenvectors (Golub and Van Loan, section 7.2.2).
  double condition = 1;
};

/// Likewise, with their condition.
std::vector<Eigenvalue> conditioned_eigenvalues(Eigen::MatrixXd matrix);

/// What counts as ρ ≤ 1: an undamped motion is found within this of 1.
inline constexpr double stable_radius = 1 + 1e-9;

/// ρ: the largest magnitude of an eigenvalue; NaN if they cannot be found.
double spectral_radius(const Eigen::MatrixXd& matrix);

/// The largest real part of an eigenvalue: the rate at which ẋ = A x grows; NaN likewise.
double growth_rate_per_s(const Eigen::MatrixXd& matrix);

}  // namespace macrostep::engine
