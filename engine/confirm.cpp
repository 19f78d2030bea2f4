#include "engine/confirm.hpp"

#include <string>
#include <utility>
#include <vector>

#include "engine/curve_flags.hpp"
#include "engine/text.hpp"
#include "engine/usable_step.hpp"

namespace macrostep::engine {

namespace {

/// No curve of the configuration may be used from `rejected_s` on.
void cut(const Plan& plan, std::vector<Curve>& curves, std::size_t configuration,
         double rejected_s) {
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
                                  .allowed_macro_steps_s = plan.job.allowed_macro_steps_s});
    std::erase(curve.flags, cut_at_checks);
    curve.flags.emplace_back(curve.usable_s ? cut_at_checks : rejected_by_checks);
    if (curve.usable_s) {
      count_macro_steps(plan, curve);
    } else {
      curve.counts = false;
    }
  }
}

/// "the check of growth rejects (extrapolation 2) with H = 1 ms: …".
std::string rejection_text(const Plan& plan, const Recommendation& rejected,
                           const CheckOutcome& why) {
  std::string text = "the check of " + std::string(why.check) + " rejects " +
                     run_text(plan, rejected.configuration, rejected.macro_step_s);
  if (why.value && why.limit) {
    text += " (" + number_text(*why.value) + ", where " + number_text(*why.limit) + " is allowed)";
  }
  return why.detail.empty() ? text : text + ": " + why.detail;
}

}  // namespace

Analysis confirm(const Plan& plan, Analysis analysis, const Check& check,
                 const std::atomic<bool>* stop) {
  std::size_t rejections = 0;
  std::string first;
  while (analysis.recommendation) {
    auto& answer = *analysis.recommendation;
    auto checked = check(answer.configuration, answer.macro_step_s);
    if (stop && stop->load(std::memory_order_relaxed)) {
      return analysis;
    }
    if (checked.stands()) {
      answer.checks = std::move(checked.outcomes);
      break;
    }
    if (rejections++ == 0) {
      first = rejection_text(plan, answer, checked.outcomes.back());
    }
    const auto rejected = std::pair(answer.configuration, answer.macro_step_s);
    auto curves = std::move(analysis.curves);
    cut(plan, curves, rejected.first, rejected.second);
    analysis = recommend(plan, std::move(curves));
    if (rejections == max_checks && analysis.recommendation) {
      analysis.recommendation.reset();
      analysis.reason = "none of the " + std::to_string(max_checks) +
                        " runs preferred most stands its checks; begin the scan at a smaller "
                        "macro-step";
    }
  }
  if (rejections > 0) {
    auto& answer = analysis.recommendation;
    (answer ? answer->reason : analysis.reason) +=
        "; " + first +
        (rejections == 1 ? "" : ", and " + std::to_string(rejections - 1) + " more are rejected");
  }
  return analysis;
}

}  // namespace macrostep::engine
