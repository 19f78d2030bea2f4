#include "models/fmi/sequences/library_sequences.hpp"

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "models/fmi/xml/xml_values.hpp"

namespace macrostep::models::fmi::calls {

namespace {

using Names = std::vector<const char*>;

/// Most functions that nobody misses which one message names.
constexpr std::size_t max_named = 3;

const Names fmi2_common{"GetTypesPlatform",
                        "GetVersion",
                        "SetDebugLogging",
                        "Instantiate",
                        "FreeInstance",
                        "SetupExperiment",
                        "EnterInitializationMode",
                        "ExitInitializationMode",
                        "Terminate",
                        "Reset",
                        "GetReal",
                        "GetInteger",
                        "GetBoolean",
                        "GetString",
                        "SetReal",
                        "SetInteger",
                        "SetBoolean",
                        "SetString"};
const Names fmi2_exchange{"EnterEventMode",
                          "NewDiscreteStates",
                          "EnterContinuousTimeMode",
                          "CompletedIntegratorStep",
                          "SetTime",
                          "SetContinuousStates",
                          "GetDerivatives",
                          "GetEventIndicators",
                          "GetContinuousStates",
                          "GetNominalsOfContinuousStates"};
const Names fmi2_simulation{"DoStep"};
/// Exported by every FMU, though all they may do is answer Error.
const Names fmi2_simulation_other{"CancelStep",       "GetStatus",        "GetRealStatus",
                                  "GetIntegerStatus", "GetBooleanStatus", "GetStringStatus"};
const Names fmi2_state{"GetFMUstate", "SetFMUstate", "FreeFMUstate"};
const Names fmi2_serial{"SerializedFMUstateSize", "SerializeFMUstate", "DeSerializeFMUstate"};

const Names fmi3_common{"GetVersion",
                        "SetDebugLogging",
                        "FreeInstance",
                        "EnterInitializationMode",
                        "ExitInitializationMode",
                        "EnterEventMode",
                        "Terminate",
                        "Reset",
                        "GetFloat32",
                        "GetFloat64",
                        "GetInt8",
                        "GetUInt8",
                        "GetInt16",
                        "GetUInt16",
                        "GetInt32",
                        "GetUInt32",
                        "GetInt64",
                        "GetUInt64",
                        "GetBoolean",
                        "GetString",
                        "SetFloat32",
                        "SetFloat64",
                        "SetInt8",
                        "SetUInt8",
                        "SetInt16",
                        "SetUInt16",
                        "SetInt32",
                        "SetUInt32",
                        "SetInt64",
                        "SetUInt64",
                        "SetBoolean",
                        "SetString",
                        "UpdateDiscreteStates"};
const Names fmi3_exchange{"InstantiateModelExchange",
                          "EnterContinuousTimeMode",
                          "CompletedIntegratorStep",
                          "SetTime",
                          "SetContinuousStates",
                          "GetContinuousStateDerivatives",
                          "GetEventIndicators",
                          "GetContinuousStates",
                          "GetNominalsOfContinuousStates",
                          "GetNumberOfEventIndicators",
                          "GetNumberOfContinuousStates"};
const Names fmi3_simulation{"InstantiateCoSimulation", "DoStep"};
const Names fmi3_other{"GetBinary",
                       "SetBinary",
                       "GetClock",
                       "SetClock",
                       "GetNumberOfVariableDependencies",
                       "GetVariableDependencies",
                       "EnterConfigurationMode",
                       "ExitConfigurationMode",
                       "GetIntervalDecimal",
                       "GetIntervalFraction",
                       "GetShiftDecimal",
                       "GetShiftFraction",
                       "SetIntervalDecimal",
                       "SetIntervalFraction",
                       "SetShiftDecimal",
                       "SetShiftFraction",
                       "EvaluateDiscreteStates"};
const Names fmi3_state{"GetFMUState", "SetFMUState", "FreeFMUState"};
const Names fmi3_serial{"SerializedFMUStateSize", "SerializeFMUState", "DeserializeFMUState"};

class Exports {
 public:
  explicit Exports(Session& session)
      : session_(session), prefix_(session.is_fmi2() ? "fmi2" : "fmi3") {}

