#include "models/subsystem/signal.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "models/subsystem/names.hpp"

namespace macrostep::models {

namespace {

constexpr Names<Sampling, 2> samplings{
    {{Sampling::continuous, "continuous"}, {Sampling::held, "held"}}};

/// How many points of a record this thread has found reached when it last looked, which is usually
/// right for the next time, too. A guess: it is verified, so that it may be of another record.
std::size_t& last_found(const Record* record) {
  thread_local std::array<std::size_t, 64> found{};  // of records by their addresses
  return found[(reinterpret_cast<std::uintptr_t>(record) / alignof(Record) * 0x9e3779b1U >> 8U) %
               found.size()];
}

}  // namespace

std::string_view to_string(Sampling sampling) {
  return name_of(samplings, sampling);
}

std::optional<Sampling> sampling_from(std::string_view name) {
  return value_of(samplings, name);
}

std::size_t Record::points_until(double t_s) const {
  const double reached_s = t_s + event_tolerance_s;
  auto& points = last_found(this);
  const bool is_found = points <= time_s.size() &&
                        (points == 0 || time_s[points - 1] <= reached_s) &&
                        (points == time_s.size() || reached_s < time_s[points]);
  if (!is_found) {
    const auto after = std::upper_bound(time_s.begin(), time_s.end(), reached_s);
    points = static_cast<std::size_t>(after - time_s.begin());
  }
  return points;
}

double Record::slope_per_s(std::size_t points) const {
  if (!linear || points == 0 || points == time_s.size()) {
    return 0;
  }
  return (value[points] - value[points - 1]) / (time_s[points] - time_s[points - 1]);
}

double Record::at(double t_s) const {
  const auto points = points_until(t_s);
  if (points == 0) {
    return value.front();
  }
  return value[points - 1] + slope_per_s(points) * (t_s - time_s[points - 1]);
}

bool Record::is_constant(double from_s, double to_s) const {
  const auto points = points_until(from_s);
  return slope_per_s(points) == 0 && points == points_until(to_s);
}

double Record::next_point_s(double t_s) const {
  const auto points = points_until(t_s);
  return points < time_s.size() ? time_s[points] : std::numeric_limits<double>::infinity();
}

}  // namespace macrostep::models
