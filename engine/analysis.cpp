#include "engine/analysis.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "engine/exact_past.hpp"
#include "engine/executor.hpp"
#include "engine/external_signals.hpp"
#include "engine/make_master.hpp"
#include "engine/nyquist.hpp"
#include "engine/propagation.hpp"
#include "engine/reference_errors.hpp"
#include "engine/spectrum.hpp"
#include "engine/true_error.hpp"

namespace macrostep::engine {

namespace {

constexpr int order_points = 5;
/// An NRMSE below this is rounding.
constexpr double rounding_error = 1e-12;
/// A multiple eigenvalue 1 is found this far from 1 at most.
constexpr double defective_radius = 1 + 1e-6;

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
  ErrorSums errors(plan.graph(configuration));
  const auto end =
      macro_steps_in(settings.until_s.value_or(settings.test->duration_s), macro_step_s);
  for (std::int64_t n = (master.past_ticks() + ticks - 1) / ticks; n < end; ++n) {
    if (settings.stop && settings.stop->load(std::memory_order_relaxed)) {
      return "stopped";
    }
    if (!exact.advance_to(n * ticks)) {
      return exact.failure();
    }
    master.go_on_from(n, exact.states(), [&](int ago) { return exact.outputs(ago); });
    if (const auto step = master.advance(); step.status != models::StepStatus::ok) {
      return step.reason;
    }
    if (!exact.advance_to((n + 1) * ticks)) {
      return exact.failure();
    }
    errors.add(master.outputs(), exact.outputs(0));
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

bool is_stable(const AnalysisPoint& point) {
  return point.spectral_radius && *point.spectral_radius <= stable_radius && !point.defective;
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
  point.defective = rho < defective_radius && is_defective_on_unit_circle(phi);
  if (const auto loop = open_loop(plan, configuration, point.macro_step_s);
      std::holds_alternative<OpenLoop>(loop)) {
    point.phase_margin_deg = std::get<OpenLoop>(loop).phase_margin_deg;
  }
}

Error global_error(const Plan& plan, const AnalysisSettings& settings, double macro_step_s) {
  auto error = error_in_test(plan, *settings.configuration, *settings.test, macro_step_s,
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

std::vector<AnalysisPoint> analyse(const Plan& plan, const AnalysisSettings& settings,
                                   std::span<const double> macro_steps_s) {
  const Executor here;
  const Executor& executor = settings.executor ? *settings.executor : here;
  std::vector<AnalysisPoint> points(macro_steps_s.size());
  executor.for_each_index(points.size(), settings.threads, [&](std::size_t i) {
    auto& point = points[i];
    point.macro_step_s = macro_steps_s[i];
    if (settings.stop && settings.stop->load(std::memory_order_relaxed)) {
      point.no_radius_reason = point.no_local_error_reason = point.no_global_error_reason =
          "stopped";
      return;
    }
    point = executor.analyse_point(plan, settings, point.macro_step_s);
  });
  return points;
}

bool is_stable_at_all(std::span<const AnalysisPoint> points) {
  return std::ranges::all_of(points, is_stable);
}

std::optional<double> largest_stable_s(std::span<const AnalysisPoint> points) {
  std::optional<double> largest_s;
  for (const auto& point : points) {
    if (!is_stable(point)) {
      break;
    }
    largest_s = point.macro_step_s;
  }
  return largest_s;
}

std::optional<double> largest_accurate_s(std::span<const AnalysisPoint> points) {
  std::optional<double> largest_s;
  for (const auto& point : points) {
    if (!point.global_error || *point.global_error > accurate_error) {
      break;
    }
    largest_s = point.macro_step_s;
  }
  return largest_s;
}

std::optional<double> convergence_order(std::span<const AnalysisPoint> points,
                                        std::optional<double> AnalysisPoint::*error) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& point : points) {
    const auto& value = point.*error;
    if (value && *value > rounding_error && n < order_points) {
      const double log_step = std::log(point.macro_step_s);
      const double log_error = std::log(*value);
      n += 1;
      x += log_step;
      y += log_error;
      xx += log_step * log_step;
      xy += log_step * log_error;
    }
  }
  const double spread = n * xx - x * x;
  return n >= 2 && spread > 0 ? std::optional((n * xy - x * y) / spread) : std::nullopt;
}

}  // namespace macrostep::engine
