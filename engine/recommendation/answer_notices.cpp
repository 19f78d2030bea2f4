#include "engine/recommendation/answer_notices.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "engine/bonds/bond_notices.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/stability.hpp"

namespace macrostep::engine {

namespace {

constexpr std::string_view extrapolation_pointer = "/search/extrapolation";  // of schedule_of
/// Instability within this multiple of H leaves too little for what differs between model and rig.
constexpr double little_margin_ratio = 1.25;
/// H and a micro-step equal to it may differ in rounding.
constexpr double ratio_tolerance = 1e-9;

/// From where on a recommendation warns of its accuracy. The limits are ours, from the built-in
/// problems (README.md, how good is the answer?; ../README.md, choosing H): a relative residual of
/// 1 % goes with outputs that are off by 2 % of their standard deviation, one of 10 % with 20 %.
struct AccuracyLimits {
  double clear;
  double wrong;
  double absurd;
};
constexpr AccuracyLimits residual_limits{.clear = 0.01, .wrong = 0.1, .absurd = 1};
constexpr AccuracyLimits nrmse_limits{.clear = 0.02, .wrong = 0.2, .absurd = 1};

/// At a relative residual of up to 1 %, at most 9 % of an NRMSE are the coupling's in the same
/// tables: n_mass_oscillator has 10 %, and 4.5 % when the coupling is iterated. In squares, more
/// than half of what exceeds √2 times that is the integrators'.
constexpr double largest_nrmse_of_coupling = 0.13;

/// Names of the tests whose curve with this configuration has the flag, and is linear beyond an H.
std::string tests_with(const Plan& plan, std::span<const Curve> curves, std::size_t configuration,
                       std::string_view flag, std::optional<double> linear_beyond_s = {}) {
  std::string names;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration && has_flag(curve, flag) &&
        (!linear_beyond_s || curve.region.last_s > linear_beyond_s)) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[curve.key.test].name;
    }
  }
  return names;
}

/// Those that count and whose grid was halved.
std::string tests_with_halved_grid(const Plan& plan, std::span<const Curve> curves,
                                   std::size_t configuration) {
  std::string names;
  for (const auto& curve : curves) {
    if (curve.key.configuration == configuration && curve.counts && curve.region.halvings > 0) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[curve.key.test].name;
    }
  }
  return names;
}

/// Curves with the flag by the largest H that was tried: a geometric scan ends below its maximum,
/// and a short test ends the scan earlier.
std::vector<Notice> largest_tried(const Plan& plan, std::span<const Curve> curves,
                                  std::size_t configuration, std::string_view flag) {
  std::vector<std::pair<double, std::string>> tests_by_step;
  for (const auto& curve : curves) {
    if (curve.key.configuration != configuration || !has_flag(curve, flag)) {
      continue;
    }
    const double macro_step_s = curve.points.back().macro_step_s;
    auto known =
        std::ranges::find(tests_by_step, macro_step_s, &std::pair<double, std::string>::first);
    if (known == tests_by_step.end()) {
      known = tests_by_step.insert(known, {macro_step_s, ""});
    }
    known->second += (known->second.empty() ? "" : ", ") + plan.job.tests[curve.key.test].name;
  }
  std::vector<Notice> list;
  for (auto& [macro_step_s, tests] : tests_by_step) {
    list.push_back({.code = NoticeCode::linear_to_largest_tried,
                    .subject = std::move(tests),
                    .numbers = {{"macro_step_s", macro_step_s}}});
  }
  return list;
}

/// Whether the measured error is mostly that of the subsystems' own integrators: no coupling with
/// so small a residual makes it, where the residual sees all of the coupling.
bool is_of_integrators(const Plan& plan, const Recommendation& recommendation) {
  using models::Integrator;
  const auto& configuration = plan.configurations[recommendation.configuration];
  const bool any_approximate = std::ranges::any_of(configuration.integrators, [](const auto& of) {
    return of.second != Integrator::exact && of.second != Integrator::cvode;
  });
  return any_approximate && configuration.scheme == Scheme::jacobi &&
         unwatched_connections(plan.coupling(configuration)).empty() &&
         recommendation.relative_residual &&
         *recommendation.relative_residual <= residual_limits.clear &&
         *recommendation.error->nrmse > largest_nrmse_of_coupling;
}

/// Whether all tests are too short for a configuration whose linear regions all end beyond this H.
bool is_dropped_beyond(const Plan& plan, std::span<const Curve> curves, std::size_t configuration,
                       double macro_step_s) {
  std::size_t usable = 0;
  bool too_short = false;
  for (const auto& curve : curves) {
    if (curve.key.configuration != configuration) {
      continue;
    }
    if (curve.counts || (curve.usable_s && *curve.usable_s <= macro_step_s)) {
      return false;
    }
    usable += curve.usable_s || has_flag(curve, no_energy) ? 1 : 0;
    too_short = too_short || has_flag(curve, too_few_macro_steps);
  }
  return too_short && usable == plan.job.tests.size();
}

