// A map as a picture that stands for itself: Haid et al. (2022), figs. 4 and 6.
#pragma once

#include <string>

#include "engine/studies/map.hpp"
#include "server/analyses/map_json.hpp"

namespace macrostep::server {

/// A panel per configuration: the regions that are stable (accurate), one over the other from the
/// smallest H to the largest, each bounded by its contour; where a larger H is not, the next one
/// below shows. A legend of the H, axes with units. SVG 1.1 of at most max_svg_panels panels; what
/// is left out is said in it.
inline constexpr std::size_t max_svg_panels = 24;
std::string map_svg(const json::MapPlan& map, const engine::MapResult& result);

}  // namespace macrostep::server
