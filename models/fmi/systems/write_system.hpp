// Writes a system of FMUs for other tools: SystemStructure.ssd of SSP 1.0 and
// OspSystemStructure.xml of the Open Simulation Platform, with the step sizes and settings that it
// is to run with.
//
// SSP 1.0 has no place for a step size: it stands, with all settings, in an annotation of the type
// `macrostep`, from which read_ssd takes the members of the job. OSP has BaseStepSize and a
// stepSize for each simulator, power bonds as an attribute of connections, and no place for other
// settings, which become a comment.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/fmi/description/model_description.hpp"
#include "models/fmi/systems/system_structure.hpp"

namespace macrostep::models::fmi {

struct WrittenPort {
  std::string name;
  std::string unit;
  Causality causality = Causality::input;
};

struct WrittenComponent {
  SystemComponent component;
  std::vector<WrittenPort> ports;
  bool model_exchange = false;  ///< else co-simulation
  double step_size_s = 0;       ///< between two of its communication points
};

/// An input of the whole system.
struct WrittenInput {
  SystemPort to;
  std::string unit;
};

struct WrittenSystem {
  std::string name;
  std::string description;
  std::vector<WrittenComponent> components;
  std::vector<SystemConnection> connections;  ///< the output first
  std::vector<WrittenInput> inputs;
  std::vector<DeclaredUnit> units;
  double step_size_s = 0;
  double duration_s = 0;
  std::vector<std::pair<std::string, std::string>> settings;  ///< name and value
};

std::string write_ssd(const WrittenSystem& system);
std::string write_osp(const WrittenSystem& system);

}  // namespace macrostep::models::fmi
