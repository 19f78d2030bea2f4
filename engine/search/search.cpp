#include "engine/search/search.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "engine/cost/cost_estimate.hpp"
#include "engine/cost/remaining_cost.hpp"
#include "engine/cost/step_times.hpp"
#include "engine/recommendation/confirm.hpp"
#include "engine/recommendation/decisive_curves.hpp"
#include "engine/recommendation/ranking.hpp"
#include "engine/recommendation/real_time.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/recommendation/warnings.hpp"
#include "engine/scan/curve_groups.hpp"
#include "engine/scan/curve_walk.hpp"
#include "engine/scan/scan_round.hpp"
#include "engine/search/verified_steps.hpp"
#include "engine/verification/check_tasks.hpp"

namespace macrostep::engine {

namespace {

/// Before that, the rate says little.
constexpr double eta_after_s = 1;
/// Runs whose change is compared with that of the recommended one.
constexpr std::size_t most_rivals = 8;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What is warned of, the worst first; after all that is known of the answer.
void add_warnings(const Plan& plan, const std::vector<Curve>& curves,
                  Recommendation& recommendation) {
  auto list = unchecked_warning(plan, recommendation);
  for (const auto& more :
       {session_warning(recommendation), accuracy_warning(plan, recommendation),
        warnings_of_answer(plan, curves, recommendation), recommendation.warnings}) {
    list.insert(list.end(), more.begin(), more.end());
  }
  recommendation.warnings = std::move(list);
}

/// A curve while it is scanned.
struct ScannedCurve {
  std::size_t id;
  CurveWalk walk;
  std::size_t index = 0;  ///< of the next trial
  bool replays = true;    ///< the next stored result may be the one that the walk wants
};

/// A search while it runs: what the threads that scan its curves share.
class SearchRun {
 public:
  SearchRun(const Plan& plan, const SearchSettings& settings)
      : plan_(plan),
        settings_(settings),
        rule_(check_rule(plan.job)),
        expected_costs_(expected_costs(plan)),
        remaining_(expected_costs_),
        progress_{.curves_total = plan.curves.size()} {
    // All at once: what a run took up before is not progress of this one.
    for (const auto& stored : settings.stored) {
      count(stored.curve, stored.result);
    }
    stored_cost_ = remaining_.done();
  }

  bool stopped() const { return settings_.stop && settings_.stop->load(std::memory_order_relaxed); }

  /// All curves, until the search is stopped.
  void scan() {
    std::vector<std::size_t> ids(plan_.curves.size());
    std::iota(ids.begin(), ids.end(), std::size_t{0});
    const auto groups = groups_of(ids);
    settings_.backend->for_each_index(groups.size(), settings_.threads, [&](std::size_t i) {
      if (!stopped()) {
        scan_curves(groups[i]);
      }
    });
  }

  /// When no thread is left.
  SearchResult end() {
    SearchResult result;
    result.complete = finished_.size() == plan_.curves.size();
    result.answer = recommend_without_gaps(std::move(finished_), result.complete);
    RunChecks checks(plan_, perform_,
                     verdicts_.modes(0) ? std::optional(verdicts_.session_s(0)) : std::nullopt);
    check_recommended(result, checks);
    if (result.complete && (settings_.measure_step_times || plan_.job.real_time_share)) {
      begin_stage("times macro-steps");
      result.answer.step_times = measure_step_times(plan_, result.answer.timing_candidates,
                                                    settings_.stop, *settings_.backend);
      result.complete = !stopped();
    }
    keep_real_time(plan_, result.answer, !result.complete);
    check_instead(result, checks);
    verified_.mark(result.answer);
    if (result.answer.recommendation && settings_.measure_error) {
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
        add_warnings(plan_, result.answer.curves, **recommendation);
      }
    }
    if (paper_rule && plan_.job.stability_check != StabilityCheck::none) {
      if (auto doubt = verified_.doubt(*paper_rule); !doubt.empty()) {
        paper_rule->warnings.insert(paper_rule->warnings.begin(), std::move(doubt));
      }
    }
    if (best && !result.complete && rule_.leaves_unchecked(best->checks)) {
      best->warnings.insert(best->warnings.begin(),
                            "not checked: the search was stopped before, and a whole one may "
                            "recommend a smaller H");
    }
    result.cost = cost_;
    result.cost.wall_s = seconds_since(started_);
    return result;
  }

 private:
  /// By runs where the exact growth is not known, or does not object and the job asks for runs.
  std::optional<SessionGrowth> growth_of(const Recommendation& recommendation, RunChecks& checks) {
    const bool by_runs = plan_.job.stability_check == StabilityCheck::identified;
    const auto configuration = recommendation.configuration;
    const auto growth = verdicts_.growth(configuration, recommendation.macro_step_s);
    if (growth && (!by_runs || growth->kind == GrowthKind::growing)) {
      return SessionGrowth{*growth, verdicts_.session_s(configuration)};
    }
    return agrees(recommendation.checks, "growth")
               ? checks.identified_growth(configuration, recommendation.macro_step_s)
               : std::nullopt;
  }

