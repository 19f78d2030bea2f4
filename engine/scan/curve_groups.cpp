#include "engine/scan/curve_groups.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "engine/base/parallel.hpp"
#include "engine/ensemble/sharing.hpp"

namespace macrostep::engine {

namespace {

/// What curves of a group have in common: those that step in lanes their integrators, the others
/// their configuration and duration.
using Key = std::tuple<std::string, std::map<std::string, models::Integrator>,
                       std::optional<std::pair<std::size_t, double>>>;

/// Curves whose trials may run together; each of the others alone. By configuration, so that nearly
/// every part of a group has all tests of its configurations: they share their beginnings.
std::vector<std::vector<std::size_t>> widest_groups(const Plan& plan,
                                                    std::span<const std::size_t> ids) {
  std::map<Key, std::size_t> known;
  std::vector<std::vector<std::size_t>> groups;
  for (std::size_t n = 0; n < ids.size();) {
    const auto c = plan.curves[ids[n]].configuration;
    const auto& configuration = plan.configurations[c];
    const bool in_lanes = steps_in_lanes(plan, configuration);
    const bool alone = !in_lanes && !goes_on_from_one_start(plan, configuration);
    for (; n < ids.size() && plan.curves[ids[n]].configuration == c; ++n) {
      const double duration_s = plan.job.tests[plan.curves[ids[n]].test].duration_s;
      const Key key{configuration.coupling, configuration.integrators,
                    in_lanes ? std::nullopt : std::optional(std::pair(c, duration_s))};
      const auto found = known.find(key);
      if (found != known.end() && !alone) {
        groups[found->second].push_back(ids[n]);
      } else {
        known[key] = groups.size();
        groups.push_back({ids[n]});
      }
    }
  }
  return groups;
}

/// The most expensive first.
std::vector<std::vector<std::size_t>> by_cost(std::span<const double> expected_costs,
                                              std::vector<std::vector<std::size_t>> groups) {
  const auto cost = [&](const std::vector<std::size_t>& group) {
    double sum = 0;
    for (const std::size_t id : group) {
      sum += expected_costs[id];
    }
    return sum;
  };
  std::ranges::stable_sort(groups, std::greater{}, cost);
  return groups;
}

}  // namespace

std::size_t most_in_group(std::size_t curves, int threads) {
  const auto groups = groups_per_thread * static_cast<std::size_t>(std::max(threads, 1));
  return std::max<std::size_t>(1, curves / groups);
}

std::vector<std::vector<std::size_t>> curve_groups(const Plan& plan,
                                                   std::span<const std::size_t> ids,
                                                   std::span<const double> expected_costs,
                                                   const RunsOnThreads& runs) {
  const std::size_t most =
      runs.backend.shares_work() ? most_in_group(ids.size(), thread_count(runs.threads)) : 1;
  std::vector<std::vector<std::size_t>> groups;
  for (const auto& widest : widest_groups(plan, ids)) {
    const std::size_t parts = (widest.size() + most - 1) / most;
    for (std::size_t part = 0; part < parts; ++part) {
      groups.emplace_back(
          widest.begin() + static_cast<std::ptrdiff_t>(part * widest.size() / parts),
          widest.begin() + static_cast<std::ptrdiff_t>((part + 1) * widest.size() / parts));
    }
  }
  return by_cost(expected_costs, std::move(groups));
}

}  // namespace macrostep::engine
