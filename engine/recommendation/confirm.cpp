#include "engine/recommendation/confirm.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/text.hpp"
#include "engine/recommendation/recommend.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/scan/finish_curve.hpp"
#include "engine/scan/usable_step.hpp"

namespace macrostep::engine {

namespace {

/// No curve of the configuration may be used from `rejected_s` on, where checks object or the
/// growth is not known.
void cut(const Plan& plan, std::vector<Curve>& curves, std::size_t configuration, double rejected_s,
         bool is_unknown) {
  for (auto& curve : curves) {
    if (curve.key.configuration != configuration || !curve.usable_s ||
        *curve.usable_s < rejected_s) {
      continue;
    }
    curve.rejected_from_s = rejected_s;
    curve.usable_s = usable_step({.points = curve.points,
                                  .last_s = curve.region.last_s,
                                  .stability_limit_s = curve.stability_limit_s,
                                  .rejected_from_s = rejected_s,
                                  .relative_residual_max = plan.job.relative_residual_max,
                                  .allowed_macro_steps_s = plan.job.allowed_macro_steps_s,
                                  .by_rate = has_flag(curve, limited_by_rate)});
    std::erase(curve.flags, cut_at_checks);
    std::erase(curve.flags, cut_at_unknown_growth);
    if (is_unknown) {
      curve.flags.emplace_back(curve.usable_s ? cut_at_unknown_growth : growth_unknown);
    } else {
      curve.flags.emplace_back(curve.usable_s ? cut_at_checks : rejected_by_checks);
    }
    if (curve.usable_s) {
      count_macro_steps(plan, curve);
    } else {
      curve.counts = false;
    }
  }
}

/// What the checks have said of one configuration so far.
struct Checked {
  std::optional<double> passed_s;      ///< the largest macro-step that passed
  std::vector<CheckOutcome> outcomes;  ///< of it
  std::optional<double> rejected_s;    ///< the smallest that failed
  bool is_doubtful = false;            ///< it failed as it lacks evidence

