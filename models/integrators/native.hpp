// Turns the name of an integrator into the stepper or solver that a native model is bound to.
#pragma once

#include <memory>
#include <optional>

#include "models/integrators/cvode.hpp"
#include "models/integrators/exact.hpp"
#include "models/integrators/integrator.hpp"
#include "models/integrators/ode_subsystem.hpp"
#include "models/integrators/solver_subsystem.hpp"
#include "models/integrators/steppers.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// The model under the integrator, or null if the model does not have what the integrator needs
/// (steppers.hpp).
template <class Model>
std::unique_ptr<Subsystem> make_native(const Model& model, Integrator integrator,
                                       std::optional<double> micro_step_s) {
  switch (integrator) {
    case Integrator::forward_euler:
      return std::make_unique<OdeSubsystem<Model, ForwardEuler>>(model, micro_step_s);
    case Integrator::symplectic_euler:
      if constexpr (requires { Model::dof; }) {
        return std::make_unique<OdeSubsystem<Model, SymplecticEuler>>(model, micro_step_s);
      }
      return nullptr;
    case Integrator::trapezoidal:
      if constexpr (AffineModel<Model>) {
        using Stepper = AffineTrapezoidal<Stepped<Model>>;
        return std::make_unique<OdeSubsystem<Model, Stepper>>(model, micro_step_s);
      } else {
        return std::make_unique<OdeSubsystem<Model, Trapezoidal>>(model, micro_step_s);
      }
    case Integrator::rk4:
      return std::make_unique<OdeSubsystem<Model, Rk4>>(model, micro_step_s);
    case Integrator::exact:
      if constexpr (LinearModel<Model>) {
        return std::make_unique<SolverSubsystem<Model, ExactSolver<Model>>>(model, micro_step_s);
      }
      return nullptr;
    case Integrator::cvode:
      return std::make_unique<SolverSubsystem<Model, CvodeModelSolver<Model>>>(model, micro_step_s);
    default:
      return nullptr;
  }
}

}  // namespace macrostep::models
