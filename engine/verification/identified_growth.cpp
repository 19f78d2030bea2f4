#include "engine/verification/identified_growth.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
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
/// A smaller subspace, to see what its dimension changes.
constexpr double coarse_rank_tolerance = 1e-7;
/// A motion that is off its own λ by more of itself from step to step is none.
constexpr double largest_disorder = 0.1;
/// A motion that is found again has a λ at most so far away.
constexpr double largest_distance = 0.1;
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
  std::complex<double> lambda;
  double disorder;  ///< how far a point is off, of the one before
  double pairs;
  double share;
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
  return {.lambda = lambda,
          .disorder = disorder,
          .pairs = pairs,
          .share = std::sqrt(q.squaredNorm()) / whole};
}

struct Fitted {
  std::vector<Fit> motions;  ///< that follow their own λ
  Index order;
  double unexplained;
};

/// Scaled differences of records.
std::optional<Fitted> fit(const std::vector<MatrixXd>& differences, double tolerance) {
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
  while (order < sigma.size() && sigma[order] > tolerance * sigma[0]) {
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

  Fitted fitted{.motions = {}, .order = order, .unexplained = 0};
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
  fitted.unexplained = std::sqrt(missed) / whole;
  for (Index k = 0; k < order; ++k) {
    const auto one = follow(q.row(k), lengths, whole);
    if (one.share > smallest_share && one.disorder < largest_disorder &&
        std::isfinite(std::log(std::abs(one.lambda)))) {
      fitted.motions.push_back(one);
    }
  }
  return fitted;
}

/// How far the growth of a motion is off where the same motion is found again; nothing where it is
/// not.
std::optional<double> spread(const Fit& motion, const std::optional<Fitted>& again) {
  if (!again || again->motions.empty()) {
    return std::nullopt;
  }
  const auto distance = [&](const Fit& other) { return std::abs(other.lambda - motion.lambda); };
  const auto& nearest = *std::ranges::min_element(again->motions, {}, distance);
  return distance(nearest) > largest_distance
             ? std::nullopt
             : std::optional(std::abs(std::log(std::abs(nearest.lambda / motion.lambda))));
}

/// The first or the second half of each record.
std::vector<MatrixXd> half_of(const std::vector<MatrixXd>& records, bool second) {
  std::vector<MatrixXd> list;
  for (const auto& record : records) {
    const Index half = record.cols() / 2;
    list.emplace_back(second ? record.rightCols(half) : record.leftCols(half));
  }
  return list;
}

}  // namespace

std::optional<IdentifiedModel> identify_model(std::span<const MatrixXd> records) {
  if (records.empty() || std::ranges::any_of(records, [](const MatrixXd& record) {
        return record.cols() < 2 || !record.allFinite();
      })) {
    return std::nullopt;
  }
  const auto differences = scaled_differences(records);
  const auto fitted = fit(differences, rank_tolerance);
  if (!fitted) {
    return std::nullopt;
  }
  const std::array again{fit(differences, coarse_rank_tolerance),
                         fit(half_of(differences, false), rank_tolerance),
                         fit(half_of(differences, true), rank_tolerance)};
  IdentifiedModel model{.motions = {}, .order = fitted->order, .unexplained = fitted->unexplained};
  for (const auto& one : fitted->motions) {
    IdentifiedMotion motion{.log_growth = std::log(std::abs(one.lambda)),
                            .turn = std::abs(std::arg(one.lambda)),
                            .uncertainty = one.disorder / std::sqrt(one.pairs),
                            .share = one.share};
    bool is_found = false;
    for (const auto& other : again) {
      const auto off = spread(one, other);
      motion.uncertainty = std::max(motion.uncertainty, off.value_or(0));
      is_found = is_found || off;
    }
    if (!is_found) {
      motion.uncertainty =
          std::max(motion.uncertainty, std::log1p(largest_distance / std::abs(one.lambda)));
    }
    model.motions.push_back(motion);
  }
  return model;
}

}  // namespace macrostep::engine
