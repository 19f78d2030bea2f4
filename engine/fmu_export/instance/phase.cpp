#include "engine/fmu_export/instance/phase.hpp"

namespace macrostep::engine {

const char* name_of(Phase phase) {
  switch (phase) {
    case instantiated:
      return "before the initialisation";
    case initialisation:
      return "in the initialisation mode";
    case event_mode:
      return "in the event mode";
    case continuous_time:
      return "in the continuous-time mode";
    case step_mode:
      return "between communication steps";
    case intermediate_update:
      return "within a communication step";
    case terminated:
      return "after the end";
    default:
      return "after an error";
  }
}

}  // namespace macrostep::engine
