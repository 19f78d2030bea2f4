// What a user should know before trusting a recommendation.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/recommendation/recommendation.hpp"
#include "engine/verification/run_checks.hpp"

namespace macrostep::engine {

// Each is empty where there is nothing to warn of.

/// Warnings of a configuration with this H: tests that say nothing of it, and what its residual
/// does not see.
std::vector<Notice> notices_of(const Plan& plan, std::span<const Curve> curves,
                               std::size_t configuration, double macro_step_s);

/// Configurations that would reach further than H, but count in no test, as all tests are too short
/// for them: the answer is drawn from the others. Says how long which test must be.
std::vector<Notice> short_test_warning(const Plan& plan, std::span<const Curve> curves,
                                       double macro_step_s);

/// The exact solution of a linear problem grows by itself.
std::vector<Notice> growth_warning(const Plan& plan, std::size_t configuration);

/// Corrections of the job that no configuration can have, with the reason of the first one.
std::vector<Notice> refused_correction_warning(const Plan& plan);

/// Orders of extrapolation of the job that no configuration can have, as where an FMU cannot follow
/// them, with the reason of the first one.
std::vector<Notice> refused_order_warning(const Plan& plan);

/// Which members of the job make the scan finer: from a smaller start alone an arithmetic scan goes
/// on by its old increment, past most small macro-steps.
Notice finer_scan_advice(const Job& job);

/// That growth of undamped oscillations is allowed within a session, where it is, or that a motion
/// grows by the exact analysis.
std::vector<Notice> session_warning(const Recommendation& recommendation);

/// A notice of a run: its subject is "(extrapolation 2, hydraulics forward_euler)", and it has
/// macro_step_s.
Notice about_run(NoticeCode code, const Plan& plan, std::size_t configuration, double macro_step_s);

/// That a run of a configuration fails a check.
Notice rejection_of(NoticeCode code, const Plan& plan, std::size_t configuration,
                    double macro_step_s, const CheckOutcome& why);

/// Close above the recommended H is the cliff, or the exact limit of a linear problem where that is
/// nearer.
std::vector<Notice> little_margin_warning(const Recommendation& recommendation);

/// How accurate results are at the recommended H, and what to do about it: by the error of the
/// outputs where it was measured, else by the relative residual.
std::vector<Notice> accuracy_warning(const Plan& plan, const Recommendation& recommendation);

/// What no check has told: whether it is stable, or holds under unseen inputs.
std::vector<Notice> unchecked_warning(const Plan& plan, const Recommendation& recommendation);

/// What objects to a run that real time demands; empty where it passes.
std::vector<Notice> real_time_check_warning(const CheckedRun& checked, double macro_step_s);

/// A micro-step is a maximum: one that is longer than its subsystem's communication interval is cut
/// to it. A notice for each such subsystem.
std::vector<Notice> micro_step_warning(const Plan& plan, const Configuration& configuration,
                                       double macro_step_s);

}  // namespace macrostep::engine
