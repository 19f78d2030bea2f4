// A problem that the user gives in the job: FMUs and linear subsystems, connections, power bonds
// and external inputs. It has one coupling, named "default"; every subsystem is a group of its own.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/problem/fmu_source.hpp"
#include "engine/problem/problem.hpp"
#include "models/fmi/simulation/fmu_model.hpp"
#include "models/state_space/state_space.hpp"

namespace macrostep::engine {

inline constexpr std::size_t max_own_subsystems = 100;
inline constexpr std::size_t max_own_connections = 1000;
inline constexpr const char* own_coupling = "default";

/// An FMU with the parameters that differ from its own.
struct OwnFmu {
  FmuPointer fmu;  ///< null: there is none of that name, but the rest of the problem can be judged
  models::fmi::ParameterValues parameters;
  std::map<std::string, double> nominal;  ///< of outputs, instead of what the FMU says

  /// Equal archives, parameters and nominal values.
  bool operator==(const OwnFmu& other) const;
};

struct OwnSubsystem {
  std::string name;
  models::StateSpace state_space;  ///< unless there is an FMU
  std::optional<OwnFmu> fmu;

  bool operator==(const OwnSubsystem&) const = default;
};

struct OwnProblem {
  std::vector<OwnSubsystem> subsystems;
  std::vector<Connection> connections;
  std::vector<PowerBond> power_bonds;
  std::vector<ExternalInput> external_inputs;

  bool operator==(const OwnProblem&) const = default;
};

/// Its coupling as far as ports and connections go: enough to check connections and to propose
/// bonds, not to run.
Coupling ports_only(const OwnProblem& own);

/// Errors carry pointers below /problem. Connections and bonds are checked by the coupling graph.
std::variant<Problem, FieldErrors> build_own_problem(const OwnProblem& own);

}  // namespace macrostep::engine
