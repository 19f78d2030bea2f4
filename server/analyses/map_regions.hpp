// Where the values of a plane are within a limit, as outlines (marching squares).
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace macrostep::server {

struct Plane {
  std::size_t columns = 0;
  std::size_t rows = 0;
  double limit = 0;
  /// Both sides of the border tell where it is; else, as for a spectral radius, which is flat
  /// within the limit and grows beyond it, the two values beyond do.
  bool two_sided = false;
  double width = 0;  ///< of the picture; the first row is at its bottom
  double height = 0;
};

/// SVG path data.
struct Region {
  std::string area;
  std::string border;
};

/// `values`: the first index varies fastest along x; one that is not finite is beyond the limit.
Region region_of(const std::vector<double>& values, const Plane& plane);

}  // namespace macrostep::server
