#include "models/integrators/integrator.hpp"

#include "models/subsystem/names.hpp"

namespace macrostep::models {

namespace {
constexpr Names<Integrator, 10> names{{{Integrator::forward_euler, "forward_euler"},
                                       {Integrator::symplectic_euler, "symplectic_euler"},
                                       {Integrator::trapezoidal, "trapezoidal"},
                                       {Integrator::rk4, "rk4"},
                                       {Integrator::exact, "exact"},
                                       {Integrator::cvode, "cvode"},
                                       {Integrator::i1al, "i1al"},
                                       {Integrator::i3al, "i3al"},
                                       {Integrator::al_symplectic_euler, "al_symplectic_euler"},
                                       {Integrator::fmu, "fmu"}}};
}  // namespace

std::string_view to_string(Integrator integrator) {
  return name_of(names, integrator);
}

std::optional<Integrator> integrator_from(std::string_view name) {
  return value_of(names, name);
}

}  // namespace macrostep::models
