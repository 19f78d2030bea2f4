// What an FMU says of itself: modelDescription.xml of FMI 2.0 and 3.0 as plain values.
//
// Only what a master needs is kept: variables with their units and start values, what the two
// interfaces can do, and how outputs and derivatives depend on inputs and states. Value references
// are 32 bits wide in both versions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace macrostep::models::fmi {

inline constexpr std::size_t max_variables = 1'000'000;

enum class Version { fmi2, fmi3 };

/// FMI 2 knows real (float64), integer (int32), boolean, string and enumeration (int32; int64 in
/// FMI 3).
enum class VariableType {
  float32,
  float64,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  enumeration,
  binary,
  clock
};

enum class Causality {
  parameter,
  calculated_parameter,
  structural_parameter,
  input,
  output,
  local,
  independent
};

enum class Variability { constant, fixed, tunable, discrete, continuous };

enum class Initial { exact, approx, calculated };

struct Variable {
  std::string name;
  std::string description;
  std::uint32_t reference = 0;
  VariableType type = VariableType::float64;
  Causality causality = Causality::local;
  Variability variability = Variability::continuous;
  std::optional<Initial> initial;  ///< as written; absent: by the standard's table
  std::string unit;                ///< as written, of its type definition where it has none
  std::optional<double> start;     ///< of a number or boolean (0 or 1); arrays have none here
  std::optional<std::string> start_text;  ///< of a string
  std::optional<double> nominal;
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<std::size_t> derivative_of;  ///< index of the variable that this one derives
  bool array = false;                        ///< has dimensions; its values cannot be connected
  bool intermediate_update = false;          ///< FMI 3: an input that may be set within a step
};

/// Indices of variables (into ModelDescription::variables). Absent dependencies: unknown, that is,
/// everything; an empty list: nothing.
struct Unknown {
  std::size_t variable = 0;
  std::optional<std::vector<std::size_t>> dependencies;
};

/// One of the two interfaces, with its capability flags; absent flags are false.
struct Interface {
  std::string model_identifier;
  bool needs_execution_tool = false;
  bool only_one_instance_per_process = false;
  bool can_get_and_set_state = false;
  bool can_serialize_state = false;
  bool provides_directional_derivatives = false;
  // co-simulation
  bool can_handle_variable_step = false;
  int max_input_derivative_order = 0;  ///< FMI 2: canInterpolateInputs where it is 0 means 0
  int max_output_derivative_order = 0;
  std::optional<double> fixed_internal_step_s;
  bool provides_intermediate_update = false;  ///< FMI 3
  bool may_return_early = false;              ///< FMI 3
  bool has_event_mode = false;                ///< FMI 3
  bool runs_asynchronously = false;           ///< FMI 2 canRunAsynchronuously
  // model exchange
  bool needs_completed_integrator_step = true;  ///< FMI 2 completedIntegratorStepNotNeeded turned
};

/// A declared unit: value in base units = factor × value + offset; exponents of kg, m, s, A, K,
/// mol, cd, rad in this order. Absent base unit: nothing is known of it but the name.
struct DeclaredUnit {
  std::string name;
  bool has_base = false;
  std::vector<int> exponents;
  double factor = 1;
  double offset = 0;
};

struct DefaultExperiment {
  std::optional<double> start_s;
  std::optional<double> stop_s;
  std::optional<double> tolerance;
  std::optional<double> step_size_s;
};

struct ModelDescription {
  Version version = Version::fmi2;
  std::string version_text;  ///< "2.0", "3.0.1"
  std::string model_name;
  std::string description;
  std::string token;  ///< guid, or instantiationToken
  std::string generation_tool;
  std::optional<Interface> co_simulation;
  std::optional<Interface> model_exchange;
  bool scheduled_execution = false;
  std::vector<Variable> variables;
  std::vector<DeclaredUnit> units;
  std::vector<std::string> log_categories;
  DefaultExperiment experiment;
  std::vector<Unknown> outputs;
  std::vector<Unknown> derivatives;  ///< of the continuous states, in their order
  std::size_t event_indicators = 0;
  std::vector<std::string> notes;  ///< what was odd but could be read

  const Variable* find(std::string_view variable) const;
  /// Index of the variable; nothing if there is none.
  std::optional<std::size_t> index_of(std::string_view variable) const;
};

/// Adds a note, up to a count that a person reads.
void note(ModelDescription& model, std::string text);

bool is_float(VariableType type);
/// FMI 3. Its co-simulation needs event mode then.
bool has_clocks(const ModelDescription& model);

std::string_view to_string(VariableType type);
std::string_view to_string(Causality causality);
std::string_view to_string(Variability variability);

}  // namespace macrostep::models::fmi
