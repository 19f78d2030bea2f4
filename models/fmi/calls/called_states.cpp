// States of an instance, and derivatives by direction.

#include "models/fmi/calls/called_instance.hpp"
#include "models/fmi/fmi3.h"

namespace macrostep::models::fmi::calls {

namespace {

/// Of a state as bytes; more is taken for a wrong number.
constexpr std::size_t max_state_bytes = std::size_t{256} << 20;

}  // namespace

void CalledInstance::get_state(void*& state) {
  call<int(void*, void**)>(two() ? "fmi2GetFMUstate" : "fmi3GetFMUState", Discard::wrong, &state);
  if (state == nullptr) {
    session_.log.error("gave no state");
    throw SequenceEnded();
  }
}

void CalledInstance::set_state(void* state) {
  call<int(void*, void*)>(two() ? "fmi2SetFMUstate" : "fmi3SetFMUState", Discard::wrong, state);
}

void CalledInstance::free_state(void*& state) {
  call<int(void*, void**)>(two() ? "fmi2FreeFMUstate" : "fmi3FreeFMUState", Discard::wrong, &state);
  if (state != nullptr) {
    session_.log.warning("did not set the pointer to the freed state to null");
    state = nullptr;
  }
}

std::string CalledInstance::serialize(void* state) {
  std::size_t size = 0;
  call<int(void*, void*, std::size_t*)>(
      two() ? "fmi2SerializedFMUstateSize" : "fmi3SerializedFMUStateSize", Discard::wrong, state,
      &size);
  if (size == 0 || size > max_state_bytes) {
    session_.log.error("says that a state has " + std::to_string(size) + " bytes");
    throw SequenceEnded();
  }
  std::string bytes(size, '\0');
  call<int(void*, void*, char*, std::size_t)>(
      two() ? "fmi2SerializeFMUstate" : "fmi3SerializeFMUState", Discard::wrong, state,
      bytes.data(), size);
  return bytes;
}

void CalledInstance::deserialize(const std::string& bytes, void*& state) {
  call<int(void*, const char*, std::size_t, void**)>(
      two() ? "fmi2DeSerializeFMUstate" : "fmi3DeserializeFMUState", Discard::wrong, bytes.data(),
      bytes.size(), &state);
  if (state == nullptr) {
    session_.log.error("gave no state");
    throw SequenceEnded();
  }
}

std::optional<std::vector<double>> CalledInstance::directional(
    std::span<const std::uint32_t> unknowns, std::span<const std::uint32_t> knowns,
    std::span<const double> seed) {
  std::vector<double> sensitivity(unknowns.size());
  const auto answer =
      two() ? call<fmi2_get_directional_derivative_function>(
                  "fmi2GetDirectionalDerivative", Discard::answer, unknowns.data(), unknowns.size(),
                  knowns.data(), knowns.size(), seed.data(), sensitivity.data())
            : call<fmi3_get_directional_derivative_function>(
                  "fmi3GetDirectionalDerivative", Discard::answer, unknowns.data(), unknowns.size(),
                  knowns.data(), knowns.size(), seed.data(), seed.size(), sensitivity.data(),
                  sensitivity.size());
  if (answer == Answer::discard) {
    session_.log.warning("returned Discard" + session_.log.tail());
    return std::nullopt;
  }
  return sensitivity;
}

std::optional<std::vector<double>> CalledInstance::adjoint(std::span<const std::uint32_t> unknowns,
                                                           std::span<const std::uint32_t> knowns,
                                                           std::span<const double> seed) {
  std::vector<double> sensitivity(knowns.size());
  // It has the shape of the directional derivative.
  const auto answer = call<fmi3_get_directional_derivative_function>(
      "fmi3GetAdjointDerivative", Discard::answer, unknowns.data(), unknowns.size(), knowns.data(),
      knowns.size(), seed.data(), seed.size(), sensitivity.data(), sensitivity.size());
  if (answer == Answer::discard) {
    session_.log.warning("returned Discard" + session_.log.tail());
    return std::nullopt;
  }
  return sensitivity;
}

}  // namespace macrostep::models::fmi::calls
