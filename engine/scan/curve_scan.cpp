#include "engine/scan/curve_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/correction/linearly_implicit.hpp"
#include "engine/cosim/residual.hpp"
#include "engine/job/bond_order.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/trial/event_phases.hpp"

namespace macrostep::engine {

namespace {

/// The nearest number of twelve digits: grid points of different grids that mean the same H are
/// then the same double, and read well.
double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return std::strtod(text, nullptr);
}

/// A relative difference that is rounding.
constexpr double rounding_share = 1e-11;

/// Times of divergence that differ by a smaller share are the same: with the macro-step halved, an
/// unstable coupling halves its time, or multiplies it where smaller macro-steps damp.
constexpr double same_time = 0.01;

/// Whether points of the grid are left out and asked for where they are needed.
bool has_gaps_between(ScanKind scan) {
  return scan == ScanKind::adaptive || scan == ScanKind::refined;
}

/// Points of a refined grid from one of its geometric grid to the next.
std::size_t stride_of(const LinearRegionSettings& settings) {
  if (settings.scan != ScanKind::refined) {
    return 1;
  }
  constexpr double rounding = 1e-9;
  const double points = std::log(settings.ratio) / std::log(refined_ratio) - rounding;
  return static_cast<std::size_t>(std::max(1.0, std::ceil(points)));
}

/// A larger share of the tolerance brings a curve so near its bend that it may have crossed the
/// limit between two points of the grid.
constexpr double safe_share_of_tolerance = 0.5;

/// Whether the residual is so far within the tolerance that neighbours in a gap are, too.
bool is_well_inside(const CurvePoint& point, const LinearRegion& region, double tolerance) {
  return point.macro_step_s <= *region.last_s &&
         (is_negligible(point) || point.residual_j <= (1 + safe_share_of_tolerance * tolerance) *
                                                          region.fit->at(point.macro_step_s));
}

/// Larger H would tell no more: the configuration cannot run, or no energy crosses the bonds.
bool is_pointless(std::span<const CurvePoint> points) {
  if (!points.empty() && points.front().status == TrialStatus::unsupported) {
    return true;
  }
  return points.size() >= unchecked_points && without_energy(points);
}

/// What a curve keeps of a trial, with the cost of one of its runs.
CurvePoint curve_point(double macro_step_s, const TrialResult& result, double runs) {
  const bool keeps_reason = is_of_foreign_code(result.status) ||
                            result.status == TrialStatus::diverged || result.macro_steps <= 1;
  return {.macro_step_s = macro_step_s,
          .residual_j = result.residual_j,
          .relative_residual = result.relative_residual(),
          .status = result.status,
          .cost = result.cost / runs,
          .macro_steps = result.macro_steps,
          .reason = keeps_reason ? result.reason : ""};
}

}  // namespace

CurveScan::CurveScan(const Plan& plan, std::size_t curve)
    : settings_(plan.job.linear_region), stride_(stride_of(settings_)), grid_(plan.job.macro_step) {
  const auto key = plan.curves[curve];
  const auto& configuration = plan.configurations[key.configuration];
  const double duration_s = plan.job.tests[key.test].duration_s;
  const auto needed = first_counted_macro_step(configuration.extrapolation) + 1;
  largest_s_ = std::min(grid_.maximum_s, duration_s / static_cast<double>(needed));
  smallest_s_ = duration_s / max_macro_steps_per_trial;
  runs_of_trial_ = static_cast<double>(runs_of_trial(plan, key.test));
  bond_order_ = configuration.correction == Correction::linearly_implicit
                    ? linearly_implicit_order
                    : bond_order(plan.graph(configuration), configuration.extrapolation);
  update();
}

std::optional<double> CurveScan::next() const {
  return next_;
}

void CurveScan::add(const TrialResult& result) {
  const auto place = std::ranges::lower_bound(points_, *next_, {}, &CurvePoint::macro_step_s);
  points_.insert(place, curve_point(*next_, result, runs_of_trial_));
  update();
}

void CurveScan::ask_beside_grid(double macro_step_s) {
  if (apart_.empty() && stride_ == 1) {
    apart_.assign(points_.begin(), points_.begin() + static_cast<std::ptrdiff_t>(taken_));
  }
  next_ = macro_step_s;
}

double CurveScan::grid_point(std::size_t k) const {
  const double scale = std::ldexp(1.0, -halvings_);
  const double steps = static_cast<double>(k);
  const double point =
      grows_by_ratio(settings_.scan)
          ? grid_.initial_s * std::pow(settings_.ratio, steps / static_cast<double>(stride_))
          : grid_.initial_s + steps * grid_.increment_s;
  // Rounding to twelve digits may push the last point past the largest.
  const double point_s = rounded(scale * point);
  return std::abs(point_s - largest_s_) <= rounding_share * largest_s_ ? largest_s_ : point_s;
}

