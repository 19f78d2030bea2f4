#include "engine/curve_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "engine/bond_order.hpp"
#include "engine/coupling_graph.hpp"
#include "engine/linearly_implicit.hpp"
#include "engine/residual.hpp"

namespace macrostep::engine {

namespace {

/// The nearest number of twelve digits: grid points of different grids that mean the same H are
/// then the same double, and read well.
double rounded(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.12g", value);
  return std::strtod(text, nullptr);
}

/// Times of divergence that differ by a smaller share are the same: with the macro-step halved, an
/// unstable coupling halves its time, or multiplies it where smaller macro-steps damp.
constexpr double same_time = 0.01;

/// Larger H would tell no more: the configuration cannot run, or no energy crosses the bonds.
bool is_pointless(const std::vector<CurvePoint>& points) {
  if (!points.empty() && points.front().status == TrialStatus::unsupported) {
    return true;
  }
  return points.size() >= unchecked_points && without_energy(points);
}

}  // namespace

CurveScan::CurveScan(const Plan& plan, std::size_t curve)
    : settings_(plan.job.linear_region), grid_(plan.job.macro_step) {
  const auto key = plan.curves[curve];
  const auto& configuration = plan.configurations[key.configuration];
  const double duration_s = plan.job.tests[key.test].duration_s;
  const auto needed = first_counted_macro_step(configuration.extrapolation) + 1;
  largest_s_ = std::min(grid_.maximum_s, duration_s / static_cast<double>(needed));
  smallest_s_ = duration_s / max_macro_steps_per_trial;
  bond_order_ = configuration.correction == Correction::linearly_implicit
                    ? linearly_implicit_order
                    : bond_order(plan.graph(configuration), configuration.extrapolation);
  update();
}

std::optional<double> CurveScan::next() const {
  return next_;
}

void CurveScan::add(const TrialResult& result) {
  const CurvePoint point{.macro_step_s = *next_,
                         .residual_j = result.residual_j,
                         .relative_residual = result.relative_residual(),
                         .status = result.status,
                         .cost = result.cost,
                         .macro_steps = result.macro_steps,
                         .reason = is_of_foreign_code(result.status) ? result.reason : ""};
  const auto place =
      std::ranges::lower_bound(points_, point.macro_step_s, {}, &CurvePoint::macro_step_s);
  points_.insert(place, point);
  update();
}

double CurveScan::grid_point(std::size_t k) const {
  const double scale = std::ldexp(1.0, -halvings_);
  const double steps = static_cast<double>(k);
  const double point = settings_.scan == ScanKind::arithmetic
                           ? grid_.initial_s + steps * grid_.increment_s
                           : grid_.initial_s * std::pow(settings_.ratio, steps);
  return rounded(scale * point);
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

/// Goes on along the present grid to the first point that has not run, which is the next one.
void CurveScan::take_known_points() {
  for (;;) {
    const double macro_step_s = grid_point(on_grid_.size());
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
    on_grid_.push_back(*found);
  }
}

void CurveScan::update() {
  for (;;) {
    take_known_points();
    region_ = find_linear_region(on_grid_, settings_, bond_order_,
                                 static_cast<std::size_t>(region_.accepted));
    if (is_pointless(on_grid_)) {
      next_ = std::nullopt;
      return;
    }
    const bool ran_out = !next_ && region_.accepted < minimum_accepted_points;
    const bool by_itself = region_.first_step_too_large && diverges_by_itself();
    // A smaller H takes longer still.
    const bool too_slow = !on_grid_.empty() && on_grid_.front().status == TrialStatus::timed_out;
    const bool can_halve = !by_itself && !too_slow && halvings_ < max_grid_halvings &&
                           grid_point(0) / 2 >= smallest_s_;
    if ((region_.first_step_too_large || ran_out) && can_halve) {
      ++halvings_;
      on_grid_.clear();
      region_ = {};
      continue;
    }
    if (by_itself) {
      region_.reason +=
          ", at the same time as with twice and four times this H: the problem itself grows beyond "
          "bounds, or the nominal values are too small";
    }
    if (ran_out && region_.reason.empty()) {
      region_.reason = "the test is too short for " + std::to_string(minimum_accepted_points) +
                       " macro-steps of the grid";
    }
    if (region_.first_step_too_large || region_.cliff_s) {
      next_ = std::nullopt;
    }
    return;
  }
}

}  // namespace macrostep::engine
