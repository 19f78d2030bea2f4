#include "engine/recommendation/ranking.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "engine/scan/curve_flags.hpp"

namespace macrostep::engine {

namespace {

/// Costs that differ by less than this share are equal.
constexpr double equal_cost_share = 0.05;

/// Removes what does not have the least of `key`.
template <class Key>
void keep_least(std::vector<RankedConfiguration>& list, const Key& key) {
  if (list.empty()) {
    return;
  }
  const auto least = key(*std::ranges::min_element(list, {}, key));
  std::erase_if(list, [&](const RankedConfiguration& one) { return least < key(one); });
}

/// The H of its usable region that the job lets recommend, ascending to its largest, which need not
/// be a point of its curve.
std::vector<double> usable_grid(const Job& job, const RankedConfiguration& candidate) {
  const auto& limiting = **std::ranges::find_if(candidate.counting, [&](const Curve* curve) {
    return *curve->usable_s == candidate.macro_step_s;
  });
  std::vector<double> grid = job.allowed_macro_steps_s;
  if (grid.empty()) {
    for (const auto& point : limiting.points) {
      grid.push_back(point.macro_step_s);
    }
  }
  std::erase_if(grid, [&](double macro_step_s) {
    return macro_step_s > candidate.macro_step_s ||
           macro_step_s < limiting.points.front().macro_step_s;
  });
  std::ranges::sort(grid);
  if (grid.empty() || grid.back() != candidate.macro_step_s) {
    grid.push_back(candidate.macro_step_s);
  }
  return grid;
}

std::size_t longest_test(const Job& job, const RankedConfiguration& candidate) {
  const auto longest = std::ranges::max_element(candidate.counting, {}, [&](const Curve* curve) {
    return job.tests[curve->key.test].duration_s;
  });
  return (*longest)->key.test;
}

}  // namespace

bool RankedConfiguration::needs_session() const {
  return std::ranges::any_of(
      counting, [](const Curve* curve) { return has_flag(*curve, stable_within_session); });
}

double RankedConfiguration::cliff_s() const {
  double smallest_s = std::numeric_limits<double>::infinity();
  for (const auto* curve : counting) {
    const auto limit_s =
        curve->stability_limit_s ? curve->stability_limit_s : curve->region.cliff_s;
    smallest_s = std::min(smallest_s, limit_s.value_or(smallest_s));
  }
  return smallest_s;
}

std::vector<RankedConfiguration> best_of(std::span<const RankedConfiguration> candidates) {
  std::vector<RankedConfiguration> list(candidates.begin(), candidates.end());
  keep_least(list, [](const RankedConfiguration& one) {
    return std::pair(one.needs_session(), -one.macro_step_s);
  });
  if (list.empty()) {
    return list;
  }
  const double cheapest = std::ranges::min_element(list, {}, &RankedConfiguration::cost)->cost;
  std::erase_if(list, [&](const RankedConfiguration& one) {
    return one.cost > (1 + equal_cost_share) * cheapest;
  });
  keep_least(list, [](const RankedConfiguration& one) { return -one.cliff_s(); });
  std::ranges::sort(list, {}, [](const RankedConfiguration& one) {
    return std::tuple(one.cost, one.extrapolation, one.configuration);
  });
  return list;
}

std::vector<RankedConfiguration> ranking(std::vector<RankedConfiguration> candidates,
                                         std::size_t count) {
  std::vector<RankedConfiguration> list;
  while (list.size() < count && !candidates.empty()) {
    list.push_back(best_of(candidates).front());
    std::erase_if(candidates, [&](const RankedConfiguration& one) {
      return one.configuration == list.back().configuration;
    });
  }
  return list;
}

std::vector<TimingCandidate> timing_candidates_of(const Job& job,
                                                  std::span<const RankedConfiguration> ranking,
                                                  const std::optional<RankedConfiguration>& paper) {
  std::vector<TimingCandidate> list;
  bool has_paper = !paper;
  for (const auto& candidate : ranking) {
    const auto grid = usable_grid(job, candidate);
    list.push_back({.configuration = candidate.configuration,
                    .test = longest_test(job, candidate),
                    .macro_steps_s = spread_down(grid, timed_macro_step_sizes)});
    has_paper = has_paper || (candidate.configuration == paper->configuration &&
                              candidate.macro_step_s == paper->macro_step_s);
  }
  if (!has_paper) {
    list.push_back({.configuration = paper->configuration,
                    .test = longest_test(job, *paper),
                    .macro_steps_s = {paper->macro_step_s},
                    .eligible = false});
  }
  return list;
}

void put_first(std::vector<TimingCandidate>& candidates, std::size_t best, std::size_t rival) {
  const auto place_of = [&](std::size_t configuration) {
    return std::ranges::find_if(candidates, [&](const TimingCandidate& one) {
      return one.eligible && one.configuration == configuration;
    });
  };
  if (const auto place = place_of(rival); place != candidates.end()) {
    std::rotate(candidates.begin(), place, place + 1);
  } else if (const auto former = place_of(best); former != candidates.end()) {
    former->configuration = rival;
    std::rotate(candidates.begin(), former, former + 1);
  }
}

}  // namespace macrostep::engine
