// Which subsystem an exported FMU is: a small text in its resources, written by the export and read
// by the library when it is instantiated.
//
//   macrostep subsystem 1
//   token = {…}
//   problem = double_actuator_crane
//   coupling = force_displacement
//   subsystem = hydraulics_1
//   integrator = forward_euler
//   micro_step_s = 0.0001                  absent: the communication step
//   fixed n = 3                            what was set at the export and cannot be changed
//   parameter c hydraulics_1.c = 100000    name of the variable, path in the problem, start value
//   input s = 1.41                         in the order of the ports, then external inputs
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/base/field_error.hpp"
#include "engine/problem/problem.hpp"
#include "models/integrators/integrator.hpp"

namespace macrostep::engine {

/// Name of the text in the FMU's resources.
inline constexpr const char* fmu_setup_file = "subsystem.txt";

struct FmuParameter {
  std::string name;  ///< of the variable
  std::string path;  ///< in the problem
  double start = 0;

  bool operator==(const FmuParameter&) const = default;
};

struct FmuInput {
  std::string name;
  double start = 0;

  bool operator==(const FmuInput&) const = default;
};

struct FmuSetup {
  std::string token;  ///< guid or instantiation token of the FMU
  std::string problem, coupling, subsystem;
  models::Integrator integrator{};
  std::optional<double> micro_step_s;
  std::map<std::string, double> fixed;  ///< by path
  std::vector<FmuParameter> parameters;
  std::vector<FmuInput> inputs;  ///< coupling inputs, then external inputs

  bool operator==(const FmuSetup&) const = default;
};

std::string text_of(const FmuSetup& setup);

/// Or what is wrong with the text.
std::variant<FmuSetup, std::string> setup_from(std::string_view text);

/// The subsystem with these values of the set-up's parameters, or why there is none.
std::variant<SubsystemDefinition, FieldErrors> build_subsystem(const FmuSetup& setup,
                                                               std::span<const double> parameters);

/// "c: 1e12 N s/m is outside 0 … 1e+09; …", with parameters as the set-up names them.
std::string text_of(const FmuSetup& setup, const FieldErrors& errors);

}  // namespace macrostep::engine
