// Where the residual energy E(H) of a curve stops following its trend: the end of the linear
// region.
//
// Small macro-steps give E = O(H^(p+1)), a straight line in log-log axes; growth beyond it
// announces instability (Rahikainen, González and Naya 2019, section 2.4, which says "approximately
// linear" without a number). A point is accepted while its trial is complete and E ≤ (1 +
// tolerance)·prediction:
//   local_power_law     power law through the last `points` points of the line
//   tangent             straight line through its last two points
//   baseline_power_law  power law through its first `points` points, frozen there
// The first three points are taken unchecked, but the slope of their power law must lie in
// 0.3 … p + 3. Bend: the last accepted H. Cliff: the first H beyond it that is not complete or
// exceeds both ten times the fit frozen at the bend and a relative residual of 1e-3.
//
// At small H the residual may stand on a floor of rounding, or on what the jumps of a test leave,
// which grows by a lower order than the line above it. A relative residual up to 1e-4 announces
// nothing, whatever its line: such a point is accepted, and where it is off the line, or where no
// line begins at the point before, the line begins anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/job/job.hpp"
#include "engine/notices/notice.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

inline constexpr int unchecked_points = 3;
inline constexpr int minimum_accepted_points = 4;
inline constexpr double cliff_factor = 10;
/// A hundredth of the relative residual from where on outputs are off by more than a percent or two
/// (../README.md, choosing H).
inline constexpr double negligible_residual = 1e-4;

struct CurvePoint {
  double macro_step_s = 0;
  double residual_j = 0;
  std::optional<double> relative_residual;
  TrialStatus status = TrialStatus::complete;
  double cost = 0;
  std::int64_t macro_steps = 0;  ///< that the trial took, to its end or to where it could not go on
  /// Why the trial ended, where foreign code failed, or the trial diverged or did not get past its
  /// first macro-step.
  std::string reason = {};
};

/// "the trial failed in an FMU: …", of one that is not complete.
std::string why_trial_ended(TrialStatus status, const std::string& reason);

/// That the trial of a point is not complete: "at H = 1 ms the trial failed in an FMU: …".
Notice incomplete_trial(const CurvePoint& point);
std::string why_not_complete(const CurvePoint& point);

/// Whether every trial completed and transmitted nothing but rounding over the power bonds.
bool without_energy(std::span<const CurvePoint> points);

/// E = coefficient · H^exponent, J with H in s.
struct PowerLaw {
  double coefficient = 0;
  double exponent = 0;

  double at(double macro_step_s) const;
};

/// Whether the trial is complete with a residual that announces nothing.
bool is_negligible(const CurvePoint& point);

/// What is known of a region from fewer of the same points: it stays true with more.
struct KnownRegion {
  std::size_t line_begin = 0;    ///< the first point of the line; those before are negligible
  std::size_t accepted = 0;      ///< points inside
  std::size_t before_cliff = 0;  ///< points among which there is no cliff
};

struct LinearRegion {
  int accepted = 0;              ///< points inside, counted from the smallest H
  std::optional<double> last_s;  ///< the last accepted H
  bool bend_found = false;       ///< last_s is the bend, not just where the scan stands
  std::optional<double> cliff_s;
  std::optional<PowerLaw> fit;        ///< through the last accepted points: slope and drawn line
  bool first_step_too_large = false;  ///< the scan must start at smaller H
  int halvings = 0;                   ///< of the grid, until it had such a region
  bool diverges_by_itself = false;    ///< at the same time with every H tried (curve_scan.hpp)
  std::vector<Notice> reasons;        ///< why the region ends where it does
  KnownRegion known;

  /// The sentences of the reasons, as one.
  std::string reason() const { return joined_sentences(reasons); }
  std::optional<double> bend_s() const { return bend_found ? last_s : std::nullopt; }
};

/// Points in ascending H. `bond_order` is p, the lowest order among the bonds' inputs.
LinearRegion find_linear_region(std::span<const CurvePoint> points,
                                const LinearRegionSettings& settings, int bond_order,
                                KnownRegion known = {});

/// The region of the points of a geometric grid, with bend and cliff told by the points that have
/// run in the gaps where they lie, held against the line that the grid's own points have frozen.
/// `all`: those of the grid and of its gaps, in ascending H.
LinearRegion refined(LinearRegion region, std::span<const CurvePoint> all,
                     const LinearRegionSettings& settings);

}  // namespace macrostep::engine
