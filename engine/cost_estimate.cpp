#include "engine/cost_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <thread>
#include <tuple>
#include <variant>

#include "engine/curve_scan.hpp"
#include "engine/foreign_code.hpp"
#include "engine/residual.hpp"
#include "models/crane/augmented_lagrangian.hpp"
#include "models/steppers.hpp"

namespace macrostep::engine {

namespace {

using models::Integrator;

/// Measured on the default jobs of the built-in problems: half of their curves end before this
/// share of the grid's points.
constexpr double usual_share_of_grid = 0.2;
constexpr double fewest_usual_points = minimum_accepted_points + 1;
/// Of a macro-step of the iterative scheme that ends by its tolerance.
constexpr double usual_passes = 6;
/// A signal of a test that is no record turns at most so often: the ends of an impulse or a rise.
constexpr double most_turns = 2;

/// Right-hand sides in one micro-step.
struct Evaluations {
  std::optional<double> most;  ///< absent: no bound
  double usual = 1;
};

Evaluations evaluations_in_micro_step(Integrator integrator) {
  switch (integrator) {
    case Integrator::rk4:
      return {4, 4};
    case Integrator::exact:
      return {2, 2};
    case Integrator::trapezoidal:
      return {1 + models::Trapezoidal::max_iterations, 3};
    case Integrator::i1al:
    case Integrator::al_symplectic_euler:
      return {models::augmented_lagrangian_max_iterations, 3};
    case Integrator::i3al:
      return {1 + models::augmented_lagrangian_max_iterations, 4};
    case Integrator::cvode:
      return {std::nullopt, 20};
    case Integrator::forward_euler:
    case Integrator::symplectic_euler:
    case Integrator::fmu:
      return {1, 1};
  }
  return {};
}

/// Trials, macro-steps and the micro-steps of every subsystem.
struct Steps {
  double trials = 0;
  double macro_steps = 0;
  std::vector<double> micro_steps;
};

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
  if (job.linear_region.scan == ScanKind::arithmetic) {
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

/// What the curves of one coupling and test have in common: how they step, whoever steps.
class StepCounts {
 public:
  StepCounts(const Plan& plan, const Configuration& configuration, const TestInput& test)
      : job_(plan.job), duration_s_(test.duration_s) {
    const auto needed = first_counted_macro_step(configuration.extrapolation) + 1;
    largest_s_ = std::min(job_.macro_step.maximum_s, duration_s_ / static_cast<double>(needed));
    for (const auto& subsystem : plan.coupling(configuration).subsystems) {
      const double* given = setting_of(job_.micro_steps, subsystem);
      subsystems_.push_back(
          {.substeps = static_cast<double>(substeps_of(subsystem, configuration)),
           .micro_step_s = given ? std::optional(*given) : subsystem.micro_step_s});
    }
  }

  Steps most() const {
    const double smallest_s = duration_s_ / max_macro_steps_per_trial;
    int halvings = 0;
    while (halvings < max_grid_halvings && first_of(halvings) / 2 >= smallest_s) {
      ++halvings;
    }
    const double scale = std::ldexp(1.0, -halvings);
    auto sums = sums_over_grid(job_, first_of(halvings), scale, largest_s_);
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

  Steps expected() const {
    Steps steps{.micro_steps = std::vector<double>(subsystems_.size(), 0.0)};
    const auto whole = sums_over_grid(job_, first_of(0), 1, largest_s_);
    const double wanted = std::max(fewest_usual_points, usual_share_of_grid * whole.points);
    // A test too short for the grid is scanned on a finer one.
    double scale = 1;
    while (scale > std::ldexp(1.0, -max_grid_halvings) &&
           sums_over_grid(job_, first_of(0) * scale, scale, largest_s_).points <
               minimum_accepted_points) {
      scale /= 2;
    }
    for (; steps.trials < wanted; ++steps.trials) {
      const double macro_step_s = scale * point(steps.trials);
      if (macro_step_s > largest_s_) {
        break;
      }
      add_trial(macro_step_s, steps);
    }
    return steps;
  }

 private:
  struct Stepping {
    double substeps = 1;
    std::optional<double> micro_step_s;
  };

  double first_of(int halvings) const { return std::ldexp(job_.macro_step.initial_s, -halvings); }

  double point(double k) const {
    const auto& grid = job_.macro_step;
    return job_.linear_region.scan == ScanKind::arithmetic
               ? grid.initial_s + k * grid.increment_s
               : grid.initial_s * std::pow(job_.linear_region.ratio, k);
  }

  void add_trial(double macro_step_s, Steps& steps) const {
    const auto count = static_cast<double>(macro_steps_in(duration_s_, macro_step_s));
    steps.macro_steps += count;
    for (std::size_t s = 0; s < subsystems_.size(); ++s) {
      const auto& [substeps, micro_step_s] = subsystems_[s];
      steps.micro_steps[s] +=
          count * substeps * models::micro_steps_in(macro_step_s / substeps, micro_step_s);
    }
  }

  const Job& job_;
  double duration_s_;
  double largest_s_ = 0;
  std::vector<Stepping> subsystems_;
};

/// How often every macro-step is run.
Evaluations passes_of(const Plan& plan, const Configuration& configuration) {
  if (configuration.scheme != Scheme::iterative) {
    return {1, 1};
  }
  const auto& iteration = plan.job.iteration;
  if (iteration.repeats) {
    return {1.0 + *iteration.repeats, 1.0 + *iteration.repeats};
  }
  return {1.0 + iteration.maximum, std::min(1.0 + iteration.maximum, usual_passes)};
}

/// Micro-steps that a test cuts in two, at most, in every trial.
double most_cuts(const Plan& plan, const TestInput& test) {
  const double turns = test.record ? static_cast<double>(test.record->time_s.size()) : most_turns;
  return turns * static_cast<double>(plan.problem.external_inputs.size());
}

/// Between its samples a discrete unit does nothing, whatever the micro-steps.
std::optional<double> sample_time_of(const Plan& plan, const SubsystemDefinition& subsystem) {
  if (!plan.job.own_problem) {
    return std::nullopt;
  }
  for (const auto& own : plan.job.own_problem->subsystems) {
    if (own.name == subsystem.name && !own.fmu) {
      return own.state_space.sample_time_s;
    }
  }
  return std::nullopt;
}

struct CurveSteps {
  Steps expected;
  Steps most;
};

CurveEstimate estimate_curve(const Plan& plan, CurveKey key, const CurveSteps& steps) {
  const auto& configuration = plan.configurations[key.configuration];
  const auto& test = plan.job.tests[key.test];
  const auto passes = passes_of(plan, configuration);
  CurveEstimate curve{
      .expected = {.trials = steps.expected.trials, .macro_steps = steps.expected.macro_steps},
      .most = {.trials = steps.most.trials, .macro_steps = steps.most.macro_steps}};
  const auto& subsystems = plan.coupling(configuration).subsystems;
  for (std::size_t s = 0; s < subsystems.size(); ++s) {
    const auto& subsystem = subsystems[s];
    const auto each = evaluations_in_micro_step(configuration.integrators.at(subsystem.group));
    double usual = each.usual * steps.expected.micro_steps[s];
    double most = each.most.value_or(each.usual) *
                  (steps.most.micro_steps[s] + steps.most.trials * most_cuts(plan, test));
    if (const auto sample_time_s = sample_time_of(plan, subsystem)) {
      const double samples = test.duration_s / *sample_time_s;
      usual = steps.expected.trials * samples;
      // The last macro-step may end beyond T.
      most = steps.most.trials * (2 * samples + 2);
    }
    const double weight = subsystem.description.rhs_weight;
    curve.evaluations_bounded &= each.most.has_value() && !subsystem.foreign_code;
    curve.expected.rhs_evaluations += passes.usual * usual;
    curve.expected.cost += passes.usual * usual * weight;
    curve.most.rhs_evaluations += *passes.most * most;
    curve.most.cost += *passes.most * most * weight;
  }
  return curve;
}

double seconds_of(const Work& work, const TrialSpeed& speed) {
  return work.cost * speed.seconds_per_cost + work.macro_steps * speed.seconds_per_macro_step;
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  trials += other.trials;
  macro_steps += other.macro_steps;
  rhs_evaluations += other.rhs_evaluations;
  cost += other.cost;
  return *this;
}

std::vector<CurveEstimate> estimate_curves(const Plan& plan) {
  // Thousands of configurations differ in their integrators alone, and step alike.
  using Key = std::tuple<std::string, std::int64_t, std::size_t>;
  std::map<Key, CurveSteps> known;
  std::vector<bool> runs;
  for (const auto& configuration : plan.configurations) {
    runs.push_back(std::holds_alternative<Schedule>(schedule_of(plan, configuration)));
  }
  std::vector<CurveEstimate> curves;
  curves.reserve(plan.curves.size());
  for (const auto key : plan.curves) {
    if (!runs[key.configuration]) {  // one trial says why
      curves.push_back({.expected = {.trials = 1}, .most = {.trials = 1}});
      continue;
    }
    const auto& configuration = plan.configurations[key.configuration];
    const Key alike{configuration.coupling, first_counted_macro_step(configuration.extrapolation),
                    key.test};
    auto found = known.find(alike);
    if (found == known.end()) {
      const StepCounts counts(plan, configuration, plan.job.tests[key.test]);
      found = known.emplace(alike, CurveSteps{counts.expected(), counts.most()}).first;
    }
    curves.push_back(estimate_curve(plan, key, found->second));
  }
  return curves;
}

CostEstimate estimate_cost(const Plan& plan, const EstimateSettings& settings) {
  const auto curves = estimate_curves(plan);
  CostEstimate estimate;
  estimate.threads = settings.threads > 0
                         ? settings.threads
                         : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  bool bounded = true;
  // Curves are not divided among threads: the last one may run alone.
  double longest_s = 0;
  double longest_expected_s = 0;
  double most_trials = 0;
  for (const auto& curve : curves) {
    estimate.expected += curve.expected;
    estimate.most += curve.most;
    bounded &= curve.evaluations_bounded;
    longest_s = std::max(longest_s, seconds_of(curve.most, settings.speed));
    longest_expected_s = std::max(longest_expected_s, seconds_of(curve.expected, settings.speed));
    most_trials = std::max(most_trials, curve.most.trials);
  }
  const double threads = estimate.threads;
  if (has_foreign_code(plan)) {
    estimate.seconds_max =
        settings.trial_timeout_s * (estimate.most.trials / threads + most_trials);
    return estimate;
  }
  estimate.rhs_evaluations_expected = estimate.expected.rhs_evaluations;
  estimate.seconds_expected =
      std::max(seconds_of(estimate.expected, settings.speed) / threads, longest_expected_s);
  if (bounded) {
    estimate.rhs_evaluations_max = estimate.most.rhs_evaluations;
    estimate.seconds_max = seconds_of(estimate.most, settings.speed) / threads + longest_s;
  }
  return estimate;
}

}  // namespace macrostep::engine
