#include "engine/recommendation/decisive_curves.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace macrostep::engine {

std::vector<std::size_t> decisive_curves(const Plan& plan, const Answer& answer) {
  std::set<std::size_t> configurations;
  for (const auto* recommendation : {&answer.recommendation, &answer.paper_rule}) {
    if (*recommendation) {
      configurations.insert((*recommendation)->configuration);
      configurations.insert((*recommendation)->ties.begin(), (*recommendation)->ties.end());
      if ((*recommendation)->gain && (*recommendation)->gain->configuration) {
        configurations.insert(*(*recommendation)->gain->configuration);
      }
    }
  }
  if (plan.job.real_time_share) {
    for (const auto& candidate : answer.timing_candidates) {
      configurations.insert(candidate.configuration);
    }
  }
  std::set<std::pair<std::size_t, std::size_t>> rows;
  for (const auto& row : answer.table) {
    for (const auto configuration : row.configurations) {
      rows.emplace(row.test, configuration);
    }
  }
  std::vector<std::size_t> ids;
  for (const auto& curve : answer.curves) {
    if (configurations.contains(curve.key.configuration) ||
        rows.contains({curve.key.test, curve.key.configuration})) {
      ids.push_back(curve.id);
    }
  }
  return ids;
}

}  // namespace macrostep::engine
