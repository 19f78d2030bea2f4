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

}  // namespace macrostep::engine
