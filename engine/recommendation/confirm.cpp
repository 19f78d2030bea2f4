#include "engine/recommendation/confirm.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/recommendation/answer_notices.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/recommendation/why_nothing.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/finish_curve.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Flags of curves of which larger macro-steps, or all, may not be used.
struct CutFlags {
  std::string_view larger;
  std::string_view all;
};
constexpr CutFlags checks_object{cut_at_checks, rejected_by_checks};
constexpr CutFlags growth_is_unknown{cut_at_unknown_growth, growth_unknown};
constexpr CutFlags grows_in_session{cut_at_session_growth, grows_within_session};

/// The curve may not be used from `rejected_s` on.
void cut(const Plan& plan, Curve& curve, double rejected_s, const CutFlags& flags) {
  if (!curve.usable_s || *curve.usable_s < rejected_s) {
    return;
  }
  curve.rejected_from_s = rejected_s;
  for (const auto& former : {checks_object, growth_is_unknown, grows_in_session}) {
    std::erase(curve.flags, former.larger);
  }
  cut_to_limits(plan, curve, flags.larger, flags.all);
}

/// No curve of the configuration may be.
void cut(const Plan& plan, std::vector<Curve>& curves, std::size_t configuration, double rejected_s,
         const CutFlags& flags) {
  for (auto& curve : curves) {
    if (curve.key.configuration == configuration) {
      cut(plan, curve, rejected_s, flags);
    }
  }
}

/// What the checks have said of one configuration so far.
struct Checked {
  std::optional<double> passed_s;      ///< the largest macro-step that passed
  std::vector<CheckOutcome> outcomes;  ///< of it
  bool is_whole = false;               ///< and that by all checks
  bool failed_in_full = false;         ///< by those that cost most: every later check is in full
  std::optional<double> rejected_s;    ///< the smallest that failed
  std::optional<Evidence> lacking;  ///< the evidence that it has, where it failed as that is less

  void passed(double macro_step_s, CheckedRun run) {
    passed_s = macro_step_s;
    outcomes = std::move(run.outcomes);
    is_whole = run.is_whole;
  }
  void failed(double macro_step_s, std::optional<Evidence> known) {
    rejected_s = macro_step_s;
    lacking = known;
    if (passed_s && *passed_s >= macro_step_s) {
      passed_s.reset();
    }
  }
};

const CutFlags& flags_of(const Checked& checked) {
  return !checked.lacking                                      ? checks_object
         : *checked.lacking == Evidence::growth_within_session ? grows_in_session
                                                               : growth_is_unknown;
}

using CheckedConfigurations = std::map<std::size_t, Checked>;

/// The curves without what was never checked.
std::vector<Curve> only_what_passed(const Plan& plan, std::vector<Curve> curves,
                                    const CheckedConfigurations& of_configuration) {
  for (const auto& [configuration, checked] : of_configuration) {
    if (checked.passed_s) {
      cut(plan, curves, configuration, std::nextafter(*checked.passed_s, infinity), checks_object);
    }
  }
  for (auto& curve : curves) {
    const auto checked = of_configuration.find(curve.key.configuration);
    if (checked == of_configuration.end() || !checked->second.passed_s) {
      curve.limited_by = curve.usable_s ? left_unchecked : curve.limited_by;
      curve.usable_s.reset();
      curve.counts = false;
    } else if (curve.usable_s) {
      // Other curves may have no point there, and must still allow what has passed.
      curve.usable_s = checked->second.passed_s;
      count_macro_steps(plan, curve);
    }
  }
  return curves;
}

/// The macro-steps with which a configuration may be recommended, in ascending order: those that
/// were tried, or that the job allows, up to the largest that its curves allow.
std::vector<double> candidate_steps(const Plan& plan, const std::vector<Curve>& curves,
                                    std::size_t configuration, double usable_s) {
  std::set<double> tried;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration) {
      for (const auto& point : curve.points) {
        tried.insert(point.macro_step_s);
      }
    }
  }
  const auto& allowed = plan.job.allowed_macro_steps_s;
  const double smallest_s = *tried.begin();
  std::set<double> steps = allowed.empty() ? tried : std::set(allowed.begin(), allowed.end());
  steps.insert(usable_s);
  return {steps.lower_bound(std::min(smallest_s, usable_s)), steps.upper_bound(usable_s)};
}

