#include "engine/recommendation/recommend.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "engine/plan/input_notices.hpp"
#include "engine/problem/fmu_notices.hpp"
#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "engine/recommendation/ranking.hpp"
#include "engine/recommendation/why_nothing.hpp"
#include "engine/scales/scales_notices.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/scan/finish_curve.hpp"
#include "engine/trial/trial.hpp"
#include "engine/trial/trial_end.hpp"

namespace macrostep::engine {

namespace {

/// The point at H, or the nearest below: H may be a rig's own multiple that no trial ran at.
const CurvePoint* point_at(const Curve& curve, double macro_step_s) {
  const CurvePoint* found = nullptr;
  for (const auto& point : curve.points) {
    if (point.macro_step_s <= macro_step_s) {
      found = &point;
    }
  }
  return found;
}

using CurveLists = std::vector<std::vector<const Curve*>>;

/// The curves that `place` puts at each of `count` places, in their order.
CurveLists grouped(const std::vector<Curve>& curves, std::size_t count,
                   std::size_t CurveKey::*place) {
  CurveLists lists(count);
  for (const auto& curve : curves) {
    lists[curve.key.*place].push_back(&curve);
  }
  return lists;
}

class Recommender {
 public:
  Recommender(const Plan& plan, const std::vector<Curve>& curves)
      : plan_(plan),
        curves_(curves),
        of_configuration_(grouped(curves, plan.configurations.size(), &CurveKey::configuration)),
        of_test_(grouped(curves, plan.job.tests.size(), &CurveKey::test)),
        candidates_(candidates()) {}

  std::vector<TableRow> table() const {
    std::vector<TableRow> rows;
    for (std::size_t test = 0; test < plan_.job.tests.size(); ++test) {
      rows.push_back(row(test));
    }
    return rows;
  }

  std::optional<Recommendation> max_min() const {
    const auto best = best_of(candidates_);
    if (best.empty()) {
      return std::nullopt;
    }
    auto result = recommendation("max_min", best.front(), tied(candidates_, best.front()));
    result.reasons = why_largest(best.front());
    result.gain = gain_of(best.front(), candidates_);
    for (std::size_t i = 1; i < best.size(); ++i) {
      result.rivals.push_back(best[i].configuration);
    }
    return result;
  }

  /// The run that takes the place of what max_min recommends, as that does not keep real time.
  Recommendation instead_of(const Recommendation& best, const MeasuredStepTimes& chosen) const {
    auto candidate =
        *std::ranges::find(candidates_, chosen.configuration, &RankedConfiguration::configuration);
    candidate.macro_step_s = chosen.macro_step_s;
    auto result = recommendation("max_min", candidate, {});
    result.gain = gain_of(candidate, candidates_);
    result.reasons = {
        about_run(NoticeCode::best_in_real_time, plan_, best.configuration, best.macro_step_s)};
    return result;
  }

  /// What stands beside `best` and changes less.
  Recommendation rival_of(const Recommendation& best, std::size_t rival) const {
    const auto& candidate =
        *std::ranges::find(candidates_, rival, &RankedConfiguration::configuration);
    auto result = recommendation("max_min", candidate, tied(candidates_, candidate));
    result.gain = gain_of(candidate, candidates_);
    result.reasons = why_largest(candidate);
    result.reasons.push_back(
        about_run(NoticeCode::rival_changes_more, plan_, best.configuration, best.macro_step_s));
    return result;
  }

  const std::vector<RankedConfiguration>& all() const { return candidates_; }

  /// What the paper's rule recommends, as a candidate.
  RankedConfiguration candidate_of(const Recommendation& paper) const {
    return {.configuration = paper.configuration,
            .counting = measured_curves(paper.configuration),
            .macro_step_s = paper.macro_step_s};
  }

  std::optional<Recommendation> paper(const std::vector<TableRow>& rows) const {
    if (curves_.size() < plan_.curves.size()) {
      return std::nullopt;  // a row that is not finished could be the smallest
    }
    const TableRow* smallest = nullptr;
    for (const auto& row : rows) {
      if (counts(row) && (!smallest || *row.macro_step_s < *smallest->macro_step_s)) {
        smallest = &row;
      }
    }
    if (!smallest) {
      return std::nullopt;
    }
    RankedConfiguration candidate{.configuration = smallest->configurations.front(),
                                  .macro_step_s = *smallest->macro_step_s};
    candidate.counting = measured_curves(candidate.configuration);
    auto result = recommendation(
        "paper", candidate, {smallest->configurations.begin() + 1, smallest->configurations.end()});
    result.reasons = {
        {.code = NoticeCode::smallest_row, .subject = plan_.job.tests[smallest->test].name}};
    return result;
  }

