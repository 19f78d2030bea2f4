#include "engine/recommendation/timing_candidates.hpp"

#include <algorithm>

namespace macrostep::engine {

namespace {

/// The H of its usable region that the job lets recommend, ascending to its largest.
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
  return grid;
}

std::size_t longest_test(const Job& job, const RankedConfiguration& candidate) {
  const auto longest = std::ranges::max_element(candidate.counting, {}, [&](const Curve* curve) {
    return job.tests[curve->key.test].duration_s;
  });
  return (*longest)->key.test;
}

}  // namespace

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

}  // namespace macrostep::engine
