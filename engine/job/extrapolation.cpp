#include "engine/job/extrapolation.hpp"

#include <algorithm>
#include <cmath>

#include "models/subsystem/names.hpp"

namespace macrostep::engine {

namespace {

using models::InputPolynomial;

constexpr models::Names<Extrapolation, 12> names{{{Extrapolation::order_0, "0"},
                                                  {Extrapolation::order_1, "1"},
                                                  {Extrapolation::order_2, "2"},
                                                  {Extrapolation::order_3, "3"},
                                                  {Extrapolation::order_4, "4"},
                                                  {Extrapolation::i1, "i1"},
                                                  {Extrapolation::i2, "i2"},
                                                  {Extrapolation::least_squares, "least_squares"},
                                                  {Extrapolation::smooth_c0, "smooth_c0"},
                                                  {Extrapolation::smooth, "smooth"},
                                                  {Extrapolation::hermite, "hermite"},
                                                  {Extrapolation::adaptive, "adaptive"}}};

constexpr int highest_adaptive_order = 3;

/// The straight line through the newest values (at θ = 0, −1, …), up to five, that fits them best:
/// slope Σ_j (j̄ − j) y_j / Σ_j (j̄ − j)², through their mean at θ = −j̄.
InputPolynomial least_squares_line(const InputHistory& history) {
  const auto& d = history.differences;
  const std::array values{d[0], d[0] - d[1], d[0] - 2 * d[1] + d[2],
                          d[0] - 3 * d[1] + 3 * d[2] - d[3],
                          d[0] - 4 * d[1] + 6 * d[2] - 4 * d[3] + d[4]};
  const int count = std::clamp(history.values, 1, static_cast<int>(values.size()));
  const double middle = (count - 1) / 2.0;
  double mean = 0;
  double moment = 0;
  double spread = 0;
  for (int j = 0; j < count; ++j) {
    const double value = values[static_cast<std::size_t>(j)];
    mean += value / count;
    moment += (middle - j) * value;
    spread += (middle - j) * (middle - j);
  }
  const double slope = count > 1 ? moment / spread : 0;
  return {{mean + slope * middle, slope}};
}

/// The cubic with values a, b and slopes a', b' at θ = 0, 1.
InputPolynomial cubic(double a, double slope_a, double b, double slope_b) {
  const double rise = b - a;
  return {{a, slope_a, 3 * rise - 2 * slope_a - slope_b, slope_a + slope_b - 2 * rise}};
}

/// The order that would have predicted the newest value best, among those with values to be judged.
Differences best_order(const InputHistory& history) {
  const auto& d = history.differences;
  const int judged = std::min(history.values - 2, highest_adaptive_order);
  int best = 0;
  for (int m = 1; m <= judged; ++m) {
    const auto missed_by = [&](int k) { return std::abs(d[static_cast<std::size_t>(k) + 1]); };
    if (missed_by(m) < missed_by(best)) {
      best = m;
    }
  }
  Differences kept{};
  std::copy_n(d.begin(), best + 1, kept.begin());
  return kept;
}

/// The cubic through the two newest values and their derivatives, seen from the newest one.
InputPolynomial hermite_cubic(const InputHistory& history) {
  const auto& d = history.differences;
  if (history.values < 2) {
    return {{d[0], history.slope}};
  }
  return models::part_of(cubic(d[0] - d[1], history.previous_slope, d[0], history.slope), 1, 1);
}

/// From the end of the last polynomial to `target`, where the input changes by `rate` per window.
InputPolynomial smooth_path(const InputHistory& history, Extrapolation extrapolation, double target,
                            double rate) {
  if (extrapolation == Extrapolation::smooth_c0) {
    return {{history.end_value, target - history.end_value}};
  }
  return cubic(history.end_value, history.end_slope, target, rate);
}

}  // namespace

std::string_view to_string(Extrapolation extrapolation) {
  return models::name_of(names, extrapolation);
}

std::optional<Extrapolation> extrapolation_from(std::string_view name) {
  return models::value_of(names, name);
}

int order(Extrapolation extrapolation) {
  switch (extrapolation) {
    case Extrapolation::order_0:
      return 0;
    case Extrapolation::order_1:
    case Extrapolation::i1:
    case Extrapolation::least_squares:
    case Extrapolation::smooth_c0:
    case Extrapolation::smooth:
      return 1;
    case Extrapolation::order_2:
    case Extrapolation::i2:
      return 2;
    case Extrapolation::order_3:
    case Extrapolation::hermite:
    case Extrapolation::adaptive:
      return 3;
    case Extrapolation::order_4:
      return 4;
  }
  return 0;
}

int polynomial_degree(Extrapolation extrapolation) {
  return extrapolation == Extrapolation::smooth ? 3 : order(extrapolation);
}

int older_values(Extrapolation extrapolation) {
  switch (extrapolation) {
    case Extrapolation::i1:
    case Extrapolation::i2:
      return 0;
    case Extrapolation::hermite:
      return 1;
    case Extrapolation::least_squares:
    case Extrapolation::adaptive:
      return models::max_extrapolation_order;
    default:
      return order(extrapolation);
  }
}

bool integrates_derivatives(Extrapolation extrapolation) {
  return extrapolation == Extrapolation::i1 || extrapolation == Extrapolation::i2;
}

bool starts_from_last_end(Extrapolation extrapolation) {
  return extrapolation == Extrapolation::smooth || extrapolation == Extrapolation::smooth_c0;
}

bool needs_derivatives(Extrapolation extrapolation) {
  return integrates_derivatives(extrapolation) || extrapolation == Extrapolation::hermite;
}

InputPolynomial continued(const InputHistory& history, Extrapolation extrapolation) {
  const auto& d = history.differences;
  switch (extrapolation) {
    case Extrapolation::i1:
    case Extrapolation::i2:
      return {{d[0], history.slope, history.curvature / 2}};
    case Extrapolation::least_squares:
      return least_squares_line(history);
    case Extrapolation::smooth_c0:
    case Extrapolation::smooth:
      return smooth_path(history, extrapolation, d[0] + d[1], d[1]);
    case Extrapolation::hermite:
      return hermite_cubic(history);
    case Extrapolation::adaptive:
      return lagrange_polynomial(best_order(history));
    default:
      return lagrange_polynomial(d);
  }
}

InputPolynomial interpolated(const InputHistory& history, Extrapolation extrapolation) {
  const auto& d = history.differences;
  switch (extrapolation) {
    case Extrapolation::smooth_c0:
    case Extrapolation::smooth:
      return smooth_path(history, extrapolation, d[0], d[1]);
    default:
      return models::part_of(continued(history, extrapolation), -1, 1);
  }
}

}  // namespace macrostep::engine
