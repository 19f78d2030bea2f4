// How what an instance of an exported FMU calculates depends on what is set: the matrix
//
//   J = ∂(derivatives of the states, outputs)/∂(states, coupling inputs, external inputs)
//
// of its equations (equations.hpp), by value references.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "engine/fmu_export/instance/variable_table.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::engine {

/// ∂(outputs)/∂(coupling inputs) of a subsystem at these inputs, by central differences; the inputs
/// are as before afterwards.
void write_own_feedthrough(models::Subsystem& subsystem, double time_s, std::span<double> u,
                           Eigen::Ref<Eigen::MatrixXd> feedthrough);

/// Variables of the table, by value references.
struct DirectionalDerivative {
  std::span<const std::uint32_t> unknown;
  std::span<const std::uint32_t> known;
  std::span<const double> seed;  ///< by known
};

/// Σ ∂unknown/∂known × seed, by unknown. Throws CallRefused for a variable that has no row or
/// column.
void directional_derivative(const Eigen::MatrixXd& slopes, const VariableTable& table,
                            const DirectionalDerivative& wanted, std::span<double> sensitivity);

}  // namespace macrostep::engine
