#include "engine/recommendation.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>
#include <utility>

#include "engine/curve_flags.hpp"
#include "engine/stability.hpp"
#include "engine/text.hpp"
#include "engine/warnings.hpp"

namespace macrostep::engine {

namespace {

/// T = 20·bend counts although T/bend rounds to slightly less than 20.
constexpr double ratio_tolerance = 1e-9;

/// Where the coupling adds or removes more energy than it transmits, E(H) tells nothing.
constexpr double meaningful_relative_residual = 1;

/// The largest accepted H whose relative residual, and that of all smaller H, is within the limit.
std::optional<double> within_residual_limit(const Curve& curve, double limit) {
  std::optional<double> largest_s;
  for (const auto& point : curve.points) {
    if (point.macro_step_s > *curve.region.last_s || point.relative_residual.value_or(0) > limit) {
      break;
    }
    largest_s = point.macro_step_s;
  }
  return largest_s;
}

/// The largest H tried, up to this one, that is stable by the exact analysis of a linear problem
/// over the longest test; the same H where there is no such analysis.
std::optional<double> within_stability(const Plan& plan, const Curve& curve, double largest_s) {
  const Stability stability(plan, plan.configurations[curve.key.configuration],
                            longest_test_s(plan));
  const auto is_unstable = [&](double macro_step_s) {
    const auto judged = stability.is_stable(macro_step_s);
    return std::holds_alternative<bool>(judged) && !std::get<bool>(judged);
  };
  if (!is_unstable(largest_s)) {
    return largest_s;
  }
  const auto beyond =
      std::ranges::upper_bound(curve.points, largest_s, {}, &CurvePoint::macro_step_s);
  const auto first_unstable = std::partition_point(
      curve.points.begin(), beyond,
      [&](const CurvePoint& point) { return !is_unstable(point.macro_step_s); });
  return first_unstable == curve.points.begin() ? std::nullopt
                                                : std::optional((first_unstable - 1)->macro_step_s);
}

/// The largest allowed H between the smallest that was tried and the limit.
std::optional<double> largest_allowed(const Plan& plan, double tried_s, double limit_s) {
  std::optional<double> largest_s;
  for (const double allowed_s : plan.job.allowed_macro_steps_s) {
    if (allowed_s >= tried_s && allowed_s <= limit_s && allowed_s > largest_s.value_or(0)) {
      largest_s = allowed_s;
    }
  }
  return largest_s;
}

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

/// All curves of one configuration and what they say together.
struct Candidate {
  std::size_t configuration = 0;
  std::vector<const Curve*> counting;
  double macro_step_s = 0;
  double cost = 0;  ///< of the trials at macro_step_s
};

class Recommender {
 public:
  Recommender(const Plan& plan, const std::vector<Curve>& curves) : plan_(plan), curves_(curves) {}

  std::vector<TableRow> table() const {
    std::vector<TableRow> rows;
    for (std::size_t test = 0; test < plan_.job.tests.size(); ++test) {
      rows.push_back(row(test));
    }
    return rows;
  }

  std::optional<Recommendation> max_min() const {
    const auto all = candidates();
    const auto best = preferred(all);
    return best ? std::optional(recommendation("max_min", *best, tied(all, *best))) : std::nullopt;
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
    Candidate candidate{.configuration = smallest->configurations.front(),
                        .macro_step_s = *smallest->macro_step_s};
    candidate.counting = counting_curves(candidate.configuration);
    auto result = recommendation(
        "paper", candidate, {smallest->configurations.begin() + 1, smallest->configurations.end()});
    result.reason =
        "the smallest row of the table, that of test " + plan_.job.tests[smallest->test].name;
    return result;
  }

  std::string why_none() const {
    if (curves_.size() < plan_.curves.size()) {
      return "stopped before any configuration had finished all tests: " +
             std::to_string(curves_.size()) + " of " + std::to_string(plan_.curves.size()) +
             " curves are finished";
    }
    if (plan_.job.relative_residual_max) {
      const auto tests = tests_without_usable(relative_residual_exceeded);
      if (!tests.empty()) {
        return "no H that was tried keeps the relative residual within " +
               number_text(*plan_.job.relative_residual_max) + " in: " + tests +
               "; raise relative_residual_max or start the scan at a smaller macro-step";
      }
    }
    const bool any_stable = std::ranges::any_of(
        curves_, [](const Curve& curve) { return curve.region.fit.has_value(); });
    std::string reason =
        any_stable ? "no configuration stays inside its linear region, within the limits of the "
                     "job and with enough macro-steps, in every test"
                   : "no configuration has a linear region in any test: all are unstable at the "
                     "smallest macro-steps tried, or exchange no energy";
    for (const auto& list : {short_test_warning(plan_, curves_, 0), growth_warning(plan_, 0)}) {
      for (const auto& more : list) {
        reason += "; " + more;
      }
    }
    return reason;
  }

