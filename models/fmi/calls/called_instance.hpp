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
#include <string>
#include <vector>

#include "models/fmi/calls/call_log.hpp"
#include "models/fmi/calls/session.hpp"
#include "models/fmi/instance/callback_environments.hpp"
#include "models/fmi/instance/fmi2.h"

namespace macrostep::models::fmi::calls {

struct Update {
  double time_s = 0;
  bool may_set = false;
  bool may_get = false;
  bool step_finished = false;
  bool may_return_early = false;
};

struct InstanceOptions {
  bool logging = false;
  bool event_mode = false;    ///< FMI 3, co-simulation; always where the FMU has clocks
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

  /// Error is a warning where the FMU declares no category that could be switched.
  void set_debug_logging(bool on, const std::vector<std::string>& categories);
  void enter_initialization(double start_s, std::optional<double> stop_s,
                            std::optional<double> tolerance);
  void exit_initialization();
  void terminate();
  void reset();

  /// Calls a function of the library with this instance as its first argument. Throws
  /// SequenceEnded where its answer ends the sequence.
  template <class Function, class... Arguments>
  Answer call(const char* name, Discard discard, Arguments... arguments) {
    return session_.log.end(begin_call<Function>(name, arguments...), discard);
  }

  Session& session() { return session_; }
  bool is_fmi2() const { return session_.is_fmi2(); }
  /// What called_modes.hpp has asked for already.
  ArrayCounts& array_counts() { return array_counts_; }
  bool uses_event_mode() const { return options_.event_mode; }
  bool may_return_early() const { return options_.early_return; }
  /// Tells who made this instance of an intermediate update; whether to return early.
  bool update(const Update& update) { return options_.update(update) && update.may_return_early; }

 private:
  /// Calls it and leaves its answer to CallLog::end().
  template <class Function, class... Arguments>
  Answer begin_call(const char* name, Arguments... arguments);
  void instantiate_fmi2();
  void instantiate_fmi3();

  Session& session_;
  InstanceOptions options_;
  std::string resources_;
  CallbackEnvironment environment_{this};
  fmi2_callbacks callbacks_{};
  void* instance_ = nullptr;
  ArrayCounts array_counts_;
};

/// The status as a number, which both versions share.
Answer answer_of(int status, Version version);

template <class Function, class... Arguments>
Answer CalledInstance::begin_call(const char* name, Arguments... arguments) {
  auto* const function = reinterpret_cast<Function*>(session_.library.find(name));
  if (function == nullptr) {
    session_.log.error_of(name, "is not exported by the library");
    throw SequenceEnded();
  }
  session_.log.begin(name);
  const auto answer =
      answer_of(function(instance_, arguments...), session_.fmu.description.version);
  session_.fatal = session_.fatal || answer == Answer::fatal;
  return answer;
}

}  // namespace macrostep::models::fmi::calls
