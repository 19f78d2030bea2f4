#include "engine/fmu_export/instance/slopes.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/fmu_export/instance/place_of.hpp"
#include "engine/fmu_export/instance/refused.hpp"
#include "models/integrators/native_jacobians.hpp"

namespace macrostep::engine {

namespace {

Eigen::Index row_of(const VariableTable& table, std::uint32_t unknown) {
  const auto [kind, index] = place_of(table, unknown);
  if (kind == VariableKind::derivative) {
    return static_cast<Eigen::Index>(index);
  }
  if (kind == VariableKind::output) {
    return static_cast<Eigen::Index>(table.count(VariableKind::state) + index);
  }
  throw CallRefused("the variable with the value reference " + std::to_string(unknown) +
                    " is neither an output nor a derivative of a state");
}

Eigen::Index column_of(const VariableTable& table, std::uint32_t known) {
  const auto [kind, index] = place_of(table, known);
  if (kind == VariableKind::state) {
    return static_cast<Eigen::Index>(index);
  }
  if (kind == VariableKind::input) {
    return static_cast<Eigen::Index>(table.count(VariableKind::state) + index);
  }
  if (kind == VariableKind::external) {
    return static_cast<Eigen::Index>(table.count(VariableKind::state) +
                                     table.count(VariableKind::input) + index);
  }
  throw CallRefused("the variable with the value reference " + std::to_string(known) +
                    " is neither an input nor a state");
}

}  // namespace

void write_own_feedthrough(models::Subsystem& subsystem, double time_s, std::span<double> u,
                           Eigen::Ref<Eigen::MatrixXd> feedthrough) {
  std::vector<double> behind(static_cast<std::size_t>(feedthrough.rows()));
  std::vector<double> ahead(behind.size());
  for (std::size_t k = 0; k < u.size(); ++k) {
    const double value = u[k];
    const double delta = models::jacobian_share * std::max(std::abs(value), 1.0);
    u[k] = value - delta;
    subsystem.outputs(time_s, u, behind);
    u[k] = value + delta;
    subsystem.outputs(time_s, u, ahead);
    u[k] = value;
    for (std::size_t i = 0; i < behind.size(); ++i) {
      feedthrough(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) =
          (ahead[i] - behind[i]) / (2 * delta);
    }
  }
}

void directional_derivative(const Eigen::MatrixXd& slopes, const VariableTable& table,
                            const DirectionalDerivative& wanted, std::span<double> sensitivity) {
  for (std::size_t i = 0; i < wanted.unknown.size(); ++i) {
    const auto row = row_of(table, wanted.unknown[i]);
    sensitivity[i] = 0;
    for (std::size_t k = 0; k < wanted.known.size(); ++k) {
      sensitivity[i] += slopes(row, column_of(table, wanted.known[k])) * wanted.seed[k];
    }
  }
}

}  // namespace macrostep::engine
