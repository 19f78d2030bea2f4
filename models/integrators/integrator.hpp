// Names of the time integrators that subsystems offer. No subsystem offers all of them: each model
// lists its own.
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace macrostep::models {

enum class Integrator {
  forward_euler,
  symplectic_euler,
  trapezoidal,
  rk4,
  exact,  ///< matrix exponential, for linear models
  cvode,
  i1al,  ///< augmented Lagrangian of index 1, trapezoidal rule
  i3al,  ///< augmented Lagrangian of index 3
  al_symplectic_euler,
  fmu,  ///< the solver inside an FMU
};

inline constexpr std::array all_integrators{Integrator::forward_euler,
                                            Integrator::symplectic_euler,
                                            Integrator::trapezoidal,
                                            Integrator::rk4,
                                            Integrator::exact,
                                            Integrator::cvode,
                                            Integrator::i1al,
                                            Integrator::i3al,
                                            Integrator::al_symplectic_euler,
                                            Integrator::fmu};

std::string_view to_string(Integrator integrator);
std::optional<Integrator> integrator_from(std::string_view name);

}  // namespace macrostep::models
