// What a user should know before trusting a recommendation.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/recommendation/recommendation.hpp"

namespace macrostep::engine {

// Each is empty where there is nothing to warn of.

/// Warnings of a configuration: tests that say nothing of it, and what its residual does not see.
std::vector<std::string> warnings_of(const Plan& plan, std::span<const Curve> curves,
                                     std::size_t configuration);

/// Configurations that would reach further than H, but count in no test, as all tests are too short
/// for them: the answer is drawn from the others. Says how long which test must be.
std::vector<std::string> short_test_warning(const Plan& plan, std::span<const Curve> curves,
                                            double macro_step_s);

/// The exact solution of a linear problem grows by itself.
std::vector<std::string> growth_warning(const Plan& plan, std::size_t configuration);

/// Corrections of the job that no configuration can have, with the reason of the first one.
std::vector<std::string> refused_correction_warning(const Plan& plan);

/// Orders of extrapolation of the job that no configuration can have, as where an FMU cannot follow
/// them, with the reason of the first one.
std::vector<std::string> refused_order_warning(const Plan& plan);

/// "the cliff, where …, is at 2.2 ms": the same words for warnings and reports.
std::string cliff_text(double cliff_s);

/// That growth of undamped oscillations is allowed within a session, where it is, or that a motion
/// grows by the exact analysis.
std::vector<std::string> session_warning(const Recommendation& recommendation);

/// Close above the recommended H is the cliff, or the exact limit of a linear problem where that is
/// nearer.
std::vector<std::string> little_margin_warning(const Recommendation& recommendation);

/// How accurate results are at the recommended H, and what to do about it: by the error of the
/// outputs where it was measured, else by the relative residual.
std::vector<std::string> accuracy_warning(const Plan& plan, const Recommendation& recommendation);

/// What no check has told: whether it is stable, or holds under unseen inputs.
std::vector<std::string> unchecked_warning(const Plan& plan, const Recommendation& recommendation);

/// A micro-step is a maximum: one that is longer than its subsystem's communication interval is cut
/// to it. Says of which subsystems.
std::vector<std::string> micro_step_warning(const Plan& plan, const Configuration& configuration,
                                            double macro_step_s);

}  // namespace macrostep::engine
