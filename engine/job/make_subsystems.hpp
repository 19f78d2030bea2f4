// Instances of the subsystems of a coupling, as a configuration and the micro-steps of a job want
// them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/job/configuration.hpp"
#include "engine/problem/problem.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

/// Subsystem or group → largest micro-step [s], as a job gives them.
using MicroSteps = std::map<std::string, double>;

/// The largest micro-step of a subsystem, if the job or the problem has one.
std::optional<double> micro_step_of(const MicroSteps& given, const SubsystemDefinition& subsystem);

/// New instances for a configuration whose integrators are offered, in the order of the coupling.
std::vector<std::unique_ptr<models::Subsystem>> make_subsystems(const Coupling& coupling,
                                                                const MicroSteps& micro_steps,
                                                                const Configuration& configuration);

}  // namespace macrostep::engine
