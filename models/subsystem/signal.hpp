// A scalar function of time that drives an external input of a subsystem.
//
// Two shapes cover the four test inputs of Rahikainen, González and Naya (2019), eqs. 12-15, and a
// table what a rig has recorded:
//   pulse  w(t) = base before begin_s and from end_s on, peak between full_s and end_s, and the
//          straight line from base to peak between begin_s and full_s (step: full = begin, end = ∞;
//          ramp: end = ∞; impulse: full = begin)
//   sine   w(t) = base + amplitude·sin(2π·frequency·t)
//   record w(t) through its points by straight lines, or holding each value until the next point;
//          before the first point and after the last one their values
// A constant is a pulse that never begins.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

namespace macrostep::models {

/// Events count as reached this much early, so that t = n·H rounded down still meets them.
inline constexpr double event_tolerance_s = 1e-12;

/// A function of time by its points, at growing times. At least one point, as many values.
struct Record {
  std::vector<double> time_s;
  std::vector<double> value;
  bool linear = true;  ///< false: each value holds until the next point

  bool operator==(const Record&) const = default;

  /// Points at or before this time, events reached early counted.
  std::size_t points_until(double t_s) const;
  /// The slope of the straight line that leaves the last point reached.
  double slope_per_s(std::size_t points) const;
  double at(double t_s) const;
  /// Whether it keeps one value between these two times, both included.
  bool is_constant(double from_s, double to_s) const;
  /// The first point that is not yet reached at this time; ∞ if there is none.
  double next_point_s(double t_s) const;
};

struct Signal {
  double base = 0;
  double peak = 0;
  double begin_s = std::numeric_limits<double>::infinity();
  double full_s = std::numeric_limits<double>::infinity();
  double end_s = std::numeric_limits<double>::infinity();
  double amplitude = 0;
  double frequency_hz = 0;
  /// Instead of all the others; kept alive by who made the signal, and as it is while it is bound.
  const Record* record = nullptr;

  double value(double time_s) const {
    if (record) [[unlikely]] {  // out of line: micro-steps evaluate the rest
      return record->at(time_s);
    }
    if (amplitude != 0) {
      return base + amplitude * std::sin(2 * std::numbers::pi * frequency_hz * time_s);
    }
    const double t = time_s + event_tolerance_s;
    if (t < begin_s || t >= end_s) {
      return base;
    }
    return t >= full_s ? peak : base + (peak - base) * (time_s - begin_s) / (full_s - begin_s);
  }

  /// Whether it is known to have one value at all times between these two, both included.
  bool is_constant(double from_s, double to_s) const {
    if (record) {
      return record->is_constant(from_s, to_s);
    }
    if (amplitude != 0) {
      return false;
    }
    const double first = from_s + event_tolerance_s;
    const double last = to_s + event_tolerance_s;
    return last < begin_s || first >= end_s || (first >= full_s && last < end_s);
  }

  /// The first event after a time that is not yet reached there; ∞ if there is none.
  double next_event_s(double time_s) const {
    if (record) {
      return record->next_point_s(time_s);
    }
    double next_s = std::numeric_limits<double>::infinity();
    for (const double event_s : {end_s, full_s, begin_s}) {
      if (event_s > time_s + event_tolerance_s) {
        next_s = event_s;
      }
    }
    return next_s;
  }

  bool operator==(const Signal&) const = default;  ///< of the same record
};

/// When a subsystem sees its external input: exactly at every micro-step stage, or as a rig's
/// sample-and-hold does, only at the communication points.
enum class Sampling { continuous, held };

inline constexpr std::array all_samplings{Sampling::continuous, Sampling::held};

std::string_view to_string(Sampling sampling);
std::optional<Sampling> sampling_from(std::string_view name);

struct ExternalSignal {
  Signal signal;
  Sampling sampling = Sampling::continuous;

  bool operator==(const ExternalSignal&) const = default;
};

}  // namespace macrostep::models
