// A system of FMUs that another tool describes (SSP, OSP) as a job.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/problem/fmu_source.hpp"
#include "models/fmi/systems/system_structure.hpp"

namespace macrostep::server::json {

struct SystemJob {
  nlohmann::ordered_json job;
  /// What its user should know: what was not taken over, which power bonds were proposed, which
  /// ranges of external inputs are missing.
  std::vector<std::string> notes;
  bool bonds_proposed = false;  ///< its power bonds, of which there may be none
};

/// `settings` are those that a system exported by macrostep brings along, or null: how connections
/// are extrapolated, bonds, external inputs, and the members of a job besides the problem. What SSP
/// tells itself counts, though: connections and inputs that it lacks are not made.
///
/// Power bonds are those of the system, or, where it names none, proposed
/// (engine/bonds/bond_proposal.hpp) from the ports of its FMUs. External inputs get the range that
/// their FMU tells; an input without a connection that the system gives a value is one of them.
SystemJob job_of_system(models::fmi::SystemStructure system, const nlohmann::json& settings,
                        const engine::FmuSource& fmus);

/// The job of a user's own problem with proposed bonds in the place of its own; as it is where its
/// subsystems cannot be read.
SystemJob with_proposed_bonds(const nlohmann::json& job, const engine::FmuSource& fmus);

/// engine/problem/fmu_notices.hpp, of a job whose subsystems can be read.
std::vector<std::string> fmu_notes(const nlohmann::json& job, const engine::FmuSource& fmus);

}  // namespace macrostep::server::json
