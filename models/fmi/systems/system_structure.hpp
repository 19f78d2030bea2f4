// Systems of FMUs as other tools write them down: SSP 1.0 (SystemStructure.ssd, parameter sets) and
// the Open Simulation Platform (OspSystemStructure.xml), as plain values.
//
// What cannot be taken over is refused, or listed in `notes` where the system means the same
// without it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/fmi/simulation/fmu_model.hpp"

namespace macrostep::models::fmi {

inline constexpr std::size_t max_components = 10'000;
inline constexpr const char* annotation_type = "macrostep";
/// The setting in that annotation which holds SystemStructure::job_settings.
inline constexpr const char* job_setting = "job";

struct SystemComponent {
  std::string name;
  std::string source;  ///< file of the FMU, seen from the system's description
  ParameterValues parameters;
};

/// "component.variable"; no component: a connector of the system itself.
struct SystemPort {
  std::string component;
  std::string variable;

  bool operator==(const SystemPort&) const = default;
};

struct SystemConnection {
  SystemPort from, to;
  std::string power_bond;  ///< connections of one name are effort and flow of a bond
};

struct SystemStructure {
  std::string name;
  std::vector<SystemComponent> components;
  std::vector<SystemConnection> connections;  ///< between components
  std::vector<SystemConnection> inputs;       ///< from connectors of the system
  std::optional<double> step_size_s;
  std::optional<double> duration_s;
  /// What `macrostep export` wrote of the job for which SSP has no place (JSON); unread here.
  std::optional<std::string> job_settings;
  std::vector<std::string> notes;
};

}  // namespace macrostep::models::fmi