/// To two digits, up: a test of just this length is long enough.
double rounded_up(double duration_s) {
  const double unit_s = std::pow(10, std::floor(std::log10(duration_s)) - 1);
  return std::ceil(duration_s / unit_s * (1 - ratio_tolerance)) * unit_s;
}

}  // namespace

Notice finer_scan_advice(const Job& job) {
  return {.code = grows_by_ratio(job.linear_region.scan) ? NoticeCode::lower_first_macro_step
                                                         : NoticeCode::lower_scan};
}

std::vector<Notice> refused_correction_warning(const Plan& plan) {
  std::vector<Notice> list;
  for (const auto correction : plan.job.space.corrections) {
    std::string reason;
    for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
      if (plan.configurations[c].correction != correction) {
        continue;
      }
      const auto* refused = std::get_if<FieldError>(&plan.schedules[c]);
      if (!refused) {
        reason.clear();
        break;
      }
      reason = reason.empty() ? refused->message : reason;
    }
    if (!reason.empty()) {
      list.push_back({.code = NoticeCode::correction_not_tried,
                      .subject = std::string(to_string(correction)),
                      .detail = reason});
    }
  }
  return list;
}

std::vector<Notice> refused_order_warning(const Plan& plan) {
  Notice notice{.code = NoticeCode::orders_not_usable};
  std::size_t count = 0;
  for (const auto extrapolation : plan.job.space.extrapolation) {
    std::string why;
    bool refused = true;
    for (std::size_t c = 0; refused && c < plan.configurations.size(); ++c) {
      if (plan.configurations[c].extrapolation != extrapolation) {
        continue;
      }
      const auto* error = std::get_if<FieldError>(&plan.schedules[c]);
      if (error && error->pointer == extrapolation_pointer && why.empty()) {
        why = error->message;
      }
      refused = error != nullptr;
    }
    if (refused && !why.empty()) {
      ++count;
      notice.subject +=
          (notice.subject.empty() ? "" : ", ") + std::string(to_string(extrapolation));
      notice.detail = notice.detail.empty() ? why : notice.detail;
    }
  }
  if (count == 0) {
    return {};
  }
  notice.numbers = {{"orders", static_cast<double>(count)}};
  return {notice};
}

std::vector<Notice> notices_of(const Plan& plan, std::span<const Curve> curves,
                               std::size_t configuration, double macro_step_s) {
  std::vector<Notice> list;
  const auto& coupling = plan.coupling(plan.configurations[configuration]);
  const auto note = [&](NoticeCode code, const std::string& subject,
                        std::vector<NoticeNumber> numbers = {}) {
    if (!subject.empty()) {
      list.push_back({.code = code, .subject = subject, .numbers = std::move(numbers)});
    }
  };
  const auto note_tests = [&](NoticeCode code, std::string_view flag) {
    note(code, tests_with(plan, curves, configuration, flag));
  };
  note(NoticeCode::tests_not_counted, tests_with(plan, curves, configuration, too_few_macro_steps),
       {{"minimum_macro_steps", static_cast<double>(plan.job.minimum_macro_steps)}});
  std::ranges::move(largest_tried(plan, curves, configuration, bend_not_reached),
                    std::back_inserter(list));
  if (const auto halved = tests_with_halved_grid(plan, curves, configuration); !halved.empty()) {
    note(NoticeCode::scan_halved, halved, {{"points", minimum_accepted_points}});
    list.push_back(finer_scan_advice(plan.job));
  }
  note_tests(plan.job.accuracy ? NoticeCode::larger_steps_exceed_accuracy
                               : NoticeCode::larger_steps_exceed_residual,
             cut_at_relative_residual);
  note_tests(NoticeCode::larger_steps_fail_checks, cut_at_checks);
  note_tests(NoticeCode::larger_steps_of_unknown_growth, cut_at_unknown_growth);
  note_tests(NoticeCode::larger_steps_grow_in_session, cut_at_session_growth);
  note(NoticeCode::larger_steps_unstable,
       tests_with(plan, curves, configuration, cut_at_stability_limit, macro_step_s));
  note_tests(NoticeCode::larger_steps_exceed_transmitted, cut_at_transmitted_energy);
  const auto timed_out = std::ranges::count_if(curves, [](const Curve& curve) {
    return std::ranges::find(curve.points, TrialStatus::timed_out, &CurvePoint::status) !=
           curve.points.end();
  });
  if (timed_out > 0) {
    list.push_back({.code = NoticeCode::trials_timed_out,
                    .numbers = {{"curves", static_cast<double>(timed_out)},
                                {"curves_in_all", static_cast<double>(curves.size())}}});
  }
  std::ranges::move(growth_warning(plan, configuration), std::back_inserter(list));
  std::ranges::move(bond_factor_warning(coupling), std::back_inserter(list));
  note_tests(NoticeCode::tests_without_energy, no_energy);
  if (plan.configurations[configuration].scheme == Scheme::gauss_seidel) {
    list.push_back({.code = NoticeCode::gauss_seidel_residual});
  }
  note(NoticeCode::algebraic_loop, plan.graph(plan.configurations[configuration]).algebraic_loop);
  note(NoticeCode::unwatched_connections, unwatched_connections(coupling));
  return list;
}

