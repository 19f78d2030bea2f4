#include "tests/matrix_exponential.hpp"

#include <unsupported/Eigen/MatrixFunctions>

namespace macrostep::tests {

Eigen::MatrixXd matrix_exponential(const Eigen::MatrixXd& matrix) {
  return matrix.exp();
}

}  // namespace macrostep::tests
