// Augmented Lagrangian integration of the crane by the trapezoidal rule (Rahikainen, González and
// Naya 2019, section 3.1.3, eqs. 17-19; Cuadrado et al. 1997, 2000).
//
// index 1 (I1AL), unknown q̈: iterate
//   M q̈ + Φ_qᵀ λ = Q,   λ ← λ + α(Φ̈ + 2ξω Φ̇ + ω² Φ)
//   q⁺ = q + h q̇ + h²/4 (q̈ + q̈⁺),   q̇⁺ = q̇ + h/2 (q̈ + q̈⁺)
// index 3 (I3AL), unknown q: iterate
//   M q̈⁺ + Φ_qᵀ λ = Q,   λ ← λ + α₃ Φ,   q̈⁺ = 4/h² (q⁺ − q − h q̇) − q̈
//   then project q̇⁺ and q̈⁺, with M as metric, onto Φ̇ = 0 and Φ̈ = 0.
// Both are of order 2. The leading matrix M + β Φ_qᵀΦ_q is solved through the 3 × 3 matrix
// S = Φ_q M⁻¹ Φ_qᵀ + I/β (Woodbury), which has no large and small numbers to cancel however big the
// penalty. It is formed anew in every iteration: with a stale Φ_q, penalty times the stale part
// comes back as a force, and the iteration may not converge. What it leaves out, the change of Φ̈
// and of the applied forces with the correction, is of size h and is met by iteration.
#pragma once

#include <cstdint>

#include "models/crane/crane_mechanics.hpp"

namespace macrostep::models {

inline constexpr int augmented_lagrangian_max_iterations = 50;

/// Accelerations and multipliers consistent with q, q̇ and the forces f.
bool solve_accelerations(const CraneMechanics& crane, const CraneForces& f, CraneState& state,
                         std::int64_t& rhs_evaluations);

struct I1al {
  static bool advance(const CraneMechanics& crane, const CraneForces& f, double h,
                      CraneState& state, std::int64_t& rhs_evaluations);
};

struct I3al {
  static bool advance(const CraneMechanics& crane, const CraneForces& f, double h,
                      CraneState& state, std::int64_t& rhs_evaluations);
};

}  // namespace macrostep::models
