#include "engine/stability/analysis_point.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/cosim/make_master.hpp"
#include "engine/problem/external_signals.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/reference/true_error.hpp"
#include "engine/stability/exact_past.hpp"
#include "engine/stability/nyquist.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "engine/stability/stability.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

namespace {

using Error = std::variant<double, std::string>;

Error local_error(const Plan& plan, const AnalysisSettings& settings, double macro_step_s) {
  const auto& configuration = *settings.configuration;
  auto made = make_master(
      plan, configuration,
      external_signals(plan.problem, plan.coupling(configuration), *settings.test), macro_step_s);
  if (auto* reason = std::get_if<std::string>(&made)) {
    return std::move(*reason);
  }
  auto& master = std::get<Master>(made);
  auto followed =
      follow_exactly(plan, configuration, *settings.test, master, macro_step_s, settings.stop);
  if (auto* reason = std::get_if<std::string>(&followed)) {
    return std::move(*reason);
  }
  auto& exact = std::get<ExactPast>(followed);
  const std::int64_t ticks = master.ticks();
  ErrorSums errors(plan.graph(configuration), first_event_s(*settings.test));
  const auto end =
      macro_steps_in(settings.until_s.value_or(settings.test->duration_s), macro_step_s);
  for (std::int64_t n = (master.past_ticks() + ticks - 1) / ticks; n < end; ++n) {
    if (settings.stop && settings.stop->load(std::memory_order_relaxed)) {
      return "stopped";
    }
    if (!exact.advance_to(n * ticks)) {
      return exact.failure();
    }
    master.start_from(n, exact.states(), [&](int ago) { return exact.outputs(ago); });
    if (const auto step = master.advance(); step.status != models::StepStatus::ok) {
      return step.reason;
    }
    if (!exact.advance_to((n + 1) * ticks)) {
      return exact.failure();
    }
    errors.add(static_cast<double>(n + 1) * macro_step_s, master.outputs(), exact.outputs(0));
  }
  return errors.error().nrmse;
}

/// What foreign code throws is a reason like others.
template <class Find>
Error found_or_reason(const Find& find) {
  try {
    return find();
  } catch (const models::SubsystemFailed& failed) {
    return failed.what();
  }
}

/// The number, or the reason why there is none.
std::optional<double> value_or_reason(Error error, std::string& reason) {
  if (auto* why = std::get_if<std::string>(&error)) {
    reason = std::move(*why);
    return std::nullopt;
  }
  return std::get<double>(error);
}

void judge_stability(const Plan& plan, const AnalysisSettings& settings, AnalysisPoint& point) {
  const auto& configuration = *settings.configuration;
  auto made = propagation_matrix(plan, configuration, point.macro_step_s);
  if (std::holds_alternative<std::string>(made) && settings.linearise_at_s) {
    made = linearised_propagation_matrix(plan, configuration, *settings.test, point.macro_step_s,
                                         *settings.linearise_at_s);
  }
  if (auto* reason = std::get_if<std::string>(&made)) {
    point.no_radius_reason = std::move(*reason);
    return;
  }
  const auto& phi = std::get<Eigen::MatrixXd>(made);
  const double rho = spectral_radius(phi);
  if (!std::isfinite(rho)) {
    point.no_radius_reason = "the eigenvalues cannot be found";
    return;
  }
  point.spectral_radius = rho;
  const auto growth = Stability(plan, configuration).growth(point.macro_step_s);
  if (const auto* found = std::get_if<Growth>(&growth)) {
    point.growth = *found;
  }
  if (const auto loop = open_loop(plan, configuration, point.macro_step_s);
      std::holds_alternative<OpenLoop>(loop)) {
    point.phase_margin_deg = std::get<OpenLoop>(loop).phase_margin_deg;
  }
}

Error global_error(const Plan& plan, const AnalysisSettings& settings, double macro_step_s) {
  auto error = error_at_every_phase(plan, *settings.configuration, *settings.test, macro_step_s,
                                    settings.stop, settings.until_s);
  return error.nrmse ? Error(*error.nrmse) : Error(std::move(error.reason));
}

}  // namespace

AnalysisPoint analyse_point(const Plan& plan, const AnalysisSettings& settings,
                            double macro_step_s) {
  AnalysisPoint point{.macro_step_s = macro_step_s};
  judge_stability(plan, settings, point);
  point.local_error =
      value_or_reason(found_or_reason([&] { return local_error(plan, settings, macro_step_s); }),
                      point.no_local_error_reason);
  point.global_error =
      value_or_reason(global_error(plan, settings, macro_step_s), point.no_global_error_reason);
  return point;
}

}  // namespace macrostep::engine
