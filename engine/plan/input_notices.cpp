#include "engine/plan/input_notices.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace macrostep::engine {

namespace {

/// A sine that is to reach the end of a range may exceed it in rounding.
constexpr double range_tolerance = 1e-9;

/// Least and largest value of the signals that may leave the range of their input.
std::optional<std::pair<double, double>> chosen_range(const models::Signal& signal) {
  if (signal.record) {
    const auto [low, high] = std::ranges::minmax(signal.record->value);
    return std::pair(low, high);
  }
  if (signal.amplitude != 0) {
    const double swing = std::abs(signal.amplitude);
    return std::pair(signal.base - swing, signal.base + swing);
  }
  return std::nullopt;
}

std::optional<double> moves_from_s(const models::Signal& signal) {
  if (signal.record) {
    const auto& record = *signal.record;
    const auto& value = record.value;
    const auto other = std::ranges::find_if(value, [&](double v) { return v != value.front(); });
    if (other == value.end()) {
      return std::nullopt;
    }
    const auto at = static_cast<std::size_t>(other - value.begin());
    return std::max(0.0, record.time_s[record.linear ? at - 1 : at]);
  }
  if (signal.amplitude != 0) {
    return 0;
  }
  return signal.peak != signal.base && std::isfinite(signal.begin_s) ? std::optional(signal.begin_s)
                                                                     : std::nullopt;
}

}  // namespace

std::vector<Notice> input_range_warning(const Plan& plan) {
  std::vector<Notice> list;
  for (const auto& test : plan.job.tests) {
    for (const auto& input : plan.problem.external_inputs) {
      const auto range = chosen_range(signal(test, input));
      const double margin = range_tolerance * (input.maximum - input.minimum);
      if (range &&
          (range->first < input.minimum - margin || range->second > input.maximum + margin)) {
        list.push_back({.code = NoticeCode::input_beyond_range,
                        .subject = input.to.text() + " in test " + test.name,
                        .numbers = {{"from", range->first},
                                    {"to", range->second},
                                    {"minimum", input.minimum},
                                    {"maximum", input.maximum}}});
      }
    }
  }
  return list;
}

std::optional<double> driven_from_s(const Problem& problem, const TestInput& test) {
  std::optional<double> first_s;
  for (const auto& input : problem.external_inputs) {
    const auto from_s = moves_from_s(signal(test, input));
    if (from_s && (!first_s || *from_s < *first_s)) {
      first_s = from_s;
    }
  }
  return first_s;
}

}  // namespace macrostep::engine
