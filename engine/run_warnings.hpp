// What a user should know of a run that is complete, beside what it computed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/plan.hpp"
#include "engine/trial.hpp"

namespace macrostep::engine {

/// Too few macro-steps to tell anything, or an error of outputs or energies as large as they are.
/// Empty where there is nothing to warn of. H in s; the NRMSE is a share, where it was measured.
std::vector<std::string> run_warnings(const Plan& plan, double macro_step_s,
                                      const TrialResult& result, std::optional<double> nrmse);

}  // namespace macrostep::engine
