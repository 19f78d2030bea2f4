// How far a recommendation may be trusted, by what the trust study has counted (README.md, "How
// often is it wrong?").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/recommendation.hpp"

namespace macrostep::engine {

/// What of the problem, the configuration and the rule no problem of the study had, as in
/// "the energy correction"; empty: nothing.
std::vector<std::string> outside_study(const Plan& plan, const Recommendation& recommendation);

/// That, and random inputs that checks left out, as warnings; what no check has told of stability
/// is warned of elsewhere (warnings.hpp).
std::vector<std::string> no_confidence_warning(const Plan& plan,
                                               const Recommendation& recommendation);

/// The check by which a recommendation counts as stable: growth or swing, whichever agrees, with no
/// input left out; empty: none does.
std::string_view counted_check(const Recommendation& recommendation);

/// Of the study's recommendations that stood the same check, the share that was stable: the lower
/// end of its 95 % interval. By growth that of all of them. By swing that of the family drawn of
/// the built-in problem, the worst one where there are several. For other problems, of which no
/// family is known, and for parameters more than half their defaults off them, that of the worst of
/// all.
/// Absent for runs that were not checked, where checks left inputs out, and outside the study.
std::optional<double> confidence_of(const Plan& plan, const Recommendation& recommendation);

}  // namespace macrostep::engine
