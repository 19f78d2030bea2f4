#include "engine/study/truth.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#include "engine/reference/reference.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/reference/reference_rows.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

namespace {

/// Intervals at which a solution is kept; between them it is interpolated. Linear problems last 80
/// of their fastest periods: 100 values each.
constexpr std::int64_t linear_intervals = 8000;
constexpr std::int64_t nonlinear_intervals = 20'000;
/// From one macro-step looked at to the next where the largest stable one is looked for.
constexpr double grid_ratio = 1.15;
/// The largest stable and the largest accurate one are known to this ratio.
constexpr double known_ratio = 1.02;
/// Ratio of the H tried where an accurate one is looked for; between two of them errors are taken
/// to grow.
constexpr double coarse_ratio = 2;
/// Macro-steps are looked at from this share of the scan's first one on.
constexpr double below_first = 0.25;
/// A run swings too far beyond this multiple of the solution.
constexpr double largest_swing = 2;

/// Cubic through the four rows around a time.
struct Weights {
  std::size_t first_row = 0;
  std::array<double, 4> weight{};
};

Weights weights_at(double rows_in, std::size_t rows) {
  const auto last = static_cast<double>(rows - 4);
  const double first = std::clamp(std::floor(rows_in) - 1, 0.0, last);
  const double s = rows_in - first;
  return {.first_row = static_cast<std::size_t>(first),
          .weight = {-(s - 1) * (s - 2) * (s - 3) / 6, s * (s - 2) * (s - 3) / 2,
                     -s * (s - 1) * (s - 3) / 2, s * (s - 1) * (s - 2) / 6}};
}

}  // namespace

/// Under one unseen input, at equal intervals.
struct Truth::Solution {
  double interval_s = 0;
  std::size_t outputs = 0;
  std::vector<double> rows;
  std::vector<double> mean, swing;  ///< of every output: root mean square about the mean

  void follow(const Plan& plan, const Configuration& configuration, const TestInput& test,
              std::int64_t intervals, const std::atomic<bool>* stop) {
    interval_s = test.duration_s / static_cast<double>(intervals);
    outputs = plan.graph(configuration).output_count;
    rows.reserve(outputs * static_cast<std::size_t>(intervals + 1));
    const auto failure =
        follow_reference(plan, {.configuration = &configuration,
                                .test = &test,
                                .interval_s = interval_s,
                                .rows = intervals + 1,
                                .stop = stop,
                                .on_row = [&](double, std::span<const double> row) {
                                  rows.insert(rows.end(), row.begin(), row.end());
                                }});
    if (!failure.empty()) {
      throw std::runtime_error("no solution under " + test.name + ": " + failure);
    }
    measure();
  }

  void measure() {
    const std::size_t count = rows.size() / outputs;
    mean.assign(outputs, 0);
    swing.assign(outputs, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      mean[i % outputs] += rows[i] / static_cast<double>(count);
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double from_mean = rows[i] - mean[i % outputs];
      swing[i % outputs] += from_mean * from_mean / static_cast<double>(count);
    }
    for (double& value : swing) {
      value = std::sqrt(value);
    }
  }

  void at(double time_s, std::vector<double>& row) const {
    const auto [first, weight] = weights_at(time_s / interval_s, rows.size() / outputs);
    std::ranges::fill(row, 0.0);
    for (std::size_t k = 0; k < weight.size(); ++k) {
      for (std::size_t i = 0; i < outputs; ++i) {
        row[i] += weight[k] * rows[(first + k) * outputs + i];
      }
    }
  }

  /// The quality of one run, as if what is linear were not.
  TrueQuality quality(const Plan& plan, const Configuration& configuration, const TestInput& test,
                      double macro_step_s, const std::atomic<bool>* stop) const {
    const auto& graph = plan.graph(configuration);
    ErrorSums errors(graph, first_event_s(test));
    std::vector<double> row(outputs);
    std::vector<double> square(outputs);
    double points = 0;
    const auto result = run_trial(
        plan, {.configuration = &configuration,
               .test = &test,
               .macro_step_s = macro_step_s,
               .stop = stop,
               .trace = [&](const TracePoint& point) {
                 if (point.time_s > test.duration_s * (1 + 1e-12)) {
                   return;  // the last macro-step may reach beyond the end
                 }
                 at(point.time_s, row);
                 errors.add(point.time_s, point.outputs, row);
                 points += 1;
                 for (std::size_t i = 0; i < outputs; ++i) {
                   square[i] += (point.outputs[i] - mean[i]) * (point.outputs[i] - mean[i]);
                 }
               }});
    if (result.status != TrialStatus::complete) {
      return {.input = test.name};
    }
    TrueQuality quality{.stable = true, .nrmse = errors.error().nrmse, .input = test.name};
    for (const auto& input : graph.inputs) {
      const std::size_t i = input.source;
      const double still = 1e-9 * graph.nominal[i];
      quality.stable = quality.stable &&
                       std::sqrt(square[i] / points) <= largest_swing * std::max(swing[i], still);
    }
    return quality;
  }
};

