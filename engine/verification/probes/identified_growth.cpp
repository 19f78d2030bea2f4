#include "engine/verification/probes/identified_growth.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/base/random.hpp"
#include "engine/verification/probes/triangular_factor.hpp"

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double infinity = std::numeric_limits<double>::infinity();
/// Rows of the Hankel matrix: twice as many as eigenvalues that can be told apart well.
constexpr Index largest_rows = 96;
constexpr Index fewest_delays = 2;
/// More outputs than that would make the Hankel matrix larger: they are mixed to so many.
constexpr Index most_outputs = largest_rows / (fewest_delays + 1);
constexpr std::uint64_t mixing_seed = 1;
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

/// Sums of all outputs with random weights, the same in all records: whatever moves in the outputs
/// moves in them, by the same powers.
void mix(std::vector<MatrixXd>& records) {
  const Index outputs = records.front().rows();
  Random random(mixing_seed, 0);
  MatrixXd weights(most_outputs, outputs);
  for (Index i = 0; i < weights.size(); ++i) {
    weights.data()[i] = random.uniform(-1, 1);
  }
  for (auto& record : records) {
    record = weights * record;
  }
}

/// As many as records of these lengths allow, in bounds; 0 if they are too short.
Index delays_for(Index outputs, const std::vector<Index>& lengths) {
  const Index shortest = *std::ranges::min_element(lengths);
  const Index columns = std::accumulate(lengths.begin(), lengths.end(), Index{0});
  const auto records = static_cast<Index>(lengths.size());
  Index delays = std::max(fewest_delays + 1, largest_rows / std::max<Index>(1, outputs));
  while (delays > fewest_delays && (delays >= shortest || columns - records * (delays - 1) <
                                                              columns_per_row * outputs * delays)) {
    --delays;
  }
  return delays > fewest_delays ? delays : 0;
}

struct Fit {
  std::complex<double> lambda;
  double disorder;  ///< how far a point is off, of the one before
  double share;
};

struct Fitted {
  std::vector<Fit> motions;  ///< that follow their own λ
  Index order;
  double unexplained;
  double unseen_share = smallest_share;
};

/// Left singular vectors and singular values, the largest first. By rotations: divide and conquer,
/// in Eigen 3.4, reads outside its arrays for some matrices of a low rank, and may give NaN.
std::pair<MatrixXd, VectorXd> left_singular_vectors(const MatrixXd& matrix) {
  const Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeFullU);
  return {svd.matrixU(), svd.singularValues()};
}

/// What differences of records tell, whatever the dimension of the subspace. Only lengths and
/// products of sequences over the records matter: those of Hᵀ = Q R are those of Rᵀ, which is
/// small.
struct Subspaces {
  Index outputs = 0;
  Index delays = 0;
  Index pairs = 0;  ///< of neighbouring points, within the records
  MatrixXd now;     ///< what the points of a pair are,
  MatrixXd next;    ///< and those after them
  MatrixXd basis;   ///< left singular vectors of `now`
  VectorXd sigma;   ///< its singular values, the largest first
};

/// Rows of the transposed Hankel matrix: Δy_n … Δy_(n+delays) for some n of each record.
class HankelRows {
 public:
  HankelRows(Index outputs, Index delays)
      : outputs_(outputs), delays_(delays), factor_(outputs * (delays + 1)) {}

  /// n from `begin` to before `end`.
  void add(const MatrixXd& record, Index begin, Index end) {
    for (Index n = begin; n < end;) {
      rows_.resize(std::min(rows_at_once, end - n), factor_.r().cols());
      for (Index row = 0; row < rows_.rows(); ++row, ++n) {
        for (Index k = 0; k <= delays_; ++k) {
          rows_.row(row).segment(k * outputs_, outputs_) = record.col(n + k).transpose();
        }
      }
      count_ += rows_.rows();
      factor_.add(rows_);
    }
  }
  void add(const HankelRows& other) {
    factor_.add(other.factor_);
    count_ += other.count_;
  }

  /// Nothing where nothing moves.
  std::optional<Subspaces> subspaces() const {
    if (factor_.r().isZero(0)) {
      return std::nullopt;
    }
    Subspaces all{.outputs = outputs_, .delays = delays_, .pairs = count_};
    const Index rows = outputs_ * delays_;
    all.now = factor_.r().leftCols(rows).transpose();
    all.next = factor_.r().rightCols(rows).transpose();
    std::tie(all.basis, all.sigma) = left_singular_vectors(all.now.leftCols(rows));
    return all;
  }

 private:
  static constexpr Index rows_at_once = 256;

  Index outputs_, delays_;
  Index count_ = 0;
  TriangularFactor factor_;
  MatrixXd rows_;
};

/// Rows of all records, and of the first and the second half of each.
struct AllAndHalves {
  HankelRows all;
  std::optional<HankelRows> first, second;  ///< absent where these are too short

