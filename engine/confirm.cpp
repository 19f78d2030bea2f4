#include "engine/confirm.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "engine/curve_flags.hpp"

namespace macrostep::engine {

namespace {

/// The largest H below `failed_s` that may be recommended instead.
std::optional<double> next_below(const Job& job, const Curve& curve, double failed_s) {
  std::optional<double> below;
  const auto take = [&](double macro_step_s) {
    if (macro_step_s < failed_s && macro_step_s > below.value_or(0)) {
      below = macro_step_s;
    }
  };
  if (job.allowed_macro_steps_s.empty()) {
    std::ranges::for_each(curve.points, [&](const CurvePoint& point) { take(point.macro_step_s); });
  } else {
    std::ranges::for_each(job.allowed_macro_steps_s, take);
  }
  return below;
}

/// No curve of the configuration may be used from `failed_s` on.
void cut(const Plan& plan, std::vector<Curve>& curves, std::size_t configuration, double failed_s,
         std::string_view flag) {
  for (auto& curve : curves) {
    if (curve.key.configuration != configuration || !curve.usable_s || *curve.usable_s < failed_s) {
      continue;
    }
    curve.usable_s = next_below(plan.job, curve, failed_s);
    if (!has_flag(curve, flag)) {
      curve.flags.emplace_back(flag);
    }
    if (!curve.usable_s) {
      curve.counts = false;
      continue;
    }
    const double duration_s = plan.job.tests[curve.key.test].duration_s;
    curve.counts = curve.counts || duration_s >= plan.job.minimum_macro_steps * *curve.usable_s;
  }
}

}  // namespace

Confirmed confirm(const Plan& plan, Analysis analysis, const Check& check, std::string_view flag) {
  Confirmed confirmed{.analysis = std::move(analysis)};
  while (confirmed.analysis.recommendation && confirmed.checks < max_checks) {
    const auto& answer = *confirmed.analysis.recommendation;
    const auto configuration = answer.configuration;
    const double macro_step_s = answer.macro_step_s;
    ++confirmed.checks;
    if (check(configuration, macro_step_s)) {
      confirmed.holds = true;
      break;
    }
    auto curves = std::move(confirmed.analysis.curves);
    cut(plan, curves, configuration, macro_step_s, flag);
    confirmed.analysis = recommend(plan, std::move(curves));
  }
  return confirmed;
}

}  // namespace macrostep::engine
