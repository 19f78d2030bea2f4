#include "engine/curve_scan.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

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
                         .cost = result.cost};
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

void CurveScan::update() {
  for (;;) {
    // The points that stand on the present grid, in order, up to the first that is missing.
    std::vector<CurvePoint> on_grid;
    next_ = std::nullopt;
    for (std::size_t k = 0;; ++k) {
      const double macro_step_s = grid_point(k);
      if (macro_step_s > largest_s_) {
        break;
      }
      const auto found =
          std::ranges::lower_bound(points_, macro_step_s, {}, &CurvePoint::macro_step_s);
      if (found == points_.end() || found->macro_step_s != macro_step_s) {
        next_ = macro_step_s;
        break;
      }
      on_grid.push_back(*found);
    }
    region_ = find_linear_region(on_grid, settings_, bond_order_);
    if (is_pointless(on_grid)) {
      next_ = std::nullopt;
      return;
    }
    const bool ran_out = !next_ && region_.accepted < minimum_accepted_points;
    const bool can_halve = halvings_ < max_grid_halvings && grid_point(0) / 2 >= smallest_s_;
    if ((region_.first_step_too_large || ran_out) && can_halve) {
      ++halvings_;
      continue;
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
