#include "engine/study/curve_rules.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/scan/finish_curve.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

namespace {

/// Mean square of what is added.
struct MeanSquare {
  double sum = 0;
  double count = 0;

  void add(double value) {
    sum += value * value;
    ++count;
  }
  double value() const { return count > 0 ? sum / count : 0; }
};

/// When a step or an impulse is over and the coupling is left to itself; the end for other tests.
double stimulus_end_s(const TestInput& test) {
  const double middle_s = test.duration_s / 2;
  switch (test.kind) {
    case TestKind::step:
      return middle_s + test.rise_s.value_or(0);
    case TestKind::impulse:
      return middle_s + test.width_s.value_or(0) / 2;
    default:
      return test.duration_s;
  }
}

}  // namespace

std::size_t points_on_slope(std::span<const CurvePoint> points, double expected, double tolerance) {
  const auto is_complete = [](const CurvePoint& point) {
    return point.status == TrialStatus::complete && point.residual_j > 0;
  };
  if (points.empty() || !is_complete(points.front())) {
    return 0;
  }
  std::size_t on = 1;
  for (; on < points.size() && is_complete(points[on]); ++on) {
    const auto& [before, here] = std::pair(points[on - 1], points[on]);
    const double slope = std::log(here.residual_j / before.residual_j) /
                         std::log(here.macro_step_s / before.macro_step_s);
    if (std::abs(slope - expected) > tolerance) {
      break;
    }
  }
  return on;
}

void limit_use(const Plan& plan, Curve& curve, double largest_s) {
  if (!curve.usable_s || *curve.usable_s <= largest_s) {
    return;
  }
  curve.usable_s.reset();
  curve.limited_by = {};
  for (const auto& point : curve.points) {
    if (point.macro_step_s <= largest_s) {
      curve.usable_s = std::max(curve.usable_s.value_or(0), point.macro_step_s);
    }
  }
  if (curve.usable_s) {
    count_macro_steps(plan, curve);
  } else {
    curve.counts = false;
  }
}

ResidualGrowth residual_growth(const Plan& plan, const Configuration& configuration,
                               double macro_step_s, const std::atomic<bool>* stop) {
  ResidualGrowth growth;
  for (const auto& test : plan.job.tests) {
    const double begin_s = stimulus_end_s(test);
    const double quarter_s = (test.duration_s - begin_s) / 4;
    if (quarter_s <= 0) {
      continue;
    }
    MeanSquare first, last;
    const auto result =
        run_trial(plan, {.configuration = &configuration,
                         .test = &test,
                         .macro_step_s = macro_step_s,
                         .stop = stop,
                         .trace = [&](const TracePoint& point) {
                           if (point.time_s > begin_s && point.time_s <= begin_s + quarter_s) {
                             first.add(point.residual_power_w);
                           } else if (point.time_s > test.duration_s - quarter_s) {
                             last.add(point.residual_power_w);
                           }
                         }});
    growth.cost += result.cost;
    if (result.status != TrialStatus::complete) {
      growth.ratio = std::numeric_limits<double>::infinity();
    } else if (first.value() > 0) {
      growth.ratio = std::max(growth.ratio, std::sqrt(last.value() / first.value()));
    }
  }
  return growth;
}

}  // namespace macrostep::engine
