#include "server/batch/cut.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "engine/cost_estimate.hpp"

namespace macrostep::server::batch {

std::vector<double> expected_seconds(const engine::Plan& plan, const engine::TrialSpeed& speed) {
  std::vector<double> seconds;
  for (const auto& curve : engine::estimate_curves(plan)) {
    seconds.push_back(curve.expected.cost * speed.seconds_per_cost +
                      curve.expected.macro_steps * speed.seconds_per_macro_step);
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

}  // namespace macrostep::server::batch
