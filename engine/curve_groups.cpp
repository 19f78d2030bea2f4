#include "engine/curve_groups.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "engine/cost_estimate.hpp"
#include "engine/lane_batch.hpp"
#include "engine/run_trials.hpp"

namespace macrostep::engine {

namespace {

/// As the last group of a thread may take that long while the others wait.
constexpr std::size_t groups_per_thread = 2;

/// What curves of a group have in common: those that step in lanes their integrators, the others
/// their configuration.
using Key = std::tuple<std::string, std::map<std::string, models::Integrator>,
                       std::optional<std::size_t>, double>;

/// Curves whose trials may run together; each of the others alone. By configuration, so that a part
/// of a group has all tests of a configuration: they share their beginnings.
std::vector<std::vector<std::size_t>> widest_groups(const Plan& plan) {
  std::map<Key, std::size_t> known;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t c = 0, id = 0; c < plan.configurations.size(); ++c) {
    const auto& configuration = plan.configurations[c];
    const bool in_lanes = steps_in_lanes(plan, configuration);
    const bool alone = !in_lanes && !goes_on_from_one_start(plan, configuration);
    for (; id < plan.curves.size() && plan.curves[id].configuration == c; ++id) {
      const double duration_s = plan.job.tests[plan.curves[id].test].duration_s;
      const Key key{configuration.coupling, configuration.integrators,
                    in_lanes ? std::nullopt : std::optional(c), duration_s};
      const auto found = known.find(key);
      if (found != known.end() && !alone) {
        groups[found->second].push_back(id);
      } else {
        known[key] = groups.size();
        groups.push_back({id});
      }
    }
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
