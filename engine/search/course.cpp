#include "engine/search/course.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/cost/step_times.hpp"
#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/confirm.hpp"
#include "engine/recommendation/decisive_curves.hpp"
#include "engine/recommendation/ranking.hpp"
#include "engine/recommendation/real_time.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/finish_curve.hpp"
#include "engine/scan/usable_step.hpp"
#include "engine/search/beyond_bends.hpp"
#include "engine/search/verified_steps.hpp"

namespace macrostep::engine {

namespace {

/// Runs whose change is compared with that of the recommended one.
constexpr std::size_t most_rivals = 8;
/// How often an answer is confirmed anew.
constexpr int most_confirmed_again = 8;

bool is_rejection(const Notice& reason) {
  return reason.code == NoticeCode::run_fails_check || reason.code == NoticeCode::other_runs_fail;
}

/// Which runs were rejected.
std::vector<Notice> rejections_of(Answer& answer) {
  std::vector<Notice> list;
  std::ranges::copy_if(reasons_of(answer), std::back_inserter(list), is_rejection);
  return list;
}

/// What to know, the worst first; after all that is known of the answer.
void add_notices(const Plan& plan, const std::vector<Curve>& curves,
                 Recommendation& recommendation) {
  auto list = unchecked_warning(plan, recommendation);
  for (const auto& more :
       {session_warning(recommendation), accuracy_warning(plan, recommendation),
        notices_of_answer(plan, curves, recommendation), recommendation.notices}) {
    list.insert(list.end(), more.begin(), more.end());
  }
  recommendation.notices = std::move(list);
}

class Course {
 public:
  Course(const Plan& plan, const SearchOptions& options, StabilityVerdicts& verdicts,
         const CourseNeeds& needs)
      : plan_(plan),
        options_(options),
        verdicts_(verdicts),
        needs_(needs),
        rule_(check_rule(plan.job)) {}

  SearchResult run() {
    SearchResult result;
    auto curves = needs_.curves({.curves = all_curves(plan_)});
    result.complete = curves.size() == plan_.curves.size();
    result.answer = recommend_without_gaps(std::move(curves), result.complete);
    prefer_known(result);
    RunChecks checks(plan_, needs_.perform,
                     verdicts_.modes(0) ? std::optional(verdicts_.session_s(0)) : std::nullopt);
    check_recommended(result, checks);
    if (result.complete && (options_.measure_step_times || plan_.job.real_time_share)) {
      needs_.begin_stage(Stage::step_times);
      result.answer.step_times =
          measured_step_times(result.answer.timing_candidates, needs_.perform);
      result.complete = !stopped();
    }
    keep_real_time(plan_, result.answer, !result.complete);
    check_instead(result, checks);
    verified_.mark(result.answer);
    if (result.answer.recommendation && plan_.job.stability_check != StabilityCheck::none) {
      leave_out_unverified_ties(*result.answer.recommendation);
    }
    if (result.answer.recommendation && options_.measure_error) {
      measure_recommended(result);
    }
    auto& best = result.answer.recommendation;
    auto& paper_rule = result.answer.paper_rule;
    if (best && paper_rule && paper_rule->configuration == best->configuration &&
        paper_rule->macro_step_s == best->macro_step_s) {
      paper_rule->checks = best->checks;
    }
    for (auto* recommendation : {&best, &paper_rule}) {
      if (*recommendation) {
        const auto& growth = (*recommendation)->growth = growth_of(**recommendation, checks);
        if (growth && growth->growth.kind == GrowthKind::growing &&
            (*recommendation)->is_verified()) {
          (*recommendation)->verified_s.reset();  // runs alone did not see it
        }
        // No confidence: the trust study has counted runs of one test as stable, not rates.
        add_notices(plan_, result.answer.curves, **recommendation);
      }
    }
    if (paper_rule && plan_.job.stability_check != StabilityCheck::none) {
      const auto doubts = verified_.doubts(*paper_rule);
      paper_rule->notices.insert(paper_rule->notices.begin(), doubts.begin(), doubts.end());
    }
    if (best && !result.complete && rule_.leaves_unchecked(best->checks)) {
      best->notices.insert(best->notices.begin(), {.code = NoticeCode::stopped_before_checks});
    }
    for (auto* recommendation : {&best, &paper_rule}) {
      if (*recommendation) {
        put_worst_first((*recommendation)->notices);
      }
    }
    return result;
  }