/// The largest H with which any of them has passed; 0 where none has.
double largest_passed(const CheckedConfigurations& of_configuration) {
  double largest_s = 0;
  for (const auto& [configuration, checked] : of_configuration) {
    largest_s = std::max(largest_s, checked.passed_s.value_or(0));
  }
  return largest_s;
}

/// Which of the macro-steps of a configuration to check next; nothing once it is known which is the
/// largest that passes, or that none passes. `beaten_s` has passed with some configuration: others
/// are asked for the next larger one alone, or for that itself where they are ranked before it.
/// Else the largest is asked first; then, as small ones cost the most, half of the one that failed,
/// or the smallest where that only lacked evidence; from the first that passes on, the middle of
/// what lies between.
std::optional<double> next_to_check(const Checked& checked, const std::vector<double>& steps,
                                    double beaten_s) {
  const double passed_s = checked.passed_s.value_or(0);
  if (passed_s > steps.back()) {
    return steps.back();  // some curve has no point where it passed
  }
  const auto first = std::ranges::upper_bound(steps, passed_s);
  const auto last = std::ranges::lower_bound(steps, checked.rejected_s.value_or(infinity));
  if (first >= last) {
    return std::nullopt;
  }
  const std::span open(first, last);
  if (passed_s < beaten_s) {
    const auto above = std::ranges::upper_bound(open, beaten_s);
    const bool is_ranked_first = steps.back() <= beaten_s && open.back() == steps.back();
    return above != open.end() ? std::optional(*above)
           : is_ranked_first   ? std::optional(open.back())
                               : std::nullopt;
  }
  if (!checked.rejected_s) {
    return open.back();
  }
  if (checked.passed_s) {
    return open[open.size() / 2];
  }
  if (checked.lacking) {
    return open.front();
  }
  const auto above_half = std::ranges::upper_bound(open, *checked.rejected_s / 2);
  return above_half == open.begin() ? open.front() : *std::prev(above_half);
}

/// The rejected run whose rejected value comes nearest to its limit, of those with both.
struct Nearest {
  double ratio = infinity;  ///< of the value to its limit
  std::optional<Notice> notice;

  void add(const Plan& plan, std::size_t configuration, double macro_step_s,
           const CheckOutcome& why) {
    const bool is_rate = why.check == "growth";  // of other motions: not to be compared
    if (is_rate || !why.value || !why.limit || !(*why.value / *why.limit < ratio)) {
      return;
    }
    ratio = *why.value / *why.limit;
    notice = rejection_of(NoticeCode::nearest_to_limit, plan, configuration, macro_step_s, why);
  }
};

/// What was found with one evidence asked for.
struct Confirmed {
  Answer answer;
  bool is_doubtful = false;  ///< runs were left out as they lack the evidence
};

/// How confirm() was called.
struct Confirming {
  const Plan& plan;
  const Check& check;
  const std::atomic<bool>* stop;
  std::size_t most;
  const Recommend& recommend_from;

  bool is_stopped() const { return stop && stop->load(std::memory_order_relaxed); }
  Answer drawn_from(std::vector<Curve> curves) const {
    return recommend_from ? recommend_from(std::move(curves)) : recommend(plan, std::move(curves));
  }
};

/// Why runs were rejected.
struct Rejections {
  std::size_t count = 0;
  std::optional<Notice> first;
  Nearest nearest;

  void add(const Plan& plan, std::size_t configuration, double macro_step_s,
           const CheckOutcome& why) {
    if (count++ == 0) {
      first = rejection_of(NoticeCode::run_fails_check, plan, configuration, macro_step_s, why);
    }
    nearest.add(plan, configuration, macro_step_s, why);
  }

