#include "engine/search/beyond_bends.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/usable_step.hpp"

namespace macrostep::engine {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Between which H the trials of a configuration are complete in every test that exchanges energy.
struct CompleteRange {
  std::size_t configuration = 0;
  double first_s = 0;
  double last_s = 0;
  std::optional<double> rejected_s;  ///< a larger H that verification did not accept
  std::string_view rejected_by;      ///< the flag that it has set; empty with `rejected_s`
};

/// Whether it has a line, is not limited by exact rates, and no check leaves it without any H.
bool may_go_on(const Curve& curve) {
  return curve.region.fit && !has_flag(curve, residual_of_iteration) &&
         !has_flag(curve, limited_by_rate) && (curve.usable_s || !curve.rejected_from_s);
}

/// Why no larger H may be used.
std::string_view flag_of_rejection(const Curve& curve) {
  return has_flag(curve, cut_at_unknown_growth)   ? cut_at_unknown_growth
         : has_flag(curve, cut_at_session_growth) ? cut_at_session_growth
                                                  : cut_at_checks;
}

std::optional<CompleteRange> complete_range(const std::vector<Curve>& curves,
                                            std::size_t configuration) {
  std::optional<CompleteRange> all;
  for (const auto& curve : curves) {
    if (curve.key.configuration != configuration || has_flag(curve, no_energy)) {
      continue;
    }
    const auto last_s = largest_complete(curve.points);
    if (!may_go_on(curve) || !last_s) {
      return std::nullopt;
    }
    const double first_s = curve.points.front().macro_step_s;
    if (!all) {
      all = {.configuration = configuration, .first_s = first_s, .last_s = *last_s};
    }
    all->first_s = std::max(all->first_s, first_s);
    all->last_s = std::min(all->last_s, *last_s);
    if (curve.rejected_from_s && *curve.rejected_from_s < all->rejected_s.value_or(infinity)) {
      all->rejected_s = curve.rejected_from_s;
      all->rejected_by = flag_of_rejection(curve);
    }
  }
  return all;
}

bool shows_nonlinearity(const CheckedRun& run) {
  return std::ranges::any_of(run.outcomes, [](const CheckOutcome& outcome) {
    return std::ranges::any_of(outcome.findings, [](const Notice& finding) {
      return finding.code == NoticeCode::outputs_not_linear ||
             finding.code == NoticeCode::lasting_input_not_linear;
    });
  });
}

class BeyondBends {
 public:
  BeyondBends(const Plan& plan, const Answer& answer, const CheckRun& check,
              const std::atomic<bool>& stopped)
      : plan_(plan), answer_(answer), check_(check), stopped_(stopped) {}

  StableSteps find() {
    const auto& best = answer_.recommendation;
    double passed_s = best ? best->macro_step_s : 0;
    for (const auto& range : ranges()) {
      const bool is_best = best && range.configuration == best->configuration;
      if (auto step = largest_of(range, passed_s, is_best)) {
        passed_s = step->macro_step_s;
        found_.list.push_back(*std::move(step));
      }
      if (ended_) {
        break;
      }
    }
    return std::move(found_);
  }

 private:
  /// That of the recommended configuration first.
  std::vector<CompleteRange> ranges() const {
    std::vector<CompleteRange> list;
    const auto& best = answer_.recommendation;
    for (std::size_t c = 0; c < plan_.configurations.size(); ++c) {
      if (const auto range = complete_range(answer_.curves, c)) {
        list.insert(best && c == best->configuration ? list.begin() : list.end(), *range);
      }
    }
    list.resize(std::min(list.size(), most_configurations_beyond));
    return list;
  }

