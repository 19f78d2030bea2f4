// The correction of one configuration of a plan.
#pragma once

#include <optional>
#include <string>

#include "engine/coupling_correction.hpp"
#include "engine/plan.hpp"

namespace macrostep::engine {

/// Why a configuration cannot have its correction, if it cannot.
std::optional<std::string> why_not_corrected(const Plan& plan, const Configuration& configuration);

/// Of a configuration that can; the plan must outlive it.
CouplingCorrection make_correction(const Plan& plan, const Configuration& configuration,
                                   double macro_step_s);

}  // namespace macrostep::engine
