// Random numbers that are the same for the same seed on every machine of the same arithmetic
// (provenance.hpp: math_class), which the distributions of the standard library do not promise.
//
// SplitMix64 (Steele, Lea and Flood 2014): state += 0x9e3779b97f4a7c15, then two multiplications
// and three shifts.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace macrostep::engine {

class Random {
 public:
  /// Numbers of one study are independent of each other, whatever was drawn for the one before.
  Random(std::uint64_t seed, std::uint64_t number)
      : state_(mixed(seed) ^ mixed(number + increment)) {}

  std::uint64_t bits() {
    state_ += increment;
    return mixed(state_);
  }
  /// In [low, high).
  double uniform(double low, double high) {
    constexpr double unit = 0x1p-53;
    return low + (high - low) * unit * static_cast<double>(bits() >> 11);
  }
  /// The logarithm is uniform.
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  /// In [low, high], both included.
  int whole(int low, int high) {
    return low + static_cast<int>(bits() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(double probability) { return uniform(0, 1) < probability; }
  template <class Value, std::size_t count>
  const Value& pick(const std::array<Value, count>& values) {
    return values[static_cast<std::size_t>(whole(0, static_cast<int>(count) - 1))];
  }

 private:
  static constexpr std::uint64_t increment = 0x9e3779b97f4a7c15;

  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }

  std::uint64_t state_;
};

}  // namespace macrostep::engine