  std::vector<Notice> reasons(bool of_all) const {
    std::vector<Notice> list;
    if (first) {
      list.push_back(*first);
    }
    if (count > 1) {
      list.push_back({.code = NoticeCode::other_runs_fail,
                      .numbers = {{"runs", static_cast<double>(count - 1)}}});
      if (of_all && nearest.notice) {
        list.push_back(*nearest.notice);
      }
    }
    return list;
  }
};

/// What is recommended of runs that have passed; the answer itself where none has.
Answer passed_so_far(const Plan& plan, Answer answer, const CheckedConfigurations& checked) {
  const bool any =
      std::ranges::any_of(checked, [](const auto& one) { return one.second.passed_s.has_value(); });
  if (!any) {
    return answer;
  }
  answer = recommend(plan, only_what_passed(plan, std::move(answer.curves), checked));
  if (auto& recommendation = answer.recommendation) {
    recommendation->checks = checked.at(recommendation->configuration).outcomes;
  }
  return answer;
}

/// Configurations, one after the other, of which nothing is known.
struct Unknown {
  std::size_t so_far = 0;      ///< with a larger macro-step than their smallest
  std::size_t everywhere = 0;  ///< with their smallest one
};

class Confirmation {
 public:
  Confirmation(const Confirming& by, Evidence asked) : by_(by), asked_(asked) {}

  Confirmed of(Answer answer) {
    bool limited = false;
    bool is_last = false;  // no more macro-steps are looked at
    while (answer.recommendation) {
      auto& recommendation = *answer.recommendation;
      const auto configuration = recommendation.configuration;
      auto& checked = of_configuration_[configuration];
      const bool has_passed = checked.passed_s == recommendation.macro_step_s;
      if (has_passed && checked.is_whole) {
        recommendation.checks = std::move(checked.outcomes);
        break;
      }
      if (!has_passed && is_last) {
        answer.recommendation.reset();
        break;
      }
      if (!has_passed) {
        limited = checks_ >= by_.most;
        is_last = limited || unknown_.everywhere >= most_without_growth;
        if (is_last) {
          answer = by_.drawn_from(
              only_what_passed(by_.plan, std::move(answer.curves), of_configuration_));
          continue;
        }
      }
      const std::size_t checks_before = checks_;
      const auto steps =
          candidate_steps(by_.plan, answer.curves, configuration, recommendation.macro_step_s);
      if (has_passed) {
        check(configuration, recommendation.macro_step_s, true, steps.front());
      } else {
        look(configuration, steps);
      }
      const bool is_rejected =
          checked.rejected_s && recommendation.macro_step_s >= *checked.rejected_s;
      models::ensure(checks_ > checks_before || is_rejected, "every look checks a run or cuts");
      if (is_rejected) {
        auto curves = std::move(answer.curves);
        cut(by_.plan, curves, configuration, *checked.rejected_s, flags_of(checked));
        if (is_last) {
          curves = only_what_passed(by_.plan, std::move(curves), of_configuration_);
        }
        answer = by_.is_stopped() ? recommend(by_.plan, std::move(curves))
                                  : by_.drawn_from(std::move(curves));
      }
      if (by_.is_stopped()) {
        leave_only_whole();
        answer = passed_so_far(by_.plan, std::move(answer), of_configuration_);
        tell_rejections(answer);
        return {std::move(answer)};
      }
    }
    const bool found = answer.recommendation.has_value();
    if (!found && (rejections_.count > 0 || is_doubtful_)) {
      answer.reasons = all_fail(by_.plan.job);
    }
    tell_rejections(answer);
    if (limited) {
      auto& reasons = reasons_of(answer);
      reasons.push_back({.code = NoticeCode::checks_limited,
                         .numbers = {{"checks", static_cast<double>(by_.most)}}});
    }
    return {std::move(answer), is_doubtful_};
  }

