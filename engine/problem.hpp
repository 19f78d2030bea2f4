// A coupled problem: subsystems, the couplings that connect them, and the external inputs.
//
// Plain data, built once and shared by all trials (nothing here changes while a search runs).
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "models/integrator.hpp"
#include "models/subsystem.hpp"

namespace macrostep::engine {

/// "subsystem.port", taken apart.
struct PortName {
  std::string subsystem;
  std::string port;

  std::string text() const { return subsystem + "." + port; }
  bool operator==(const PortName&) const = default;
};

/// Makes a subsystem for one trial.
using SubsystemFactory = std::function<std::unique_ptr<models::Subsystem>(
    models::Integrator integrator, std::optional<double> micro_step_s)>;

struct SubsystemDefinition {
  std::string name;
  std::string group;  ///< settings of a group hold for all its members; often just the name
  models::Description description;
  std::vector<models::Integrator> integrators;  ///< offered ones, the default first
  std::optional<double> micro_step_s;           ///< default maximum; absent: the macro-step
  SubsystemFactory make;
};

struct Connection {
  PortName from;            ///< an output
  PortName to;              ///< an input
  bool extrapolate = true;  ///< false: held over the macro-step whatever the extrapolation

  bool operator==(const Connection&) const = default;
};

/// Effort × flow in watts: two outputs of different subsystems, each connected to the other side.
struct PowerBond {
  PortName effort;
  PortName flow;
  double factor = 1;  ///< turns effort × flow into watts, sign included

  bool operator==(const PowerBond&) const = default;
};

/// A choice of coupling variables.
struct Coupling {
  std::string name;
  std::vector<Connection> connections;
  std::vector<PowerBond> power_bonds;
};

struct ExternalInput {
  PortName to;
  double initial = 0;
  double minimum = 0;
  double maximum = 0;
  models::Sampling sampling = models::Sampling::continuous;

  bool operator==(const ExternalInput&) const = default;
};

struct Problem {
  std::string name;
  std::vector<SubsystemDefinition> subsystems;
  std::vector<Coupling> couplings;
  std::vector<ExternalInput> external_inputs;

  const SubsystemDefinition* find_subsystem(const std::string& subsystem) const;
  const Coupling* find_coupling(const std::string& coupling) const;
  /// Group names in order of first appearance.
  std::vector<std::string> groups() const;
};

}  // namespace macrostep::engine