  /// Groups of these curves that are scanned together.
  std::vector<std::vector<std::size_t>> groups_of(std::span<const std::size_t> ids) const {
    return curve_groups(plan_, ids, expected_costs_, {*settings_.backend, settings_.threads});
  }

  /// Curves whose trials may run together.
  void scan_curves(std::span<const std::size_t> ids) {
    std::vector<ScannedCurve> curves;
    for (const std::size_t id : ids) {
      curves.push_back({.id = id, .walk = CurveWalk(plan_, id, verdicts_)});
    }
    walk_to_end(curves, [&](ScannedCurve& curve) {
      const std::lock_guard lock(mutex_);
      finished_.push_back(curve.walk.curve());
      ++progress_.curves_done;
      remaining_.finish(curve.id);
      if (curve.walk.has_gaps()) {
        with_gaps_.emplace(curve.id, std::move(curve));
      }
    });
  }

  void count(std::size_t curve, const TrialResult& trial) {
    ++progress_.trials_done;
    ++cost_.trials;
    cost_.rhs_evaluations += trial.rhs_evaluations;
    cost_.shared_evaluations += trial.shared_evaluations;
    remaining_.add(curve, trial.cost);
  }

  /// Every curve by one trial after the other, and at_end(curve) for each that has no more, until
  /// the search is stopped.
  template <class AtEnd>
  void walk_to_end(std::vector<ScannedCurve>& curves, const AtEnd& at_end) {
    std::vector<ScannedCurve*> going_on;
    for (auto& curve : curves) {
      going_on.push_back(&curve);
    }
    for (;;) {
      std::vector<WantedTrial> wanted;
      std::erase_if(going_on, [&](ScannedCurve* curve) {
        replay_stored(*curve);
        const auto next = curve->walk.next();
        if (next) {
          wanted.push_back({.curve = curve->id, .macro_step_s = *next});
        } else {
          at_end(*curve);
        }
        return !next;
      });
      if (going_on.empty()) {
        return;
      }
      auto round = run_round(*settings_.backend, plan_, wanted, settings_.stop);
      bool goes_on = !stopped();
      for (std::size_t n = 0; n < round.chosen.size(); ++n) {
        goes_on &= take(*going_on[round.chosen[n]], std::move(round.results[n]));
      }
      if (!goes_on) {
        return;
      }
    }
  }

  void replay_stored(ScannedCurve& curve) const {
    while (const auto macro_step_s = curve.walk.next()) {
      const auto* stored = curve.replays ? stored_trial(curve.id, curve.index) : nullptr;
      curve.replays = stored && stored->macro_step_s == *macro_step_s;
      if (!curve.replays) {
        return;
      }
      curve.walk.add(stored->result);
      ++curve.index;
    }
  }

  /// The result of the curve's next trial; false if it was cancelled.
  bool take(ScannedCurve& curve, TrialResult result) {
    if (result.status == TrialStatus::cancelled) {
      return false;
    }
    const double macro_step_s = *curve.walk.next();
    curve.walk.add(result);
    report({.curve = curve.id,
            .index = curve.index++,
            .macro_step_s = macro_step_s,
            .result = std::move(result)});
    return true;
  }

  const TrialRecord* stored_trial(std::size_t id, std::size_t index) const {
    const auto first = std::ranges::lower_bound(settings_.stored, id, {}, &TrialRecord::curve);
    const auto last = std::ranges::upper_bound(settings_.stored, id, {}, &TrialRecord::curve);
    return index < static_cast<std::size_t>(last - first)
               ? &first[static_cast<std::ptrdiff_t>(index)]
               : nullptr;
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
      std::erase_if(ids, [&](std::size_t id) { return !with_gaps_.contains(id); });
      if (!complete || ids.empty()) {
        return answer;
      }
      curves = std::move(answer.curves);  // all of them, each at the place of its id
      const auto groups = groups_of(ids);
      settings_.backend->for_each_index(groups.size(), settings_.threads, [&](std::size_t i) {
        if (!stopped()) {
          fill_gaps(groups[i], curves);
        }
      });
      std::ranges::for_each(ids, [&](std::size_t id) { with_gaps_.erase(id); });
      complete = !stopped();
    }
  }

  void fill_gaps(std::span<const std::size_t> ids, std::vector<Curve>& curves) {
    std::vector<ScannedCurve> scanned;
    for (const std::size_t id : ids) {
      scanned.push_back(std::move(with_gaps_.at(id)));
      scanned.back().walk.fill_gaps();
    }
    walk_to_end(scanned, [&](ScannedCurve& ended) {
      curves[ended.id] = ended.walk.curve();
      const std::lock_guard lock(mutex_);
      filled_[ended.id] = curves[ended.id];
    });
  }

