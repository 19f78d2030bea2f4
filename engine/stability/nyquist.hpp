// The open loop of a coupling in the frequency domain (Viel et al. 2014, figs. 7, 8): how far a
// linear problem whose signals pass round a single loop is from instability.
//
// One input is cut off from its source. With the other rows of the propagation matrix Φ
// (propagation.hpp) unchanged, b the effect of a new value in the input's history and r the row
// that gives its source's output, the open loop is
//
//   G(z) = −r (z I − Φ_open)⁻¹ b,     z = e^(jωH),     unstable where 1 + G(z) = 0 beyond |z| = 1
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"

namespace macrostep::engine {

struct OpenLoopPoint {
  double frequency_hz = 0;  ///< up to half the rate of communication
  std::complex<double> value;
};

struct OpenLoop {
  std::string input;                  ///< "subsystem.port" that was cut
  std::vector<OpenLoopPoint> points;  ///< G along the upper half of the unit circle
  /// Smallest distance of the phase from −180° where |G| = 1 [°], with its sign: negative where the
  /// closed loop is unstable. Absent if |G| is 1 nowhere.
  std::optional<double> phase_margin_deg;
};

/// Why there is none: no propagation matrix, or no input that all loops pass through; only
/// extrapolation 0 to 4 without delay.
std::variant<OpenLoop, std::string> open_loop(const Plan& plan, const Configuration& configuration,
                                              double macro_step_s);

}  // namespace macrostep::engine
