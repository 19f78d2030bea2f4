#include "engine/recommendation/decisive_curves.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace macrostep::engine {

std::vector<std::size_t> decisive_curves(const Plan& plan, const Answer& analysis) {
  std::set<std::size_t> configurations;
  for (const auto* answer : {&analysis.recommendation, &analysis.paper_rule}) {
    if (*answer) {
      configurations.insert((*answer)->configuration);
      configurations.insert((*answer)->ties.begin(), (*answer)->ties.end());
      if ((*answer)->gain && (*answer)->gain->configuration) {
        configurations.insert(*(*answer)->gain->configuration);
      }
    }
  }
  if (plan.job.real_time_share) {
    for (const auto& candidate : analysis.timing_candidates) {
      configurations.insert(candidate.configuration);
    }
  }
  std::set<std::pair<std::size_t, std::size_t>> rows;
  for (const auto& row : analysis.table) {
    for (const auto configuration : row.configurations) {
      rows.emplace(row.test, configuration);
    }
  }
  std::vector<std::size_t> ids;
  for (const auto& curve : analysis.curves) {
    if (configurations.contains(curve.key.configuration) ||
        rows.contains({curve.key.test, curve.key.configuration})) {
      ids.push_back(curve.id);
    }
  }
  return ids;
}

}  // namespace macrostep::engine
