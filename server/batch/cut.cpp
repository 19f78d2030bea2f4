#include "server/batch/cut.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "engine/cost/cost_estimate.hpp"
#include "engine/plan/plan_fmus.hpp"
#include "engine/scan/curve_groups.hpp"

namespace macrostep::server {

namespace {

/// What FMUs take nobody knows before. Of those that were seen, their doStep takes from 1 µs to
/// 1 ms, most of them some 10 µs.
constexpr double fmu_seconds_per_macro_step = 3e-5;

}  // namespace

std::vector<double> expected_seconds(const engine::Plan& plan, const engine::TrialSpeed& speed,
                                     double chunk_s) {
  auto assumed = speed;
  if (engine::has_foreign_code(plan)) {
    assumed.seconds_per_macro_step = fmu_seconds_per_macro_step;
  }
  std::vector<double> seconds;
  for (const auto& curve : engine::estimate_curves(plan)) {
    // As many together as fit in: the more there are, the less each takes.
    const double alone_s = engine::expected_seconds(curve, assumed, 1);
    const double fit_in = alone_s > 0 ? assumed.gain_in_lanes * chunk_s / alone_s : 1;
    const double together = std::floor(fit_in / engine::groups_per_thread);
    seconds.push_back(engine::expected_seconds(curve, assumed, together));
  }
  return seconds;
}

std::vector<std::vector<std::size_t>> cut(std::vector<std::size_t> curves,
                                          const std::vector<double>& seconds, double chunk_s) {
  std::ranges::stable_sort(curves, std::greater{},
                           [&](std::size_t curve) { return seconds.at(curve); });
  std::vector<std::vector<std::size_t>> chunks;
  double filled_s = 0;
  for (const std::size_t curve : curves) {
    if (chunks.empty() || filled_s + seconds[curve] > chunk_s) {
      chunks.emplace_back();
      filled_s = 0;
    }
    chunks.back().push_back(curve);
    filled_s += seconds[curve];
  }
  return chunks;
}

}  // namespace macrostep::server
