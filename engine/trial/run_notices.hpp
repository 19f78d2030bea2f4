// What a user should know of a run, beside what it computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/plan/plan.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

/// Warnings of a complete run: too few macro-steps to tell anything, in all or since its test
/// drives it, or an error of outputs or energies as large as they are. Empty where there is nothing
/// to warn of. H in s; the NRMSE is a share, where it was measured.
std::vector<Notice> run_notices(const Plan& plan, double macro_step_s, const TrialResult& result,
                                std::optional<double> nrmse);

/// Warns of an end [s] before the plan's first test drives anything; empty where it drives nothing.
std::vector<Notice> undriven_warning(const Plan& plan, double end_s);

/// What may help a run that diverged, as sentences: another H, or another nominal value where the
/// problem may be as large as that and the output is finite. H in s; the exact solution is known to
/// be about as large.
std::string divergence_advice(const Plan& plan, double macro_step_s, const TrialResult& result,
                              bool exact_grows_as_far);

}  // namespace macrostep::engine
