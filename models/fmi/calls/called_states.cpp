#include "models/fmi/calls/called_states.hpp"

#include "models/fmi/instance/fmi3.h"

namespace macrostep::models::fmi::calls {

namespace {

/// Most bytes of a state; more is taken for a wrong number.
constexpr std::size_t max_state_bytes = std::size_t{256} << 20;

}  // namespace

void get_state(CalledInstance& instance, void*& state) {
  instance.call<int(void*, void**)>(instance.is_fmi2() ? "fmi2GetFMUstate" : "fmi3GetFMUState",
                                    Discard::wrong, &state);
  if (state == nullptr) {
    instance.session().log.error("gave no state");
    throw SequenceEnded();
  }
}

void set_state(CalledInstance& instance, void* state) {
  instance.call<int(void*, void*)>(instance.is_fmi2() ? "fmi2SetFMUstate" : "fmi3SetFMUState",
                                   Discard::wrong, state);
}

void free_state(CalledInstance& instance, void*& state) {
  instance.call<int(void*, void**)>(instance.is_fmi2() ? "fmi2FreeFMUstate" : "fmi3FreeFMUState",
                                    Discard::wrong, &state);
  if (state != nullptr) {
    instance.session().log.warning("did not set the pointer to the freed state to null");
    state = nullptr;
  }
}

std::string serialize(CalledInstance& instance, void* state) {
  std::size_t size = 0;
  instance.call<int(void*, void*, std::size_t*)>(
      instance.is_fmi2() ? "fmi2SerializedFMUstateSize" : "fmi3SerializedFMUStateSize",
      Discard::wrong, state, &size);
  if (size == 0 || size > max_state_bytes) {
    instance.session().log.error("says that a state has " + std::to_string(size) + " bytes");
    throw SequenceEnded();
  }
  std::string bytes(size, '\0');
  instance.call<int(void*, void*, char*, std::size_t)>(
      instance.is_fmi2() ? "fmi2SerializeFMUstate" : "fmi3SerializeFMUState", Discard::wrong, state,
      bytes.data(), size);
  return bytes;
}

void deserialize(CalledInstance& instance, const std::string& bytes, void*& state) {
  instance.call<int(void*, const char*, std::size_t, void**)>(
      instance.is_fmi2() ? "fmi2DeSerializeFMUstate" : "fmi3DeserializeFMUState", Discard::wrong,
      bytes.data(), bytes.size(), &state);
  if (state == nullptr) {
    instance.session().log.error("gave no state");
    throw SequenceEnded();
  }
}

std::optional<std::vector<double>> directional(CalledInstance& instance,
                                               std::span<const std::uint32_t> unknowns,
                                               std::span<const std::uint32_t> knowns,
                                               std::span<const double> seed) {
  std::vector<double> sensitivity(unknowns.size());
  const auto answer =
      instance.is_fmi2()
          ? instance.call<fmi2_get_directional_derivative_function>(
                "fmi2GetDirectionalDerivative", Discard::answer, unknowns.data(), unknowns.size(),
                knowns.data(), knowns.size(), seed.data(), sensitivity.data())
          : instance.call<fmi3_get_directional_derivative_function>(
                "fmi3GetDirectionalDerivative", Discard::answer, unknowns.data(), unknowns.size(),
                knowns.data(), knowns.size(), seed.data(), seed.size(), sensitivity.data(),
                sensitivity.size());
  if (answer == Answer::discard) {
    instance.session().log.warning("returned Discard" + instance.session().log.tail());
    return std::nullopt;
  }
  return sensitivity;
}

std::optional<std::vector<double>> adjoint(CalledInstance& instance,
                                           std::span<const std::uint32_t> unknowns,
                                           std::span<const std::uint32_t> knowns,
                                           std::span<const double> seed) {
  std::vector<double> sensitivity(knowns.size());
  // It has the shape of the directional derivative.
  const auto answer = instance.call<fmi3_get_directional_derivative_function>(
      "fmi3GetAdjointDerivative", Discard::answer, unknowns.data(), unknowns.size(), knowns.data(),
      knowns.size(), seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  if (answer == Answer::discard) {
    instance.session().log.warning("returned Discard" + instance.session().log.tail());
    return std::nullopt;
  }
  return sensitivity;
}

}  // namespace macrostep::models::fmi::calls
