// The model description of an exported FMU.
#pragma once

#include "engine/benchmarks/catalogue.hpp"
#include "engine/fmu_export/instance/setup.hpp"
#include "models/fmi/description/model_description.hpp"

namespace macrostep::engine {

/// What it is made from; all of it belongs together.
struct ExportSource {
  const FmuSetup& setup;
  const BuiltInProblem& built_in;
  const Problem& problem;
  const SubsystemDefinition& subsystem;
  models::fmi::Version version;
};

models::fmi::ModelDescription describe_fmu(const ExportSource& source);

}  // namespace macrostep::engine
