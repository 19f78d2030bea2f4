#include "engine/search.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <utility>

#include "engine/answer_curves.hpp"
#include "engine/confidence.hpp"
#include "engine/confirm.hpp"
#include "engine/cost_estimate.hpp"
#include "engine/curve_walk.hpp"
#include "engine/remaining_cost.hpp"
#include "engine/step_times.hpp"
#include "engine/true_error.hpp"
#include "engine/warnings.hpp"

namespace macrostep::engine {

namespace {

/// Before that, the rate says little.
constexpr double eta_after_s = 1;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

RemainingCost remaining_cost(const Plan& plan) {
  std::vector<double> expected;
  for (const auto& curve : estimate_curves(plan)) {
    expected.push_back(curve.expected.cost);
  }
  return RemainingCost(std::move(expected));
}

/// Curves in the order they should start: the longest tests first, so that none is left alone at
/// the end.
std::vector<std::size_t> longest_first(const Plan& plan) {
  std::vector<std::size_t> order(plan.curves.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    order[i] = i;
  }
  std::ranges::stable_sort(order, std::greater{}, [&](std::size_t curve) {
    return plan.job.tests[plan.curves[curve].test].duration_s;
  });
  return order;
}

/// What is warned of, the worst first; after all that is known of the answer.
void add_warnings(const Plan& plan, Recommendation& answer) {
  auto list = unchecked_warning(plan, answer);
  for (const auto& more :
       {accuracy_warning(plan, answer), answer.warnings, no_confidence_warning(plan, answer)}) {
    list.insert(list.end(), more.begin(), more.end());
  }
  answer.warnings = std::move(list);
}

/// A curve while it is scanned.
struct ScannedCurve {
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
        remaining_(remaining_cost(plan)),
        progress_{.curves_total = plan.curves.size()} {
    // All at once: what a run took up before is not progress of this one.
    for (const auto& stored : settings.stored) {
      count(stored.curve, stored.result);
    }
    stored_cost_ = remaining_.done();
  }

  bool stopped() const { return settings_.stop && settings_.stop->load(std::memory_order_relaxed); }

  void scan_curve(std::size_t id) {
    ScannedCurve scanned{.walk = CurveWalk(plan_, id)};
    if (!walk_to_end(id, scanned)) {
      return;
    }
    const bool has_gaps = scanned.walk.has_gaps();
    const std::lock_guard lock(mutex_);
    finished_.push_back(scanned.walk.curve());
    ++progress_.curves_done;
    remaining_.finish(id);
    if (has_gaps) {
      with_gaps_.emplace(id, std::move(scanned));
    }
  }

  /// When no thread is left.
  SearchResult end() {
    SearchResult result;
    result.complete = finished_.size() == plan_.curves.size();
    result.analysis = recommend_without_gaps(std::move(finished_), result.complete);
    RunChecks checks(plan_, {settings_.executor, settings_.threads, settings_.stop});
    check_recommended(result, checks);
    if (result.complete && (settings_.measure_step_times || plan_.job.real_time_share)) {
      result.analysis.step_times =
          measure_step_times(plan_, result.analysis.contenders, settings_.stop, settings_.executor);
      result.complete = !stopped();
    }
    keep_real_time(plan_, result.analysis, !result.complete);
    check_instead(result, checks);
    if (result.analysis.recommendation && settings_.measure_error) {
      measure_recommended(result);
    }
    auto& best = result.analysis.recommendation;
    auto& paper_rule = result.analysis.paper_rule;
    if (best && paper_rule && paper_rule->configuration == best->configuration &&
        paper_rule->macro_step_s == best->macro_step_s) {
      paper_rule->checks = best->checks;
    }
    for (auto* answer : {&best, &paper_rule}) {
      if (*answer) {
        (*answer)->confidence = confidence_of(plan_, **answer);
        add_warnings(plan_, **answer);
      }
    }
    if (paper_rule && rule_.checks_anything() && paper_rule->checks.empty()) {
      paper_rule->warnings.insert(paper_rule->warnings.begin(),
                                  "not checked by runs: only the recommendation is");
    }
    if (best && !result.complete && rule_.checks_anything() && best->checks.empty()) {
      best->warnings.insert(best->warnings.begin(),
                            "not checked: the search was stopped before, and a whole one may "
                            "recommend a smaller H");
    }
    result.cost = cost_;
    result.cost.wall_s = seconds_since(started_);
    return result;
  }

 private:
  void count(std::size_t curve, const TrialResult& trial) {
    ++progress_.trials_done;
    ++cost_.trials;
    cost_.rhs_evaluations += trial.rhs_evaluations;
    remaining_.add(curve, trial.cost);
  }

  /// Returns false if the search was stopped.
  bool walk_to_end(std::size_t id, ScannedCurve& scanned) {
    auto& [walk, index, replays] = scanned;
    while (const auto macro_step_s = walk.next()) {
      const auto* stored = replays ? stored_trial(id, index) : nullptr;
      replays = stored && stored->macro_step_s == *macro_step_s;
      if (replays) {
        walk.add(stored->result);
      } else {
        const auto record = run_trial(id, index, *macro_step_s);
        if (record.result.status == TrialStatus::cancelled || stopped()) {
          return false;
        }
        walk.add(record.result);
        report(record);
      }
      ++index;
    }
    return true;
  }

