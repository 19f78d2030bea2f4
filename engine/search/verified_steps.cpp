#include "engine/search/verified_steps.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "engine/scan/curve_flags.hpp"

namespace macrostep::engine {

namespace {

/// The flag of a curve whose larger macro-steps fail a check.
std::string_view flag_of(std::string_view check) {
  constexpr std::array flags{std::pair{std::string_view("growth"), failed_growth},
                             std::pair{std::string_view("change"), failed_change},
                             std::pair{std::string_view("swing"), failed_swing},
                             std::pair{std::string_view("unseen"), failed_unseen}};
  return std::ranges::find(flags, check, &std::pair<std::string_view, std::string_view>::first)
      ->second;
}

/// What all curves of a configuration that count allow; nothing where none counts.
std::optional<double> usable_by_all(const std::vector<Curve>& curves, std::size_t configuration) {
  std::optional<double> least_s;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration && curve.counts && curve.usable_s) {
      least_s = std::min(least_s.value_or(*curve.usable_s), *curve.usable_s);
    }
  }
  return least_s;
}

}  // namespace

IsExactlyStable by_exact_analysis(const Plan& plan, StabilityVerdicts& verdicts) {
  const auto by = plan.job.stability_check;
  if (by != StabilityCheck::all && by != StabilityCheck::exact) {
    return [](std::size_t, double) { return false; };
  }
  return [&verdicts](std::size_t configuration, double macro_step_s) {
    const auto growth = verdicts.growth(configuration, macro_step_s);
    return growth && growth->kind != GrowthKind::growing;
  };
}

VerifiedSteps::VerifiedSteps(IsExactlyStable is_exactly_stable)
    : is_exactly_stable_(std::move(is_exactly_stable)) {}

void VerifiedSteps::add(std::size_t configuration, double macro_step_s, const CheckedRun& run) {
  auto& said = checked_[configuration][macro_step_s];
  said = {};
  if (!run.passes()) {
    said.objection = run.outcomes.back();
  } else {
    said.is_stable = tells_stable(run.outcomes) || is_exactly_stable_(configuration, macro_step_s);
  }
}

const VerifiedSteps::Checked::value_type* VerifiedSteps::first_failure(const Checked& checked) {
  const auto failed = std::ranges::find_if(
      checked, [](const auto& one) { return one.second.objection.has_value(); });
  return failed == checked.end() ? nullptr : &*failed;
}

std::optional<double> VerifiedSteps::stable_up_to(const Checked& checked,
                                                  std::optional<double> at_s) {
  const auto* failure = first_failure(checked);
  const auto asked = at_s ? checked.find(*at_s) : checked.end();
  const bool is_unknown = asked != checked.end() && !asked->second.is_stable;
  std::optional<double> largest_s;
  for (const auto& [macro_step_s, said] : checked) {
    const bool is_below = (failure == nullptr || macro_step_s < failure->first) &&
                          (!is_unknown || macro_step_s < *at_s);
    if (said.is_stable && is_below) {
      largest_s = macro_step_s;
    }
  }
  return largest_s;
}

void VerifiedSteps::mark(Answer& answer) const {
  for (auto& curve : answer.curves) {
    mark_curve(curve);
  }
  for (auto& row : answer.table) {
    row.verified_s.clear();
    for (const std::size_t configuration : row.configurations) {
      const auto curve = std::ranges::find_if(answer.curves, [&](const Curve& one) {
        return one.key.configuration == configuration && one.key.test == row.test;
      });
      row.verified_s.push_back(of(configuration, curve->usable_s));
    }
  }
  for (auto* recommendation : {&answer.recommendation, &answer.paper_rule}) {
    if (*recommendation) {
      const auto configuration = (*recommendation)->configuration;
      (*recommendation)->verified_s =
          checked(configuration) != nullptr
              ? of(configuration, (*recommendation)->macro_step_s)
              : of(configuration, usable_by_all(answer.curves, configuration));
    }
  }
}

bool VerifiedSteps::holds(std::size_t configuration, double macro_step_s) const {
  const auto verified_s = of(configuration, macro_step_s);
  return verified_s && *verified_s >= macro_step_s;
}

bool VerifiedSteps::has_passed(std::size_t configuration, double macro_step_s) const {
  const auto* known = checked(configuration);
  return known && stable_up_to(*known, macro_step_s).value_or(0) >= macro_step_s;
}

std::vector<Notice> VerifiedSteps::doubts(const Recommendation& recommendation) const {
  std::vector<Notice> list;
  const auto* known = checked(recommendation.configuration);
  const auto* failure = known != nullptr ? first_failure(*known) : nullptr;
  if (failure != nullptr && failure->first <= recommendation.macro_step_s) {
    list.push_back(
        failed_check(NoticeCode::fails_check, *failure->second.objection, failure->first));
  } else if (recommendation.is_verified()) {
    return {};
  }
  if (recommendation.verified_s) {
    list.push_back({.code = NoticeCode::smaller_step_verified,
                    .numbers = {{"macro_step_s", *recommendation.verified_s}}});
  } else if (list.empty()) {
    list.push_back({.code = NoticeCode::never_shown_stable});
  }
  return list;
}

std::optional<double> VerifiedSteps::of(std::size_t configuration,
                                        std::optional<double> at_s) const {
  if (const auto* known = checked(configuration)) {
    return stable_up_to(*known, at_s);
  }
  return at_s && is_exactly_stable_(configuration, *at_s) ? at_s : std::nullopt;
}

const VerifiedSteps::Checked* VerifiedSteps::checked(std::size_t configuration) const {
  const auto found = checked_.find(configuration);
  return found == checked_.end() ? nullptr : &found->second;
}

void VerifiedSteps::mark_curve(Curve& curve) const {
  const auto configuration = curve.key.configuration;
  const auto verified_s = of(configuration, curve.usable_s);
  if (curve.usable_s && verified_s && *verified_s >= *curve.usable_s) {
    curve.flags.emplace_back(verified);
  }
  const auto* known = checked(configuration);
  const auto* failure = known != nullptr ? first_failure(*known) : nullptr;
  if (failure != nullptr &&
      (has_flag(curve, cut_at_checks) || has_flag(curve, rejected_by_checks))) {
    curve.flags.emplace_back(flag_of(failure->second.objection->check));
  }
}

}  // namespace macrostep::engine
