// The correction of one configuration of a plan.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/coupling_correction.hpp"
#include "engine/plan.hpp"

namespace macrostep::engine {

/// Whether the correction of a configuration works with a linear model of the subsystems.
bool uses_jacobians(const Configuration& configuration);

/// Why a configuration cannot have its correction, if it cannot.
std::optional<std::string> why_not_corrected(const Plan& plan, const Configuration& configuration);

/// μ of every bond for the energy correction: as given, else by the formula; why there is none.
std::variant<std::vector<double>, std::string> shares_of(const Plan& plan,
                                                         const Configuration& configuration);

/// Of a configuration that can; the plan must outlive it.
CouplingCorrection make_correction(const Plan& plan, const Configuration& configuration,
                                   double macro_step_s);

}  // namespace macrostep::engine
