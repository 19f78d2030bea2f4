#include "engine/scan/step_counts.hpp"

#include <algorithm>
#include <cmath>

#include "engine/cosim/residual.hpp"
#include "engine/scan/curve_scan.hpp"
#include "engine/trial/trial.hpp"

namespace macrostep::engine {

namespace {

/// Measured on the default jobs of the built-in problems: half of their curves end before this
/// share of the grid's points.
constexpr double usual_share_of_grid = 0.2;
constexpr double fewest_usual_points = minimum_accepted_points + 1;
/// A refined scan halves the gaps at the bend, at the cliff, and at two cuts below the bend; its
/// gaps are no wider than an octave, which a halved grid may leave.
constexpr double most_gaps = 4;
/// Usually those at the bend and at one cut.
constexpr double usual_gaps = 2;

/// Points of a grid: how many, the sum of their H and that of 1/H.
struct GridSums {
  double points = 0;
  double h_s = 0;
  double per_h = 0;
};

/// At least the sums over first + k·increment or first·ratio^k up to `largest_s`.
GridSums sums_over_grid(const Job& job, double first_s, double scale, double largest_s) {
  // Rounding of the grid, and of what is computed here, must not lose its last point.
  constexpr double rounding = 1 + 1e-9;
  if (first_s > largest_s * rounding) {
    return {};
  }
  const double up = largest_s * rounding / first_s;
  if (!grows_by_ratio(job.linear_region.scan)) {
    const double increment_s = job.macro_step.increment_s * scale;
    const double points = std::floor((largest_s * rounding - first_s) / increment_s) + 1;
    return {.points = points,
            .h_s = points * (first_s + largest_s * rounding) / 2,
            .per_h = 1 / first_s + std::log(up) / increment_s};  // the sum is below the integral
  }
  const double ratio = job.linear_region.ratio;
  return {.points = std::floor(std::log(up) / std::log(ratio) * rounding) + 1,
          .h_s = largest_s * rounding * ratio / (ratio - 1),
          .per_h = 1 / (first_s * (1 - 1 / ratio))};
}

/// Points by which a gap of a refined scan is halved, at most; 0 of another scan.
double points_in_gap(const LinearRegionSettings& region) {
  return region.scan == ScanKind::refined
             ? std::ceil(std::log2(
                   std::ceil(std::log(std::max(2.0, region.ratio)) / std::log(refined_ratio))))
             : 0;
}

}  // namespace

StepCounts::StepCounts(const Plan& plan, const Configuration& configuration, const TestInput& test)
    : job_(plan.job), duration_s_(test.duration_s) {
  const auto needed = first_counted_macro_step(configuration.extrapolation) + 1;
  largest_s_ = std::min(job_.macro_step.maximum_s, duration_s_ / static_cast<double>(needed));
  for (const auto& subsystem : plan.coupling(configuration).subsystems) {
    const double* given = setting_of(job_.micro_steps, subsystem);
    subsystems_.push_back({.substeps = static_cast<double>(substeps_of(subsystem, configuration)),
                           .micro_step_s = given ? std::optional(*given) : subsystem.micro_step_s});
  }
}

Steps StepCounts::most() const {
  const double smallest_s = duration_s_ / max_macro_steps_per_trial;
  int halvings = 0;
  while (halvings < max_grid_halvings && first_of(halvings) / 2 >= smallest_s) {
    ++halvings;
  }
  const double scale = std::ldexp(1.0, -halvings);
  auto sums = sums_over_grid(job_, first_of(halvings), scale, largest_s_);
  const double in_gaps = most_gaps * points_in_gap(job_.linear_region);
  sums.points += in_gaps;
  sums.h_s += in_gaps * largest_s_;
  sums.per_h += in_gaps / first_of(halvings);
  for (int level = 0; level < halvings; ++level) {
    sums.points += minimum_accepted_points;
    sums.h_s += minimum_accepted_points * largest_s_;
    sums.per_h += minimum_accepted_points / first_of(level);
  }
  Steps steps{.trials = sums.points,
              .macro_steps = duration_s_ * sums.per_h + sums.points,
              .micro_steps = {}};
  for (const auto& [substeps, micro_step_s] : subsystems_) {
    double micro_steps = substeps * steps.macro_steps;
    if (micro_step_s) {
      micro_steps += (sums.points * duration_s_ + sums.h_s) / *micro_step_s;
    }
    steps.micro_steps.push_back(micro_steps);
  }
  return steps;
}

Steps StepCounts::expected() const {
  Steps steps = none();
  const auto whole = sums_over_grid(job_, first_of(0), 1, largest_s_);
  const double wanted = std::max(fewest_usual_points, usual_share_of_grid * whole.points);
  // A test too short for the grid is scanned on a finer one.
  double scale = 1;
  while (scale > std::ldexp(1.0, -max_grid_halvings) &&
         sums_over_grid(job_, first_of(0) * scale, scale, largest_s_).points <
             minimum_accepted_points) {
    scale /= 2;
  }
  const auto& region = job_.linear_region;
  double last_s = 0;
  for (double k = 0; k < wanted;) {
    const double macro_step_s = scale * point(k);
    if (macro_step_s > largest_s_) {
      break;
    }
    add_trial(macro_step_s, steps);
    last_s = macro_step_s;
    ++k;
    if (region.scan == ScanKind::adaptive && k >= region.points) {
      while (k < wanted && scale * point(k + 1) <= region.ratio * macro_step_s) {
        ++k;
      }
    }
  }
  for (double k = 0; last_s > 0 && k < usual_gaps * points_in_gap(region); ++k) {
    add_trial(last_s, steps);
  }
  return steps;
}

Steps StepCounts::of_trial(double macro_step_s) const {
  Steps steps = none();
  add_trial(macro_step_s, steps);
  return steps;
}

double StepCounts::first_of(int halvings) const {
  return std::ldexp(job_.macro_step.initial_s, -halvings);
}

double StepCounts::point(double k) const {
  const auto& grid = job_.macro_step;
  return grows_by_ratio(job_.linear_region.scan)
             ? grid.initial_s * std::pow(job_.linear_region.ratio, k)
             : grid.initial_s + k * grid.increment_s;
}

Steps StepCounts::none() const {
  return {.micro_steps = std::vector<double>(subsystems_.size(), 0.0)};
}

void StepCounts::add_trial(double macro_step_s, Steps& steps) const {
  const auto count = static_cast<double>(macro_steps_in(duration_s_, macro_step_s));
  ++steps.trials;
  steps.macro_steps += count;
  for (std::size_t s = 0; s < subsystems_.size(); ++s) {
    const auto& [substeps, micro_step_s] = subsystems_[s];
    steps.micro_steps[s] +=
        count * substeps * models::micro_steps_in(macro_step_s / substeps, micro_step_s);
  }
}

}  // namespace macrostep::engine