/// Index of the point of the grid nearest to an H that is at least the first one.
std::size_t CurveScan::nearest_index(double macro_step_s) const {
  const double unscaled_s = std::ldexp(macro_step_s, halvings_);
  const double steps = grows_by_ratio(settings_.scan)
                           ? static_cast<double>(stride_) * std::log(unscaled_s / grid_.initial_s) /
                                 std::log(settings_.ratio)
                           : (unscaled_s - grid_.initial_s) / grid_.increment_s;
  return static_cast<std::size_t>(std::llround(std::max(0.0, steps)));
}

bool CurveScan::has_run(double macro_step_s) const {
  return std::ranges::binary_search(points_, macro_step_s, {}, &CurvePoint::macro_step_s);
}

std::optional<double> CurveScan::middle_of_gap(double below_s, double above_s) const {
  const auto below = nearest_index(below_s);
  const auto above = nearest_index(above_s);
  return above > below + 1 ? std::optional(grid_point(below + (above - below) / 2)) : std::nullopt;
}

std::optional<double> CurveScan::middle_of_gap_above(double macro_step_s) const {
  if (!has_gaps_between(settings_.scan)) {
    return std::nullopt;
  }
  const auto all = all_on_grid();
  const auto above = std::ranges::upper_bound(all, macro_step_s, {}, &CurvePoint::macro_step_s);
  return above == all.end() ? std::nullopt : middle_of_gap(macro_step_s, above->macro_step_s);
}

std::vector<CurvePoint> CurveScan::all_on_grid() const {
  std::vector<CurvePoint> all;
  std::ranges::copy_if(points_, std::back_inserter(all), [&](const CurvePoint& point) {
    return grid_point(nearest_index(point.macro_step_s)) == point.macro_step_s;
  });
  return all;
}

/// The largest point up to `ratio` times H, at least the one above H; of a refined scan the next of
/// its geometric grid.
std::optional<double> CurveScan::next_of_rise(double macro_step_s) const {
  if (settings_.scan == ScanKind::refined) {
    const double next_s = grid_point((nearest_index(macro_step_s) / stride_ + 1) * stride_);
    return next_s <= largest_s_ ? std::optional(next_s) : std::nullopt;
  }
  const auto least = nearest_index(macro_step_s) + 1;
  auto k = std::max(least, nearest_index(std::min(settings_.ratio * macro_step_s, largest_s_)));
  while (k > least && grid_point(k) > largest_s_) {
    --k;
  }
  const double next_s = grid_point(k);
  return next_s <= largest_s_ ? std::optional(next_s) : std::nullopt;
}

/// Once the points of the line have run, or the region has ended among them.
std::optional<double> CurveScan::next_with_gaps(const std::vector<CurvePoint>& all) const {
  const auto above = [&](double macro_step_s) {
    return std::ranges::lower_bound(all, macro_step_s, {}, &CurvePoint::macro_step_s);
  };
  if (region_.bend_found && settings_.scan == ScanKind::refined) {
    const auto bend = above(*region_.last_s);
    if (const auto middle = middle_of_gap(bend->macro_step_s, (bend + 1)->macro_step_s)) {
      return middle;
    }
  } else if (region_.bend_found) {
    const auto bend = above(*region_.last_s);
    for (auto point = all.begin(); point <= bend; ++point) {
      const bool is_gap_known = is_well_inside(*point, region_, settings_.tolerance) &&
                                is_well_inside(*(point + 1), region_, settings_.tolerance);
      const auto middle = middle_of_gap(point->macro_step_s, (point + 1)->macro_step_s);
      if (middle && !is_gap_known) {
        return middle;
      }
    }
  }
  if (region_.cliff_s) {
    const auto cliff = above(*region_.cliff_s);
    return middle_of_gap((cliff - 1)->macro_step_s, cliff->macro_step_s);
  }
  return next_of_rise(all.back().macro_step_s);
}

void CurveScan::fill_gaps() {
  settings_.scan = ScanKind::arithmetic;
  update();
}

bool CurveScan::has_gaps() const {
  if (settings_.scan != ScanKind::adaptive) {
    return false;
  }
  auto filled = *this;
  filled.fill_gaps();
  return filled.next().has_value();
}

/// The largest H that has run with a negligible residual, as all smaller ones have; else 0.
double CurveScan::negligible_up_to() const {
  const auto end = std::ranges::find_if_not(points_, is_negligible);
  return end == points_.begin() ? 0 : (end - 1)->macro_step_s;
}

