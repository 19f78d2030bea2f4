// The walk of one curve up in H: which macro-step comes next, given the results so far.
//
// A plain value that is rebuilt from stored results, so that resuming a search replays nothing. The
// grid is H_k = initial + k·increment (or initial·ratio^k), halved up to ten times while its first
// step is too large (linear_region.hpp) or it ends with fewer than four accepted points, as long as
// a trial at the first point keeps its number of macro-steps in bounds. Halving also ends where the
// first points of three grids one after the other diverge at the same time: an unstable coupling
// diverges at another time with another H, the problem itself does not. It ends as well where a
// first point takes longer than it may. After the bend the scan goes on to the cliff.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "engine/linear_region.hpp"
#include "engine/plan.hpp"

namespace macrostep::engine {

inline constexpr int max_grid_halvings = 10;

/// Result of one trial of a curve. `index` counts the trials of the curve in the order they ran.
struct TrialRecord {
  std::size_t curve = 0;
  std::size_t index = 0;
  double macro_step_s = 0;
  TrialResult result;
};

class CurveScan {
 public:
  CurveScan(const Plan& plan, std::size_t curve);

  /// The macro-step to run next; nothing when the curve is finished.
  std::optional<double> next() const;
  /// Results come in the order next() asked for them.
  void add(const TrialResult& result);

  const std::vector<CurvePoint>& points() const { return points_; }  ///< ascending H, all of them
  const LinearRegion& region() const { return region_; }

 private:
  double grid_point(std::size_t k) const;
  bool diverges_by_itself() const;
  void take_known_points();
  void update();

  LinearRegionSettings settings_;
  MacroStepGrid grid_;
  double largest_s_ = 0;   ///< beyond it, E(H) would hold nothing but start-up
  double smallest_s_ = 0;  ///< below it, a trial would have too many macro-steps
  int bond_order_ = 0;
  int halvings_ = 0;
  std::vector<CurvePoint> points_;
  std::vector<CurvePoint> on_grid_;  ///< of these the ones on the present grid, without a gap
  std::optional<double> next_;
  LinearRegion region_;
};

}  // namespace macrostep::engine
