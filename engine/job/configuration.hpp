// One choice of everything that a search may vary, except the macro-step.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/job/correction.hpp"
#include "engine/job/extrapolation.hpp"
#include "engine/problem/problem.hpp"
#include "models/integrators/integrator.hpp"

namespace macrostep::engine {

/// jacobi: all subsystems step from what is known at t_n. gauss_seidel: one after the other, each
/// with the new values of those before it. iterative: Gauss-Seidel repeated over the same
/// macro-step until its end values stand still (waveform relaxation).
enum class Scheme { jacobi, gauss_seidel, iterative };

inline constexpr std::array all_schemes{Scheme::jacobi, Scheme::gauss_seidel, Scheme::iterative};

inline constexpr int max_substeps = 1000;
inline constexpr int max_iterations = 1000;

/// How the iterative scheme ends a macro-step.
struct Iteration {
  double tolerance = 1e-8;  ///< largest change of an output, relative to its largest value so far
  int maximum = 50;         ///< repeats; more is a failure of the trial
  std::optional<int> repeats;  ///< exactly so many instead ("semi-implicit" coupling)

  bool operator==(const Iteration&) const = default;
};

/// How fast inputs with a longer window than their subsystem's substep follow it.
enum class WithinSubstep { held, continuous };

std::string_view to_string(WithinSubstep within_substep);
std::optional<WithinSubstep> within_substep_from(std::string_view name);

std::string_view to_string(Scheme scheme);
std::optional<Scheme> scheme_from(std::string_view name);

struct Configuration {
  std::string coupling;
  Scheme scheme = Scheme::jacobi;
  std::vector<std::string> order;  ///< subsystems as gauss_seidel steps them; empty: as listed
  Extrapolation extrapolation = Extrapolation::order_0;
  std::map<std::string, models::Integrator> integrators;  ///< by group
  std::map<std::string, int> substeps;                    ///< by subsystem or group; absent: 1
  Correction correction = Correction::none;
  CorrectionParameters correction_parameters;

  bool operator==(const Configuration&) const = default;
};

/// Communication intervals of a subsystem within a macro-step.
int substeps_of(const SubsystemDefinition& subsystem, const Configuration& configuration);

/// That of all groups where so many have one that nobody reads a list of them: more than three.
std::optional<models::Integrator> shared_integrator(const Configuration& configuration);

/// "extrapolation 2, hydraulics forward_euler, mechanics i1al", or "…, all exact": for messages.
std::string describe(const Configuration& configuration);

}  // namespace macrostep::engine
