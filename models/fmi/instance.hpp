// What instances of FMI 2.0 and 3.0 have in common, so that one subsystem serves both.
//
// Fmi2Instance and Fmi3Instance offer the same functions (fmi2_instance.hpp lists them with their
// protocol). Those that return nothing throw SubsystemFailed when the FMU does not answer OK or
// Warning, with the function, the status and what the FMU has logged last.
#pragma once

#include <optional>

namespace macrostep::models::fmi {

enum class InterfaceKind { co_simulation, model_exchange };

enum class CallStatus { ok, discard, failed };

/// How doStep ended.
struct DoStepEnd {
  CallStatus status = CallStatus::ok;
  double reached_s = 0;     ///< last successful time, where the status is discard
  bool terminated = false;  ///< the FMU asks to end the simulation
};

/// What an event brought (FMI 2: fmi2EventInfo).
struct EventOutcome {
  bool again = false;  ///< discrete states have not settled
  bool terminated = false;
  bool states_changed = false;
  std::optional<double> next_event_s;
};

}  // namespace macrostep::models::fmi