/// Goes on with half the grid; false where its first trial would be too long.
bool CurveScan::halve() {
  const double negligible_s = negligible_up_to();
  if (halvings_ == max_grid_halvings || std::max(grid_point(0) / 2, negligible_s) < smallest_s_) {
    return false;
  }
  ++halvings_;
  first_ = grows_by_ratio(settings_.scan) ? 0 : nearest_index(negligible_s);
  while (grid_point(first_ * stride_) < negligible_s) {
    ++first_;
  }
  first_ -= std::min<std::size_t>(first_, minimum_accepted_points - 1);
  taken_ = 0;
  known_ = {};
  apart_.clear();
  return true;
}

/// Whether the first points of this grid and of the two before it diverged at the same time.
bool CurveScan::diverges_by_itself() const {
  constexpr int grids = 3;
  if (halvings_ + 1 < grids) {
    return false;
  }
  double earliest_s = std::numeric_limits<double>::infinity();
  double latest_s = 0;
  for (int k = 0; k < grids; ++k) {
    const double macro_step_s = rounded(std::ldexp(grid_.initial_s, k - halvings_));
    const auto point =
        std::ranges::lower_bound(points_, macro_step_s, {}, &CurvePoint::macro_step_s);
    if (point == points_.end() || point->macro_step_s != macro_step_s ||
        point->status != TrialStatus::diverged) {
      return false;
    }
    const double diverged_s = static_cast<double>(point->macro_steps) * macro_step_s;
    earliest_s = std::min(earliest_s, diverged_s);
    latest_s = std::max(latest_s, diverged_s);
  }
  return latest_s - earliest_s <= same_time * latest_s && latest_s > 0;
}

/// The points of the present grid that have run, up to the first one that has not.
std::span<const CurvePoint> CurveScan::on_grid() const {
  return apart_.empty() ? std::span(points_).first(stride_ > 1 ? 0 : taken_) : std::span(apart_);
}

/// Goes on along the present grid to the first point that has not run, which is the next one.
void CurveScan::take_known_points() {
  for (;;) {
    const double macro_step_s = grid_point((first_ + taken_) * stride_);
    next_ = std::nullopt;
    if (macro_step_s > largest_s_) {
      return;
    }
    const auto found =
        std::ranges::lower_bound(points_, macro_step_s, {}, &CurvePoint::macro_step_s);
    if (found == points_.end() || found->macro_step_s != macro_step_s) {
      next_ = macro_step_s;
      return;
    }
    const auto after_taken = points_.begin() + static_cast<std::ptrdiff_t>(taken_);
    if (!apart_.empty() || stride_ > 1) {
      apart_.push_back(*found);
    } else if (found != after_taken) {
      apart_.assign(points_.begin(), after_taken);
      apart_.push_back(*found);
    }
    ++taken_;
  }
}

void CurveScan::update() {
  for (;;) {
    take_known_points();
    region_ = find_linear_region(on_grid(), settings_, bond_order_, known_);
    known_ = region_.known;
    const bool line_has_run =
        region_.bend_found || taken_ >= static_cast<std::size_t>(settings_.points);
    if (settings_.scan == ScanKind::adaptive && next_ && line_has_run) {
      const auto with_gaps = all_on_grid();
      region_ = find_linear_region(with_gaps, settings_, bond_order_);
      next_ = next_with_gaps(with_gaps);
    } else if (settings_.scan == ScanKind::refined && region_.bend_found) {
      const auto with_gaps = all_on_grid();
      region_ = refined(std::move(region_), with_gaps, settings_);
      next_ = next_with_gaps(with_gaps);
    }
    if (is_pointless(on_grid())) {
      next_ = std::nullopt;
      return;
    }
    region_.halvings = halvings_;
    const bool ran_out = !next_ && region_.accepted < minimum_accepted_points;
    const bool by_itself = region_.first_step_too_large && diverges_by_itself();
    // A smaller H takes longer still.
    const bool too_slow = taken_ > 0 && on_grid().front().status == TrialStatus::timed_out;
    if ((region_.first_step_too_large || ran_out) && !by_itself && !too_slow && halve()) {
      continue;
    }
    if (by_itself) {
      region_.diverges_by_itself = true;
      region_.reasons.push_back({.code = NoticeCode::diverges_at_same_time});
    }
    if (ran_out && region_.reasons.empty()) {
      region_.reasons = {{.code = NoticeCode::test_too_short_for_grid,
                          .numbers = {{"points", minimum_accepted_points}}}};
    }
    const bool ends_at_cliff = !has_gaps_between(settings_.scan) && region_.cliff_s;
    if (region_.first_step_too_large || ends_at_cliff) {
      next_ = std::nullopt;
    }
    return;
  }
}

}  // namespace macrostep::engine
