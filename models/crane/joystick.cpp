#include "models/crane/joystick.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace macrostep::models {

namespace {

constexpr double samples_per_s = 25;
constexpr double steps_per_volt = 100;
constexpr double largest_v = 10;

/// The lever arrives at a position at a time.
struct Position {
  double time_s;
  double value_v;
};

constexpr std::array positions{
    Position{0, 0}, Position{0.6, 0},
    // The lever is tried: down, up and down again.
    Position{0.9, -6}, Position{1.6, -6}, Position{1.75, 8}, Position{2.05, 8}, Position{2.2, -10},
    // Down into the end dampers, and a rest.
    Position{4.2, -10}, Position{4.6, 0}, Position{5, 0},
    // Up over the whole stroke into the dampers at its other end.
    Position{5.5, 10}, Position{15, 10},
    // Off them and onto them again.
    Position{15.15, -4}, Position{15.5, -4}, Position{15.65, 10}, Position{16.8, 10},
    Position{17.2, 0}, Position{18, 0},
    // A little down.
    Position{18.4, -5}, Position{19, -5}, Position{19.4, 0}, Position{joystick_duration_s, 0}};

double hand_v(double time_s) {
  const auto* const next =
      std::find_if(positions.begin() + 1, positions.end() - 1,
                   [&](const Position& position) { return time_s <= position.time_s; });
  const auto& [t1, v1] = *next;
  const auto& [t0, v0] = *(next - 1);
  const double x = (time_s - t0) / (t1 - t0);
  return v0 + (v1 - v0) * x * x * x * (10 - 15 * x + 6 * x * x);
}

double tremor(double time_s) {
  const auto wave = [&](double frequency_hz) {
    return std::sin(2 * std::numbers::pi * frequency_hz * time_s);
  };
  return 0.02 * wave(7.3) + 0.01 * wave(3.1);
}

}  // namespace

Record joystick() {
  Record record;
  const auto last = static_cast<int>(joystick_duration_s * samples_per_s);
  for (int i = 0; i <= last; ++i) {
    const double t = i / samples_per_s;
    const double lever_v = std::clamp(hand_v(t) * (1 + tremor(t)), -largest_v, largest_v);
    record.time_s.push_back(t);
    record.value.push_back(std::round(lever_v * steps_per_volt) / steps_per_volt);
  }
  return record;
}

}  // namespace macrostep::models
