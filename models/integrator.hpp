// Names of the time integrators that subsystems offer.
#pragma once

#include <optional>
#include <string_view>

namespace macrostep::models {

enum class Integrator { forward_euler, trapezoidal, i1al, i3al };

std::string_view to_string(Integrator integrator);
std::optional<Integrator> integrator_from(std::string_view name);

}  // namespace macrostep::models
