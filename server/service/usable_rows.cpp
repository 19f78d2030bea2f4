#include "server/service/usable_rows.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/usable_step.hpp"

namespace macrostep::server::service {

StepLimits step_limits(const std::string& plan) {
  const auto job = nlohmann::json::parse(plan);
  const auto search = job.value("search", nlohmann::json::object());
  StepLimits limits;
  if (const auto found = search.find("relative_residual_max");
      found != search.end() && found->is_number()) {
    limits.relative_residual_max = found->get<double>();
  }
  if (const auto found = search.find("allowed_macro_steps_s");
      found != search.end() && found->is_array()) {
    limits.allowed_macro_steps_s = found->get<std::vector<double>>();
  }
  return limits;
}

std::optional<double> usable_step(const db::CurveRow& curve,
                                  std::span<const db::TrialRow* const> trials,
                                  const StepLimits& limits) {
  const auto flags = nlohmann::json::parse(curve.flags);
  if (std::ranges::any_of(flags, [](const auto& flag) {
        return engine::forbids_use(flag.template get<std::string>());
      })) {
    return std::nullopt;
  }
  std::vector<engine::CurvePoint> points;
  std::optional<double> last_s;
  for (const auto* trial : trials) {
    points.push_back(
        {.macro_step_s = trial->macro_step_s, .relative_residual = trial->relative_residual});
    if (trial->inside_linear_region.value_or(false)) {
      last_s = trial->macro_step_s;
    }
  }
  return engine::usable_step({.points = points,
                              .last_s = last_s,
                              .stability_limit_s = curve.stability_limit_s,
                              .rejected_from_s = curve.rejected_from_s,
                              .relative_residual_max = limits.relative_residual_max,
                              .allowed_macro_steps_s = limits.allowed_macro_steps_s});
}

}  // namespace macrostep::server::service
