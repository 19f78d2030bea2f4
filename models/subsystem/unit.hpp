// Units of ports and parameters: "N", "m/s", "N s/m", "kg.m2", "Nm", "L/min", "1".
//
// A unit is a product of named units with optional integer powers, factors separated by spaces,
// "*", "·" or "."; everything after a "/" up to the next "/" divides. Names may carry an SI prefix
// (kN, mm, MPa). Angles have no dimension. Plain lookup; nothing converts values.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace macrostep::models {

/// value in SI = scale × value in the unit; exponents of m, kg, s, A, K.
struct Unit {
  double scale = 1;
  std::array<int, 5> exponents{};
};

/// m² kg/s³, the exponents of power.
inline constexpr std::array<int, 5> watt_exponents{2, 1, -3, 0, 0};

/// Nothing for a text that is not a unit.
std::optional<Unit> unit_from(std::string_view text);

/// The unit of a port whose unit nobody told.
inline constexpr std::string_view unknown_unit = "?";

/// Whether values in one unit can be taken for values in the other: the same text, or units of
/// equal dimension and size, or one of them is unknown.
bool same_unit(std::string_view one, std::string_view other);

/// Whether effort × flow is in watts as it stands.
bool make_watts(std::string_view effort_unit, std::string_view flow_unit);

}  // namespace macrostep::models