Truth::Truth(const StudyProblem& problem, const Plan& plan, const std::atomic<bool>* stop)
    : problem_(problem), plan_(plan), stop_(stop) {
  for (const auto& coupling : plan.problem.couplings) {
    auto& of_coupling = solutions_.emplace_back();
    const auto one =
        std::ranges::find(plan.configurations, coupling.name, &Configuration::coupling);
    if (one == plan.configurations.end()) {
      continue;
    }
    for (const auto& test : problem.unseen) {
      of_coupling.emplace_back().follow(
          plan, *one, test, problem.linear ? linear_intervals : nonlinear_intervals, stop);
    }
  }
}

Truth::~Truth() = default;

bool Truth::is_stable(const Configuration& configuration, double macro_step_s) const {
  const auto judged = Stability(plan_, configuration).growth(macro_step_s);
  const auto* growth = std::get_if<Growth>(&judged);
  return growth && growth->kind != GrowthKind::growing;
}

TrueQuality Truth::at(const Configuration& configuration, double macro_step_s) const {
  const auto coupling =
      static_cast<std::size_t>(&plan_.coupling(configuration) - plan_.problem.couplings.data());
  const auto badness = [](const TrueQuality& quality) {
    return quality.nrmse.value_or(std::numeric_limits<double>::infinity());
  };
  TrueQuality worst{.stable = true, .nrmse = 0, .input = {}};
  for (std::size_t k = 0; k < problem_.unseen.size(); ++k) {
    auto quality = solutions_[coupling][k].quality(plan_, configuration, problem_.unseen[k],
                                                   macro_step_s, stop_);
    const bool stable = worst.stable && quality.stable;
    if (worst.input.empty() || badness(quality) > badness(worst)) {
      worst = std::move(quality);
    }
    worst.stable = stable;
  }
  if (problem_.linear) {
    worst.stable = is_stable(configuration, macro_step_s);
  }
  return worst;
}

std::optional<double> Truth::accurate_up_to(const Configuration& configuration, double level,
                                            double largest_s) const {
  const auto is_accurate = [&](double macro_step_s) {
    const auto quality = at(configuration, macro_step_s);
    return quality.nrmse && *quality.nrmse <= level;
  };
  double too_large_s = largest_s;
  double accurate_s = largest_s;
  // Downwards first: large macro-steps are cheap.
  while (!is_accurate(accurate_s)) {
    too_large_s = accurate_s;
    accurate_s /= coarse_ratio;
    if (accurate_s < below_first * plan_.job.macro_step.initial_s) {
      return std::nullopt;
    }
  }
  while (too_large_s > known_ratio * accurate_s) {
    const double middle_s = std::sqrt(accurate_s * too_large_s);
    (is_accurate(middle_s) ? accurate_s : too_large_s) = middle_s;
  }
  return accurate_s;
}

std::optional<double> Truth::stable_up_to(const Configuration& configuration, double smallest_s,
                                          double largest_s) const {
  double tried_s = plan_.job.macro_step.initial_s;
  bool stable = at(configuration, tried_s).stable;
  while (!stable && tried_s > smallest_s) {  // all below the first of the scan is expensive
    tried_s = std::max(tried_s / coarse_ratio, smallest_s);
    stable = at(configuration, tried_s).stable;
  }
  if (!stable) {
    return std::nullopt;
  }
  double stable_s = tried_s;
  while (stable && tried_s < largest_s) {
    tried_s = std::min(tried_s * grid_ratio, largest_s);
    stable = at(configuration, tried_s).stable;
    stable_s = stable ? tried_s : stable_s;
  }
  double unstable_s = stable ? stable_s : tried_s;
  while (unstable_s > known_ratio * stable_s) {
    const double middle_s = std::sqrt(stable_s * unstable_s);
    (at(configuration, middle_s).stable ? stable_s : unstable_s) = middle_s;
  }
  return stable_s;
}

TrueLimits Truth::limits(const Configuration& configuration) const {
  TrueLimits limits;
  const double largest_s = plan_.job.macro_step.maximum_s;
  const double smallest_s = below_first * plan_.job.macro_step.initial_s;
  if (problem_.linear) {
    const auto found = stability_limit(plan_, configuration, smallest_s, largest_s);
    const auto* limit = std::get_if<StabilityLimit>(&found);
    if (!limit || limit->range.session_s == 0) {
      return limits;
    }
    limits.stable_s = std::min(limit->range.session_s, largest_s);
  } else {
    limits.stable_s = stable_up_to(configuration, smallest_s, largest_s);
    if (!limits.stable_s) {
      return limits;
    }
  }
  for (std::size_t level = 0; level < accuracy_levels.size(); ++level) {
    limits.accurate_s[level] =
        accurate_up_to(configuration, accuracy_levels[level], *limits.stable_s);
  }
  return limits;
}

}  // namespace macrostep::engine
