// FMI 3.0, values of variables: all of them are Float64. Of every other type, and of what this FMU
// does not have, to ask for none is right.
#include "engine/fmu_export/library/fmi3.hpp"

using namespace macrostep::engine;
using namespace macrostep::engine::library;

namespace {

constexpr unsigned takes_values = any_phase & ~(terminated | failed);

fmi3_status none(fmi3_instance handle, const Demands& demands, std::size_t count) {
  return call(handle, demands, [&](FmuInstance&) {
    if (count > 0) {
      throw CallRefused("all variables are of the type Float64");
    }
  });
}

/// A function for clocks and the like: none of the variables has what it asks for.
fmi3_status not_provided(fmi3_instance handle, const char* function) {
  return call(handle, {function, any_phase},
              [](FmuInstance&) { throw CallRefused("this FMU does not provide it"); });
}

void check_counts(std::size_t references, std::size_t values) {
  if (references != values) {
    throw CallRefused("all variables are scalars: as many values as references");
  }
}

}  // namespace

fmi3_status fmi3GetFloat64(fmi3_instance handle, const fmi3_value_reference references[],
                           std::size_t count, fmi3_float64 values[], std::size_t value_count) {
  return call(handle, {"fmi3GetFloat64", any_phase}, [&](FmuInstance& instance) {
    check_counts(count, value_count);
    get_values(instance, references, count, values);
  });
}

/// Within a step, those that the importer has announced.
fmi3_status fmi3SetFloat64(fmi3_instance handle, const fmi3_value_reference references[],
                           std::size_t count, const fmi3_float64 values[],
                           std::size_t value_count) {
  return call(
      handle, {"fmi3SetFloat64", takes_values | intermediate_update}, [&](FmuInstance& instance) {
        check_counts(count, value_count);
        const auto& required = component_of(handle).required_inputs;
        for (std::size_t i = 0; references && i < count; ++i) {
          if (instance.phase() == intermediate_update &&
              std::ranges::find(required, references[i]) == required.end()) {
            throw CallRefused("only required intermediate variables can be set within a step");
          }
        }
        set_values(instance, references, count, values);
      });
}

