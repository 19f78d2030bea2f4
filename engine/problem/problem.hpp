// A coupled problem: subsystems, the couplings that connect them, and the external inputs.
//
// Plain data, built once and shared by all trials (nothing here changes while a search runs).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/lanes/lane_subsystem.hpp"
#include "models/subsystem/input_method.hpp"
#include "models/subsystem/subsystem.hpp"
#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

inline constexpr int max_delay_macro_steps = 1000;

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

/// Makes it for several trials at once, with the same arguments.
using LaneFactory = std::function<std::unique_ptr<models::LaneSubsystem>(
    models::Integrator integrator, std::optional<double> micro_step_s)>;

struct SubsystemDefinition {
  std::string name;
  std::string group;  ///< settings of a group hold for all its members; often just the name
  models::Description description;
  std::vector<models::Integrator> integrators;  ///< offered ones, the default first
  std::optional<double> micro_step_s;           ///< default maximum; absent: the macro-step
  SubsystemFactory make;
  LaneFactory make_lanes = {};  ///< none: its trials run one by one
  /// How inputs of this degree reach it; none: they are `native` for all.
  std::function<models::InputMethod(models::Integrator integrator,
                                    std::optional<double> micro_step_s, int degree)>
      input_method;
  /// Its equations without a solver, for reference solutions; none: there is no reference.
  std::function<models::Dynamics()> dynamics;
  bool locates_own_events = false;  ///< within its own solver
  std::string why_no_dynamics;      ///< as a sentence's end, where there is more to tell
  /// Its instances run code that is not ours, from start() on; making one does not
  /// (foreign_code.hpp).
  bool foreign_code = false;
  /// The state of `dynamics` from the numbers that the subsystem saves, where its integrator has
  /// other coordinates; none: the numbers begin with it.
  std::function<void(std::span<const double> saved, std::span<double> state)> dynamics_state = {};
};

/// What `settings` hold for a subsystem: under its own name, else under its group's; else null.
template <class Value>
const Value* setting_of(const std::map<std::string, Value>& settings,
                        const SubsystemDefinition& subsystem) {
  for (const auto* name : {&subsystem.name, &subsystem.group}) {
    if (const auto found = settings.find(*name); found != settings.end()) {
      return &found->second;
    }
  }
  return nullptr;
}

struct Connection {
  PortName from;              ///< an output
  PortName to;                ///< an input
  bool extrapolate = true;    ///< false: held over the macro-step whatever the extrapolation
  int delay_macro_steps = 0;  ///< latency of a rig: the value arrives so many macro-steps late

  bool operator==(const Connection&) const = default;
};

/// Effort × flow in watts, summed over its components. Exchanged: outputs of two subsystems, each
/// connected to the other side. Computed: outputs of one subsystem, which computes the effort from
/// inputs of its own (as both sides do in a displacement-displacement coupling).
struct PowerBond {
  std::vector<PortName> effort;  ///< one entry per component
  std::vector<PortName> flow;    ///< as many
  /// Turns effort × flow into watts, sign included; absent: 1, and their units must make watts.
  std::optional<double> factor;

  bool operator==(const PowerBond&) const = default;
};

/// A choice of coupling variables, and with it of the subsystems' ports. A subsystem has the same
/// group and integrators in all couplings that have it.
struct Coupling {
  std::string name;
  std::vector<SubsystemDefinition> subsystems;
  std::vector<Connection> connections;
  std::vector<PowerBond> power_bonds;

  /// Nothing where the output has no unit, or none that is known.
  std::optional<models::Unit> unit_of(const PortName& output) const;
};

/// "subsystem.output" of all outputs, in the order of the subsystems.
std::vector<std::string> output_names(const Coupling& coupling);

/// "a.f, b.x", by index into output_names().
std::string output_list(const Coupling& coupling, std::span<const std::size_t> outputs);

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
  std::vector<Coupling> couplings;
  std::vector<ExternalInput> external_inputs;

  /// All subsystems, as in the first coupling that has them: their names, groups and integrators
  /// hold for all couplings.
  std::vector<SubsystemDefinition> subsystems() const;
  const SubsystemDefinition* find_subsystem(const std::string& subsystem) const;
  const Coupling* find_coupling(const std::string& coupling) const;
  /// Group names in order of first appearance.
  std::vector<std::string> groups() const;
};

}  // namespace macrostep::engine
