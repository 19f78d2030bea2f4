#include "engine/studies/analysis.hpp"

#include <algorithm>
#include <cmath>

namespace macrostep::engine {

namespace {

constexpr int order_points = 5;
/// An NRMSE below this is rounding.
constexpr double rounding_error = 1e-12;

bool is_stable(const AnalysisPoint& point) {
  return point.growth && point.growth->kind == GrowthKind::stable;
}

}  // namespace

std::vector<AnalysisPoint> analyse(const Plan& plan, const AnalysePoint& of,
                                   std::span<const double> macro_steps_s,
                                   const RunsOnThreads& runs) {
  std::vector<AnalysisPoint> points(macro_steps_s.size());
  runs.backend.for_each_index(points.size(), runs.threads, [&](std::size_t i) {
    auto& point = points[i];
    point.macro_step_s = macro_steps_s[i];
    if (runs.stop && runs.stop->load(std::memory_order_relaxed)) {
      point.no_radius_reason = point.no_local_error_reason = point.no_global_error_reason =
          "stopped";
      return;
    }
    auto one = of;
    one.run.macro_step_s = point.macro_step_s;
    point = runs.backend.measure(plan, one, {.stop = runs.stop});
  });
  return points;
}

bool is_stable_at_all(std::span<const AnalysisPoint> points) {
  return std::ranges::all_of(points, is_stable);
}

std::optional<double> largest_stable_s(std::span<const AnalysisPoint> points) {
  std::optional<double> largest_s;
  for (const auto& point : points) {
    if (!is_stable(point)) {
      break;
    }
    largest_s = point.macro_step_s;
  }
  return largest_s;
}

std::optional<double> largest_accurate_s(std::span<const AnalysisPoint> points) {
  std::optional<double> largest_s;
  for (const auto& point : points) {
    if (!point.global_error || *point.global_error > accurate_error) {
      break;
    }
    largest_s = point.macro_step_s;
  }
  return largest_s;
}

std::optional<double> convergence_order(std::span<const AnalysisPoint> points,
                                        std::optional<double> AnalysisPoint::*error) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& point : points) {
    const auto& value = point.*error;
    if (value && *value > rounding_error && n < order_points) {
      const double log_step = std::log(point.macro_step_s);
      const double log_error = std::log(*value);
      n += 1;
      x += log_step;
      y += log_error;
      xx += log_step * log_step;
      xy += log_step * log_error;
    }
  }
  const double spread = n * xx - x * x;
  return n >= 2 && spread > 0 ? std::optional((n * xy - x * y) / spread) : std::nullopt;
}

}  // namespace macrostep::engine
