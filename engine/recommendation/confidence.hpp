// How far a recommendation may be trusted, by what the trust study has counted (README.md, "How
// often is it wrong?").
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/recommendation/recommendation.hpp"

namespace macrostep::engine {

/// What of the problem, the configuration and the rule no problem of the study had, as in
/// "the energy correction"; empty: nothing.
std::vector<std::string> outside_study(const Plan& plan, const Recommendation& recommendation);

/// That, and random inputs that checks left out, as warnings; what no check has told of stability
/// is warned of elsewhere (answer_notices.hpp).
std::vector<Notice> no_confidence_warning(const Plan& plan, const Recommendation& recommendation);

/// The check by which a recommendation counts as stable: growth or swing, whichever agrees, with no
/// input left out; empty: none does.
std::string_view counted_check(const Recommendation& recommendation);

/// The share of the study's recommendations that were stable, among those that passed the same
/// check: the lower end of its 95 % interval. Growth counts all of them together. Swing counts
/// those of the family drawn from the built-in problem, the worst family where there are several;
/// for problems without a family, and for parameters more than half their defaults off them, the
/// worst of all families. Absent for runs that were not checked, where checks left inputs out, and
/// outside the study.
std::optional<double> confidence_of(const Plan& plan, const Recommendation& recommendation);

}  // namespace macrostep::engine
