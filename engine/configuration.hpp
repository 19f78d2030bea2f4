// One choice of everything that a search may vary, except the macro-step.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/extrapolation.hpp"
#include "models/integrator.hpp"

namespace macrostep::engine {

/// jacobi: all subsystems step from what is known at t_n. gauss_seidel: one after the other, each
/// with the new values of those before it. iterative: Gauss-Seidel repeated over the same
/// macro-step until its end values stand still (waveform relaxation).
enum class Scheme { jacobi, gauss_seidel, iterative };
enum class Correction { none };

inline constexpr std::array all_schemes{Scheme::jacobi, Scheme::gauss_seidel, Scheme::iterative};

std::string_view to_string(Scheme scheme);
std::string_view to_string(Correction correction);
std::optional<Scheme> scheme_from(std::string_view name);
std::optional<Correction> correction_from(std::string_view name);

struct Configuration {
  std::string coupling;
  Scheme scheme = Scheme::jacobi;
  std::vector<std::string> order;  ///< subsystems as gauss_seidel steps them; empty: as listed
  Extrapolation extrapolation = Extrapolation::order_0;
  std::map<std::string, models::Integrator> integrators;  ///< by group
  std::map<std::string, int> substeps;                    ///< by subsystem or group; absent: 1
  Correction correction = Correction::none;

  bool operator==(const Configuration&) const = default;
};

/// "extrapolation 2, hydraulics forward_euler, mechanics i1al": for messages.
std::string describe(const Configuration& configuration);

}  // namespace macrostep::engine
