#include "engine/trial/work.hpp"

#include <algorithm>
#include <optional>

#include "models/crane/augmented_lagrangian.hpp"
#include "models/integrators/steppers.hpp"

namespace macrostep::engine {

namespace {

using models::Integrator;

/// Passes of a macro-step of the iterative scheme that ends by its tolerance.
constexpr double usual_passes = 6;
/// A signal of a test that is no record turns at most so often: the ends of an impulse or a rise.
constexpr double most_turns = 2;

/// Right-hand sides in one micro-step, or passes in one macro-step.
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

Evaluations evaluations_of(const Configuration& configuration,
                           const SubsystemDefinition& subsystem) {
  const auto integrator = configuration.integrators.at(subsystem.group);
  // With inputs that move by equations of their own it iterates as others do.
  const bool takes_no_iteration = integrator == Integrator::trapezoidal &&
                                  subsystem.description.affine &&
                                  configuration.correction != Correction::linearly_implicit;
  return takes_no_iteration ? Evaluations{2, 2} : evaluations_in_micro_step(integrator);
}

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
  double of_each = 0;
  for (const auto& [name, record] : test.records) {
    of_each += static_cast<double>(record->time_s.size());
  }
  const double turns = test.record ? static_cast<double>(test.record->time_s.size()) : most_turns;
  return std::max(of_each, turns * static_cast<double>(plan.problem.external_inputs.size()));
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

/// `passes` through evaluations that `evaluations` tells of each subsystem.
template <class Evaluate>
Work work_of(const Plan& plan, const Configuration& configuration, const Steps& steps,
             double passes, const Evaluate& evaluations) {
  Work work{.trials = steps.trials, .macro_steps = steps.macro_steps};
  const auto& subsystems = plan.coupling(configuration).subsystems;
  for (std::size_t s = 0; s < subsystems.size(); ++s) {
    const double count = passes * evaluations(subsystems[s], steps.micro_steps[s]);
    work.rhs_evaluations += count;
    work.cost += count * subsystems[s].description.rhs_weight;
  }
  return work;
}

}  // namespace

Work& Work::operator+=(const Work& other) {
  trials += other.trials;
  macro_steps += other.macro_steps;
  rhs_evaluations += other.rhs_evaluations;
  cost += other.cost;
  return *this;
}

Work Work::operator*(double times) const {
  return {.trials = times * trials,
          .macro_steps = times * macro_steps,
          .rhs_evaluations = times * rhs_evaluations,
          .cost = times * cost};
}

Work usual_work(const Plan& plan, const Configuration& configuration, const TestInput& test,
                const Steps& steps) {
  return work_of(plan, configuration, steps, passes_of(plan, configuration).usual,
                 [&](const SubsystemDefinition& subsystem, double micro_steps) {
                   const auto sample_time_s = sample_time_of(plan, subsystem);
                   return sample_time_s
                              ? steps.trials * test.duration_s / *sample_time_s
                              : evaluations_of(configuration, subsystem).usual * micro_steps;
                 });
}

Work most_work(const Plan& plan, const Configuration& configuration, const TestInput& test,
               const Steps& steps) {
  const double cuts = steps.trials * most_cuts(plan, test);
  return work_of(plan, configuration, steps, *passes_of(plan, configuration).most,
                 [&](const SubsystemDefinition& subsystem, double micro_steps) {
                   if (const auto sample_time_s = sample_time_of(plan, subsystem)) {
                     // The last macro-step may end beyond T.
                     return steps.trials * (2 * test.duration_s / *sample_time_s + 2);
                   }
                   const auto each = evaluations_of(configuration, subsystem);
                   return each.most.value_or(each.usual) * (micro_steps + cuts);
                 });
}

bool is_bounded(const Plan& plan, const Configuration& configuration) {
  return std::ranges::all_of(
      plan.coupling(configuration).subsystems, [&](const SubsystemDefinition& subsystem) {
        return evaluations_of(configuration, subsystem).most && !subsystem.foreign_code;
      });
}

}  // namespace macrostep::engine