  const TrialRecord* stored_trial(std::size_t id, std::size_t index) const {
    const auto of_curve = std::ranges::equal_range(settings_.stored, id, {}, &TrialRecord::curve);
    return index < of_curve.size() ? &of_curve[index] : nullptr;
  }

  /// What is recommended once no curve that the answer rests on has gaps. Sets `complete` to false
  /// where the search is stopped before that; of one that was stopped already, gaps are left.
  Analysis recommend_without_gaps(std::vector<Curve> curves, bool& complete) {
    for (;;) {
      auto analysis = recommend(plan_, std::move(curves));
      auto ids = curves_of_answer(plan_, analysis);
      std::erase_if(ids, [&](std::size_t id) { return !with_gaps_.contains(id); });
      if (!complete || ids.empty()) {
        return analysis;
      }
      curves = std::move(analysis.curves);  // all of them, each at the place of its id
      settings_.executor.for_each_index(ids.size(), settings_.threads, [&](std::size_t i) {
        if (!stopped()) {
          fill_gaps(curves[ids[i]]);
        }
      });
      std::ranges::for_each(ids, [&](std::size_t id) { with_gaps_.erase(id); });
      complete = !stopped();
    }
  }

  void fill_gaps(Curve& curve) {
    auto& scanned = with_gaps_.at(curve.id);
    scanned.walk.fill_gaps();
    if (walk_to_end(curve.id, scanned)) {
      curve = scanned.walk.curve();
    }
  }

  TrialRecord run_trial(std::size_t curve, std::size_t index, double macro_step_s) const {
    const auto key = plan_.curves[curve];
    TrialRecord record{.curve = curve, .index = index, .macro_step_s = macro_step_s};
    record.result = settings_.executor.run_trial(
        plan_, {.configuration = &plan_.configurations[key.configuration],
                .test = &plan_.job.tests[key.test],
                .macro_step_s = macro_step_s,
                .stop = settings_.stop});
    return record;
  }

  void report(const TrialRecord& record) {
    const std::lock_guard lock(mutex_);
    count(record.curve, record.result);
    if (settings_.on_result) {
      look_ahead();
      settings_.on_result(record, progress_);
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

  /// Recommends what stands its checks, if the job wants any.
  void check_recommended(SearchResult& result, RunChecks& checks) {
    if (!result.complete || !rule_.checks_anything()) {
      return;
    }
    result.analysis = confirm(
        plan_, std::move(result.analysis),
        [&](std::size_t configuration, double macro_step_s) {
          return checks.check(rule_, configuration, macro_step_s);
        },
        settings_.stop, max_checks,
        [&](std::vector<Curve> curves) {
          return recommend_without_gaps(std::move(curves), result.complete);
        });
    result.complete = !stopped();
  }

  /// What real time made of the recommendation.
  void check_instead(SearchResult& result, RunChecks& checks) const {
    auto& answer = result.analysis.recommendation;
    if (!result.complete || !rule_.checks_anything() || !answer || !answer->checks.empty()) {
      return;
    }
    auto checked = checks.check(rule_, answer->configuration, answer->macro_step_s);
    if (stopped()) {
      result.complete = false;
      return;
    }
    if (!checked.stands()) {
      answer->warnings.push_back("the only runs that keep real time do not stand their checks: " +
                                 checked.outcomes.back().detail);
    }
    answer->checks = std::move(checked.outcomes);
  }

  void measure_recommended(SearchResult& result) const {
    auto& answer = *result.analysis.recommendation;
    if (result.complete) {
      answer.error =
          measure_error(plan_, plan_.configurations[answer.configuration], answer.macro_step_s,
                        settings_.threads, settings_.stop, settings_.executor);
      // Stopped in the middle of it, a run ends as if its solver had failed.
      result.complete = !stopped();
    }
    if (!result.complete) {
      answer.error = MeasuredError{.reason = "the search was stopped"};
    }
  }

  const Plan& plan_;
  const SearchSettings& settings_;
  const CheckRule rule_;
  const std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex mutex_;  ///< guards all below, and the calls of on_result, while threads run
  RemainingCost remaining_;
  SearchProgress progress_;
  double stored_cost_ = 0;
  SearchCost cost_;
  std::vector<Curve> finished_;
  std::map<std::size_t, ScannedCurve> with_gaps_;  ///< by curve
};

}  // namespace

SearchResult run_search(const Plan& plan, const SearchSettings& settings) {
  SearchRun run(plan, settings);
  const auto order = longest_first(plan);
  settings.executor.for_each_index(order.size(), settings.threads, [&](std::size_t i) {
    if (!run.stopped()) {
      run.scan_curve(order[i]);
    }
  });
  return run.end();
}

}  // namespace macrostep::engine
