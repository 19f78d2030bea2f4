// A system of FMUs that another tool describes (SSP, OSP) as a job.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engine/fmu_source.hpp"
#include "engine/system_import.hpp"

namespace macrostep::server::json {

struct SystemJob {
  nlohmann::ordered_json job;
  /// What its user should know: what was not taken over, which power bonds were proposed, which
  /// ranges of external inputs are missing.
  std::vector<std::string> notes;
};

/// Power bonds are those of the system, or, where it names none, proposed
/// (engine/bond_proposal.hpp) from the ports of its FMUs. External inputs get the range that their
/// FMU tells.
SystemJob job_of_system(const engine::SystemStructure& system, const engine::FmuSource& fmus);

/// The job of a user's own problem with proposed bonds in the place of its own; as it is where its
/// subsystems cannot be read.
SystemJob with_proposed_bonds(const nlohmann::json& job, const engine::FmuSource& fmus);

}  // namespace macrostep::server::json
