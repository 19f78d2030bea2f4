#include "models/subsystem/signal.hpp"

#include <algorithm>
#include <limits>

#include "models/subsystem/names.hpp"

namespace macrostep::models {

namespace {
constexpr Names<Sampling, 2> samplings{
    {{Sampling::continuous, "continuous"}, {Sampling::held, "held"}}};
}  // namespace

std::string_view to_string(Sampling sampling) {
  return name_of(samplings, sampling);
}

std::optional<Sampling> sampling_from(std::string_view name) {
  return value_of(samplings, name);
}

std::size_t Record::points_until(double t_s) const {
  const auto after = std::upper_bound(time_s.begin(), time_s.end(), t_s + event_tolerance_s);
  return static_cast<std::size_t>(after - time_s.begin());
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
