#include "engine/scan/linear_region.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace macrostep::engine {

namespace {

/// The paper gives no slopes. Ours: a residual that hardly grows with H is a floor of rounding or
/// start-up, and one that grows by three orders more than its inputs' error is unstable already.
constexpr double smallest_slope = 0.3;
constexpr double slope_margin = 3;
/// Stands for E = 0 in logarithms: below any residual that is not exactly zero.
constexpr double energy_floor_j = std::numeric_limits<double>::min();

/// Least squares of log E over log H.
PowerLaw fit_power_law(std::span<const CurvePoint> points) {
  const double count = static_cast<double>(points.size());
  double mean_x = 0;
  double mean_y = 0;
  for (const auto& point : points) {
    mean_x += std::log(point.macro_step_s) / count;
    mean_y += std::log(std::max(point.residual_j, energy_floor_j)) / count;
  }
  double covariance = 0;
  double variance = 0;
  for (const auto& point : points) {
    const double x = std::log(point.macro_step_s) - mean_x;
    covariance += x * (std::log(std::max(point.residual_j, energy_floor_j)) - mean_y);
    variance += x * x;
  }
  const double exponent = covariance / variance;
  return {std::exp(mean_y - exponent * mean_x), exponent};
}

/// What the points accepted so far promise for a larger H.
class Prediction {
 public:
  Prediction(std::span<const CurvePoint> accepted, const LinearRegionSettings& settings) {
    const auto window = std::min(accepted.size(), static_cast<std::size_t>(settings.points));
    switch (settings.rule) {
      case Rule::local_power_law:
        power_law_ = fit_power_law(accepted.last(window));
        break;
      case Rule::baseline_power_law:
        power_law_ = fit_power_law(accepted.first(window));
        break;
      case Rule::tangent:
        power_law_ = fit_power_law(accepted.last(window));
        last_ = accepted.back();
        const auto& before = accepted[accepted.size() - 2];
        slope_ =
            (last_.residual_j - before.residual_j) / (last_.macro_step_s - before.macro_step_s);
        is_line_ = true;
        break;
    }
  }

  double at(double macro_step_s) const {
    return is_line_ ? last_.residual_j + slope_ * (macro_step_s - last_.macro_step_s)
                    : power_law_.at(macro_step_s);
  }
  const PowerLaw& power_law() const { return power_law_; }

 private:
  PowerLaw power_law_;
  bool is_line_ = false;
  CurvePoint last_;
  double slope_ = 0;
};

std::string end_text(TrialStatus status) {
  switch (status) {
    case TrialStatus::diverged:
      return "diverged";
    case TrialStatus::solver_failed:
      return "failed in a solver";
    case TrialStatus::fmu_error:
      return "failed in an FMU";
    case TrialStatus::crashed:
      return "crashed in an FMU";
    case TrialStatus::timed_out:
      return "took too long";
    case TrialStatus::complete:
    case TrialStatus::cancelled:
    case TrialStatus::unsupported:
      break;
  }
  return "could not run";
}

Notice why_above(const CurvePoint& point, double predicted_j, double tolerance) {
  return {.code = NoticeCode::residual_above_line,
          .numbers = {{"macro_step_s", point.macro_step_s},
                      {"residual_J", point.residual_j},
                      {"factor", 1 + tolerance},
                      {"predicted_J", predicted_j}}};
}

bool is_cliff(const CurvePoint& point, double predicted_j) {
  return point.status != TrialStatus::complete ||
         (!(point.residual_j <= cliff_factor * predicted_j) &&
          !(point.relative_residual &&
            *point.relative_residual <= cliff_factor * negligible_residual));
}

/// Why a point is not inside, after the known ones; nothing where it is.
std::optional<Notice> why_outside(std::span<const CurvePoint> points,
                                  const LinearRegionSettings& settings, int bond_order,
                                  const KnownRegion& known) {
  const auto& point = points[known.accepted];
  if (point.status != TrialStatus::complete) {
    return incomplete_trial(point);
  }
  const auto line = points.subspan(known.line_begin, known.accepted - known.line_begin);
  if (line.size() >= unchecked_points) {
    const double predicted_j = Prediction(line, settings).at(point.macro_step_s);
    if (!(point.residual_j <= (1 + settings.tolerance) * predicted_j)) {
      return why_above(point, predicted_j, settings.tolerance);
    }
  }
  if (line.size() + 1 == unchecked_points) {
    const double slope = fit_power_law(points.subspan(known.line_begin, unchecked_points)).exponent;
    if (slope < smallest_slope || slope > bond_order + slope_margin) {
      return Notice{.code = NoticeCode::slope_of_no_region, .numbers = {{"slope", slope}}};
    }
  }
  return std::nullopt;
}

/// Begins the line anew behind the next point, which does not follow it. False where the region
/// ends with the known points; those on a line that has not begun are taken back.
bool begin_anew(std::span<const CurvePoint> points, KnownRegion& known) {
  if (known.accepted - known.line_begin >= minimum_accepted_points) {
    if (!is_negligible(points[known.accepted])) {
      return false;
    }
    known.line_begin = known.accepted;
  } else if (!is_negligible(points[known.line_begin])) {
    return false;
  } else if (!is_negligible(points[known.line_begin + 1])) {
    known.accepted = known.line_begin + 1;
    return false;
  } else {
    ++known.line_begin;
  }
  known.accepted = known.line_begin + 1;
  return true;
}

}  // namespace

