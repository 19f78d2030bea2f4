// State and inputs of a subsystem of several trials (lane_subsystem.hpp), for files compiled for
// lanes.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "models/lanes/lane_subsystem.hpp"
#include "models/lanes/lanes.hpp"

#ifdef MACROSTEP_LANES

namespace macrostep::models {

inline namespace MACROSTEP_LANES {

/// So many numbers of every trial.
template <std::size_t size>
class LaneState {
 public:
  void load(std::size_t lane, std::span<const double> saved) {
    for (std::size_t i = 0; i < size; ++i) {
      values_[i][lane] = saved[i];
    }
  }
  void save(std::size_t lane, std::span<double> into) const {
    for (std::size_t i = 0; i < size; ++i) {
      into[i] = values_[i][lane];
    }
  }

  Lanes get(std::size_t i) const { return Lanes::load(values_[i].data()); }
  void set(std::size_t i, const Lanes& value) { value.store(values_[i].data()); }

 private:
  std::array<LaneValues, size> values_{};
};

/// An input's coefficients, for polynomial_value().
inline std::array<Lanes, max_extrapolation_order + 1> loaded(const LanePolynomial& input) {
  std::array<Lanes, max_extrapolation_order + 1> c;
  for (std::size_t k = 0; k < c.size(); ++k) {
    c[k] = Lanes::load(input[k].data());
  }
  return c;
}

}  // namespace MACROSTEP_LANES

}  // namespace macrostep::models

#endif
