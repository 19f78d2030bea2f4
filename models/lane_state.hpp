// The state of a subsystem of several trials (lane_subsystem.hpp), for files compiled for lanes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/lane_subsystem.hpp"
#include "models/lanes.hpp"

#ifdef MACROSTEP_LANES

namespace macrostep::models {

inline namespace MACROSTEP_LANES {

/// Of one whose trials save these numbers first.
template <std::size_t size>
struct LaneState {
  std::array<LaneValues, size> values{};

  std::size_t load(std::size_t lane, std::span<const double> saved) {
    for (std::size_t i = 0; i < size; ++i) {
      values[i][lane] = saved[i];
    }
    return size;
  }
  void save(std::size_t lane, std::vector<double>& onto) const {
    for (const auto& value : values) {
      onto.push_back(value[lane]);
    }
  }
};

}  // namespace MACROSTEP_LANES

}  // namespace macrostep::models

#endif
