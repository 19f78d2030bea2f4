// The normalised job: every default filled, the problem built, configurations and curves expanded.
// Immutable; shared by everything that runs or shows the search.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/job/configuration.hpp"
#include "engine/job/job.hpp"
#include "engine/plan/check_inputs.hpp"
#include "engine/plan/schedule.hpp"
#include "engine/problem/coupling_graph.hpp"
#include "engine/problem/problem.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

/// One configuration × one test input, by index into the plan.
struct CurveKey {
  std::size_t configuration = 0;
  std::size_t test = 0;
};

/// What makes of a run as planned another one: a perturbation of the input that drives it.
struct Variant {
  std::size_t input = 0;                 ///< in Plan::inputs(), which it is of
  const TestInput* perturbed = nullptr;  ///< null: as planned
  bool disturbed = false;                ///< of any input: TrialSettings::disturbed_until_s
  bool nudged = false;                   ///< and TrialSettings::nudged
};

/// How a configuration steps, or why it cannot run, with the member of the job that asks for it.
using Scheduled = std::variant<Schedule, FieldError>;

/// Made once by make_plan() and not changed afterwards: schedules and curves follow from the job
/// and the configurations.
struct Plan {
  Job job;
  Problem problem;
  std::vector<CouplingGraph> graphs;  ///< by coupling of the problem
  std::vector<Configuration> configurations;
  std::vector<Scheduled> schedules;  ///< by configuration
  std::vector<CurveKey> curves;      ///< by curve_id()
  CheckInputs check_inputs;
  std::optional<double> until_s;  ///< end of the trials that it was checked for; absent: the tests'

  const Coupling& coupling(const Configuration& configuration) const;
  const CouplingGraph& graph(const Configuration& configuration) const;
  /// Whether the configuration with this index steps at all.
  bool can_run(std::size_t configuration) const;
  /// Tests vary fastest.
  std::size_t curve_id(std::size_t configuration, std::size_t test) const;
  /// Everything that may drive its trials as planned: the tests of the job, then the check inputs.
  std::vector<const TestInput*> inputs() const;
  /// The one at this place of inputs(); null where there is none.
  const TestInput* input(std::size_t place) const;
  /// First the run as planned, of any input; then the pushes at the operating points of the tests,
  /// in their order (check_inputs.hpp); last the runs with disturbed outputs, without and with
  /// those that stand still, of any input.
  std::vector<Variant> variants() const;
  std::size_t disturbed_variant() const;
  std::size_t nudged_variant() const { return disturbed_variant() + 1; }
  /// What the variant at this place of variants() makes of an input; null where there is none of
  /// that input.
  const TestInput* perturbed(std::size_t input, std::size_t variant) const;
};

/// How each configuration of the plan steps, worked out from its job, problem and graphs.
std::vector<Scheduled> schedules_of(const Plan& plan);

/// The schedule in the plan where the configuration is one of the plan's; worked out for any other
/// configuration of its problem.
Scheduled schedule_of(const Plan& plan, const Configuration& configuration);

/// How the inputs of a subsystem reach it there.
models::InputMethod input_method_of(const Plan& plan, const Configuration& configuration,
                                    const SubsystemDefinition& subsystem);

/// The largest micro-step of a subsystem, if the job or the problem has one.
std::optional<double> micro_step_of(const Plan& plan, const SubsystemDefinition& subsystem);

/// New instances of the subsystems of a configuration that can run, in the order of its graph.
std::vector<std::unique_ptr<models::Subsystem>> make_subsystems(const Plan& plan,
                                                                const Configuration& configuration);

/// The plan with other parameters of its built-in problem, or what is wrong with those.
std::variant<Plan, FieldErrors> with_parameters(const Plan& plan,
                                                const std::map<std::string, double>& parameters);

/// Checks the job against its problem, collecting every mistake, and expands it; for trials that
/// end at until_s, if given (check_job.hpp).
std::variant<Plan, FieldErrors> make_plan(const Job& job,
                                          std::optional<double> until_s = std::nullopt);

}  // namespace macrostep::engine
