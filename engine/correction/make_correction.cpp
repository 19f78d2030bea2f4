#include "engine/correction/make_correction.hpp"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "engine/job/make_subsystems.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

std::variant<std::vector<double>, std::string> shares_of(const CouplingGraph& graph,
                                                         const Coupling& coupling, const Job& job,
                                                         const Configuration& configuration) {
  if (const auto mu = configuration.correction_parameters.mu) {
    return std::vector<double>(graph.bonds.size(), *mu);
  }
  const bool micro_steps = std::ranges::any_of(coupling.subsystems, [&](const auto& subsystem) {
    return micro_step_of(job.micro_steps, subsystem).has_value();
  });
  return energy_shares(graph, coupling, configuration, micro_steps,
                       job.within_substep == WithinSubstep::held);
}

namespace {

/// In one macro-step under linearly_implicit, where each takes some kilobytes.
constexpr double max_implicit_micro_steps = 10'000;

std::optional<std::string> why_no_energy_correction(const CouplingGraph& graph,
                                                    const Coupling& coupling, const Job& job,
                                                    const Configuration& configuration) {
  if (std::ranges::any_of(graph.bonds, &GraphBond::computed)) {
    return "the energy correction acts on an exchanged effort, and the coupling " +
           configuration.coupling + " exchanges none";
  }
  if (configuration.scheme == Scheme::iterative) {
    return "the energy correction makes up for inputs that are not known ahead, and the scheme "
           "iterative knows them";
  }
  if (starts_from_last_end(configuration.extrapolation)) {
    return "the energy correction changes inputs from one macro-step to the next, and "
           "extrapolation " +
           std::string(to_string(configuration.extrapolation)) + " allows no jumps";
  }
  for (const auto& input : graph.inputs) {
    if (input.delay_macro_steps > 0) {
      return "the energy correction is for connections without delay_macro_steps";
    }
  }
  auto shares = shares_of(graph, coupling, job, configuration);
  if (auto* reason = std::get_if<std::string>(&shares)) {
    return *reason + ". Give search.correction_parameters.mu, or find it with macrostep tune";
  }
  return std::nullopt;
}

/// Why subsystems do not all step over the macro-step at once from what is known at its beginning.
std::optional<std::string> why_not_at_once(const CouplingGraph& graph, const Coupling& coupling,
                                           const Configuration& configuration) {
  const std::string name(to_string(configuration.correction));
  if (configuration.scheme != Scheme::jacobi) {
    return "the correction " + name +
           " is for the scheme jacobi: " + std::string(to_string(configuration.scheme)) +
           " knows some inputs ahead";
  }
  for (const auto& subsystem : coupling.subsystems) {
    if (substeps_of(subsystem, configuration) != 1) {
      return "the correction " + name + " is for subsystems that communicate once a macro-step";
    }
  }
  for (const auto& input : graph.inputs) {
    if (input.delay_macro_steps > 0) {
      return "the correction " + name + " is for connections without delay_macro_steps";
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_no_jacobians(const Coupling& coupling, const Job& job,
                                            const Configuration& configuration) {
  const auto made = make_subsystems(coupling, job.micro_steps, configuration);
  for (std::size_t s = 0; s < made.size(); ++s) {
    if (!made[s]->describe().provides_jacobians) {
      return "the correction " + std::string(to_string(configuration.correction)) +
             " needs Jacobians, and subsystem '" + coupling.subsystems[s].name +
             "' does not provide them";
    }
  }
  return std::nullopt;
}

std::optional<std::string> why_no_signal_correction(const CouplingGraph& graph,
                                                    const Coupling& coupling, const Job& job,
                                                    const Configuration& configuration) {
  const std::string name(to_string(configuration.correction));
  if (auto reason = why_not_at_once(graph, coupling, configuration)) {
    return reason;
  }
  if (configuration.extrapolation > Extrapolation::order_4) {
    return "the correction " + name + " is for extrapolation 0 to 4";
  }
  const auto& parameters = configuration.correction_parameters;
  const bool needs_model = uses_jacobians(configuration);
  if (needs_model && configuration.correction == Correction::nepce &&
      parameters.jacobians == JacobianSource::identified) {
    return "the direct feedthrough cannot be told apart in what is identified from inputs and "
           "outputs: take jacobians exact, or the correction model_based";
  }
  if (!needs_model || parameters.jacobians == JacobianSource::identified) {
    return std::nullopt;
  }
  auto reason = why_no_jacobians(coupling, job, configuration);
  if (reason) {
    *reason += "; search.correction_parameters.jacobians identified needs none";
  }
  return reason;
}

std::optional<std::string> why_not_linearly_implicit(const CouplingGraph& graph,
                                                     const Coupling& coupling, const Job& job,
                                                     const Configuration& configuration) {
  if (auto reason = why_not_at_once(graph, coupling, configuration)) {
    return reason;
  }
  if (configuration.extrapolation != Extrapolation::order_0) {
    return "the correction linearly_implicit moves inputs by a model, not by extrapolation: it is "
           "for extrapolation 0";
  }
  if (!graph.algebraic_loop.empty()) {
    return "the correction linearly_implicit needs a coupling without the algebraic loop " +
           graph.algebraic_loop;
  }
  if (auto reason = why_no_jacobians(coupling, job, configuration)) {
    return reason;
  }
  const auto& subsystems = coupling.subsystems;
  for (const auto& subsystem : subsystems) {
    const auto micro_step_s = micro_step_of(job.micro_steps, subsystem);
    if (micro_step_s && job.macro_step.maximum_s / *micro_step_s > max_implicit_micro_steps) {
      return "the correction linearly_implicit keeps a model of every micro-step, and the largest "
             "macro-step would have more than 10000 of subsystem '" +
             subsystem.name + "'";
    }
  }
  const auto made = make_subsystems(coupling, job.micro_steps, configuration);
  for (std::size_t s = 0; s < made.size(); ++s) {
    const auto& description = made[s]->describe();
    if (!description.integrates_inputs && !description.inputs.empty()) {
      const auto integrator = configuration.integrators.at(subsystems[s].group);
      return "the correction linearly_implicit integrates inputs with the state, which subsystem "
             "'" +
             subsystems[s].name + "' cannot with the integrator " +
             std::string(models::to_string(integrator));
    }
  }
  return std::nullopt;
}

}  // namespace

bool uses_jacobians(const Configuration& configuration) {
  switch (configuration.correction) {
    case Correction::none:
    case Correction::energy:
      return false;
    case Correction::nepce:
      return configuration.correction_parameters.feedthrough == Feedthrough::corrected;
    case Correction::model_based:
    case Correction::linearly_implicit:
      return true;
  }
  return false;
}

std::optional<std::string> why_not_corrected(const CouplingGraph& graph, const Coupling& coupling,
                                             const Job& job, const Configuration& configuration) {
  switch (configuration.correction) {
    case Correction::none:
      return std::nullopt;
    case Correction::energy:
      return why_no_energy_correction(graph, coupling, job, configuration);
    case Correction::nepce:
    case Correction::model_based:
      return why_no_signal_correction(graph, coupling, job, configuration);
    case Correction::linearly_implicit:
      return why_not_linearly_implicit(graph, coupling, job, configuration);
  }
  return std::nullopt;
}

CouplingCorrection make_correction(const CouplingGraph& graph, const Coupling& coupling,
                                   const Job& job, const Configuration& configuration,
                                   double macro_step_s) {
  const auto& parameters = configuration.correction_parameters;
  switch (configuration.correction) {
    case Correction::energy: {
      const auto shares = shares_of(graph, coupling, job, configuration);
      models::ensure(std::holds_alternative<std::vector<double>>(shares),
                     "a configuration without mu is refused");
      return EnergyCorrection(graph, std::get<std::vector<double>>(shares), parameters,
                              macro_step_s);
    }
    case Correction::nepce:
    case Correction::model_based:
      return SignalCorrection(graph, configuration.extrapolation, configuration.correction,
                              parameters, macro_step_s);
    case Correction::linearly_implicit:
      return LinearlyImplicit(graph, parameters);
    case Correction::none:
      return std::monostate();
  }
  return std::monostate();
}

}  // namespace macrostep::engine