  /// Beyond `passed_s`, or for another configuration that itself.
  std::optional<StableStep> largest_of(const CompleteRange& range, double passed_s, bool is_best) {
    const auto steps = candidates(range, passed_s, is_best);
    StableStep step{.configuration = range.configuration, .checks = {}};
    std::size_t passed = 0;             // so many of the smallest
    std::size_t failed = steps.size();  // the first of the largest
    // What passes says nothing of H far below: it is reached in leaps that it covers.
    double covered_s = is_best ? passed_s : 0;
    while (passed < failed && !ended_) {
      std::size_t next = passed + (failed - passed) / 2;
      if (failed == steps.size()) {
        const auto leap = std::ranges::upper_bound(steps, covered_s * growth_grid_depth);
        next = std::max(passed + 1, static_cast<std::size_t>(leap - steps.begin())) - 1;
      }
      if (passes(step, steps[next])) {
        passed = next + 1;
        covered_s = steps[next];
      } else {
        failed = next;
      }
    }
    if (!step.failed_s && step.macro_step_s > 0 && range.rejected_s) {
      step.failed_s = range.rejected_s;
      step.failed_by = range.rejected_by;
    }
    return step.macro_step_s > 0 ? std::optional(std::move(step)) : std::nullopt;
  }

  /// Ascending: those that the job allows, or such that each is larger by the last bracket.
  std::vector<double> candidates(const CompleteRange& range, double passed_s, bool is_best) const {
    std::vector<double> steps = plan_.job.allowed_macro_steps_s;
    if (steps.empty()) {
      const double top_s = range.rejected_s
                               ? std::min(range.last_s, *range.rejected_s / last_bracket)
                               : range.last_s;
      const double least_s = std::max(range.first_s, std::sqrt(std::sqrt(last_bracket)) * passed_s);
      for (double one_s = top_s; one_s > least_s; one_s /= last_bracket) {
        steps.push_back(one_s == range.last_s ? one_s : rounded_down(one_s));
      }
      steps.push_back(std::max(passed_s, range.first_s));
    }
    std::erase_if(steps, [&](double one_s) {
      return one_s < range.first_s || one_s > range.last_s ||
             one_s >= range.rejected_s.value_or(one_s + 1) || one_s < passed_s ||
             (is_best && one_s == passed_s);
    });
    std::ranges::sort(steps);
    steps.erase(std::ranges::unique(steps).begin(), steps.end());
    return steps;
  }

  bool passes(StableStep& step, double macro_step_s) {
    if (checks_++ == most_checks_beyond) {
      found_.is_limited = true;
      ended_ = true;
      return false;
    }
    auto run = check_(step.configuration, macro_step_s);
    if (stopped_.load(std::memory_order_relaxed) || shows_nonlinearity(run)) {
      ended_ = true;
      return false;
    }
    const auto evidence = run.evidence();
    if (run.passes() && run.is_linear && evidence == Evidence::growth) {
      step.macro_step_s = macro_step_s;
      step.checks = std::move(run.outcomes);
      return true;
    }
    if (!step.failed_s || macro_step_s < *step.failed_s) {
      step.failed_s = macro_step_s;
      if (!run.passes()) {
        step.failed_by = cut_at_checks;
        step.failure = {rejection_of(NoticeCode::run_fails_check, plan_, step.configuration,
                                     macro_step_s, run.outcomes.back())};
      } else {
        step.failed_by = evidence == Evidence::growth_within_session ? cut_at_session_growth
                                                                     : cut_at_unknown_growth;
        step.failure = run.outcomes.front().findings;
      }
    }
    return false;
  }

  const Plan& plan_;
  const Answer& answer_;
  const CheckRun& check_;
  const std::atomic<bool>& stopped_;
  StableSteps found_;
  std::size_t checks_ = 0;
  bool ended_ = false;  ///< nothing more is asked
};

}  // namespace

StableSteps largest_stable_steps(const Plan& plan, const Answer& answer, const CheckRun& check,
                                 const std::atomic<bool>& stopped) {
  return BeyondBends(plan, answer, check, stopped).find();
}

}  // namespace macrostep::engine
