// In which interface of FMI an instance of an exported FMU runs, and how far it has come.
#pragma once

namespace macrostep::engine {

enum class FmuMode { co_simulation, model_exchange };

/// Bits, so that a function can name the phases it is allowed in.
enum Phase : unsigned {
  instantiated = 1,
  initialisation = 2,
  event_mode = 4,
  continuous_time = 8,
  step_mode = 16,
  intermediate_update = 32,
  terminated = 64,
  failed = 128,
};

/// "in the initialisation mode".
const char* name_of(Phase phase);

}  // namespace macrostep::engine
