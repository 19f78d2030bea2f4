// What is known of a configuration at one macro-step beside its energy residual: the spectral
// radius of its propagation matrix (propagation.hpp) and its true errors.
//
// Errors are those of the exchanged outputs over a test (reference_errors.hpp; Haid et al. 2022,
// eqs. 31-33):
//   local   of one macro-step that begins at the exact solution, states and past values alike
//   global  of the whole run
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "engine/plan/plan.hpp"
#include "engine/stability/growth.hpp"

namespace macrostep::engine {

struct AnalysisPoint {
  double macro_step_s = 0;
  /// ρ(Φ); where the problem is not linear, of its linearisation about the exact solution if a time
  /// for it was given.
  std::optional<double> spectral_radius;
  /// The verdict, where the problem is linear: eigenvalues along a moving solution are none.
  std::optional<Growth> growth;
  std::optional<double> phase_margin_deg;  ///< where signals pass round one loop (nyquist.hpp)
  std::optional<double> local_error;       ///< NRMSE
  std::optional<double> global_error;      ///< NRMSE; absent where the run does not complete
  /// Why one is absent, each.
  std::string no_radius_reason, no_local_error_reason, no_global_error_reason;
};

struct AnalysisSettings {
  const Configuration* configuration = nullptr;
  const TestInput* test = nullptr;
  std::optional<double> until_s;         ///< instead of the test's duration; the input is the same
  std::optional<double> linearise_at_s;  ///< of what is not linear
  const std::atomic<bool>* stop = nullptr;
};

/// In this process, on this thread.
AnalysisPoint analyse_point(const Plan& plan, const AnalysisSettings& settings,
                            double macro_step_s);

}  // namespace macrostep::engine
