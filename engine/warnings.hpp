// What a user should know before trusting a recommendation.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "engine/recommendation.hpp"

namespace macrostep::engine {

/// Of a configuration: tests that say nothing about it, and what its residual does not see.
std::vector<std::string> warnings_of(const Plan& plan, std::span<const Curve> curves,
                                     std::size_t configuration);

}  // namespace macrostep::engine
