#include "server/jobs/matrix_json.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/base/text.hpp"
#include "server/json/nearest_name.hpp"

namespace macrostep::server::json {

namespace {

constexpr std::string_view between_rows = ";\n";
constexpr std::string_view blank = " \t\r\n";

/// The text without what is cut off, which ends at one of these letters or is all of it.
std::string_view cut(std::string_view& text, std::string_view letters) {
  const auto end = text.find_first_of(letters);
  const auto part = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return part;
}

/// A sign may stand before it.
std::optional<double> number_of(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) {
      return std::nullopt;
    }
  }
  return finite_number(text);
}

using Row = std::vector<double>;
using Rows = std::vector<Row>;

/// Numbers between blanks, or between single commas; nothing after a report.
std::optional<Row> row_of_text(const Value& value, std::string_view line,
                               const std::string& place) {
  Row row;
  if (trimmed(line).empty()) {
    return row;
  }
  for (auto part : parts_of(line, ',')) {
    part = trimmed(part);
    if (part.empty()) {
      value.fail("lacks a number beside a comma in " + place);
      return std::nullopt;
    }
    while (!part.empty()) {
      const auto word = cut(part, blank);
      part = trimmed(part);
      const auto number = number_of(word);
      if (!number) {
        value.fail(in_quotes(word) + " in " + place +
                   " is not a number; a matrix as text is like \"[0 1; -4 0]\"");
        return std::nullopt;
      }
      row.push_back(*number);
    }
  }
  return row;
}

/// Numbers of the rows that have some; empty after a report.
Rows rows_of_text(const Value& value, std::string_view text) {
  text = trimmed(text);
  if (text.starts_with('[') != text.ends_with(']')) {
    value.fail("begins or ends with a bracket without the other one");
    return {};
  }
  if (text.starts_with('[')) {
    text = text.substr(1, text.size() - 2);
  }
  Rows rows;
  while (!text.empty()) {
    auto row =
        row_of_text(value, cut(text, between_rows), "row " + std::to_string(rows.size() + 1));
    if (!row) {
      return {};
    }
    if (!row->empty()) {
      rows.push_back(*std::move(row));
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].size() != rows.front().size()) {
      value.fail("row " + std::to_string(i + 1) + " has " + std::to_string(rows[i].size()) +
                 " numbers, the first row " + std::to_string(rows.front().size()));
      return {};
    }
  }
  return rows;
}

Rows rows_of_array(const Value& value) {
  Rows rows;
  for (const Value& row : value.elements()) {
    rows.push_back(row.numbers());
    if (rows.back().size() != rows.front().size()) {
      row.fail("has " + std::to_string(rows.back().size()) + " numbers, the first row " +
               std::to_string(rows.front().size()));
      return {};
    }
  }
  return rows;
}

}  // namespace

Eigen::MatrixXd read_matrix(const Value& value) {
  if (value.json().is_number()) {
    return Eigen::MatrixXd::Constant(1, 1, value.number().value_or(0));
  }
  if (!value.json().is_string() && !value.json().is_array()) {
    value.fail("must be rows of numbers, a number, or a text like \"[0 1; -4 0]\"");
    return {};
  }
  const auto rows = value.json().is_string()
                        ? rows_of_text(value, value.json().get_ref<const std::string&>())
                        : rows_of_array(value);
  const auto count = static_cast<Eigen::Index>(rows.size());
  Eigen::MatrixXd matrix(count, rows.empty() ? 0 : static_cast<Eigen::Index>(rows.front().size()));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) {
      matrix(i, k) = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(k)];
    }
  }
  return matrix;
}

Eigen::VectorXd read_vector(const Value& value) {
  if (value.json().is_number() || value.json().is_string()) {
    const auto matrix = read_matrix(value);
    if (matrix.rows() > 1 && matrix.cols() > 1) {
      value.fail("has several rows and columns; it must be one row or one column");
      return {};
    }
    return matrix.reshaped();
  }
  const auto numbers = value.numbers();
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(),
                                           static_cast<Eigen::Index>(numbers.size()));
}

nlohmann::ordered_json matrix_json(const Eigen::MatrixXd& matrix) {
  auto rows = nlohmann::ordered_json::array();
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    auto row = nlohmann::ordered_json::array();
    for (Eigen::Index k = 0; k < matrix.cols(); ++k) {
      row.push_back(matrix(i, k));
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace macrostep::server::json
