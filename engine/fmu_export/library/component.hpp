// What both versions of FMI need at the C interface of an exported FMU: its set-up from its
// resources, calls that end in a status whatever happens, and states as bytes.
#pragma once

#include <algorithm>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/fmu_export/instance/instance.hpp"
#include "engine/fmu_export/instance/refused.hpp"

namespace macrostep::engine::library {

inline constexpr unsigned initialised = event_mode | continuous_time | step_mode;
/// All that a caller can be in; within a step only inputs are set.
inline constexpr unsigned any_phase =
    instantiated | initialisation | initialised | terminated | failed;

/// Log categories, as in the model description.
inline constexpr const char* log_error = "logStatusError";
inline constexpr const char* log_discard = "logStatusDiscard";

/// An instance of the FMU unpacked there, if it has this token. Throws CallRefused.
std::unique_ptr<FmuInstance> make_instance(const char* token, const std::string& resources,
                                           FmuMode mode);

/// The folder of a file URI, or a path as it stands. Throws CallRefused.
std::string folder_of(const char* uri);

/// Which categories of messages are wanted.
struct LogFilter {
  bool on = false;
  bool errors = true;
  bool discards = true;

  bool wants(bool discard) const { return on && (discard ? discards : errors); }
  /// Throws CallRefused for a category that there is not.
  void set(bool logging_on, std::span<const char* const> categories);
};

/// Bytes of a state: a mark of the FMU and the interface, and the numbers.
std::size_t size_of_bytes(const FmuState& state);
void write_bytes(const FmuInstance& instance, const FmuState& state, std::span<char> bytes);
/// Throws CallRefused.
FmuState state_from_bytes(const FmuInstance& instance, std::span<const char> bytes);

/// What a function asks of its caller.
struct Demands {
  const char* function;
  unsigned phases;
  const FmuMode* mode = nullptr;  ///< the only one that has the function; null: both
};

inline constexpr FmuMode co_simulation = FmuMode::co_simulation;
inline constexpr FmuMode model_exchange = FmuMode::model_exchange;

/// Throws CallRefused.
void check_call(const FmuInstance& instance, const Demands& demands);
/// A pointer that the caller must give. Throws CallRefused.
inline void check_argument(bool given, const char* what) {
  if (!given) {
    throw CallRefused(std::string("the argument ") + what + " is missing");
  }
}

enum class Outcome { ok, discard, error };

/// Runs `action` for an instance that meets the demands; what it throws becomes an outcome and a
/// message for `log(discard, text)`, and after an error the instance is failed.
template <class Log, class Action>
Outcome guarded(FmuInstance& instance, const Demands& demands, const Log& log,
                const Action& action) noexcept {
  const auto fail = [&](bool discard, const char* why) {
    if (!discard) {
      instance.set_phase(failed);
    }
    try {
      log(discard, std::string(demands.function) + ": " + why);
    } catch (...) {  // without memory there is no message
    }
    return discard ? Outcome::discard : Outcome::error;
  };
  try {
    check_call(instance, demands);
    action(instance);
    return Outcome::ok;
  } catch (const CallRefused& refused) {
    return fail(refused.discard, refused.what());
  } catch (const std::exception& error) {
    return fail(false, error.what());
  } catch (...) {
    return fail(false, "failed");
  }
}

/// As many references as values; throws CallRefused if an array is missing.
template <class Value>
void get_values(FmuInstance& instance, const std::uint32_t* references, std::size_t count,
                Value* values) {
  check_argument(count == 0 || (references && values), "of references or values");
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = instance.value(references[i]);
  }
}

inline void set_values(FmuInstance& instance, const std::uint32_t* references, std::size_t count,
                       const double* values) {
  check_argument(count == 0 || (references && values), "of references or values");
  for (std::size_t i = 0; i < count; ++i) {
    instance.set(references[i], values[i]);
  }
}

/// A vector that has an entry for each continuous state.
inline void check_states(const FmuInstance& instance, const void* vector, std::size_t count) {
  if (count != instance.states()) {
    throw CallRefused("there are " + std::to_string(instance.states()) +
                      " continuous states, not " + std::to_string(count));
  }
  check_argument(count == 0 || vector, "of states");
}

}  // namespace macrostep::engine::library