std::vector<Notice> growth_warning(const Plan& plan, std::size_t configuration) {
  const auto modes = exact_modes(plan, plan.configurations[configuration]);
  const double rate_per_s = modes ? modes->largest_rate_per_s() : 0;
  const double session_s = engine::session_s(plan, modes ? &*modes : nullptr);
  if (rate_per_s * session_s <= std::log(allowed_session_growth)) {
    return {};
  }
  return {{.code = NoticeCode::problem_grows,
           .numbers = {{"rate_per_s", rate_per_s}, {"session_s", session_s}}}};
}

std::vector<Notice> short_test_warning(const Plan& plan, std::span<const Curve> curves,
                                       double macro_step_s) {
  const auto& tests = plan.job.tests;
  std::size_t dropped = 0;
  std::vector<double> needed_s(tests.size());  // for the last of the dropped ones to count
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    if (!is_dropped_beyond(plan, curves, c, macro_step_s)) {
      continue;
    }
    ++dropped;
    for (const auto& curve : curves) {
      if (curve.key.configuration == c) {
        needed_s[curve.key.test] = std::max(needed_s[curve.key.test], curve.needed_duration_s);
      }
    }
  }
  if (dropped == 0) {
    return {};
  }
  std::size_t longer = 0;
  for (std::size_t test = 1; test < tests.size(); ++test) {
    const bool says_nothing = needed_s[longer] == 0;  // no energy crosses the bonds in it
    if (needed_s[test] > 0 && (says_nothing || needed_s[test] < needed_s[longer])) {
      longer = test;
    }
  }
  return {{.code = macro_step_s > 0 ? NoticeCode::tests_too_short : NoticeCode::all_tests_too_short,
           .subject = tests[longer].name,
           .numbers = {{"tests", static_cast<double>(tests.size())},
                       {"configurations", static_cast<double>(dropped)},
                       {"configurations_in_all", static_cast<double>(plan.configurations.size())},
                       {"minimum_macro_steps", static_cast<double>(plan.job.minimum_macro_steps)},
                       {"duration_s", tests[longer].duration_s},
                       {"needed_duration_s", rounded_up(needed_s[longer])}}}};
}

std::vector<Notice> session_warning(const Recommendation& recommendation) {
  const auto& growth = recommendation.growth;
  if (growth && growth->is_exact() && growth->growth.kind == GrowthKind::growing) {
    return {
        {.code = NoticeCode::unstable_by_exact_analysis,
         .numbers = {{"rate_per_s", growth->growth.rate_per_s}, {"session_s", growth->session_s}}}};
  }
  if (!growth || growth->growth.kind != GrowthKind::within_session) {
    return {};
  }
  return {
      {.code = NoticeCode::stable_within_session,
       .numbers = {{"rate_per_s", growth->growth.rate_per_s}, {"session_s", growth->session_s}}}};
}

std::vector<Notice> little_margin_warning(const Recommendation& recommendation) {
  const double h = recommendation.macro_step_s;
  const auto& cliff_s = recommendation.cliff_s;
  if (cliff_s && *cliff_s <= h * (1 + ratio_tolerance)) {  // rates that are known may allow it
    return {{.code = NoticeCode::beyond_cliff, .numbers = {{"cliff_s", *cliff_s}}}};
  }
  if (!cliff_s || *cliff_s >= little_margin_ratio * h * (1 - ratio_tolerance)) {
    return {};
  }
  return {{.code = NoticeCode::little_margin,
           .numbers = {{"cliff_s", *cliff_s}, {"ratio", *cliff_s / h}}}};
}

