// What a tuning tried, as a picture that stands for itself.
#pragma once

#include <string>

#include "engine/studies/tuning.hpp"

namespace macrostep::server {

/// A panel per limit of the coarse grid, μ to the right and ν upwards: every setting's mean
/// objective relative to that of the point to beat, on a logarithmic colour scale with white at 1.
/// Marks tell the settings that are worse in no test, the formula and the best one. Nothing to draw
/// (an empty landscape) gives an empty text.
std::string tuning_svg(const engine::TuningResult& result, const std::string& title,
                       const std::string& subtitle);

}  // namespace macrostep::server
