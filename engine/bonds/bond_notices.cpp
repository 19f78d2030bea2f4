#include "engine/bonds/bond_notices.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

namespace {

/// A factor that differs from what the units say by less is the same, rounded: 6.2832 for 2π.
constexpr double same_factor = 1e-3;

/// W in one unit of effort × flow; nothing where that is no power.
std::optional<double> watts_of(const Coupling& coupling, const PortName& effort,
                               const PortName& flow) {
  const auto effort_unit = coupling.unit_of(effort);
  const auto flow_unit = coupling.unit_of(flow);
  if (!effort_unit || !flow_unit) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < models::watt_exponents.size(); ++i) {
    if (effort_unit->exponents[i] + flow_unit->exponents[i] != models::watt_exponents[i]) {
      return std::nullopt;
    }
  }
  return effort_unit->scale * flow_unit->scale;
}

}  // namespace

std::string unwatched_connections(const Coupling& coupling) {
  std::string list;
  for (const auto& connection : coupling.connections) {
    const auto& from = connection.from.subsystem;
    const auto& to = connection.to.subsystem;
    const bool watched = std::ranges::any_of(coupling.power_bonds, [&](const PowerBond& bond) {
      const auto& effort = bond.effort.front().subsystem;
      const auto& flow = bond.flow.front().subsystem;
      const bool computed = effort == flow;  // from what this connection brings
      return (computed && effort == to) || (effort == from && flow == to) ||
             (effort == to && flow == from);
    });
    if (!watched) {
      list += (list.empty() ? "" : ", ") + connection.from.text() + " → " + connection.to.text();
    }
  }
  return list;
}

std::vector<Notice> bond_factor_warning(const Coupling& coupling) {
  std::vector<Notice> list;
  for (const auto& bond : coupling.power_bonds) {
    for (std::size_t k = 0; bond.factor && k < bond.effort.size(); ++k) {
      const double factor = std::abs(*bond.factor);
      const auto watts = watts_of(coupling, bond.effort[k], bond.flow[k]);
      if (watts && std::abs(factor - *watts) > same_factor * *watts) {
        list.push_back({.code = NoticeCode::bond_factor,
                        .subject = bond.effort[k].text() + " × " + bond.flow[k].text(),
                        .numbers = {{"factor", *bond.factor}, {"power_W", *watts}}});
      }
    }
  }
  return list;
}

}  // namespace macrostep::engine
