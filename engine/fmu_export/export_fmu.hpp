// Exports a built-in subsystem as an FMU of FMI 2.0 or 3.0, with co-simulation and, where its
// equations are known, model exchange. Nothing is compiled: the FMU is the library that the program
// carries (native_library.hpp), told by a text in its resources which subsystem it is (setup.hpp).
//
// Its variables: `time`; coupling inputs, external inputs and outputs under the names of their
// ports; the parameters that its equations depend on, those of its own group under their symbols,
// others as "owner.symbol"; the states of its equations, state[1] …, and der(state[1]) …
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "engine/base/field_error.hpp"
#include "engine/fmu_export/instance/setup.hpp"
#include "models/fmi/description/model_description.hpp"
#include "models/integrators/integrator.hpp"

namespace macrostep::engine {

using FmiVersion = models::fmi::Version;

/// Which subsystem; what is absent is the problem's default.
struct FmuRequest {
  std::string problem, subsystem;
  FmiVersion version = FmiVersion::fmi2;
  std::optional<std::string> coupling;
  std::optional<models::Integrator> integrator;
  std::optional<double> micro_step_s;
  std::map<std::string, double> parameters;  ///< by path
};

struct ExportedFmu {
  models::fmi::ModelDescription description;
  FmuSetup setup;
};

/// Errors carry the pointers /problem, /subsystem, /coupling, /integrator, /micro_step_s and
/// /parameters/<path>. The token tells the FMU and the library apart from all others.
std::variant<ExportedFmu, FieldErrors> export_fmu(const FmuRequest& request,
                                                  std::span<const std::byte> library);

/// The FMU's bytes.
std::string archive_of(const ExportedFmu& fmu, std::span<const std::byte> library);

}  // namespace macrostep::engine
