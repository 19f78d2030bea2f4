// States of an instance (called_instance.hpp), and derivatives by direction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/fmi/calls/called_instance.hpp"

namespace macrostep::models::fmi::calls {

void get_state(CalledInstance& instance, void*& state);
void set_state(CalledInstance& instance, void* state);
void free_state(CalledInstance& instance, void*& state);
std::string serialize(CalledInstance& instance, void* state);
void deserialize(CalledInstance& instance, const std::string& bytes, void*& state);
/// Derivatives of all unknowns, one seed per known; nothing where the FMU answers Discard.
std::optional<std::vector<double>> directional(CalledInstance& instance,
                                               std::span<const std::uint32_t> unknowns,
                                               std::span<const std::uint32_t> knowns,
                                               std::span<const double> seed);
std::optional<std::vector<double>> adjoint(CalledInstance& instance,
                                           std::span<const std::uint32_t> unknowns,
                                           std::span<const std::uint32_t> knowns,
                                           std::span<const double> seed);

}  // namespace macrostep::models::fmi::calls
