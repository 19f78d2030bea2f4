#include "engine/trial/run_notices.hpp"

#include <cmath>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/plan/input_notices.hpp"
#include "engine/trial/trial_end.hpp"

namespace macrostep::engine {

namespace {

/// Largest NRMSE, and largest share of the residual energy in the transmitted: above it all is
/// error.
constexpr double absurd_share = 1;
/// A run that diverges within so many macro-steps after its start, or after what drives it begins,
/// may well have the size that its problem has: instability takes longer, unless it is violent.
constexpr double few_macro_steps = 5;
/// H and times that are multiples of it may differ in rounding.
constexpr double duration_tolerance = 1e-9;

/// When the first test begins to drive anything; nothing where it does so from the start, or never.
std::optional<double> late_drive_s(const Plan& plan) {
  const auto driven_s = driven_from_s(plan.problem, plan.job.tests.front());
  return driven_s == 0 ? std::nullopt : driven_s;
}

std::string nominal_advice() {
  return sentence({.code = NoticeCode::raise_nominal});
}

double end_of(const Plan& plan) {
  return plan.until_s.value_or(plan.job.tests.front().duration_s);
}

/// What does not show yet how the problem answers its test.
std::vector<Notice> hardly_driven_warning(const Plan& plan, double macro_step_s,
                                          const TrialResult& result) {
  const auto driven_s = late_drive_s(plan);
  if (!driven_s) {
    return {};
  }
  const double steps = std::ceil((end_of(plan) - *driven_s) / macro_step_s - duration_tolerance);
  if (steps > 0 && steps < plan.job.minimum_macro_steps &&
      result.macro_steps >= plan.job.minimum_macro_steps) {
    return {{.code = NoticeCode::run_hardly_driven,
             .subject = plan.job.tests.front().name,
             .numbers = {{"driven_from_s", *driven_s}, {"macro_steps", steps}}}};
  }
  return {};
}

}  // namespace

std::vector<Notice> undriven_warning(const Plan& plan, double end_s) {
  const auto driven_s = late_drive_s(plan);
  if (!driven_s || end_s > *driven_s * (1 + duration_tolerance)) {
    return {};
  }
  return {{.code = NoticeCode::run_not_driven,
           .subject = plan.job.tests.front().name,
           .numbers = {{"driven_from_s", *driven_s}, {"end_s", end_s}}}};
}

std::vector<Notice> run_notices(const Plan& plan, double macro_step_s, const TrialResult& result,
                                std::optional<double> nrmse) {
  if (result.status != TrialStatus::complete) {
    return {};
  }
  std::vector<Notice> list;
  if (result.macro_steps < plan.job.minimum_macro_steps) {
    list.push_back(
        {.code = NoticeCode::run_too_short,
         .numbers = {{"minimum_macro_steps", static_cast<double>(plan.job.minimum_macro_steps)},
                     {"macro_steps", static_cast<double>(result.macro_steps)},
                     {"macro_step_s", macro_step_s}}});
  }
  for (auto& more :
       {undriven_warning(plan, end_of(plan)), hardly_driven_warning(plan, macro_step_s, result)}) {
    list.insert(list.end(), more.begin(), more.end());
  }
  if (nrmse && *nrmse > absurd_share) {
    list.push_back({.code = NoticeCode::run_error_absurd, .numbers = {{"nrmse", *nrmse}}});
  }
  if (const auto relative = result.relative_residual(); relative > absurd_share) {
    list.push_back(
        {.code = NoticeCode::run_residual_absurd, .numbers = {{"relative_residual", *relative}}});
  }
  put_worst_first(list);
  return list;
}

std::string divergence_advice(const Plan& plan, double macro_step_s, const TrialResult& result,
                              bool exact_grows_as_far) {
  const bool is_own = plan.job.own_problem.has_value();
  if (exact_grows_as_far) {
    return std::string("The exact solution grows as far, whatever the macro-step: ") +
           (is_own ? nominal_advice() + ", else check the problem" : "check the parameters") + ".";
  }
  const std::string smaller =
      " smaller --macro-step than " + number_text(macro_step_s) + " may help.";
  if (is_not_finite(result.reason)) {  // no nominal value is large enough for it
    return "Either the coupling is unstable or the subsystem fails by itself: a" + smaller +
           " Else check its parameters and its inputs.";
  }
  const double driven_s = late_drive_s(plan).value_or(0);
  const double end_s = result.final_time_s;
  const double since_s = end_s < driven_s * (1 - duration_tolerance) ? end_s : end_s - driven_s;
  if (is_own && since_s <= few_macro_steps * macro_step_s * (1 + duration_tolerance)) {
    return "It got there within a few macro-steps: " + nominal_advice() + "; else a" + smaller;
  }
  return "A" + smaller;
}

}  // namespace macrostep::engine
