// Why a search recommends nothing.
#pragma once

#include <vector>

#include "engine/notices/notice.hpp"
#include "engine/recommendation/recommendation.hpp"

namespace macrostep::engine {

/// The curves allow no configuration, or some are missing.
std::vector<Notice> why_nothing(const Plan& plan, const std::vector<Curve>& curves);

/// Why the paper's rule recommends nothing, where it does not.
std::vector<Notice> why_no_row(const Answer& answer);

/// That every run fails verification, and what may help.
std::vector<Notice> all_fail(const Job& job);

/// That this run is not recommended, as no check objects to it and none says anything for it.
Notice nothing_speaks_for(const Plan& plan, const Recommendation& run);

}  // namespace macrostep::engine