  void check() {
    const auto& can = session_.interface;
    const bool two = session_.is_fmi2();
    require(two ? fmi2_common : fmi3_common, "");
    if (session_.is_co_simulation()) {
      require(two ? fmi2_simulation : fmi3_simulation, "");
      if (two) {
        expect(fmi2_simulation_other, false, "");
      } else {
        expect({"EnterStepMode"}, can.has_event_mode, "hasEventMode");
      }
      expect({two ? "GetRealOutputDerivatives" : "GetOutputDerivatives"},
             can.max_output_derivative_order > 0, "maxOutputDerivativeOrder");
    } else {
      require(two ? fmi2_exchange : fmi3_exchange, "");
    }
    expect(two ? fmi2_state : fmi3_state, can.can_get_and_set_state,
           two ? "canGetAndSetFMUstate" : "canGetAndSetFMUState");
    expect(two ? fmi2_serial : fmi3_serial, can.can_serialize_state,
           two ? "canSerializeFMUstate" : "canSerializeFMUState");
    expect({"GetDirectionalDerivative"}, can.provides_directional_derivatives,
           two ? "providesDirectionalDerivative" : "providesDirectionalDerivatives");
    if (two && session_.is_co_simulation()) {
      expect({"SetRealInputDerivatives"}, can.max_input_derivative_order > 0,
             "canInterpolateInputs");
    } else if (!two) {
      expect({"GetAdjointDerivative"}, session_.provides_adjoint, "providesAdjointDerivatives");
      expect(fmi3_other, false, "");
    }
    if (unused_count_ > 0) {
      session_.log.warning_of(
          "library", "lacks " + unused_ + (unused_count_ > max_named ? ", …" : "") + " (" +
                         std::to_string(unused_count_) + " functions), which are to be exported " +
                         "even where all they do is answer Error");
    }
  }

 private:
  void require(const Names& names, const std::string& why) {
    for (const char* name : names) {
      const auto function = prefix_ + name;
      if (!session_.has(function)) {
        session_.log.error_of(function, "is not exported by the library" +
                                            (why.empty() ? "" : ", though " + why + " is set"));
      }
    }
  }

  void expect(const Names& names, bool declared, const std::string& flag) {
    if (declared) {
      require(names, flag);
      return;
    }
    for (const char* name : names) {
      if (!session_.has(prefix_ + name) && ++unused_count_ <= max_named) {
        unused_ += (unused_.empty() ? "" : ", ") + prefix_ + name;
      }
    }
  }

  Session& session_;
  std::string prefix_;
  std::string unused_;
  std::size_t unused_count_ = 0;
};

void check_exports(Session& session) {
  Exports(session).check();
}

void check_text(Session& session, const char* function, std::string_view wanted) {
  auto* const get = reinterpret_cast<const char* (*)()>(session.library.find(function));
  if (get == nullptr) {
    return;
  }
  session.log.begin(function);
  const char* const text = get();
  session.log.end();
  // A revision of FMI 3 may say which it is.
  if (text == nullptr || !std::string_view(text).starts_with(wanted)) {
    session.log.error(std::string("gave ") +
                      (text == nullptr ? "nothing" : shown(std::string_view(text))) +
                      " instead of " + std::string(wanted));
  }
}

void check_versions(Session& session) {
  if (session.is_fmi2()) {
    check_text(session, "fmi2GetVersion", "2.0");
    check_text(session, "fmi2GetTypesPlatform", "default");
  } else {
    check_text(session, "fmi3GetVersion", "3.0");
  }
}

constexpr std::array sequences{
    Sequence{"looking at what the library exports", always, check_exports},
    Sequence{"asking for the version", always, check_versions},
};

}  // namespace

std::span<const Sequence> library_sequences() {
  return sequences;
}

}  // namespace macrostep::models::fmi::calls
