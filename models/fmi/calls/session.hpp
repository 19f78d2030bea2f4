// What a sequence of calls is about: one interface of an FMU, its library loaded, and what the
// importer does not need to know of its description.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/calls/call_log.hpp"
#include "models/fmi/description/model_description.hpp"
#include "models/fmi/instance/instance.hpp"
#include "models/fmi/instance/shared_library.hpp"

namespace macrostep::models::fmi::calls {

struct Session {
  Session(const Fmu& fmu, InterfaceKind kind, const CallReport& report);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// Calls the function with the one that was opened last, which messages are of whatever
  /// environment they come with: a process runs one sequence. It lives on until the function has
  /// returned, as messages come from threads of the FMU, too. Nothing where none is open any more.
  static void with_open(const std::function<void(Session&)>& function);

  bool is_fmi2() const { return fmu.description.version == Version::fmi2; }
  bool is_co_simulation() const { return kind == InterfaceKind::co_simulation; }
  bool has(const std::string& function) const { return library.find(function) != nullptr; }

  const Fmu& fmu;
  const Interface& interface;
  InterfaceKind kind;
  SharedLibrary library;
  CallLog log;
  bool needs_event_mode = false;  ///< FMI 3, co-simulation: the FMU has clocks
  bool fatal = false;  ///< one instance answered so: no function of any may be called any more
  bool provides_adjoint = false;        ///< FMI 3
  bool can_return_early_after = false;  ///< FMI 3: an intermediate update
  // FMI 3, model exchange: an array counts as its elements.
  bool has_array_states = false;
  bool has_array_indicators = false;
  using Names = std::set<std::string, std::less<>>;
  Names clocked;   ///< FMI 3: have a value only while a clock ticks
  Names set_once;  ///< model exchange: inputs that must not be set twice at one instant
};

/// The part of findings that is about this interface.
const char* part_of(InterfaceKind kind);

}  // namespace macrostep::models::fmi::calls
