#include "engine/scan/usable_step.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

constexpr double meaningful_relative_residual = 1;
constexpr int shown_digits = 3;
/// What lacks less than this share of a digit has it.
constexpr double digit_share = 1e-12;

/// The largest H that may be used below one that may not: any that was tried, or that is allowed.
std::optional<double> largest_below(const AnalysedCurve& curve, double rejected_s) {
  std::optional<double> largest_s;
  const auto take = [&](double one_s) {
    if (one_s < rejected_s && one_s > largest_s.value_or(0)) {
      largest_s = one_s;
    }
  };
  if (curve.allowed_macro_steps_s.empty()) {
    std::ranges::for_each(curve.points, take, &CurvePoint::macro_step_s);
    return largest_s;
  }
  std::ranges::for_each(curve.allowed_macro_steps_s, take);
  return largest_s && *largest_s >= curve.points.front().macro_step_s ? largest_s : std::nullopt;
}

}  // namespace

double relative_residual_limit(const std::optional<double>& of_job) {
  return std::min(of_job.value_or(meaningful_relative_residual), meaningful_relative_residual);
}

std::optional<double> within_residual_limit(std::span<const CurvePoint> points, double last_s,
                                            double limit) {
  std::optional<double> largest_s;
  for (const auto& point : points) {
    if (point.macro_step_s > last_s || point.relative_residual.value_or(0) > limit) {
      break;
    }
    largest_s = point.macro_step_s;
  }
  return largest_s;
}

std::optional<double> largest_complete(std::span<const CurvePoint> points) {
  std::optional<double> largest_s;
  for (const auto& point : points) {
    if (point.status != TrialStatus::complete) {
      break;
    }
    largest_s = point.macro_step_s;
  }
  return largest_s;
}

double rounded_down(double macro_step_s) {
  const double unit = std::pow(10, std::floor(std::log10(macro_step_s)) - (shown_digits - 1));
  char text[32];
  const double units = std::floor(macro_step_s / unit * (1 + digit_share));
  std::snprintf(text, sizeof text, "%.*g", shown_digits, units * unit);
  return std::strtod(text, nullptr);
}

std::optional<double> largest_allowed(std::span<const double> allowed_s, double tried_s,
                                      double limit_s) {
  if (allowed_s.empty()) {
    return limit_s;
  }
  std::optional<double> largest_s;
  for (const double one_s : allowed_s) {
    if (one_s >= tried_s && one_s <= limit_s && one_s > largest_s.value_or(0)) {
      largest_s = one_s;
    }
  }
  return largest_s;
}

std::optional<double> usable_step(const AnalysedCurve& curve) {
  const auto end_s = curve.by_rate ? largest_complete(curve.points) : curve.last_s;
  if (!end_s) {
    return std::nullopt;
  }
  const double last_s = curve.stability_limit_s
                            ? std::min(*end_s, *curve.stability_limit_s / stability_margin)
                            : *end_s;
  const auto largest_s =
      within_residual_limit(curve.points, last_s,
                            curve.by_rate ? std::numeric_limits<double>::infinity()
                                          : relative_residual_limit(curve.relative_residual_max));
  if (!largest_s) {
    return std::nullopt;
  }
  const double tried_s = curve.points.front().macro_step_s;
  const auto usable_s = largest_allowed(curve.allowed_macro_steps_s, tried_s, *largest_s);
  if (!usable_s || !curve.rejected_from_s || *usable_s < *curve.rejected_from_s) {
    return usable_s;
  }
  return largest_below(curve, *curve.rejected_from_s);
}

}  // namespace macrostep::engine
