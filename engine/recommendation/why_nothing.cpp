#include "engine/recommendation/why_nothing.hpp"

#include <algorithm>
#include <string_view>

#include "engine/base/text.hpp"
#include "engine/recommendation/failed_curves.hpp"
#include "engine/recommendation/warnings.hpp"
#include "engine/scan/curve_flags.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/stability/stability.hpp"
#include "engine/trial/trial_end.hpp"

namespace macrostep::engine {

namespace {

/// Names of the tests in which no curve is usable and some curve has the flag.
std::string tests_without_usable(const Plan& plan, const std::vector<Curve>& curves,
                                 std::string_view flag) {
  std::string names;
  for (std::size_t test = 0; test < plan.job.tests.size(); ++test) {
    bool usable = false;
    bool flagged = false;
    for (const auto& curve : curves) {
      usable = usable || (curve.key.test == test && curve.usable_s);
      flagged = flagged || (curve.key.test == test && has_flag(curve, flag));
    }
    if (flagged && !usable) {
      names += (names.empty() ? "" : ", ") + plan.job.tests[test].name;
    }
  }
  return names;
}

/// Whether the exact analysis leaves no H of any configuration.
bool is_unstable_everywhere(const Plan& plan, const std::vector<Curve>& curves) {
  return std::ranges::all_of(plan.curves, [&](const CurveKey& key) {
    return std::ranges::any_of(curves, [&](const Curve& curve) {
      return curve.key.configuration == key.configuration && has_flag(curve, unstable);
    });
  });
}

}  // namespace

std::string why_nothing(const Plan& plan, const std::vector<Curve>& curves) {
  if (curves.size() < plan.curves.size()) {
    return "stopped before any configuration had finished all tests: " +
           std::to_string(curves.size()) + " of " + std::to_string(plan.curves.size()) +
           " curves are finished";
  }
  const auto failed = failed_curves(curves);
  if (failed && failed->all) {
    const auto advice = plan.job.own_problem ? advice_of_divergence(failed->reason) : "";
    return "no trial gets past its first macro-step: " + failed->reason +
           (advice.empty() ? "" : "; " + advice);
  }
  if (plan.job.relative_residual_max) {
    const auto tests = tests_without_usable(plan, curves, relative_residual_exceeded);
    if (!tests.empty()) {
      return "no H that was tried keeps the relative residual within " +
             number_text(*plan.job.relative_residual_max) +
             (plan.job.accuracy ? ", as the accuracy asks for," : "") + " in: " + tests +
             "; ask for less, or make " + members_of_scan(plan.job) + " smaller";
    }
  }
  if (const auto tests = tests_without_usable(plan, curves, no_allowed_macro_step);
      !tests.empty()) {
    return "none of allowed_macro_steps_s was reached by the scan and lies in the linear region "
           "in: " +
           tests;
  }
  if (is_unstable_everywhere(plan, curves)) {
    std::string reason =
        "by the exact analysis no configuration is stable at any H tried: some motion grows that "
        "the exact solution does not have; allow other orders, schemes or corrections";
    const auto modes = exact_modes(plan, plan.configurations.front());
    if (modes && !modes->undamped_rad_s.empty()) {
      reason += "; an undamped oscillation may grow by a tenth in a session of " +
                number_text(session_s(plan, &*modes)) + " s, which session_s sets";
    }
    for (const auto& more : growth_warning(plan, 0)) {
      reason += "; " + more;
    }
    return reason;
  }
  const bool any_stable =
      std::ranges::any_of(curves, [](const Curve& curve) { return curve.region.fit.has_value(); });
  const auto ends = why_no_linear_region(curves);
  std::string reason =
      any_stable
          ? "no configuration stays inside its linear region, within the limits of the job "
            "and with enough macro-steps, in every test"
          : "no configuration has a linear region in any test" + (ends.empty() ? "" : ": " + ends);
  // Where no curve has a linear region, how they end is told already.
  const auto failures =
      any_stable ? ends_in_failure_warning(plan, curves) : std::vector<std::string>();
  for (const auto& list :
       {failed_curves_warning(curves), failures, divergence_warning(plan, curves),
        short_test_warning(plan, curves, 0), growth_warning(plan, 0)}) {
    for (const auto& more : list) {
      reason += "; " + more;
    }
  }
  return reason;
}

}  // namespace macrostep::engine
