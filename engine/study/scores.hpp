// What a study tells of a rule: how often it is wrong, and how much it gives away to be right.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/wilson.hpp"
#include "engine/study/study.hpp"

namespace macrostep::engine {

/// What a recommendation may miss.
enum class Criterion {
  stability,   ///< it is stable
  accuracy_5,  ///< NRMSE ≤ 5 % under unseen inputs
  accuracy_1   ///< NRMSE ≤ 1 %
};

inline constexpr std::array all_criteria{Criterion::stability, Criterion::accuracy_5,
                                         Criterion::accuracy_1};

std::string_view to_string(Criterion criterion);

/// The score of one rule over some problems. Problems in which no configuration meets the criterion
/// at any macro-step are counted apart and nowhere else.
struct RuleScore {
  std::string rule;
  std::size_t problems = 0;
  std::size_t recommended = 0;  ///< in which it recommends something
  std::size_t unsafe = 0;       ///< in which that misses the criterion
  Interval unsafe_rate;         ///< of the recommendations
  /// Medians over the problems with a limit inside the scan; nothing recommended counts as 0.
  std::optional<double> efficiency;          ///< H over the limit of the same configuration
  std::optional<double> efficiency_of_best;  ///< H over the largest limit of all configurations
  std::size_t with_limit = 0;                ///< problems of these medians
  std::optional<double> rank;                ///< median; 1: no configuration has a larger limit
  std::optional<double> cost;                ///< median, against that of the first rule
};

struct Score {
  Criterion criterion = Criterion::stability;
  std::size_t without_limit = 0;  ///< problems that no configuration can meet
  std::vector<RuleScore> rules;
};

/// How many of the recommendations that passed the same check were stable. Those held against finer
/// runs are counted by family, as families differ.
struct CheckCount {
  std::string check;
  std::optional<std::string> family;
  std::size_t recommended = 0;
  std::size_t stable = 0;
};

/// The counts of one rule, in the order of checks and families.
std::vector<CheckCount> counts_by_check(std::span<const StudyRow> rows, std::string_view rule);

/// Over the problems that are `of` interest and did not fail.
Score score(std::span<const StudyRow> rows, Criterion criterion,
            const std::function<bool(const StudyRow&)>& of);

/// Whether a recommendation of this problem misses the criterion.
bool is_unsafe(const RuleOutcome& outcome, Criterion criterion);

}  // namespace macrostep::engine