 private:
  TableRow row(std::size_t test) const {
    TableRow row{.test = test};
    std::vector<const Curve*> best;
    for (const auto* curve : of_test_[test]) {
      if (!curve->measured.usable_s) {
        continue;
      }
      if (!best.empty() && *curve->measured.usable_s < *best.front()->measured.usable_s) {
        continue;
      }
      if (!best.empty() && *curve->measured.usable_s > *best.front()->measured.usable_s) {
        best.clear();
      }
      best.push_back(curve);
    }
    if (best.empty()) {
      row.flags = why_none(test);
      return row;
    }
    std::ranges::stable_sort(best, {}, [&](const Curve* curve) {
      return std::pair(cost_at(*curve, *curve->measured.usable_s),
                       lower_first(curve->key.configuration));
    });
    std::ranges::transform(best, std::back_inserter(row.configurations),
                           [](const Curve* curve) { return curve->key.configuration; });
    row.verified_s.resize(row.configurations.size());
    row.macro_step_s = best.front()->measured.usable_s;
    row.cliff_s = best.front()->region.cliff_s;
    row.flags = best.front()->measured.flags;
    return row;
  }

  /// The flags of all curves of a test in which no curve is usable.
  std::vector<std::string> why_none(std::size_t test) const {
    std::set<std::string> flags;
    for (const auto* curve : of_test_[test]) {
      flags.insert(curve->measured.flags.begin(), curve->measured.flags.end());
    }
    if (of_test_[test].size() < plan_.configurations.size()) {
      flags.emplace(not_finished);
    }
    return {flags.begin(), flags.end()};
  }

  static double cost_at(const Curve& curve, double macro_step_s) {
    const auto* point = point_at(curve, macro_step_s);
    return point ? point->cost : 0;
  }

  /// Breaks ties: lower extrapolation first, then the order of the job.
  std::pair<Extrapolation, std::size_t> lower_first(std::size_t configuration) const {
    return {plan_.configurations[configuration].extrapolation, configuration};
  }

  std::vector<const Curve*> counting_curves(std::size_t configuration) const {
    std::vector<const Curve*> counting;
    std::ranges::copy_if(of_configuration_[configuration], std::back_inserter(counting),
                         [](const Curve* curve) { return curve->counts; });
    return counting;
  }

  /// Those that count by what was measured alone.
  std::vector<const Curve*> measured_curves(std::size_t configuration) const {
    std::vector<const Curve*> measured;
    std::ranges::copy_if(of_configuration_[configuration], std::back_inserter(measured),
                         [](const Curve* curve) { return curve->measured.counts; });
    return measured;
  }

  /// Whether the test is too short for a curve that goes further than this one.
  bool any_dropped_beyond(const Curve& curve) const {
    return std::ranges::any_of(of_test_[curve.key.test], [&](const Curve* other) {
      return has_flag(*other, too_few_macro_steps) && other->usable_s > curve.usable_s;
    });
  }

  /// Configurations that are usable in every test that exchanges energy and count in at least one.
  std::vector<RankedConfiguration> candidates() const {
    const auto is_usable = [](const Curve* curve) {
      return curve->usable_s || has_flag(*curve, no_energy);
    };
    std::vector<RankedConfiguration> list;
    for (std::size_t c = 0; c < plan_.configurations.size(); ++c) {
      RankedConfiguration candidate{.configuration = c,
                                    .counting = counting_curves(c),
                                    .extrapolation = plan_.configurations[c].extrapolation};
      const auto usable =
          static_cast<std::size_t>(std::ranges::count_if(of_configuration_[c], is_usable));
      if (usable < plan_.job.tests.size() || candidate.counting.empty()) {
        continue;
      }
      candidate.macro_step_s = *candidate.counting.front()->usable_s;
      for (const auto* curve : candidate.counting) {
        candidate.macro_step_s = std::min(candidate.macro_step_s, *curve->usable_s);
      }
      for (const auto* curve : of_configuration_[c]) {
        // Over all tests, as not the same ones count for every candidate.
        candidate.cost += cost_at(*curve, candidate.macro_step_s);
      }
      list.push_back(std::move(candidate));
    }
    return list;
  }