 private:
  bool stopped() const { return needs_.stopped.load(std::memory_order_relaxed); }

  /// By runs where the exact growth is not known, or does not object and the job asks for runs.
  std::optional<SessionGrowth> growth_of(const Recommendation& recommendation, RunChecks& checks) {
    const auto asked = plan_.job.stability_check;
    const bool by_runs = asked == StabilityCheck::identified;
    const auto configuration = recommendation.configuration;
    const auto growth = verdicts_.growth(configuration, recommendation.macro_step_s);
    const bool is_growing = growth && growth->kind == GrowthKind::growing;
    if (asked == StabilityCheck::none && !is_growing) {
      return std::nullopt;  // nobody asked whether it is stable
    }
    if (growth && (!by_runs || is_growing)) {
      return SessionGrowth{*growth, verdicts_.session_s(configuration)};
    }
    return agrees(recommendation.checks, "growth")
               ? checks.identified_growth(configuration, recommendation.macro_step_s)
               : std::nullopt;
  }

  /// A configuration that allows this H may be unstable with it, or miss the accuracy.
  void leave_out_unverified_ties(Recommendation& best) const {
    std::erase_if(best.ties, [&](std::size_t configuration) {
      return !(rule_.change ? verified_.has_passed(configuration, best.macro_step_s)
                            : verified_.holds(configuration, best.macro_step_s));
    });
  }

  /// What is recommended once no curve that the answer rests on has gaps. Sets `complete` to false
  /// where the search is stopped before that; of one that was stopped already, gaps are left.
  Answer recommend_without_gaps(std::vector<Curve> curves, bool& complete) {
    for (auto& curve : curves) {
      const auto filled = filled_.find(curve.id);
      if (filled != filled_.end() && filled->second.points.size() > curve.points.size()) {
        curve = filled->second;
      }
    }
    for (;;) {
      auto answer = recommend(plan_, std::move(curves));
      auto ids = decisive_curves(plan_, answer);
      std::erase_if(ids, [&](std::size_t id) { return !needs_.has_gaps(id); });
      if (!complete || ids.empty()) {
        return answer;
      }
      curves = std::move(answer.curves);  // all of them, each at the place of its id
      for (const auto& curve : needs_.curves({.fills_gaps = true, .curves = std::move(ids)})) {
        filled_[curve.id] = curve;
        curves[curve.id] = curve;
      }
      complete = !stopped();
    }
  }

  /// Where nothing but the exact analysis is asked, what it knows comes before what it does not.
  void prefer_known(SearchResult& result) {
    const auto& best = result.answer.recommendation;
    const auto is_known = [&](std::size_t configuration) {
      return verdicts_.growth(configuration, plan_.job.macro_step.initial_s).has_value();
    };
    if (plan_.job.stability_check != StabilityCheck::exact || !best ||
        is_known(best->configuration)) {
      return;
    }
    auto known = recommend_without_gaps(without_unknown(plan_, result.answer.curves, is_known),
                                        result.complete);
    if (known.recommendation) {
      result.answer = std::move(known);
    }
  }

  /// What runs cannot tell of a growth is known where it is known exactly.
  CheckedRun check(RunChecks& checks, std::size_t configuration, double macro_step_s, Asked asked,
                   bool around_states = true) {
    auto rule = rule_;
    rule.states = rule.states && around_states;
    const bool is_exact = plan_.job.stability_check == StabilityCheck::all &&
                          verdicts_.growth(configuration, macro_step_s);
    if (is_exact) {
      rule.swing_where_unknown.reset();
      rule.growth_below = false;
      rule.states = false;
    } else {
      rule.ends_at_unknown = asks_for_growth(asked.evidence);
    }
    rule.in_full = asked.in_full;
    auto checked = checks.check(rule, configuration, macro_step_s);
    checked.is_exact = is_exact;
    if (!stopped() && (checked.is_whole || !checked.passes())) {
      verified_.add(configuration, macro_step_s, checked);
    }
    return checked;
  }