std::vector<Notice> accuracy_warning(const Plan& plan, const Recommendation& recommendation) {
  const double residual = recommendation.relative_residual.value_or(0);
  const auto* error =
      recommendation.error && recommendation.error->nrmse ? &*recommendation.error : nullptr;
  const double size = error ? *error->nrmse : residual;
  const auto& limits = error ? nrmse_limits : residual_limits;
  if (size <= limits.clear) {
    return {};
  }
  Notice notice{.subject = error ? error->test : recommendation.largest_residual_test,
                .numbers = {{"relative_residual", residual}}};
  if (error) {
    notice.numbers.push_back({"nrmse", size});
    if (is_of_integrators(plan, recommendation)) {
      notice.code = NoticeCode::outputs_off_by_integrators;
      return {notice};
    }
  }
  if (size <= limits.wrong) {
    notice.code = error ? NoticeCode::outputs_off : NoticeCode::residual_notable;
  } else if (size <= limits.absurd) {
    notice.code = error ? NoticeCode::outputs_not_accurate : NoticeCode::residual_not_accurate;
  } else {
    notice.code = error ? NoticeCode::outputs_useless : NoticeCode::residual_useless;
  }
  const bool is_limited = plan.job.relative_residual_max && !plan.job.accuracy;
  if (plan.job.preset || (is_limited && recommendation.rule == "paper")) {  // asks for no limit
    return {std::move(notice)};
  }
  const auto advice = plan.job.accuracy ? NoticeCode::tighten_accuracy
                      : is_limited      ? NoticeCode::tighten_residual_limit
                                        : NoticeCode::set_accuracy;
  return {notice, {.code = advice}};
}

std::vector<Notice> unchecked_warning(const Plan& plan, const Recommendation& recommendation) {
  std::vector<Notice> list;
  const auto check = plan.job.stability_check;
  const auto& configuration = plan.configurations[recommendation.configuration];
  const auto phi = propagation_matrix(plan, configuration, recommendation.macro_step_s);
  const auto* why_not_exact = std::get_if<std::string>(&phi);
  const bool is_exact =
      !why_not_exact && (check == StabilityCheck::exact || check == StabilityCheck::all);
  if (check == StabilityCheck::none) {
    list.push_back({.code = recommendation.checks.empty()
                                ? NoticeCode::nothing_verified
                                : NoticeCode::growth_and_swing_unchecked});
  } else if (check == StabilityCheck::exact && why_not_exact) {
    list.push_back(
        {.code = NoticeCode::exact_check_needs_linear_problem, .detail = *why_not_exact});
  }
  const CheckOutcome* of_stability = nullptr;  // the last one asked
  for (const auto& outcome : recommendation.checks) {
    if (outcome.check == "growth" || outcome.check == "swing") {
      of_stability = &outcome;
    }
    if (outcome.check == "unseen" && outcome.verdict == Verdict::unknown) {
      list.push_back({.code = NoticeCode::unseen_inputs_unchecked, .causes = outcome.findings});
    }
  }
  if (!is_exact && of_stability && of_stability->verdict == Verdict::unknown &&
      !tells_stable(recommendation.checks)) {
    list.push_back({.code = NoticeCode::stability_unknown,
                    .check = std::string(of_stability->check),
                    .causes = of_stability->findings});
  }
  return list;
}

std::vector<Notice> real_time_check_warning(const CheckedRun& checked, double macro_step_s) {
  if (checked.passes()) {
    return {};
  }
  return {failed_check(NoticeCode::real_time_fails_check, checked.outcomes.back(), macro_step_s)};
}

std::vector<Notice> micro_step_warning(const Plan& plan, const Configuration& configuration,
                                       double macro_step_s) {
  std::vector<Notice> list;
  for (const auto& subsystem : plan.coupling(configuration).subsystems) {
    const double* micro_step_s = setting_of(plan.job.micro_steps, subsystem);
    const int* substeps = setting_of(configuration.substeps, subsystem);
    const double interval_s = macro_step_s / (substeps ? *substeps : 1);
    if (micro_step_s && *micro_step_s > interval_s * (1 + ratio_tolerance)) {
      list.push_back({.code = NoticeCode::micro_step_cut,
                      .subject = subsystem.name,
                      .numbers = {{"micro_step_s", *micro_step_s}, {"interval_s", interval_s}}});
    }
  }
  return list;
}

Notice about_run(NoticeCode code, const Plan& plan, std::size_t configuration,
                 double macro_step_s) {
  return {.code = code,
          .subject = "(" + describe(plan.configurations[configuration]) + ")",
          .numbers = {{"macro_step_s", macro_step_s}}};
}

Notice rejection_of(NoticeCode code, const Plan& plan, std::size_t configuration,
                    double macro_step_s, const CheckOutcome& why) {
  auto notice = failed_check(code, why, macro_step_s);
  notice.subject = about_run(code, plan, configuration, macro_step_s).subject;
  return notice;
}

}  // namespace macrostep::engine
