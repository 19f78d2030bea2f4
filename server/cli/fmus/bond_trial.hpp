// The signs of proposed power bonds, by short trials of their subsystems
// (engine/bonds/bond_sign.hpp), in worker processes where these are FMUs.
#pragma once

#include "server/cli/jobs/job_source.hpp"
#include "server/process/foreign_settings.hpp"

namespace macrostep::server {

/// Sets the signs of the factors in a user's own problem that trials decide, and notes for every
/// bond what they showed, or why there was no trial. Ranges of external inputs may be missing yet.
void try_bond_signs(JobDocument& document, const ForeignSettings& settings);

}  // namespace macrostep::server
