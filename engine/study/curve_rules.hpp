// What rules of a study do to curves before the recommendation, and a check of one trial, beside
// what searches offer.
#pragma once

#include <atomic>
#include <cstddef>
#include <span>

#include "engine/plan/plan.hpp"
#include "engine/recommendation/recommendation.hpp"

namespace macrostep::engine {

/// How many points, from the smallest H on, E(H) rises as its order wants it: every local slope
///
///   ln(E_{k+1}/E_k) / ln(H_{k+1}/H_k)
///
/// of complete trials up to there is within `tolerance` of `expected`, m + 1 for extrapolation m.
std::size_t points_on_slope(std::span<const CurvePoint> points, double expected, double tolerance);

/// The curve may be used up to this H at most, rounded down to one that was tried. What limits it
/// is then no rule of a search: Curve::limited_by is empty.
void limit_use(const Plan& plan, Curve& curve, double largest_s);

/// Growth of the residual power within the steps and impulses of a job: its root mean square over
/// the last quarter of what follows the stimulus, against that over the first one; the largest over
/// the tests, infinite where a trial does not complete, 0 without such tests.
struct ResidualGrowth {
  double ratio = 0;
  double cost = 0;
};
ResidualGrowth residual_growth(const Plan& plan, const Configuration& configuration,
                               double macro_step_s, const std::atomic<bool>* stop);

}  // namespace macrostep::engine
