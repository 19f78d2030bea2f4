// One choice of everything that a search may vary, except the macro-step.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "engine/extrapolation.hpp"
#include "models/integrator.hpp"

namespace macrostep::engine {

enum class Scheme { jacobi };
enum class Correction { none };

std::string_view to_string(Scheme scheme);
std::string_view to_string(Correction correction);
std::optional<Scheme> scheme_from(std::string_view name);
std::optional<Correction> correction_from(std::string_view name);

struct Configuration {
  std::string coupling;
  Scheme scheme = Scheme::jacobi;
  Extrapolation extrapolation = Extrapolation::order_0;
  std::map<std::string, models::Integrator> integrators;  ///< by group
  Correction correction = Correction::none;

  bool operator==(const Configuration&) const = default;
};

/// "extrapolation 2, hydraulics forward_euler, mechanics i1al": for messages.
std::string describe(const Configuration& configuration);

}  // namespace macrostep::engine
