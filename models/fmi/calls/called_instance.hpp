// One instance of an FMU whose functions are called to see whether they do what the standard says.
//
// The importer's instances (fmi2_instance.hpp) offer what trials need and hide the rest; here is
// every function, of both versions, under one name: those of an instance's life as members, those
// of values, states, steps and modes in headers of their own (called_values.hpp, called_states.hpp,
// called_steps.hpp, called_modes.hpp). Protocol: the standard's, which whoever writes a sequence
// keeps; every status is looked at, and what is wrong ends the sequence (call_log.hpp). The
// destructor frees the instance, unless one of the FMU's answered Fatal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/fmi/archive/fmu.hpp"
#include "models/fmi/calls/call_log.hpp"
#include "models/fmi/instance/fmi2.h"
#include "models/fmi/instance/instance.hpp"
#include "models/fmi/instance/shared_library.hpp"

namespace macrostep::models::fmi::calls {

/// What a sequence is about: one interface of an FMU, its library loaded.
struct Session {
  Session(const Fmu& fmu, InterfaceKind kind, const CallReport& report);

  bool is_fmi2() const { return fmu.description.version == Version::fmi2; }
  bool is_co_simulation() const { return kind == InterfaceKind::co_simulation; }
  bool has(const std::string& function) const { return library.find(function) != nullptr; }

  const Fmu& fmu;
  const Interface& interface;
  InterfaceKind kind;
  SharedLibrary library;
  CallLog log;
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

struct Update {
  double time_s = 0;
  bool may_set = false;
  bool may_get = false;
  bool step_finished = false;
  bool may_return_early = false;
};

struct InstanceOptions {
  bool logging = false;
  bool event_mode = false;    ///< FMI 3, co-simulation
  bool early_return = false;  ///< FMI 3, co-simulation
  /// FMI 3, co-simulation: called at intermediate updates; answers whether to return early.
  std::function<bool(const Update&)> update;
  std::vector<std::uint32_t> updated;  ///< required intermediate variables
};

/// Counts of states and event indicators where arrays' elements count; absent: not yet asked for.
struct ArrayCounts {
  std::optional<std::size_t> states;
  std::optional<std::size_t> indicators;
};

class CalledInstance {
 public:
  explicit CalledInstance(Session& session, InstanceOptions options = {});
  ~CalledInstance();
  CalledInstance(const CalledInstance&) = delete;
  CalledInstance& operator=(const CalledInstance&) = delete;

  void set_debug_logging(bool on, const std::vector<std::string>& categories);
  void enter_initialization(double start_s, std::optional<double> stop_s,
                            std::optional<double> tolerance);
  void exit_initialization();
  void terminate();
  void reset();

  /// Calls a function of the library with this instance as its first argument. Throws
  /// SequenceEnded where its answer ends the sequence.
  template <class Function, class... Arguments>
  Answer call(const char* name, Discard discard, Arguments... arguments);

  Session& session() { return session_; }
  bool is_fmi2() const { return session_.is_fmi2(); }
  /// What called_modes.hpp has asked for already.
  ArrayCounts& array_counts() { return array_counts_; }
  bool uses_event_mode() const { return options_.event_mode; }
  bool may_return_early() const { return options_.early_return; }

 private:
  void instantiate_fmi2();
  void instantiate_fmi3();
  static void log_fmi2(void* self, const char* instance, fmi2_status status, const char* category,
                       const char* format, ...);

  Session& session_;
  InstanceOptions options_;
  std::string resources_;
  fmi2_callbacks callbacks_{};
  void* instance_ = nullptr;
  ArrayCounts array_counts_;
};

/// The status as a number, which both versions share.
Answer answer_of(int status, Version version);

template <class Function, class... Arguments>
Answer CalledInstance::call(const char* name, Discard discard, Arguments... arguments) {
  auto* const function = reinterpret_cast<Function*>(session_.library.find(name));
  if (function == nullptr) {
    session_.log.error_of(name, "is not exported by the library");
    throw SequenceEnded();
  }
  session_.log.begin(name);
  const auto answer =
      answer_of(function(instance_, arguments...), session_.fmu.description.version);
  session_.fatal = session_.fatal || answer == Answer::fatal;
  return session_.log.end(answer, discard);
}

}  // namespace macrostep::models::fmi::calls