  void report(const TrialRecord& record) {
    const std::lock_guard lock(mutex_);
    count(record.curve, record.result);
    if (settings_.on_result) {
      look_ahead();
      settings_.on_result(record, progress_);
    }
  }

  void begin_stage(std::string_view stage) const {
    if (settings_.on_stage) {
      settings_.on_stage(stage);
    }
  }

  void look_ahead() {
    progress_.cost_done = remaining_.done();
    progress_.cost_expected = remaining_.done() + remaining_.left();
    const double ran_s = seconds_since(started_);
    const double ran_cost = remaining_.done() - stored_cost_;
    if (ran_s >= eta_after_s && ran_cost > 0) {
      progress_.eta_s = remaining_.left() * ran_s / ran_cost;
    }
  }

  /// What runs cannot tell of a growth is known where it is known exactly.
  CheckedRun check(RunChecks& checks, std::size_t configuration, double macro_step_s,
                   Evidence asked) {
    auto rule = rule_;
    const bool is_exact = plan_.job.stability_check == StabilityCheck::all &&
                          verdicts_.growth(configuration, macro_step_s);
    if (is_exact) {
      rule.swing_where_unknown.reset();
      rule.growth_below = false;
    } else {
      rule.ends_at_unknown = asked == Evidence::growth;
    }
    auto checked = checks.check(rule, configuration, macro_step_s);
    checked.is_exact = is_exact;
    if (!stopped()) {
      verified_.add(configuration, macro_step_s, checked);
    }
    return checked;
  }

  /// Recommends what passes verification, if the job wants any.
  void check_recommended(SearchResult& result, RunChecks& checks) {
    if (!result.complete || !rule_.checks_anything()) {
      return;
    }
    begin_stage("runs the checks");
    result.answer = confirm(
        plan_, std::move(result.answer),
        [&](std::size_t configuration, double macro_step_s, Evidence asked) {
          return check(checks, configuration, macro_step_s, asked);
        },
        settings_.stop, max_checks,
        [&](std::vector<Curve> curves) {
          return recommend_without_gaps(std::move(curves), result.complete);
        });
    result.complete = !stopped();
    prefer_smaller_change(result, checks);
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
    const auto known = check(checks, best->configuration, macro_step_s, Evidence::none).evidence();
    for (const auto& [change, rival] : smaller) {
      auto checked = check(checks, rival, macro_step_s, Evidence::none);
      if (!stopped() && checked.passes() && !checked.lacks(known)) {
        put_first(result.answer.timing_candidates, best->configuration, rival);
        best = recommend_rival(plan_, result.answer.curves, *best, rival);
        best->checks = std::move(checked.outcomes);
        break;
      }
    }
    result.complete = !stopped();
  }

  /// What real time made of the recommendation.
  void check_instead(SearchResult& result, RunChecks& checks) {
    auto& recommendation = result.answer.recommendation;
    if (!result.complete || !recommendation || !rule_.leaves_unchecked(recommendation->checks)) {
      return;
    }
    auto checked =
        check(checks, recommendation->configuration, recommendation->macro_step_s, Evidence::none);
    if (stopped()) {
      result.complete = false;
      return;
    }
    if (!checked.passes()) {
      recommendation->warnings.push_back("the only runs that keep real time fail verification: " +
                                         checked.outcomes.back().detail);
    }
    recommendation->checks = std::move(checked.outcomes);
  }

  void measure_recommended(SearchResult& result) const {
    auto& recommendation = *result.answer.recommendation;
    if (result.complete) {
      begin_stage("compares with the reference");
      recommendation.error = error_in_tests(plan_, recommendation.configuration,
                                            recommendation.macro_step_s, perform_);
      // Stopped in the middle of it, a run ends as if its solver had failed.
      result.complete = !stopped();
    }
    if (!result.complete) {
      recommendation.error = MeasuredError{.reason = "the search was stopped"};
    }
  }

  const Plan& plan_;
  const SearchSettings& settings_;
  const CheckRule rule_;
  const PerformChecks perform_ =
      performed_by(plan_, {*settings_.backend, settings_.threads, settings_.stop});
  StabilityVerdicts verdicts_{plan_};
  VerifiedSteps verified_{by_exact_analysis(plan_, verdicts_)};
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  ///< guards all below, and the calls of on_result, while threads run
  const std::vector<double> expected_costs_;  ///< by curve
  RemainingCost remaining_;
  SearchProgress progress_;
  double stored_cost_ = 0;
  SearchCost cost_;
  std::vector<Curve> finished_;
  std::map<std::size_t, ScannedCurve> with_gaps_;  ///< by curve
  std::map<std::size_t, Curve> filled_;            ///< those without gaps now, before any check
};

}  // namespace

SearchResult run_search(const Plan& plan, const SearchSettings& settings) {
  SearchRun run(plan, settings);
  run.scan();
  return run.end();
}

}  // namespace macrostep::engine
