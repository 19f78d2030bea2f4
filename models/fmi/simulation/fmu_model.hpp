// An FMU in its role as a subsystem of one problem: which of its variables are ports, what its
// parameters are, and what it offers. Plain and shared by all trials; nothing here loads code.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/instance/instance.hpp"
#include "models/integrators/integrator.hpp"
#include "models/subsystem/input_method.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models::fmi {

/// Typical magnitude of an output whose FMU gives none: large, as the user's scales are unknown.
inline constexpr double default_nominal = 1e4;

/// A number, a boolean as 0 or 1, or a text.
using ParameterValue = std::variant<double, std::string>;
using ParameterValues = std::map<std::string, ParameterValue>;

/// How the problem uses the FMU.
struct FmuUse {
  std::string name;                    ///< of the subsystem
  std::vector<std::string> inputs;     ///< connected ones; the others keep their start values
  std::vector<std::string> externals;  ///< inputs driven from outside
  ParameterValues parameters;
  std::map<std::string, double> nominal;  ///< of outputs, instead of the FMU's own
};

struct FmuModel {
  FmuPointer fmu;
  std::string name;
  std::vector<std::size_t> inputs, outputs, externals;  ///< variables, in port order
  std::vector<std::pair<std::size_t, double>> numbers;  ///< parameters to be set
  std::vector<std::pair<std::size_t, std::string>> texts;
  Description description;
  bool feeds_through = false;  ///< outputs may depend on inputs without delay
};

using FmuModelPointer = std::shared_ptr<const FmuModel>;

/// What is wrong with the use; names "parameters/NAME", or "" for the FMU itself. Inputs and
/// externals that do not exist are for the coupling graph to tell.
std::vector<ParameterError> check_use(const Fmu& fmu, const FmuUse& use);

/// The FMU in its role; the use must have no mistakes.
FmuModelPointer make_model(FmuPointer fmu, const FmuUse& use);

/// Scalars that can be connected: numbers, booleans and enumerations.
bool is_port(const Variable& variable, Causality causality);
/// Real and continuous; other ports are held over a macro-step whatever the extrapolation.
bool is_continuous(const Variable& variable);
/// Whether anything but its continuous states may decide how a model-exchange FMU goes on, as far
/// as its description tells.
bool may_have_events(const FmuModel& model);
/// Whether co-simulation stops at the FMU's events, which are then handled in event mode.
bool returns_at_events(const FmuModel& model);
/// As models/subsystem/unit.hpp writes it; unknown_unit where the FMU tells nothing that we
/// understand.
std::string port_unit(const ModelDescription& description, const Variable& variable);

/// The default first: `fmu`, its own solver, and the integrators of model exchange.
std::vector<Integrator> offered_integrators(const Fmu& fmu);

/// How inputs that are polynomials of this degree reach the FMU.
InputMethod input_method(const FmuModel& model, Integrator integrator,
                         std::optional<double> micro_step_s, int degree);

}  // namespace macrostep::models::fmi
