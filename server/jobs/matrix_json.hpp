// Matrices in a job: rows of numbers, or as people write them elsewhere.
#pragma once

#include <nlohmann/json.hpp>

#include "engine/problem/own_problem.hpp"
#include "server/json/reader.hpp"

namespace macrostep::server::json {

/// An array of rows of one length; one number, which is 1 by 1; or a text as of MATLAB,
/// "[0 1; -4 0]". Reports anything else; what has no numbers is 0 by 0.
Eigen::MatrixXd read_matrix(const Value& value);

/// An array of numbers, one number, or a text that is one row or one column.
Eigen::VectorXd read_vector(const Value& value);

/// An array of rows.
nlohmann::ordered_json matrix_json(const Eigen::MatrixXd& matrix);

}  // namespace macrostep::server::json
