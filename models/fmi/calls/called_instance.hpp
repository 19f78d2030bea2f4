// One instance of an FMU whose functions are called to see whether they do what the standard says.
//
// The importer's instances (fmi2_instance.hpp) offer what trials need and hide the rest; here is
// every function, of both versions, under one name. Protocol: the standard's, which whoever writes
// a sequence keeps; every status is looked at, and what is wrong ends the sequence (call_log.hpp).
// The destructor frees the instance, unless one of the FMU's answered Fatal.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "models/fmi/calls/call_log.hpp"
#include "models/fmi/fmi2.h"
#include "models/fmi/fmu.hpp"
#include "models/fmi/instance.hpp"
#include "models/fmi/shared_library.hpp"

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

/// Of findings.
const char* part_of(InterfaceKind kind);

/// The value of a variable as its function gives it.
struct Value {
  double number = 0;  ///< to tell how far two are apart; 0 for texts
  std::string bytes;  ///< of the C type, or the text
  bool operator==(const Value& other) const { return bytes == other.bytes; }
};
using Values = std::vector<Value>;
using Variables = std::vector<const Variable*>;

/// Of a number; of the variable's type.
Value value_of(const Variable& variable, Version version, double number);

/// How fmi3DoStep ended; FMI 2 has the first only.
struct StepEnd {
  Answer answer = Answer::ok;
  bool event_needed = false;
  bool terminate = false;
  bool early = false;
  double reached_s = 0;
};

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

  // --- values: called_values.cpp
  Values get(const Variables& variables);
  void set(const Variables& variables, const Values& values);

  // --- states: called_states.cpp
  void get_state(void*& state);
  void set_state(void* state);
  void free_state(void*& state);
  std::string serialize(void* state);
  void deserialize(const std::string& bytes, void*& state);
  /// Of all unknowns, one seed per known; nothing where the FMU answers Discard.
  std::optional<std::vector<double>> directional(std::span<const std::uint32_t> unknowns,
                                                 std::span<const std::uint32_t> knowns,
                                                 std::span<const double> seed);
  std::optional<std::vector<double>> adjoint(std::span<const std::uint32_t> unknowns,
                                             std::span<const std::uint32_t> knowns,
                                             std::span<const double> seed);

  // --- co-simulation: called_steps.cpp
  StepEnd do_step(double time_s, double size_s, bool no_set_state_prior);
  void set_input_derivatives(std::span<const std::uint32_t> references, int order, double value);
  /// Nothing where the FMU answers Discard.
  std::optional<double> output_derivative(std::uint32_t reference, int order);
  void enter_step_mode();

  // --- events and model exchange: called_steps.cpp
  void enter_event_mode();
  EventOutcome update_discrete_states();
  void enter_continuous_time();
  /// Whether the FMU asks for event mode.
  bool completed_step(bool no_set_state_prior);
  void set_time(double time_s);
  void set_states(std::span<const double> x);
  std::vector<double> get_states();
  std::vector<double> get_nominals();
  std::vector<double> get_derivatives();
  std::vector<double> get_event_indicators();
  /// FMI 3; nothing in FMI 2.
  void check_counts();

  Session& session() { return session_; }
  bool uses_event_mode() const { return options_.event_mode; }
  bool may_return_early() const { return options_.early_return; }

 private:
  template <class Function, class... Arguments>
  Answer call(const char* name, Discard discard, Arguments... arguments);
  /// Calls a function that gets or sets the values of variables.
  template <class T>
  void access(const std::string& name, const std::vector<std::uint32_t>& references,
              std::vector<T>& buffer);
  void ask_how_far(StepEnd& end);
  void instantiate_fmi2();
  void instantiate_fmi3();
  std::vector<double> numbers(const char* fmi2_name, const char* fmi3_name, Discard discard,
                              std::size_t count);
  std::size_t state_count();
  std::size_t indicator_count();
  std::size_t counted(const char* name);
  bool two() const { return session_.is_fmi2(); }

  static void log_fmi2(void* self, const char* instance, fmi2_status status, const char* category,
                       const char* format, ...);

  Session& session_;
  InstanceOptions options_;
  std::string resources_;
  fmi2_callbacks callbacks_{};
  void* instance_ = nullptr;
  // Of arrays' elements.
  std::optional<std::size_t> state_count_;
  std::optional<std::size_t> indicator_count_;
};

/// Of the numbers that both versions use.
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
