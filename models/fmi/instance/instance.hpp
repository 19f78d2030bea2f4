// What instances of FMI 2.0 and 3.0 have in common, so that one subsystem serves both.
//
// Fmi2Instance and Fmi3Instance offer the same functions (fmi2_instance.hpp lists them with their
// protocol). Those that return nothing throw SubsystemFailed when the FMU does not answer OK or
// Warning, with the function, the status and what the FMU has logged last.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace macrostep::models::fmi {

enum class InterfaceKind { co_simulation, model_exchange };

enum class CallStatus { ok, discard, failed };

/// What co-simulation of FMI 3.0 is asked for besides doStep; FMI 2.0 has nothing of it.
struct StepServices {
  /// Called within steps to set the inputs with these references at a time, if given.
  std::function<void(double time_s)> update_inputs;
  std::span<const std::uint32_t> updated_inputs;
  /// Steps end early at the FMU's events, which are handled in event mode, and go on.
  bool event_mode = false;
};

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