  void passed(double macro_step_s, std::vector<CheckOutcome> what) {
    passed_s = macro_step_s;
    outcomes = std::move(what);
  }
  void failed(double macro_step_s, bool doubtful) {
    rejected_s = macro_step_s;
    is_doubtful = doubtful;
    if (passed_s && *passed_s >= macro_step_s) {
      passed_s.reset();
    }
  }
};

using CheckedConfigurations = std::map<std::size_t, Checked>;

/// The curves without what was never checked.
std::vector<Curve> only_what_passed(const Plan& plan, std::vector<Curve> curves,
                                    const CheckedConfigurations& of_configuration) {
  for (const auto& [configuration, checked] : of_configuration) {
    if (checked.passed_s) {
      cut(plan, curves, configuration,
          std::nextafter(*checked.passed_s, std::numeric_limits<double>::infinity()), false);
    }
  }
  for (auto& curve : curves) {
    const auto checked = of_configuration.find(curve.key.configuration);
    if (checked == of_configuration.end() || !checked->second.passed_s) {
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

/// Which of the macro-steps to check next. The largest first; then, as small ones cost the most,
/// half of the one that failed, or the smallest where that only lacked evidence; from the first
/// that passes on, the middle of what lies between.
double next_to_check(const Checked& checked, const std::vector<double>& steps) {
  const double usable_s = steps.back();
  if (!checked.rejected_s || checked.passed_s.value_or(0) >= usable_s) {
    return usable_s;
  }
  if (!checked.passed_s && checked.is_doubtful) {
    return steps.front();
  }
  if (!checked.passed_s) {
    const auto above_half = std::ranges::upper_bound(steps, *checked.rejected_s / 2);
    return above_half == steps.begin() ? steps.front() : *std::prev(above_half);
  }
  const auto between = std::ranges::upper_bound(steps, *checked.passed_s);
  return *(between + (steps.end() - between) / 2);
}

std::string limit_text(const CheckOutcome& why) {
  return number_text(*why.value) + (why.check == "growth" ? " per s" : "") + ", at most " +
         number_text(*why.limit) + " is allowed";
}

/// "(extrapolation 2) with H = 1 ms fails the check of growth (2.5, at most …; …)".
std::string rejection_text(const Plan& plan, const Recommendation& rejected,
                           const CheckOutcome& why) {
  std::string found = why.value && why.limit ? limit_text(why) : "";
  if (!why.detail.empty()) {
    found += (found.empty() ? "" : "; ") + why.detail;
  }
  return run_text(plan, rejected.configuration, rejected.macro_step_s) + " fails the check of " +
         std::string(why.check) + (found.empty() ? "" : " (" + found + ")");
}

/// The rejected run whose rejected value comes nearest to its limit.
struct Nearest {
  double ratio = std::numeric_limits<double>::infinity();  ///< of the value to its limit
  std::string text;

  void add(const Plan& plan, std::size_t configuration, double macro_step_s,
           const CheckOutcome& why) {
    if (!why.value || !why.limit || !(*why.value / *why.limit < ratio)) {
      return;
    }
    ratio = *why.value / *why.limit;
    text = run_text(plan, configuration, macro_step_s) +
           " failed by least, as far as it was checked (" + std::string(why.check) + " " +
           limit_text(why) + ")";
  }
};

/// What may help where every run fails verification.
std::string advice(const Job& job) {
  return job.allowed_macro_steps_s.empty()
             ? "make " + members_of_scan(job) + " smaller"
             : "allow smaller ones in allowed_macro_steps_s, and make " + members_of_scan(job) +
                   " small enough to reach them";
}

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

/// Why runs were rejected, as text.
struct Rejections {
  std::size_t count = 0;
  std::string first;
  Nearest nearest;

  void add(const Plan& plan, const Recommendation& rejected, double macro_step_s,
           const CheckOutcome& why) {
    if (count++ == 0) {
      first = rejection_text(plan, rejected, why);
    }
    nearest.add(plan, rejected.configuration, macro_step_s, why);
  }

  std::string text(bool of_all) const {
    std::string text = "; " + first;
    if (count > 1) {
      text += count == 2 ? "; 1 other run failed too"
                         : "; " + std::to_string(count - 1) + " other runs failed too";
      text += of_all && !nearest.text.empty() ? "; " + nearest.text : "";
    }
    return text;
  }
};

Confirmed confirm_by(const Confirming& by, Answer answer, Evidence asked) {
  CheckedConfigurations of_configuration;
  Rejections rejections;
  std::size_t without = 0;  // configurations, one after the other, of which nothing is known
  bool is_doubtful = false;
  bool limited = false;
  for (std::size_t checks = 0; answer.recommendation; ++checks) {
    auto& recommendation = *answer.recommendation;
    const auto configuration = recommendation.configuration;
    auto& checked = of_configuration[configuration];
    if (checked.passed_s == recommendation.macro_step_s) {
      recommendation.checks = std::move(checked.outcomes);
      break;
    }
    if (limited || without >= most_without_growth) {
      answer.recommendation.reset();
      break;
    }
    if (checks >= by.most) {
      answer = by.drawn_from(only_what_passed(by.plan, std::move(answer.curves), of_configuration));
      limited = true;
      continue;
    }
    const auto steps =
        candidate_steps(by.plan, answer.curves, configuration, recommendation.macro_step_s);
    const double macro_step_s = next_to_check(checked, steps);
    auto run = by.check(configuration, macro_step_s, asked);
    if (by.is_stopped()) {
      return {std::move(answer)};
    }
    const bool doubtful = run.passes() && run.lacks(asked);
    if (run.passes() && !doubtful) {
      checked.passed(macro_step_s, std::move(run.outcomes));
      without = 0;
    } else {
      checked.failed(macro_step_s, doubtful);
    }
    if (doubtful) {
      is_doubtful = true;
      if (!checked.passed_s && macro_step_s != steps.front()) {
        continue;  // with the smallest one, before others are looked at
      }
      without += checked.passed_s ? 0 : 1;
    } else if (!run.passes()) {
      rejections.add(by.plan, recommendation, macro_step_s, run.outcomes.back());
    }
    if (checked.rejected_s && recommendation.macro_step_s >= *checked.rejected_s) {
      auto curves = std::move(answer.curves);
      cut(by.plan, curves, configuration, *checked.rejected_s, checked.is_doubtful);
      answer = by.drawn_from(std::move(curves));
    }
  }
  const bool found = answer.recommendation.has_value();
  if (!found && (rejections.count > 0 || is_doubtful)) {
    answer.reason =
        "every run that could be recommended fails verification; " + advice(by.plan.job);
  }
  auto& reason = found ? answer.recommendation->reason : answer.reason;
  if (rejections.count > 0) {
    reason += rejections.text(!found);
  }
  if (limited) {
    reason += "; after " + std::to_string(by.most) + (by.most == 1 ? " check" : " checks") +
              " the other runs were left out";
  }
  return {std::move(answer), is_doubtful};
}

}  // namespace

Answer confirm(const Plan& plan, Answer answer, const Check& check, const std::atomic<bool>* stop,
               std::size_t most, const Recommend& recommend_from) {
  const Confirming by{plan, check, stop, most, recommend_from};
  const auto curves = answer.curves;
  for (const auto asked : {Evidence::growth, Evidence::swing}) {
    auto confirmed = confirm_by(by, std::move(answer), asked);
    if (confirmed.answer.recommendation || !confirmed.is_doubtful) {
      return std::move(confirmed.answer);
    }
    answer = by.drawn_from(curves);
  }
  return confirm_by(by, std::move(answer), Evidence::none).answer;
}

}  // namespace macrostep::engine
