#include "engine/scales/window_motions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/scales/scales.hpp"
#include "engine/verification/probes/identified_growth.hpp"
#include "engine/verification/probes/probe_runs.hpp"

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// A model that leaves more unexplained tells no motions, and a motion whose rate is uncertain by
/// more than this share of its eigenvalue is none.
constexpr double most_unexplained = 1e-2;
constexpr double most_uncertain = 0.5;
/// What grows by itself does so by e to this in a window where it is seen. Growth at a rate that is
/// a smaller share of its eigenvalue may be the hold's.
constexpr double seen_growth = 2;
constexpr double least_growing_share = 0.1;

/// Differences of neighbouring columns.
MatrixXd differences(const MatrixXd& of) {
  return of.rightCols(of.cols() - 1) - of.leftCols(of.cols() - 1);
}

/// The largest share by which something bends in a window.
double moves_in(const std::vector<MatrixXd>& motions, const Swing& swing) {
  double moves = 0;
  for (const auto& motion : motions) {
    moves = std::max(moves, swing.largest_share(bends(motion)));
  }
  return moves;
}

/// What ratios of neighbouring derivatives tell: a fast and a slow time of every output.
std::vector<SeenMotion> by_derivatives(const Window& window, const Swing& swing) {
  std::vector<SeenMotion> list;
  for (const auto& motion : window.motions()) {
    const MatrixXd first = differences(motion);
    const MatrixXd second = differences(first);
    const MatrixXd third = differences(second);
    const VectorXd bend = bends(motion);
    for (Index k = 0; k < motion.rows(); ++k) {
      VectorXd own = VectorXd::Zero(motion.rows());
      own[k] = bend[k];
      const double share = swing.largest_share(own);
      const double away = (motion.row(k).array() - motion.row(k).mean()).matrix().norm();
      list.push_back({.time_s = window.interval_s() * second.row(k).norm() / third.row(k).norm(),
                      .share = share});
      list.push_back({.time_s = window.interval_s() * away / first.row(k).norm(), .share = share});
    }
  }
  return list;
}

}  // namespace

void Swing::take(const Window& window) {
  for (const auto& record : window.records) {
    largest_ = largest_.cwiseMax(record.rowwise().lpNorm<Eigen::Infinity>());
  }
  for (const auto& motion : window.motions()) {
    bends_ = bends_.cwiseMax(bends(motion));
  }
}

double Swing::largest_share(const VectorXd& values) const {
  double largest = 0;
  for (Index k = 0; k < values.size(); ++k) {
    if (bends_[k] > rounding_share * largest_[k]) {
      largest = std::max(largest, values[k] / bends_[k]);
    }
  }
  return largest;
}

std::optional<std::vector<SeenMotion>> identified_motions(const Window& window,
                                                          const Swing& swing) {
  const auto motions = window.motions();
  const double moves = moves_in(motions, swing);
  if (moves < excited_share) {
    return std::vector<SeenMotion>{};
  }
  const auto model = identify_model(motions, most_unexplained);
  if (!model || model->unexplained > most_unexplained) {
    return std::nullopt;
  }
  std::vector<SeenMotion> list;
  for (const auto& motion : motions_of(*model, window.interval_s())) {
    const double rate_per_s = std::hypot(motion.rate_per_s, motion.turn_rad_s);
    const bool is_certain = motion.uncertainty_per_s <= most_uncertain * rate_per_s;
    const bool is_drift = rate_per_s * window.duration_s() < 1;
    if (is_certain || is_drift) {
      const bool is_growing = is_certain &&
                              motion.at_least_per_s() > least_growing_share * rate_per_s &&
                              motion.rate_per_s * window.duration_s() >= seen_growth;
      list.push_back(
          {.time_s = is_certain ? 1 / rate_per_s : std::numeric_limits<double>::infinity(),
           .share = motion.share * moves,
           .growing_per_s = is_growing ? motion.rate_per_s : 0,
           .is_identified = true});
    }
  }
  return list;
}

std::vector<SeenMotion> excited_motions(const Window& window, const Swing& swing) {
  auto list = identified_motions(window, swing);
  if (!list) {
    list = by_derivatives(window, swing);
  }
  std::erase_if(*list, [&](const SeenMotion& motion) {
    return !(motion.share >= excited_share && std::isfinite(motion.time_s) &&
             motion.time_s >= shortest_in_intervals * window.interval_s());
  });
  return *std::move(list);
}

}  // namespace macrostep::engine
