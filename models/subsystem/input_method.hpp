// How inputs that change over a macro-step reach a subsystem.
#pragma once

#include <string_view>

namespace macrostep::models {

enum class InputMethod {
  native,               ///< our integrators evaluate the polynomials wherever they need them
  input_derivatives,    ///< an FMU takes value and derivatives (FMI 2 setRealInputDerivatives)
  intermediate_update,  ///< an FMU asks for values within its step (FMI 3)
  micro_steps,          ///< an FMU gets the value in the middle of each micro-step
  none                  ///< not at all: only constants can be applied
};

std::string_view to_string(InputMethod method);

}  // namespace macrostep::models