  /// Mean over the tests of the cost of a macro-step.
  double cost_per_macro_step(const RankedConfiguration& candidate) const {
    double sum = 0;
    int curves = 0;
    for (const auto* curve : of_configuration_[candidate.configuration]) {
      if (const auto* point = point_at(*curve, candidate.macro_step_s)) {
        const double duration_s = plan_.job.tests[curve->key.test].duration_s;
        sum += point->cost / static_cast<double>(macro_steps_in(duration_s, point->macro_step_s));
        ++curves;
      }
    }
    return curves > 0 ? sum / curves : 0;
  }

  std::optional<CorrectionGain> gain_of(const RankedConfiguration& best,
                                        const std::vector<RankedConfiguration>& all) const {
    const auto corrected = [&](std::size_t configuration) {
      return plan_.configurations[configuration].correction != Correction::none;
    };
    if (!corrected(best.configuration) ||
        std::ranges::count(plan_.job.space.corrections, Correction::none) == 0) {
      return std::nullopt;
    }
    CorrectionGain gain{.cost_per_macro_step = cost_per_macro_step(best)};
    std::vector<RankedConfiguration> others;
    std::ranges::copy_if(
        all, std::back_inserter(others),
        [&](const RankedConfiguration& candidate) { return !corrected(candidate.configuration); });
    if (const auto without = best_of(others); !without.empty()) {
      gain.configuration = without.front().configuration;
      gain.macro_step_s = without.front().macro_step_s;
      gain.cost_per_macro_step_without = cost_per_macro_step(without.front());
    }
    return gain;
  }

  static std::vector<std::size_t> tied(const std::vector<RankedConfiguration>& all,
                                       const RankedConfiguration& best) {
    std::vector<std::size_t> ties;
    for (const auto& candidate : all) {
      if (candidate.macro_step_s == best.macro_step_s &&
          candidate.configuration != best.configuration) {
        ties.push_back(candidate.configuration);
      }
    }
    return ties;
  }

  Recommendation recommendation(std::string_view rule, const RankedConfiguration& candidate,
                                std::vector<std::size_t> ties) const {
    Recommendation result{.rule = rule,
                          .configuration = candidate.configuration,
                          .macro_step_s = candidate.macro_step_s,
                          .ties = std::move(ties)};
    const auto keep_smaller = [](std::optional<double>& least, const std::optional<double>& value) {
      if (value && (!least || *value < *least)) {
        least = value;
      }
    };
    for (const auto* curve : candidate.counting) {
      keep_smaller(result.bend_s, curve->region.bend_s());
      keep_smaller(result.cliff_s, curve->region.cliff_s);
      keep_smaller(result.stability_limit_s, curve->stability_limit_s);
      keep_smaller(result.session_limit_s, curve->session_limit_s);
      keep_smaller(result.largest_tried_s, curve->points.back().macro_step_s);
      const auto* point = point_at(*curve, candidate.macro_step_s);
      if (point && point->relative_residual &&
          *point->relative_residual > result.relative_residual.value_or(0)) {
        result.relative_residual = point->relative_residual;
        result.largest_residual_test = plan_.job.tests[curve->key.test].name;
      }
    }
    return result;
  }

  /// Where the exact analysis, and no test, ends every curve that allows no larger H.
  static std::optional<double> limit_of_stability(const RankedConfiguration& candidate) {
    std::optional<double> limit_s;
    for (const auto* curve : candidate.counting) {
      if (*curve->usable_s != candidate.macro_step_s) {
        continue;
      }
      const auto own_s = curve->exact_limit_s();
      const bool is_cut =
          curve->limited_by == cut_at_stability_limit || curve->limited_by == stable_within_session;
      if (!own_s || !is_cut) {
        return std::nullopt;
      }
      limit_s = std::min(limit_s.value_or(*own_s), *own_s);
    }
    return limit_s;
  }

