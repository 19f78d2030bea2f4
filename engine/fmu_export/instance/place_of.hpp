// What a value reference that an importer gives stands for.
#pragma once

#include <cstdint>
#include <string>

#include "engine/fmu_export/instance/refused.hpp"
#include "engine/fmu_export/instance/variable_table.hpp"

namespace macrostep::engine {

/// Throws CallRefused where there is no such variable.
inline VariablePlace place_of(const VariableTable& table, std::uint32_t reference) {
  const auto found = table.find(reference);
  if (!found) {
    throw CallRefused("there is no variable with the value reference " + std::to_string(reference));
  }
  return *found;
}

}  // namespace macrostep::engine
