#include "engine/fmu_export/declared_unit.hpp"

#include <algorithm>
#include <string_view>

#include "models/subsystem/unit.hpp"

namespace macrostep::engine {

namespace {

using models::fmi::DeclaredUnit;

/// By their symbols: models/subsystem/unit.hpp has angles without a dimension, FMI counts them.
int radians_in(std::string_view unit) {
  return unit == "rad" || unit.starts_with("rad/") ? 1 : 0;
}

DeclaredUnit declared(const std::string& name) {
  DeclaredUnit unit{.name = name};
  if (const auto known = models::unit_from(name)) {
    const auto& [m, kg, s, a, k] = known->exponents;
    unit.has_base = true;
    unit.exponents = {kg, m, s, a, k, 0, 0, radians_in(name)};
    unit.factor = known->scale;
  }
  return unit;
}

}  // namespace

std::vector<DeclaredUnit> declared_units(std::vector<std::string> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  std::erase(names, "");
  std::vector<DeclaredUnit> units;
  for (const auto& name : names) {
    units.push_back(declared(name));
  }
  return units;
}

}  // namespace macrostep::engine
