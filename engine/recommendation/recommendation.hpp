// What a search answers: the table of the best configuration per test input, the configuration to
// use, and what is known of it. recommend.hpp draws it from curves.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/cost/step_times.hpp"
#include "engine/notices/notice.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/scan/curve.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/stability/growth.hpp"
#include "engine/verification/check_outcome.hpp"

namespace macrostep::engine {

/// The best configuration of a test by the curves as measured (MeasuredCurve).
struct TableRow {
  std::size_t test = 0;
  std::vector<std::size_t> configurations;  ///< all with the largest H, the preferred one first
  std::optional<double> macro_step_s;
  std::vector<std::optional<double>> verified_s;  ///< of each of them, for the search to add
  std::optional<double> cliff_s;                  ///< of the preferred configuration
  std::vector<std::string> flags;
};

/// The largest H that is verified for every configuration of a row; absent where one has none.
inline std::optional<double> verified_for_all(const TableRow& row) {
  const auto least = std::ranges::min_element(row.verified_s);  // absent is less than any
  return least == row.verified_s.end() ? std::nullopt : *least;
}

/// Whether the H of a row takes part in the recommendation.
inline bool counts(const TableRow& row) {
  return row.macro_step_s && !has_flag(row, too_few_macro_steps);
}

/// What the recommended correction buys: the answer there would be without one. Costs are
/// right-hand sides of a macro-step × the weight of their model, on the mean over the tests.
struct CorrectionGain {
  std::optional<std::size_t> configuration;  ///< absent: without one nothing can be recommended
  std::optional<double> macro_step_s;
  double cost_per_macro_step = 0;  ///< with the correction
  std::optional<double> cost_per_macro_step_without;
};

struct Recommendation {
  std::string_view rule;  ///< max_min or paper
  std::size_t configuration = 0;
  double macro_step_s = 0;
  std::optional<double> verified_s;         ///< of its configuration, for the search to add
  std::optional<double> bend_s;             ///< smallest over the tests that count
  std::optional<double> cliff_s;            ///< smallest over the tests that count
  std::optional<double> stability_limit_s;  ///< likewise, of a linear problem
  std::optional<double> session_limit_s;    ///< likewise, where growth is allowed within a session
  std::optional<SessionGrowth> growth;      ///< of its fastest motion; absent: not known
  std::optional<double> relative_residual;  ///< largest over the tests, at macro_step_s
  std::string largest_residual_test;        ///< in which relative_residual is that
  std::optional<double> largest_tried_s;    ///< smallest over the tests that count
  std::optional<MeasuredError> error;       ///< absent: not measured
  std::optional<CorrectionGain> gain;       ///< of a correction, if the search has others, too
  std::optional<RealTimeMargin> real_time;  ///< if the job asks for it
  std::vector<std::size_t> ties;            ///< others with the same H, verified if asked
  std::vector<std::size_t> rivals;          ///< ties that the ranking tells by nothing else
  std::vector<CheckOutcome> checks;         ///< of the run itself; none: not checked
  std::optional<double> confidence;         ///< confidence.hpp
  std::vector<Notice> notices;              ///< what to know before using it, the worst first
  std::vector<Notice> reasons;              ///< why this is the answer

  std::string reason() const { return joined_sentences(reasons); }
  /// Whether this very H is.
  bool is_verified() const { return verified_s && *verified_s >= macro_step_s; }
};

struct Answer {
  std::vector<Curve> curves;
  std::vector<TableRow> table;
  std::optional<Recommendation> recommendation;  ///< by max_min, or as the job's preset says
  std::optional<Recommendation> paper_rule;
  std::vector<Notice> reasons;  ///< why there is no recommendation
  std::vector<TimingCandidate>
      timing_candidates;     ///< whose macro-steps are worth timing, the best first
  StepTimeTable step_times;  ///< for the search to add

  std::string reason() const { return joined_sentences(reasons); }
};

}  // namespace macrostep::engine