 private:
  TableRow row(std::size_t test) const {
    TableRow row{.test = test};
    std::vector<const Curve*> best;
    for (const auto& curve : curves_) {
      if (curve.key.test != test || !curve.usable_s) {
        continue;
      }
      if (!best.empty() && *curve.usable_s < *best.front()->usable_s) {
        continue;
      }
      if (!best.empty() && *curve.usable_s > *best.front()->usable_s) {
        best.clear();
      }
      best.push_back(&curve);
    }
    if (best.empty()) {
      row.flags = why_none(test);
      return row;
    }
    std::ranges::stable_sort(best, {}, [&](const Curve* curve) {
      return std::pair(cost_at(*curve, *curve->usable_s), lower_first(curve->key.configuration));
    });
    for (const auto* curve : best) {
      row.configurations.push_back(curve->key.configuration);
    }
    row.macro_step_s = best.front()->usable_s;
    row.cliff_s = best.front()->region.cliff_s;
    row.flags = best.front()->flags;
    return row;
  }

  /// The flags of all curves of a test in which no curve is usable.
  std::vector<std::string> why_none(std::size_t test) const {
    std::set<std::string> flags;
    std::size_t finished = 0;
    for (const auto& curve : curves_) {
      if (curve.key.test == test) {
        flags.insert(curve.flags.begin(), curve.flags.end());
        ++finished;
      }
    }
    if (finished < plan_.configurations.size()) {
      flags.emplace(not_finished);
    }
    return {flags.begin(), flags.end()};
  }

  /// Names of the tests in which no curve is usable and some curve has the flag.
  std::string tests_without_usable(std::string_view flag) const {
    std::string names;
    for (std::size_t test = 0; test < plan_.job.tests.size(); ++test) {
      bool usable = false;
      bool flagged = false;
      for (const auto& curve : curves_) {
        usable = usable || (curve.key.test == test && curve.usable_s);
        flagged = flagged || (curve.key.test == test && has_flag(curve, flag));
      }
      if (flagged && !usable) {
        names += (names.empty() ? "" : ", ") + plan_.job.tests[test].name;
      }
    }
    return names;
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
    for (const auto& curve : curves_) {
      if (curve.key.configuration == configuration && curve.counts) {
        counting.push_back(&curve);
      }
    }
    return counting;
  }

  /// Whether the test is too short for a curve that goes further than this one.
  bool any_dropped_beyond(const Curve& curve) const {
    return std::ranges::any_of(curves_, [&](const Curve& other) {
      return other.key.test == curve.key.test && has_flag(other, too_few_macro_steps) &&
             *other.usable_s > *curve.usable_s;
    });
  }

  /// Configurations that are usable in every test that exchanges energy and count in at least one.
  std::vector<Candidate> candidates() const {
    std::vector<std::size_t> usable(plan_.configurations.size());
    for (const auto& curve : curves_) {
      usable[curve.key.configuration] += curve.usable_s || has_flag(curve, no_energy) ? 1 : 0;
    }
    std::vector<Candidate> list;
    for (std::size_t c = 0; c < plan_.configurations.size(); ++c) {
      Candidate candidate{.configuration = c, .counting = counting_curves(c)};
      if (usable[c] < plan_.job.tests.size() || candidate.counting.empty()) {
        continue;
      }
      candidate.macro_step_s = *candidate.counting.front()->usable_s;
      for (const auto* curve : candidate.counting) {
        candidate.macro_step_s = std::min(candidate.macro_step_s, *curve->usable_s);
      }
      for (const auto& curve : curves_) {
        // Over all tests, as not the same ones count for every candidate.
        candidate.cost += curve.key.configuration == c ? cost_at(curve, candidate.macro_step_s) : 0;
      }
      list.push_back(std::move(candidate));
    }
    return list;
  }

  std::optional<Candidate> preferred(const std::vector<Candidate>& all) const {
    const auto rank = [&](const Candidate& candidate) {
      return std::tuple(-candidate.macro_step_s, candidate.cost,
                        lower_first(candidate.configuration));
    };
    const auto best = std::ranges::min_element(all, {}, rank);
    return best == all.end() ? std::nullopt : std::optional(*best);
  }

  static std::vector<std::size_t> tied(const std::vector<Candidate>& all, const Candidate& best) {
    std::vector<std::size_t> ties;
    for (const auto& candidate : all) {
      if (candidate.macro_step_s == best.macro_step_s &&
          candidate.configuration != best.configuration) {
        ties.push_back(candidate.configuration);
      }
    }
    return ties;
  }

