#include "engine/verification/identified_growth.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// Rows of the Hankel matrix: twice as many as eigenvalues that can be told apart well.
constexpr Index largest_rows = 96;
constexpr Index fewest_delays = 2;
/// Columns for every row.
constexpr Index columns_per_row = 2;
/// Singular values below this share of the largest are rounding.
constexpr double rank_tolerance = 1e-9;
/// A motion that is off its own λ by more of itself from step to step is none.
constexpr double largest_disorder = 0.1;
/// Motions smaller than this share of all are rounding.
constexpr double smallest_share = 1e-7;

/// Differences from one communication point to the next, every output in units of its largest one.
std::vector<MatrixXd> scaled_differences(std::span<const MatrixXd> records) {
  std::vector<MatrixXd> list;
  VectorXd largest = VectorXd::Zero(records.front().rows());
  for (const auto& record : records) {
    const Index steps = record.cols() - 1;
    list.push_back(record.rightCols(steps) - record.leftCols(steps));
    largest = largest.cwiseMax(list.back().cwiseAbs().rowwise().maxCoeff());
  }
  for (Index i = 0; i < largest.size(); ++i) {
    largest[i] = largest[i] > 0 ? 1 / largest[i] : 0;
  }
  for (auto& differences : list) {
    differences = largest.asDiagonal() * differences;
  }
  return list;
}

/// Column n of a record's part holds Δy_n … Δy_(n+delays−1).
MatrixXd hankel(const std::vector<MatrixXd>& differences, Index delays) {
  const Index outputs = differences.front().rows();
  Index columns = 0;
  for (const auto& record : differences) {
    columns += std::max<Index>(0, record.cols() - delays + 1);
  }
  MatrixXd matrix(outputs * delays, columns);
  Index column = 0;
  for (const auto& record : differences) {
    for (Index n = 0; n + delays <= record.cols(); ++n, ++column) {
      for (Index k = 0; k < delays; ++k) {
        matrix.col(column).segment(k * outputs, outputs) = record.col(n + k);
      }
    }
  }
  return matrix;
}

/// As many as the records allow, in bounds; 0 if they are too short.
Index delays_for(const std::vector<MatrixXd>& differences) {
  const Index outputs = differences.front().rows();
  Index shortest = differences.front().cols();
  Index columns = 0;
  for (const auto& record : differences) {
    shortest = std::min(shortest, record.cols());
    columns += record.cols();
  }
  Index delays = std::max(fewest_delays + 1, largest_rows / std::max<Index>(1, outputs));
  const auto records = static_cast<Index>(differences.size());
  while (delays > fewest_delays && (delays >= shortest || columns - records * (delays - 1) <
                                                              columns_per_row * outputs * delays)) {
    --delays;
  }
  return delays > fewest_delays ? delays : 0;
}

struct Fit {
  double log_growth, uncertainty, disorder, share;
};

/// q_{n+1} = λ q_n over the pairs of neighbours within the records.
Fit follow(const Eigen::RowVectorXcd& q, const std::vector<Index>& lengths, double whole) {
  std::complex<double> product = 0;
  double before = 0;
  double pairs = 0;
  Index begin = 0;
  for (const Index length : lengths) {
    const auto now = q.segment(begin, length - 1);
    const auto next = q.segment(begin + 1, length - 1);
    product += now.dot(next);  // Σ conj(q_n) q_{n+1}
    before += now.squaredNorm();
    pairs += static_cast<double>(length - 1);
    begin += length;
  }
  const auto lambda = product / before;
  double off = 0;
  begin = 0;
  for (const Index length : lengths) {
    off += (q.segment(begin + 1, length - 1) - lambda * q.segment(begin, length - 1)).squaredNorm();
    begin += length;
  }
  const double disorder = std::sqrt(off / before);
  return {.log_growth = std::log(std::abs(lambda)),
          .uncertainty = disorder / std::sqrt(pairs),
          .disorder = disorder,
          .share = std::sqrt(q.squaredNorm()) / whole};
}

}  // namespace

std::optional<IdentifiedModel> identify_model(std::span<const MatrixXd> records) {
  if (records.empty() || std::ranges::any_of(records, [](const MatrixXd& record) {
        return record.cols() < 2 || !record.allFinite();
      })) {
    return std::nullopt;
  }
  const auto differences = scaled_differences(records);
  const Index delays = delays_for(differences);
  if (delays == 0) {
    return std::nullopt;
  }
  const Index outputs = differences.front().rows();
  const MatrixXd data = hankel(differences, delays);
  if (data.isZero(0)) {
    return std::nullopt;
  }
  // data = (Q R)ᵀ = Rᵀ Qᵀ: R, which is small, has the same left singular vectors.
  const Eigen::HouseholderQR<MatrixXd> qr(data.transpose());
  const MatrixXd triangle =
      MatrixXd(qr.matrixQR().topRows(data.rows()).triangularView<Eigen::Upper>()).transpose();
  const Eigen::JacobiSVD<MatrixXd> svd(triangle, Eigen::ComputeFullU);
  const auto& sigma = svd.singularValues();
  Index order = 0;
  while (order < sigma.size() && sigma[order] > rank_tolerance * sigma[0]) {
    ++order;
  }
  if (order == 0) {
    return std::nullopt;  // not finite
  }
  // The shift needs more rows than unknowns.
  order = std::min(order, outputs * (delays - 1));
  const MatrixXd basis = svd.matrixU().leftCols(order);
  const Index rows = outputs * (delays - 1);
  const MatrixXd shift = basis.topRows(rows).colPivHouseholderQr().solve(basis.bottomRows(rows));
  const Eigen::EigenSolver<MatrixXd> eigen(shift);
  if (eigen.info() != Eigen::Success) {
    return std::nullopt;
  }
  const MatrixXd states = basis.transpose() * data;
  const MatrixXcd vectors = eigen.eigenvectors();
  const MatrixXcd q = vectors.partialPivLu().solve(states.cast<std::complex<double>>());

  IdentifiedModel model{.motions = {}, .order = order};
  std::vector<Index> lengths;
  for (const auto& record : differences) {
    lengths.push_back(record.cols() - delays + 1);
  }
  double missed = 0;
  Index begin = 0;
  for (const Index length : lengths) {
    missed +=
        (states.middleCols(begin + 1, length - 1) - shift * states.middleCols(begin, length - 1))
            .squaredNorm();
    begin += length;
  }
  const double whole = states.norm();
  model.unexplained = std::sqrt(missed) / whole;
  for (Index k = 0; k < order; ++k) {
    const auto fit = follow(q.row(k), lengths, whole);
    if (fit.share > smallest_share && fit.disorder < largest_disorder &&
        std::isfinite(fit.log_growth)) {
      model.motions.push_back(
          {.log_growth = fit.log_growth, .uncertainty = fit.uncertainty, .share = fit.share});
    }
  }
  return model;
}

}  // namespace macrostep::engine