std::string why_trial_ended(TrialStatus status, const std::string& reason) {
  return std::string("the trial ") + end_text(status) + (reason.empty() ? "" : ": " + reason);
}

Notice incomplete_trial(const CurvePoint& point) {
  return {.code = NoticeCode::trial_incomplete,
          .numbers = {{"macro_step_s", point.macro_step_s}},
          .detail = why_trial_ended(point.status, point.reason)};
}

std::string why_not_complete(const CurvePoint& point) {
  return sentence(incomplete_trial(point));
}

bool without_energy(std::span<const CurvePoint> points) {
  return std::ranges::none_of(points, [](const CurvePoint& point) {
    return point.relative_residual || point.status != TrialStatus::complete;
  });
}

bool is_negligible(const CurvePoint& point) {
  return point.status == TrialStatus::complete && point.relative_residual &&
         *point.relative_residual <= negligible_residual;
}

double PowerLaw::at(double macro_step_s) const {
  return coefficient * std::pow(macro_step_s, exponent);
}

LinearRegion find_linear_region(std::span<const CurvePoint> points,
                                const LinearRegionSettings& settings, int bond_order,
                                KnownRegion known) {
  LinearRegion region;
  while (known.accepted < points.size()) {
    auto why = why_outside(points, settings, bond_order, known);
    if (!why) {
      ++known.accepted;
    } else if (!begin_anew(points, known)) {
      region.reasons = {std::move(*why)};
      break;
    }
  }
  const bool ended = known.accepted < points.size();
  region.known = known;
  region.accepted = static_cast<int>(known.accepted);
  if (ended && known.accepted < minimum_accepted_points) {
    region.accepted = 0;
    region.first_step_too_large = true;
    return region;
  }
  if (known.accepted > 0) {
    region.last_s = points[known.accepted - 1].macro_step_s;
  }
  if (known.accepted < unchecked_points) {
    return region;
  }
  const auto begin = std::min(known.line_begin, known.accepted - unchecked_points);
  const Prediction frozen(points.subspan(begin, known.accepted - begin), settings);
  region.fit = frozen.power_law();
  if (ended) {
    region.bend_found = true;
    auto& next = region.known.before_cliff;
    next = std::max(next, known.accepted);
    while (next < points.size() && !is_cliff(points[next], frozen.at(points[next].macro_step_s))) {
      ++next;
    }
    if (next < points.size()) {
      region.cliff_s = points[next].macro_step_s;
    }
  }
  return region;
}

LinearRegion refined(LinearRegion region, std::span<const CurvePoint> all,
                     const LinearRegionSettings& settings) {
  if (!region.bend_found || !region.fit) {
    return region;
  }
  const auto line = *region.fit;
  auto point = std::ranges::upper_bound(all, *region.last_s, {}, &CurvePoint::macro_step_s);
  for (; point != all.end(); ++point) {
    const double predicted_j = line.at(point->macro_step_s);
    if (point->status != TrialStatus::complete) {
      region.reasons = {incomplete_trial(*point)};
      break;
    }
    if (!(point->residual_j <= (1 + settings.tolerance) * predicted_j) && !is_negligible(*point)) {
      region.reasons = {why_above(*point, predicted_j, settings.tolerance)};
      break;
    }
    region.last_s = point->macro_step_s;
  }
  const auto cliff = std::find_if(point, all.end(), [&](const CurvePoint& one) {
    return is_cliff(one, line.at(one.macro_step_s));
  });
  region.cliff_s = cliff == all.end() ? std::nullopt : std::optional(cliff->macro_step_s);
  return region;
}

}  // namespace macrostep::engine