  /// Whether checks, and no test, end every curve that allows no larger H.
  static bool is_cut_by_checks(const RankedConfiguration& candidate) {
    return std::ranges::all_of(candidate.counting, [&](const Curve* curve) {
      return *curve->usable_s != candidate.macro_step_s || curve->limited_by == cut_at_checks ||
             curve->limited_by == cut_at_unknown_growth ||
             curve->limited_by == cut_at_session_growth;
    });
  }

  std::vector<Notice> why_largest(const RankedConfiguration& candidate) const {
    std::string limiting;
    std::string with_longer;
    const auto append = [](std::string& names, const std::string& name) {
      names += (names.empty() ? "" : ", ") + name;
    };
    for (const auto* curve : candidate.counting) {
      if (*curve->usable_s == candidate.macro_step_s) {
        const auto& test = plan_.job.tests[curve->key.test].name;
        append(limiting, test);
        if (any_dropped_beyond(*curve)) {
          append(with_longer, test);
        }
      }
    }
    const bool by_rate = std::ranges::all_of(
        candidate.counting, [](const Curve* curve) { return has_flag(*curve, limited_by_rate); });
    std::vector<Notice> reasons{
        {.code = by_rate ? NoticeCode::largest_stable_step : NoticeCode::largest_linear_step}};
    if (const auto limit_s = limit_of_stability(candidate)) {
      reasons.push_back(
          {.code = NoticeCode::limited_by_stability, .numbers = {{"limit_s", *limit_s}}});
    } else if (!is_cut_by_checks(candidate)) {
      reasons.push_back({.code = NoticeCode::limited_by_tests,
                         .subject = limiting,
                         .numbers = {{"macro_step_s", candidate.macro_step_s}}});
    }
    if (!with_longer.empty()) {
      reasons.push_back({.code = NoticeCode::longer_curves_not_counted, .subject = with_longer});
    }
    return reasons;
  }

  const Plan& plan_;
  const std::vector<Curve>& curves_;
  const CurveLists of_configuration_, of_test_;
  const std::vector<RankedConfiguration> candidates_;
};

}  // namespace

Answer recommend(const Plan& plan, std::vector<Curve> curves) {
  std::ranges::sort(curves, {}, &Curve::id);
  share_stability_limits(plan, curves);
  Answer answer{.curves = std::move(curves)};
  const Recommender recommender(plan, answer.curves);
  answer.table = recommender.table();
  answer.paper_rule = recommender.paper(answer.table);
  answer.recommendation = plan.job.preset ? answer.paper_rule : recommender.max_min();
  if (!answer.recommendation) {
    answer.reasons = why_nothing(plan, answer.curves);
  }
  std::optional<RankedConfiguration> paper;
  if (answer.paper_rule) {
    paper = recommender.candidate_of(*answer.paper_rule);
  }
  answer.timing_candidates =
      timing_candidates_of(plan.job, ranking(recommender.all(), timed_configurations), paper);
  return answer;
}

std::vector<Notice> notices_of_answer(const Plan& plan, const std::vector<Curve>& curves,
                                      const Recommendation& recommendation) {
  const auto configuration = recommendation.configuration;
  const double macro_step_s = recommendation.macro_step_s;
  const auto& own = plan.job.own_problem;
  std::vector<Notice> warnings;
  for (const auto& list :
       {short_test_warning(plan, curves, macro_step_s), little_margin_warning(recommendation),
        micro_step_warning(plan, plan.configurations[configuration], macro_step_s),
        notices_of(plan, curves, configuration, macro_step_s), refused_correction_warning(plan),
        refused_order_warning(plan), failed_curves_warning(curves),
        ends_in_failure_warning(plan, curves), divergence_warning(plan, curves),
        input_range_warning(plan), scales_notices(plan),
        own ? fmu_notices(*own) : std::vector<Notice>{}}) {
    warnings.insert(warnings.end(), list.begin(), list.end());
  }
  return warnings;
}

Recommendation recommend_instead(const Plan& plan, const std::vector<Curve>& curves,
                                 const Recommendation& best, const MeasuredStepTimes& chosen) {
  return Recommender(plan, curves).instead_of(best, chosen);
}

Recommendation recommend_rival(const Plan& plan, const std::vector<Curve>& curves,
                               const Recommendation& best, std::size_t rival) {
  return Recommender(plan, curves).rival_of(best, rival);
}

}  // namespace macrostep::engine
