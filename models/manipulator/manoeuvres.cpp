#include "models/manipulator/manoeuvres.hpp"

#include <cmath>
#include <numbers>

namespace macrostep::models {

namespace {

constexpr double frequency_hz = 2;
constexpr double largest_share = 0.1;  ///< of κ_0
constexpr double grown_s = 1, shrinking_s = 8, ended_s = 9;

double amplitude(double t) {
  if (t < grown_s) {
    return largest_share * t / grown_s;
  }
  if (t < shrinking_s) {
    return largest_share;
  }
  return t < ended_s ? largest_share * (ended_s - t) / (ended_s - shrinking_s) : 0;
}

}  // namespace

Record manoeuvre_1(double spool_at_rest) {
  const double lowered = spool_at_rest - 0.01;
  const double raised = lowered + 0.03;
  return {.time_s = {0, 2, 2.001, 6, 6.002, manoeuvre_duration_s},
          .value = {spool_at_rest, spool_at_rest, lowered, lowered, raised, raised},
          .linear = true};
}

double manoeuvre_2_at(double spool_at_rest, double time_s) {
  return spool_at_rest *
         (1 - amplitude(time_s) * std::sin(2 * std::numbers::pi * frequency_hz * time_s));
}

Record manoeuvre_2(double spool_at_rest, double spacing_s) {
  // Rounding of the quotient must not add a corner.
  constexpr double quotient_tolerance = 1e-9;
  const auto count =
      static_cast<int>(std::ceil(manoeuvre_duration_s / spacing_s - quotient_tolerance));
  Record record;
  for (int i = 0; i <= count; ++i) {
    const double t = manoeuvre_duration_s * i / count;
    record.time_s.push_back(t);
    record.value.push_back(manoeuvre_2_at(spool_at_rest, t));
  }
  return record;
}

}  // namespace macrostep::models
