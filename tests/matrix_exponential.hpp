// exp(A), for reference results: compiled once, because Eigen's templates for it take long.
#pragma once

#include <Eigen/Core>

namespace macrostep::tests {

Eigen::MatrixXd matrix_exponential(const Eigen::MatrixXd& matrix);

}  // namespace macrostep::tests
