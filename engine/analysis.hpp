// What is known of a configuration at one macro-step beside its energy residual: the spectral
// radius of its propagation matrix (propagation.hpp) and its true errors.
//
// Errors are those of the exchanged outputs over a test (reference.hpp; Haid et al. 2022, eqs.
// 31-33):
//   local   of one macro-step that begins at the exact solution, states and past values alike
//   global  of the whole run
#pragma once

#include <atomic>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/plan.hpp"

namespace macrostep::engine {

struct AnalysisPoint {
  double macro_step_s = 0;
  /// ρ(Φ); where the problem is not linear, of its linearisation about the exact solution if a time
  /// for it was given.
  std::optional<double> spectral_radius;
  /// ρ is 1 and powers of the matrix grow all the same (is_defective_on_unit_circle).
  bool defective = false;
  std::optional<double> phase_margin_deg;  ///< where signals pass round one loop (nyquist.hpp)
  std::optional<double> local_error;       ///< NRMSE
  std::optional<double> global_error;      ///< NRMSE; absent where the run does not complete
  /// Why one is absent, each.
  std::string no_radius_reason, no_local_error_reason, no_global_error_reason;
};

struct Executor;

struct AnalysisSettings {
  const Configuration* configuration = nullptr;
  const TestInput* test = nullptr;
  std::optional<double> until_s;         ///< instead of the test's duration; the input is the same
  std::optional<double> linearise_at_s;  ///< of what is not linear
  int threads = 0;                       ///< 0: all processors
  const std::atomic<bool>* stop = nullptr;
  const Executor* executor = nullptr;  ///< absent: everything is computed in this process
};

/// In this process, on this thread.
AnalysisPoint analyse_point(const Plan& plan, const AnalysisSettings& settings,
                            double macro_step_s);

/// One point for every macro-step, in their order. Points after `stop` was set say so.
std::vector<AnalysisPoint> analyse(const Plan& plan, const AnalysisSettings& settings,
                                   std::span<const double> macro_steps_s);

/// Whether ρ ≤ 1 + 1e-9, and no growth on the circle, at all of them: then the grid ends before
/// stability does.
bool is_stable_at_all(std::span<const AnalysisPoint> points);

/// The largest macro-step with ρ ≤ 1 + 1e-9, and no growth on the circle, there and at every
/// smaller one; points grow in H.
std::optional<double> largest_stable_s(std::span<const AnalysisPoint> points);

/// NRMSE up to which signals cannot be told apart by eye (Haid et al. 2022, section 4.2).
inline constexpr double accurate_error = 0.01;

/// The largest macro-step with a global error of at most this there and at every smaller one.
std::optional<double> largest_accurate_s(std::span<const AnalysisPoint> points);

/// Slope of an error over H in log-log axes, a straight line through the five smallest macro-steps
/// that have one; at least two.
std::optional<double> convergence_order(std::span<const AnalysisPoint> points,
                                        std::optional<double> AnalysisPoint::*error);

}  // namespace macrostep::engine
