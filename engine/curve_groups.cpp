#include "engine/curve_groups.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "engine/cost_estimate.hpp"
#include "engine/lane_batch.hpp"

namespace macrostep::engine {

namespace {

/// As the last group of a thread may take that long while the others wait.
constexpr std::size_t groups_per_thread = 4;

/// Curves whose trials may share lanes; each of the others alone. By configuration, so that a part
/// of a group has all tests of a configuration: they share their beginnings.
std::vector<std::vector<std::size_t>> widest_groups(const Plan& plan) {
  using Key = std::tuple<std::string, std::map<std::string, models::Integrator>, double>;
  std::map<Key, std::size_t> known;
  std::vector<std::vector<std::size_t>> groups;
  std::vector<bool> in_lanes;
  for (const auto& configuration : plan.configurations) {
    in_lanes.push_back(steps_in_lanes(plan, configuration));
  }
  for (std::size_t id = 0; id < plan.curves.size(); ++id) {
    const auto& [c, test] = plan.curves[id];
    if (!in_lanes[c]) {
      groups.push_back({id});
      continue;
    }
    const auto& configuration = plan.configurations[c];
    const auto [found, is_new] = known.try_emplace(
        {configuration.coupling, configuration.integrators, plan.job.tests[test].duration_s},
        groups.size());
    if (is_new) {
      groups.emplace_back();
    }
    groups[found->second].push_back(id);
  }
  return groups;
}

}  // namespace

std::vector<std::vector<std::size_t>> curve_groups(const Plan& plan, int threads) {
  const std::size_t most = std::max<std::size_t>(
      1, plan.curves.size() / (groups_per_thread * static_cast<std::size_t>(std::max(threads, 1))));
  std::vector<std::pair<double, std::vector<std::size_t>>> groups;
  const auto estimates = estimate_curves(plan);
  for (const auto& widest : widest_groups(plan)) {
    const std::size_t parts = (widest.size() + most - 1) / most;
    for (std::size_t part = 0; part < parts; ++part) {
      std::vector<std::size_t> group(
          widest.begin() + static_cast<std::ptrdiff_t>(part * widest.size() / parts),
          widest.begin() + static_cast<std::ptrdiff_t>((part + 1) * widest.size() / parts));
      double cost = 0;
      for (const std::size_t id : group) {
        cost += estimates[id].expected.cost;
      }
      groups.emplace_back(cost, std::move(group));
    }
  }
  std::ranges::stable_sort(groups, std::greater{}, [](const auto& group) { return group.first; });
  std::vector<std::vector<std::size_t>> ordered;
  for (auto& [cost, group] : groups) {
    ordered.push_back(std::move(group));
  }
  return ordered;
}

}  // namespace macrostep::engine
