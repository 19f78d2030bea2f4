// The walk of one curve up in H: which macro-step comes next, given the results so far.
//
// A plain value that is rebuilt from stored results, so that resuming a search replays nothing. The
// grid is H_k = initial + k·increment (or initial·ratio^k), halved up to ten times while its first
// step is too large (linear_region.hpp) or it ends with fewer than four accepted points, as long as
// a trial at the first point keeps its number of macro-steps in bounds. A halved grid begins three
// points below the largest H up to which all residuals are negligible. Halving also
// ends where the first points of three grids one after the other diverge at the same time: an
// unstable coupling diverges at another time with another H, the problem itself does not. It ends
// as well where a first point takes longer than it may. After the bend the scan goes on to the
// cliff.
//
// An adaptive scan runs the arithmetic grid with gaps: the points of the line, then such that each
// H is at most `ratio` times the one before (or the next point), and where two neighbours are on
// different sides of the bend or of the cliff, the middle of the gap between them until there is
// none. What lies in a gap between two points of the line is taken to be on it. As the line is
// frozen (baseline_power_law), a bend can only be missed that way, never found too early: the
// curve's linear region is at least as long as that of the arithmetic scan. fill_gaps() makes it
// the same.
//
// A refined scan runs the geometric grid to its bend. It then halves the gap above the bend, and
// the one below the cliff, by the geometric mean on a finer grid, until neighbours differ by a
// ratio of at most 1.02. The line is that of the geometric grid: points in gaps only locate its
// end.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/scan/linear_region.hpp"

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

  /// Goes on as an arithmetic scan.
  void fill_gaps();
  /// Whether fill_gaps() would leave something to run.
  bool has_gaps() const;
  /// The middle of the gap above a point; nothing where the next point of the grid has run.
  std::optional<double> middle_of_gap_above(double macro_step_s) const;
  /// Makes a point of the grid that has not run the next one, for once.
  void ask(double macro_step_s) { next_ = macro_step_s; }
  /// Likewise a point beside the grid, which takes no part in the linear region.
  void ask_beside_grid(double macro_step_s);
  bool has_run(double macro_step_s) const;

  const std::vector<CurvePoint>& points() const { return points_; }  ///< ascending H, all of them
  const LinearRegion& region() const { return region_; }

 private:
  double grid_point(std::size_t k) const;
  std::size_t nearest_index(double macro_step_s) const;
  std::optional<double> middle_of_gap(double below_s, double above_s) const;
  std::optional<double> next_of_rise(double macro_step_s) const;
  std::optional<double> next_with_gaps(const std::vector<CurvePoint>& all) const;
  std::vector<CurvePoint> all_on_grid() const;
  double negligible_up_to() const;
  bool halve();
  bool diverges_by_itself() const;
  std::span<const CurvePoint> on_grid() const;
  void take_known_points();
  void update();

  LinearRegionSettings settings_;
  std::size_t stride_ = 1;  ///< points of the grid from one to the next of a rise; refined: more
  MacroStepGrid grid_;
  double largest_s_ = 0;   ///< beyond it, E(H) would hold nothing but start-up
  double smallest_s_ = 0;  ///< below it, a trial would have too many macro-steps
  int bond_order_ = 0;
  double runs_of_trial_ = 1;
  int halvings_ = 0;
  std::vector<CurvePoint> points_;
  std::size_t first_ = 0;  ///< index of the first point of the present grid that is of use
  std::size_t taken_ = 0;  ///< how many points from there have run before the first gap
  KnownRegion known_;      ///< of those
  /// Copies of those once points of other grids lie between them, and always of a refined scan;
  /// else empty, and they are the first of points_.
  std::vector<CurvePoint> apart_;
  std::optional<double> next_;
  LinearRegion region_;
};

}  // namespace macrostep::engine
