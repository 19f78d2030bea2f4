// Why a search recommends nothing, in words.
#pragma once

#include <string>
#include <vector>

#include "engine/scan/curve.hpp"

namespace macrostep::engine {

/// The curves allow no configuration, or some are missing.
std::string why_nothing(const Plan& plan, const std::vector<Curve>& curves);

}  // namespace macrostep::engine
