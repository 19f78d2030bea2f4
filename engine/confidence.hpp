// How far a recommendation may be trusted, by what the trust study has counted (README.md, "How
// often is it wrong?").
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/recommendation.hpp"

namespace macrostep::engine {

/// What of the problem, the configuration and the rule no problem of the study had, as in
/// "the energy correction"; empty: nothing.
std::vector<std::string> outside_study(const Plan& plan, std::size_t configuration);

/// That, as a warning; empty where there is nothing to warn of.
std::vector<std::string> outside_study_warning(const Plan& plan, std::size_t configuration);

/// Of the study's recommendations that stood the same checks, the share that was stable: the lower
/// end of its 95 % interval. Absent for runs that were not checked or lie outside the study.
std::optional<double> confidence_of(const Plan& plan, const Recommendation& recommendation);

}  // namespace macrostep::engine