 private:
  /// What has passed some checks only has not passed.
  void leave_only_whole() {
    for (auto& [configuration, checked] : of_configuration_) {
      if (!checked.is_whole) {
        checked.passed_s.reset();
      }
    }
  }

  void tell_rejections(Answer& answer) const {
    const bool found = answer.recommendation.has_value();
    auto& reasons = reasons_of(answer);
    std::ranges::copy(rejections_.reasons(!found), std::back_inserter(reasons));
  }

  /// Which of these macro-steps pass with a configuration, as far as that may change the answer.
  void look(std::size_t configuration, const std::vector<double>& steps) {
    const double beaten_s = largest_passed(of_configuration_);
    const auto& checked = of_configuration_[configuration];
    while (checks_ < by_.most) {
      const auto macro_step_s = next_to_check(checked, steps, beaten_s);
      if (!macro_step_s) {
        break;
      }
      check(configuration, *macro_step_s, checked.failed_in_full, steps.front());
      const bool is_of_many = checked.lacking && unknown_.so_far >= most_without_growth;
      const bool has_failed = checked.rejected_s && *checked.rejected_s <= *macro_step_s;
      if (by_.is_stopped() || (has_failed && !checked.passed_s && !is_of_many)) {
        break;  // others may reach further, or be known
      }
    }
  }

  void check(std::size_t configuration, double macro_step_s, bool in_full, double smallest_s) {
    auto& checked = of_configuration_[configuration];
    ++checks_;
    auto run = by_.check(configuration, macro_step_s, {asked_, in_full});
    if (by_.is_stopped()) {
      return;
    }
    if (run.passes() && !run.lacks(asked_)) {
      unknown_ = run.is_pending ? unknown_ : Unknown{};
      checked.passed(macro_step_s, std::move(run));
      return;
    }
    checked.failed_in_full = in_full;
    if (run.passes()) {
      is_doubtful_ = true;
      checked.failed(macro_step_s, run.evidence());
      const bool is_smallest = macro_step_s == smallest_s;
      unknown_.everywhere += is_smallest ? 1 : 0;
      unknown_.so_far += is_smallest || checked.passed_s ? 0 : 1;
    } else {
      rejections_.add(by_.plan, configuration, macro_step_s, run.outcomes.back());
      checked.failed(macro_step_s, std::nullopt);
    }
  }

  const Confirming& by_;
  const Evidence asked_;
  CheckedConfigurations of_configuration_;
  Rejections rejections_;
  std::size_t checks_ = 0;
  Unknown unknown_;
  bool is_doubtful_ = false;
};

}  // namespace

std::vector<Notice>& reasons_of(Answer& answer) {
  return answer.recommendation ? answer.recommendation->reasons : answer.reasons;
}

std::vector<Curve> without_unknown(const Plan& plan, std::vector<Curve> curves,
                                   const std::function<bool(std::size_t configuration)>& is_known) {
  for (auto& curve : curves) {
    if (!is_known(curve.key.configuration)) {
      cut(plan, curve, 0, growth_is_unknown);
    }
  }
  return curves;
}

Answer confirm(const Plan& plan, Answer answer, const Check& check, const std::atomic<bool>* stop,
               std::size_t most, const Recommend& recommend_from) {
  const Confirming by{plan, check, stop, most, recommend_from};
  const auto curves = answer.curves;
  for (const auto asked :
       {Evidence::growth, Evidence::growth_within_session, Evidence::swing, Evidence::little}) {
    auto confirmed = Confirmation(by, asked).of(std::move(answer));
    if (confirmed.answer.recommendation || !confirmed.is_doubtful) {
      return std::move(confirmed.answer);
    }
    answer = by.drawn_from(curves);
  }
  auto last = Confirmation(by, Evidence::none).of(std::move(answer)).answer;
  if (last.recommendation && !by.is_stopped()) {
    last.reasons = {nothing_speaks_for(plan, *last.recommendation)};
    last.recommendation.reset();
  }
  return last;
}

}  // namespace macrostep::engine
