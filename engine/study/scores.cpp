#include "engine/study/scores.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

constexpr models::Names<Criterion, all_criteria.size()> criterion_names{
    {{Criterion::stability, "stability"},
     {Criterion::accuracy_5, "accuracy_5"},
     {Criterion::accuracy_1, "accuracy_1"}}};

double level_of(Criterion criterion) {
  return accuracy_levels[criterion == Criterion::accuracy_5 ? 1 : 0];
}

std::optional<double> limit_of(const TrueLimits& limits, Criterion criterion) {
  return criterion == Criterion::stability ? limits.stable_s
                                           : limits.accurate_s[criterion == Criterion::accuracy_5];
}

std::optional<double> best_limit(const StudyRow& row, Criterion criterion) {
  std::optional<double> best;
  for (const auto& limits : row.limits) {
    if (const auto limit = limit_of(limits, criterion); limit && *limit > best.value_or(0)) {
      best = limit;
    }
  }
  return best;
}

/// Whether the largest macro-step of the scan meets the criterion: what could be is not known.
bool is_beyond_scan(const StudyRow& row, Criterion criterion) {
  return best_limit(row, criterion).value_or(0) >= row.largest_macro_step_s;
}

std::optional<double> median(std::vector<double> values) {
  if (values.empty()) {
    return std::nullopt;
  }
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

RuleScore rule_score(std::span<const StudyRow* const> rows, std::size_t rule, Criterion criterion) {
  RuleScore result;
  std::vector<double> efficiency, of_best, rank, cost;
  for (const auto* row : rows) {
    const auto& outcome = row->outcomes[rule];
    result.rule = outcome.rule;
    ++result.problems;
    cost.push_back(outcome.cost / row->outcomes.front().cost);
    const bool limited = !is_beyond_scan(*row, criterion);
    result.with_limit += limited ? 1 : 0;
    if (!outcome.configuration) {
      if (limited) {
        efficiency.push_back(0);
        of_best.push_back(0);
      }
      continue;
    }
    ++result.recommended;
    result.unsafe += is_unsafe(outcome, criterion) ? 1 : 0;
    const auto own = limit_of(row->limits[*outcome.configuration], criterion);
    rank.push_back(
        1 + static_cast<double>(std::ranges::count_if(row->limits, [&](const TrueLimits& limits) {
          return limit_of(limits, criterion).value_or(0) > own.value_or(0);
        })));
    if (limited) {
      // Beyond a configuration's own limit it is as far from right as with no recommendation.
      efficiency.push_back(own ? outcome.macro_step_s / *own : 0);
      of_best.push_back(outcome.macro_step_s / *best_limit(*row, criterion));
    }
  }
  result.unsafe_rate = wilson_interval(result.unsafe, result.recommended);
  result.efficiency = median(std::move(efficiency));
  result.efficiency_of_best = median(std::move(of_best));
  result.rank = median(std::move(rank));
  result.cost = median(std::move(cost));
  return result;
}

}  // namespace

std::string_view to_string(Criterion criterion) {
  return models::name_of(criterion_names, criterion);
}

bool is_unsafe(const RuleOutcome& outcome, Criterion criterion) {
  if (!outcome.configuration) {
    return false;
  }
  return criterion == Criterion::stability
             ? !outcome.quality.stable
             : !(outcome.quality.nrmse && *outcome.quality.nrmse <= level_of(criterion));
}

std::vector<CheckCount> counts_by_check(std::span<const StudyRow> rows, std::string_view rule) {
  std::map<std::pair<std::string, std::optional<std::string>>, CheckCount> counts;
  for (const auto& row : rows) {
    const auto outcome = std::ranges::find(row.outcomes, rule, &RuleOutcome::rule);
    if (!row.failure.empty() || outcome == row.outcomes.end() || outcome->agreed.empty()) {
      continue;
    }
    const bool by_growth = outcome->agreed == "growth";
    const auto family = by_growth ? std::nullopt : std::optional(row.family);
    auto& count = counts[{outcome->agreed, family}];
    count.check = outcome->agreed;
    count.family = family;
    ++count.recommended;
    count.stable += is_unsafe(*outcome, Criterion::stability) ? 0 : 1;
  }
  std::vector<CheckCount> list;
  for (auto& [name, count] : counts) {
    list.push_back(std::move(count));
  }
  return list;
}

Score score(std::span<const StudyRow> rows, Criterion criterion,
            const std::function<bool(const StudyRow&)>& of) {
  Score result{.criterion = criterion, .rules = {}};
  std::vector<const StudyRow*> chosen;
  for (const auto& row : rows) {
    if (!row.failure.empty() || !of(row)) {
      continue;
    }
    if (best_limit(row, criterion)) {
      chosen.push_back(&row);
    } else {
      ++result.without_limit;
    }
  }
  if (!chosen.empty()) {
    for (std::size_t rule = 0; rule < chosen.front()->outcomes.size(); ++rule) {
      result.rules.push_back(rule_score(chosen, rule, criterion));
    }
  }
  return result;
}

}  // namespace macrostep::engine