  /// Recommends what passes verification, if the job wants any.
  void check_recommended(SearchResult& result, RunChecks& checks) {
    if (!result.complete || !rule_.checks_anything()) {
      return;
    }
    needs_.begin_stage(Stage::checks);
    if (!result.answer.recommendation) {
      look_beyond_bends(result.answer, checks);
      result.complete = !stopped();
      return;
    }
    const Recommend recommend_from = [&](std::vector<Curve> curves) {
      return recommend_without_gaps(std::move(curves), result.complete);
    };
    const auto confirmed = [&](Answer answer) {
      return confirm(
          plan_, std::move(answer),
          [&](std::size_t configuration, double macro_step_s, Asked asked) {
            return check(checks, configuration, macro_step_s, asked);
          },
          &needs_.stopped, max_checks, recommend_from);
    };
    result.answer = confirmed(std::move(result.answer));
    if (result.complete && !stopped()) {
      look_beyond_bends(result.answer, checks);
    }
    result.complete = !stopped();
    for (int again = 0; !passes_finally(result, checks) && again < most_confirmed_again; ++again) {
      const auto rejections = rejections_of(result.answer);
      result.answer = confirmed(recommend_from(std::move(result.answer.curves)));
      result.complete = !stopped();
      auto& reasons = reasons_of(result.answer);
      reasons.insert(std::ranges::find_if(reasons, is_rejection), rejections.begin(),
                     rejections.end());
    }
    result.complete = !stopped();
  }

  /// Whether the recommendation, or a rival that changes less and takes its place, passes once all
  /// runs are known.
  bool passes_finally(SearchResult& result, RunChecks& checks) {
    if (!passes_again(result.answer, checks)) {
      return false;
    }
    prefer_smaller_change(result, checks);  // its runs may have ended later still
    return passes_again(result.answer, checks);
  }

  /// Checks the recommendation once more, and keeps what the checks say now: where a run over a
  /// session has ended since, others must go beyond that. Whether it passes with no less evidence
  /// than before.
  bool passes_again(Answer& answer, RunChecks& checks) {
    auto& best = answer.recommendation;
    if (!best || best->checks.empty() || stopped()) {
      return true;
    }
    auto run = check(checks, best->configuration, best->macro_step_s, {});
    if (stopped()) {
      return true;
    }
    const bool lost_swing = agrees(best->checks, "swing") && !agrees(run.outcomes, "swing");
    const bool is_as_before =
        !lost_swing && agrees(run.outcomes, "growth") == agrees(best->checks, "growth");
    best->checks = std::move(run.outcomes);
    return is_as_before && run.passes();
  }

  /// Where the ranking cannot tell runs apart, the one that changes least with a quarter of H.
  void prefer_smaller_change(SearchResult& result, RunChecks& checks) {
    auto& best = result.answer.recommendation;
    if (!result.complete || !best || best->rivals.empty()) {
      return;
    }
    const double macro_step_s = best->macro_step_s;
    auto least = checks.change_in_tests(best->configuration, macro_step_s);
    best->rivals.resize(std::min(best->rivals.size(), most_rivals));
    std::vector<std::pair<double, std::size_t>> smaller;
    for (const std::size_t rival : best->rivals) {
      const auto change = checks.change_in_tests(rival, macro_step_s);
      if (change && (!least || *change < *least)) {
        smaller.emplace_back(*change, rival);
      }
    }
    std::ranges::sort(smaller);
    const auto known = check(checks, best->configuration, macro_step_s, {}).evidence();
    for (const auto& [change, rival] : smaller) {
      auto checked = check(checks, rival, macro_step_s, {});
      if (!stopped() && checked.passes() && !checked.lacks(known)) {
        put_first(result.answer.timing_candidates, best->configuration, rival);
        const auto rejections = rejections_of(result.answer);
        best = recommend_rival(plan_, result.answer.curves, *best, rival);
        best->reasons.insert(best->reasons.end(), rejections.begin(), rejections.end());
        best->checks = std::move(checked.outcomes);
        break;
      }
    }
    result.complete = !stopped();
  }