  static std::optional<AllAndHalves> of(const std::vector<MatrixXd>& differences) {
    const Index outputs = differences.front().rows();
    std::vector<Index> whole, half;
    for (const auto& record : differences) {
      whole.push_back(record.cols());
      half.push_back(record.cols() / 2);
    }
    const Index delays = delays_for(outputs, whole);
    const Index delays_of_half = delays_for(outputs, half);
    if (delays == 0) {
      return std::nullopt;
    }
    AllAndHalves rows{.all = HankelRows(outputs, delays), .first = {}, .second = {}};
    if (delays_of_half > 0) {
      rows.first.emplace(outputs, delays_of_half);
      rows.second.emplace(outputs, delays_of_half);
    }
    for (const auto& record : differences) {
      const Index end = record.cols();
      const Index size = end / 2;
      const Index begin = end - size;  // of the second half
      if (delays_of_half > 0) {
        rows.first->add(record, 0, size - delays_of_half);
        rows.second->add(record, begin, end - delays_of_half);
      }
      if (delays_of_half == delays) {
        rows.all.add(record, size - delays, begin);
      } else {
        rows.all.add(record, 0, end - delays);
      }
    }
    if (delays_of_half == delays) {
      rows.all.add(*rows.first);
      rows.all.add(*rows.second);
    }
    return rows;
  }
};

/// Eigenvalues of A, each with how its coordinate of the states follows it.
std::vector<Fit> fits_of(const Eigen::EigenSolver<MatrixXd>& eigen, const MatrixXd& now,
                         const MatrixXd& next) {
  const MatrixXcd inverse = eigen.eigenvectors().partialPivLu().inverse();
  const MatrixXcd before = inverse * now;
  const MatrixXcd after = inverse * next;
  std::vector<Fit> fits;
  for (Index k = 0; k < inverse.rows(); ++k) {
    const auto q = before.row(k);
    const auto lambda = q.dot(after.row(k)) / q.squaredNorm();  // Σ conj(q_n) q_{n+1}
    fits.push_back({.lambda = lambda,
                    .disorder = (after.row(k) - lambda * q).norm() / q.norm(),
                    .share = q.norm() / now.norm()});
  }
  return fits;
}

/// Nothing but how much is not explained where that is more than `most_unexplained`.
std::optional<Fitted> fit(const Subspaces& all, double tolerance, double most_unexplained) {
  Index order = 0;
  while (order < all.sigma.size() && all.sigma[order] > tolerance * all.sigma[0]) {
    ++order;
  }
  if (order == 0) {
    return std::nullopt;  // not finite
  }
  // The shift needs more rows than unknowns.
  const Index rows = all.outputs * (all.delays - 1);
  const double left_out = order > rows ? all.sigma[rows] / all.sigma[0] : 0;
  order = std::min(order, rows);
  const MatrixXd basis = all.basis.leftCols(order);
  const MatrixXd shift = basis.topRows(rows).colPivHouseholderQr().solve(basis.bottomRows(rows));
  const MatrixXd now = basis.transpose() * all.now;
  const MatrixXd next = basis.transpose() * all.next;
  Fitted fitted{.motions = {},
                .order = order,
                .unexplained = (next - shift * now).norm() / now.norm(),
                .unseen_share = std::max(smallest_share, left_out)};
  if (fitted.unexplained > most_unexplained) {
    return fitted;
  }
  const Eigen::EigenSolver<MatrixXd> eigen(shift);
  if (eigen.info() != Eigen::Success) {
    return std::nullopt;
  }
  fitted.motions = fits_of(eigen, now, next);
  std::erase_if(fitted.motions, [](const Fit& one) {
    return !(one.share > smallest_share && one.disorder < largest_disorder &&
             std::isfinite(std::log(std::abs(one.lambda))));
  });
  return fitted;
}

std::optional<Fitted> fit(const std::optional<Subspaces>& all, double tolerance) {
  return all ? fit(*all, tolerance, infinity) : std::nullopt;
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

}  // namespace

std::optional<IdentifiedModel> identify_model(std::span<const MatrixXd> records,
                                              double most_unexplained) {
  if (records.empty() || std::ranges::any_of(records, [](const MatrixXd& record) {
        return record.cols() < 2 || !record.allFinite();
      })) {
    return std::nullopt;
  }
  auto differences = scaled_differences(records);
  if (differences.front().rows() > most_outputs) {
    mix(differences);
  }
  const auto rows = AllAndHalves::of(differences);
  const auto all = rows ? rows->all.subspaces() : std::nullopt;
  const auto fitted = all ? fit(*all, rank_tolerance, most_unexplained) : std::nullopt;
  if (!fitted) {
    return std::nullopt;
  }
  IdentifiedModel model{.motions = {},
                        .order = fitted->order,
                        .unexplained = fitted->unexplained,
                        .unseen_share = fitted->unseen_share};
  if (fitted->motions.empty()) {
    return model;
  }
  const auto half = [](const std::optional<HankelRows>& of) {
    return of ? fit(of->subspaces(), rank_tolerance) : std::nullopt;
  };
  const std::array again{fit(all, coarse_rank_tolerance), half(rows->first), half(rows->second)};
  for (const auto& one : fitted->motions) {
    IdentifiedMotion motion{
        .log_growth = std::log(std::abs(one.lambda)),
        .turn = std::abs(std::arg(one.lambda)),
        .uncertainty = one.disorder / std::sqrt(static_cast<double>(all->pairs)),
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