  Recommendation recommendation(std::string_view rule, const Candidate& candidate,
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
    std::string limiting;
    for (const auto* curve : candidate.counting) {
      keep_smaller(result.bend_s, curve->region.bend_s());
      keep_smaller(result.cliff_s, curve->region.cliff_s);
      keep_smaller(result.largest_tried_s, curve->points.back().macro_step_s);
      const auto* point = point_at(*curve, candidate.macro_step_s);
      if (point && point->relative_residual &&
          *point->relative_residual > result.relative_residual.value_or(0)) {
        result.relative_residual = point->relative_residual;
        result.largest_residual_test = plan_.job.tests[curve->key.test].name;
      }
      if (*curve->usable_s == candidate.macro_step_s) {
        limiting += (limiting.empty() ? "" : ", ") + plan_.job.tests[curve->key.test].name +
                    (any_dropped_beyond(*curve) ? " (of the curves that count there)" : "");
      }
    }
    result.reason =
        "of all configurations it keeps the largest macro-step inside the linear region "
        "in every test that counts; limited at " +
        milliseconds_text(candidate.macro_step_s) + " by: " + limiting;
    const auto append = [&](std::vector<std::string> list) {
      std::ranges::move(list, std::back_inserter(result.warnings));
    };
    append(short_test_warning(plan_, curves_, candidate.macro_step_s));
    append(near_cliff_warning(result));
    append(micro_step_warning(plan_, plan_.configurations[candidate.configuration],
                              candidate.macro_step_s));
    append(warnings_of(plan_, curves_, candidate.configuration));
    return result;
  }

  const Plan& plan_;
  const std::vector<Curve>& curves_;
};

}  // namespace

Curve finish_curve(const Plan& plan, std::size_t id, const CurveScan& scan) {
  Curve curve{.id = id, .key = plan.curves[id], .points = scan.points(), .region = scan.region()};
  const auto flag = [&](std::string_view text) { curve.flags.emplace_back(text); };
  if (!curve.points.empty() && curve.points.front().status == TrialStatus::unsupported) {
    flag(unsupported);
    curve.region.reason =
        std::get<FieldError>(schedule_of(plan, plan.configurations[curve.key.configuration]))
            .message;
    return curve;
  }
  if (plan.configurations[curve.key.configuration].scheme == Scheme::iterative) {
    // At the fixed point the inputs applied are the exchanged outputs: what is left of E is the
    // iteration's tolerance and says nothing about H.
    flag(residual_of_iteration);
    return curve;
  }
  if (!curve.points.empty() && without_energy(curve.points)) {
    flag(no_energy);
    return curve;
  }
  if (!curve.region.fit) {
    flag(no_linear_region);
    return curve;
  }
  if (curve.region.bend_found && !curve.region.cliff_s) {
    flag(cliff_not_reached);
  }
  const double limit =
      std::min(plan.job.relative_residual_max.value_or(meaningful_relative_residual),
               meaningful_relative_residual);
  curve.usable_s = within_residual_limit(curve, limit);
  if (!curve.usable_s) {
    flag(relative_residual_exceeded);
    return curve;
  }
  if (*curve.usable_s < *curve.region.last_s) {
    flag(plan.job.relative_residual_max ? cut_at_relative_residual : cut_at_transmitted_energy);
  }
  const double within_residual_s = *curve.usable_s;
  curve.usable_s = within_stability(plan, curve, within_residual_s);
  if (!curve.usable_s) {
    flag(unstable);
    return curve;
  }
  if (*curve.usable_s < within_residual_s) {
    flag(cut_at_stability_limit);
  }
  const double duration_s = plan.job.tests[curve.key.test].duration_s;
  curve.counts = duration_s / *curve.usable_s >= plan.job.minimum_macro_steps - ratio_tolerance;
  if (!curve.counts) {
    flag(too_few_macro_steps);
    curve.needed_duration_s = plan.job.minimum_macro_steps * *curve.usable_s;
  } else if (!curve.region.bend_found && *curve.usable_s == *curve.region.last_s) {
    flag(bend_not_reached);
  }
  if (!plan.job.allowed_macro_steps_s.empty()) {
    curve.usable_s = largest_allowed(plan, curve.points.front().macro_step_s, *curve.usable_s);
    if (!curve.usable_s) {
      flag(no_allowed_macro_step);
      curve.counts = false;
      return curve;
    }
  }
  return curve;
}

Analysis recommend(const Plan& plan, std::vector<Curve> curves) {
  std::ranges::sort(curves, {}, &Curve::id);
  Analysis analysis{.curves = std::move(curves)};
  const Recommender recommender(plan, analysis.curves);
  analysis.table = recommender.table();
  analysis.recommendation = recommender.max_min();
  analysis.paper_rule = recommender.paper(analysis.table);
  if (!analysis.recommendation) {
    analysis.reason = recommender.why_none();
  }
  return analysis;
}

}  // namespace macrostep::engine