  /// Where nothing but stability is asked for and one linear model tells the growth of the
  /// recommendation in runs, growth alone ends H. So it does where the scan allows nothing.
  void look_beyond_bends(Answer& answer, RunChecks& checks) {
    if (!rule_.growth || !wants_stability_alone(plan_.job)) {
      return;
    }
    const auto check_growth = [&](std::size_t configuration, double macro_step_s) {
      return check(checks, configuration, macro_step_s, {Evidence::growth, false}, false);
    };
    if (const auto& best = answer.recommendation) {
      const auto run = check_growth(best->configuration, best->macro_step_s);
      if (run.is_exact || !run.is_linear || run.evidence() < Evidence::growth) {
        return;
      }
    }
    const auto steps = largest_stable_steps(plan_, answer, check_growth, needs_.stopped);
    if (steps.list.empty() || stopped()) {
      return;
    }
    auto curves = answer.curves;
    for (const auto& step : steps.list) {
      if (!allow(step, curves)) {
        return;
      }
    }
    auto beyond = recommend(plan_, std::move(curves));
    const auto& found = beyond.recommendation;
    if (stopped() || !found) {
      return;
    }
    const auto step =
        std::ranges::find(steps.list, found->configuration, &StableStep::configuration);
    if (step == steps.list.end() || step->macro_step_s != found->macro_step_s) {
      return;
    }
    const auto whole =
        check(checks, found->configuration, found->macro_step_s, {Evidence::growth}, false);
    if (stopped() || !whole.passes() || !whole.is_linear || whole.evidence() < Evidence::growth) {
      if (!whole.passes()) {
        reasons_of(answer).push_back(rejection_of(NoticeCode::run_fails_check, plan_,
                                                  found->configuration, found->macro_step_s,
                                                  whole.outcomes.back()));
      }
      return;
    }
    auto rejected = step->failure;
    if (rejected.empty()) {
      rejected = rejections_of(answer);
    }
    answer = std::move(beyond);
    auto& best = *answer.recommendation;
    best.checks = whole.outcomes;
    best.reasons.insert(best.reasons.end(), rejected.begin(), rejected.end());
    if (steps.is_limited) {
      best.reasons.push_back(
          {.code = NoticeCode::checks_limited, .numbers = {{"checks", most_checks_beyond}}});
    }
  }

  /// With a trial at this H in every test; false where one is not complete.
  bool allow(const StableStep& step, std::vector<Curve>& curves) {
    std::vector<std::size_t> ids;
    for (const auto& curve : curves) {
      if (curve.key.configuration == step.configuration) {
        ids.push_back(curve.id);
      }
    }
    for (const auto& tried :
         needs_.curves({.beside_s = step.macro_step_s, .curves = std::move(ids)})) {
      auto& curve = curves[tried.id];
      curve.points = tried.points;
      if (has_flag(curve, no_energy)) {
        continue;
      }
      if (largest_complete(curve.points) < step.macro_step_s) {
        return false;
      }
      allow_by_rate(plan_, curve, step.macro_step_s, step.failed_s, step.failed_by);
    }
    return !stopped();
  }

  /// What real time made of the recommendation.
  void check_instead(SearchResult& result, RunChecks& checks) {
    auto& recommendation = result.answer.recommendation;
    if (!result.complete || !recommendation || !rule_.leaves_unchecked(recommendation->checks)) {
      return;
    }
    auto checked = check(checks, recommendation->configuration, recommendation->macro_step_s, {});
    if (stopped()) {
      result.complete = false;
      return;
    }
    const auto objections = real_time_check_warning(checked, recommendation->macro_step_s);
    recommendation->notices.insert(recommendation->notices.end(), objections.begin(),
                                   objections.end());
    recommendation->checks = std::move(checked.outcomes);
  }

  void measure_recommended(SearchResult& result) const {
    auto& recommendation = *result.answer.recommendation;
    if (result.complete) {
      needs_.begin_stage(Stage::error);
      recommendation.error = error_in_tests(plan_, recommendation.configuration,
                                            recommendation.macro_step_s, needs_.perform);
      // Stopped in the middle of it, a run ends as if its solver had failed.
      result.complete = !stopped();
    }
    if (!result.complete) {
      recommendation.error = MeasuredError{.reason = "the search was stopped"};
    }
  }

  const Plan& plan_;
  const SearchOptions& options_;
  StabilityVerdicts& verdicts_;
  const CourseNeeds& needs_;
  const CheckRule rule_;
  VerifiedSteps verified_{by_exact_analysis(plan_, verdicts_)};
  std::map<std::size_t, Curve> filled_;  ///< those without gaps now, before any check
};

}  // namespace

std::vector<std::size_t> all_curves(const Plan& plan) {
  std::vector<std::size_t> ids(plan.curves.size());
  std::iota(ids.begin(), ids.end(), std::size_t{0});
  return ids;
}

SearchResult run_course(const Plan& plan, const SearchOptions& options, StabilityVerdicts& verdicts,
                        const CourseNeeds& needs) {
  return Course(plan, options, verdicts, needs).run();
}

}  // namespace macrostep::engine
