// The constants of a recommended configuration as C99, to be pasted into a master of one's own.
#pragma once

#include <string>

#include "server/export/recommended_export.hpp"

namespace macrostep::server {

/// H, micro-steps, communication intervals, and the coefficients of the extrapolation.
std::string c_of(const RecommendedExport& recommended);

}  // namespace macrostep::server