#define MACROSTEP_NO_VALUES(Name, type)                                                            \
  fmi3_status fmi3Get##Name(fmi3_instance handle, const fmi3_value_reference[], std::size_t count, \
                            type[], std::size_t) {                                                 \
    return none(handle, {"fmi3Get" #Name, any_phase}, count);                                      \
  }                                                                                                \
  fmi3_status fmi3Set##Name(fmi3_instance handle, const fmi3_value_reference[], std::size_t count, \
                            const type[], std::size_t) {                                           \
    return none(handle, {"fmi3Set" #Name, takes_values}, count);                                   \
  }
MACROSTEP_NO_VALUES(Float32, fmi3_float32)
MACROSTEP_NO_VALUES(Int8, fmi3_int8)
MACROSTEP_NO_VALUES(UInt8, fmi3_uint8)
MACROSTEP_NO_VALUES(Int16, fmi3_int16)
MACROSTEP_NO_VALUES(UInt16, fmi3_uint16)
MACROSTEP_NO_VALUES(Int32, fmi3_int32)
MACROSTEP_NO_VALUES(UInt32, fmi3_uint32)
MACROSTEP_NO_VALUES(Int64, fmi3_int64)
MACROSTEP_NO_VALUES(UInt64, fmi3_uint64)
MACROSTEP_NO_VALUES(Boolean, fmi3_boolean)
MACROSTEP_NO_VALUES(String, fmi3_string)
#undef MACROSTEP_NO_VALUES

fmi3_status fmi3GetBinary(fmi3_instance handle, const fmi3_value_reference[], std::size_t count,
                          std::size_t[], const fmi3_byte*[], std::size_t) {
  return none(handle, {"fmi3GetBinary", any_phase}, count);
}

fmi3_status fmi3SetBinary(fmi3_instance handle, const fmi3_value_reference[], std::size_t count,
                          const std::size_t[], const fmi3_byte* const[], std::size_t) {
  return none(handle, {"fmi3SetBinary", takes_values}, count);
}

fmi3_status fmi3GetClock(fmi3_instance handle, const fmi3_value_reference[], std::size_t count,
                         bool[]) {
  return none(handle, {"fmi3GetClock", any_phase}, count);
}

fmi3_status fmi3SetClock(fmi3_instance handle, const fmi3_value_reference[], std::size_t count,
                         const bool[]) {
  return none(handle, {"fmi3SetClock", takes_values}, count);
}

fmi3_status fmi3GetIntervalDecimal(fmi3_instance handle, const fmi3_value_reference[],
                                   std::size_t count, fmi3_float64[], int[]) {
  return none(handle, {"fmi3GetIntervalDecimal", any_phase}, count);
}

fmi3_status fmi3GetIntervalFraction(fmi3_instance handle, const fmi3_value_reference[],
                                    std::size_t count, fmi3_uint64[], fmi3_uint64[], int[]) {
  return none(handle, {"fmi3GetIntervalFraction", any_phase}, count);
}

fmi3_status fmi3GetShiftDecimal(fmi3_instance handle, const fmi3_value_reference[],
                                std::size_t count, fmi3_float64[]) {
  return none(handle, {"fmi3GetShiftDecimal", any_phase}, count);
}

fmi3_status fmi3GetShiftFraction(fmi3_instance handle, const fmi3_value_reference[],
                                 std::size_t count, fmi3_uint64[], fmi3_uint64[]) {
  return none(handle, {"fmi3GetShiftFraction", any_phase}, count);
}

fmi3_status fmi3SetIntervalDecimal(fmi3_instance handle, const fmi3_value_reference[],
                                   std::size_t count, const fmi3_float64[]) {
  return none(handle, {"fmi3SetIntervalDecimal", any_phase}, count);
}

fmi3_status fmi3SetIntervalFraction(fmi3_instance handle, const fmi3_value_reference[],
                                    std::size_t count, const fmi3_uint64[], const fmi3_uint64[]) {
  return none(handle, {"fmi3SetIntervalFraction", any_phase}, count);
}

fmi3_status fmi3SetShiftDecimal(fmi3_instance handle, const fmi3_value_reference[],
                                std::size_t count, const fmi3_float64[]) {
  return none(handle, {"fmi3SetShiftDecimal", any_phase}, count);
}

fmi3_status fmi3SetShiftFraction(fmi3_instance handle, const fmi3_value_reference[],
                                 std::size_t count, const fmi3_uint64[], const fmi3_uint64[]) {
  return none(handle, {"fmi3SetShiftFraction", any_phase}, count);
}

fmi3_status fmi3GetNumberOfVariableDependencies(fmi3_instance handle, fmi3_value_reference,
                                                std::size_t*) {
  return not_provided(handle, "fmi3GetNumberOfVariableDependencies");
}

fmi3_status fmi3GetVariableDependencies(fmi3_instance handle, fmi3_value_reference, std::size_t[],
                                        fmi3_value_reference[], std::size_t[],
                                        fmi3_dependency_kind[], std::size_t) {
  return not_provided(handle, "fmi3GetVariableDependencies");
}

fmi3_status fmi3GetAdjointDerivative(fmi3_instance handle, const fmi3_value_reference[],
                                     std::size_t, const fmi3_value_reference[], std::size_t,
                                     const fmi3_float64[], std::size_t, fmi3_float64[],
                                     std::size_t) {
  return not_provided(handle, "fmi3GetAdjointDerivative");
}

fmi3_status fmi3ActivateModelPartition(fmi3_instance handle, fmi3_value_reference, fmi3_float64) {
  return not_provided(handle, "fmi3ActivateModelPartition");
}
