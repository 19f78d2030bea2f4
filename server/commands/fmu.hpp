// macrostep fmu: what concerns single FMUs. Each of its commands is a function below.
#pragma once

#include <CLI/App.hpp>

#include "server/commands/command.hpp"

namespace macrostep::server::commands {

void add_fmu(CLI::App& app, Action& action);

/// macrostep fmu inspect FILE: ports, units, parameters, flags.
void add_fmu_inspect(CLI::App& fmu, Action& action);
/// macrostep fmu export PROBLEM SUBSYSTEM: a built-in subsystem as an FMU.
void add_fmu_export(CLI::App& fmu, Action& action);

/// macrostep fmu validate FILE: an FMU against the rules of its standard.
void add_fmu_validate(CLI::App& fmu, Action& action);

/// macrostep fmu job FILE: a job from a system of another tool, with power bonds.
void add_fmu_job(CLI::App& fmu, Action& action);

}  // namespace macrostep::server::commands
