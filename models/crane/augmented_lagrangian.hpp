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

#include <Eigen/Core>
#include <cstdint>

#include "models/crane/crane_mechanics.hpp"

namespace macrostep::models {

inline constexpr int augmented_lagrangian_max_iterations = 50;
inline constexpr const char* augmented_lagrangian_failed =
    "the augmented Lagrangian iteration did not converge";

/// Accelerations and multipliers consistent with q, q̇ and the forces f.
bool solve_accelerations(const CraneMechanics& crane, const CraneForces& f, CraneState& state,
                         std::int64_t& rhs_evaluations);

// One step of one trial or of several (lanes.hpp), of which those that are not `active` keep their
// state. Tells which have converged.

struct I1al {
  template <class Real>
  static MaskOf<Real> advance(const CraneMechanics& crane, const CraneForcesOf<Real>& f, double h,
                              CraneStateOf<Real>& state, CountOf<Real>& rhs_evaluations,
                              MaskOf<Real> active = all_of<Real>());
};

struct I3al {
  template <class Real>
  static MaskOf<Real> advance(const CraneMechanics& crane, const CraneForcesOf<Real>& f, double h,
                              CraneStateOf<Real>& state, CountOf<Real>& rhs_evaluations,
                              MaskOf<Real> active = all_of<Real>());
};

// For the files that bind them to a number type.

namespace detail {

/// The iteration ends when it changes accelerations by less than this share of themselves (and of
/// gravity, when at rest). What is left is a hundredth of that, as it contracts by h² and less.
inline constexpr double acceleration_tolerance = 1e-8;
/// Rounding of a coordinate of about 1 m: corrections of this size are noise.
inline constexpr double coordinate_rounding_m = 4e-16;

template <class Real>
inline CraneVectorOf<Real> by_entry(const CraneVector& factors, const CraneVectorOf<Real>& x) {
  return {factors[0] * x[0], factors[1] * x[1], factors[2] * x[2], factors[3] * x[3],
          factors[4] * x[4]};
}

/// Solves (M + β Φ_qᵀΦ_q) x = r for fixed M, β and Φ_q. The crane and the constraints outlive it
/// and stay as they are.
template <class Real>
class LeadingMatrix {
 public:
  /// `weak` is 1/β.
  LeadingMatrix(const CraneMechanics& crane, const CraneConstraintsOf<Real>& constraints,
                double weak)
      : constraints_(constraints), inverse_masses_(crane.inverse_masses()) {
    const auto& w = inverse_masses_;
    const auto& theta = constraints.theta;
    const Real s00 = 4 * w[0] + theta[0] * theta[0] * w[2] + weak;
    const Real s10 = theta[1] * theta[0] * w[2];
    const Real s20 = theta[2] * theta[0] * w[2];
    const Real s11 = 4 * w[1] + theta[1] * theta[1] * w[2] + weak;
    const Real s21 = theta[2] * theta[1] * w[2];
    const Real s22 = theta[2] * theta[2] * w[2] + constraints.xr * constraints.xr * w[3] +
                     constraints.yr * constraints.yr * w[4] + weak;
    // S⁻¹ by cofactors: one quotient to wait for, where factors have three that wait for each
    // other.
    const Real a00 = s11 * s22 - s21 * s21;
    const Real a10 = s21 * s20 - s10 * s22;
    const Real a20 = s10 * s21 - s11 * s20;
    const Real inverse = 1 / (s00 * a00 + (s10 * a10 + s20 * a20));
    i00_ = a00 * inverse;
    i10_ = a10 * inverse;
    i20_ = a20 * inverse;
    i11_ = (s00 * s22 - s20 * s20) * inverse;
    i21_ = (s10 * s20 - s00 * s21) * inverse;
    i22_ = (s00 * s11 - s10 * s10) * inverse;
  }

  CraneVectorOf<Real> solve(const CraneVectorOf<Real>& r) const {
    const CraneVectorOf<Real> free = by_entry(inverse_masses_, r);
    return free - constrained_part(constraints_.times(free));
  }

  /// M⁻¹ Φ_qᵀ S⁻¹ c: the smallest x, in the metric of M, with Φ_q x = c.
  CraneVectorOf<Real> constrained_part(const CraneMultipliersOf<Real>& c) const {
    const CraneMultipliersOf<Real> x(i00_ * c[0] + i10_ * c[1] + i20_ * c[2],
                                     i10_ * c[0] + i11_ * c[1] + i21_ * c[2],
                                     i20_ * c[0] + i21_ * c[1] + i22_ * c[2]);
    return by_entry(inverse_masses_, constraints_.transposed_times(x));
  }

 private:
  const CraneConstraintsOf<Real>& constraints_;
  const CraneVector& inverse_masses_;
  Real i00_, i10_, i20_, i11_, i21_, i22_;
};

template <class Real>
inline void write_where(const MaskOf<Real>& written, CraneStateOf<Real>& state,
                        const CraneVectorOf<Real>& q, const CraneVectorOf<Real>& v,
                        const CraneVectorOf<Real>& a, const CraneMultipliersOf<Real>& lambda) {
  assign_where(written, state.q, q);
  assign_where(written, state.v, v);
  assign_where(written, state.a, a);
  assign_where(written, state.multipliers, lambda);
}

template <class Real>
inline Real largest(const CraneVectorOf<Real>& x) {
  using std::abs;
  return larger<Real>(larger<Real>(abs(x[0]), abs(x[1])),
                      larger<Real>(abs(x[2]), larger<Real>(abs(x[3]), abs(x[4]))));
}

/// Index-1 iteration. With h = 0 it finds the accelerations of the present state.
template <class Real>
inline MaskOf<Real> solve_index_1(const CraneMechanics& crane, const CraneForcesOf<Real>& f,
                                  double h, CraneStateOf<Real>& state,
                                  CountOf<Real>& rhs_evaluations, MaskOf<Real> open) {
  using Coordinates = CraneVectorOf<Real>;
  using Multipliers = CraneMultipliersOf<Real>;
  const auto& p = crane.parameters();
  const double omega = p.frequency_rad_per_s;
  const double damping = 2 * p.damping_ratio * omega;
  const double half = h / 2;
  const double quarter = half * half;
  const Coordinates velocity_known = state.v + half * state.a;
  const Coordinates position_known = state.q + h * state.v + quarter * state.a;

  Coordinates a = state.a;
  Coordinates v = velocity_known + half * a;
  Coordinates q = position_known + quarter * a;
  Multipliers lambda = state.multipliers;
  auto constraints = crane.constraints(q, v);
  // The acceleration enters Φ̈ + 2ξωΦ̇ + ω²Φ directly and through the trapezoidal rule.
  const double inverse_penalty = 1 / (p.penalty * (1 + damping * half + omega * omega * quarter));
  const auto violation = [&] {
    return Multipliers(constraints.times(a) + constraints.curvature +
                       damping * constraints.times(v) + omega * omega * constraints.value);
  };
  Multipliers penalised = p.penalty * violation();
  MaskOf<Real> solved{};
  for (int i = 0; i < augmented_lagrangian_max_iterations && any(open); ++i) {
    const Coordinates residual = crane.applied_forces(q, constraints, f) -
                                 by_entry(crane.masses(), a) -
                                 constraints.transposed_times(lambda + penalised);
    count(rhs_evaluations, open);
    const Coordinates update =
        LeadingMatrix<Real>(crane, constraints, inverse_penalty).solve(residual);
    a += update;
    v = velocity_known + half * a;
    q = position_known + quarter * a;
    constraints = crane.constraints(q, v);
    penalised = p.penalty * violation();
    lambda += penalised;
    const Real size = largest<Real>(update);
    const MaskOf<Real> finite = open & is_finite(size);
    const MaskOf<Real> converged =
        finite & (size <= acceleration_tolerance * (largest<Real>(a) + p.gravity_m_per_s2));
    if (any(converged)) {
      write_where<Real>(converged, state, q, v, a, lambda);
    }
    solved = solved | converged;
    open = finite & !converged;
  }
  return solved;
}

}  // namespace detail

template <class Real>
MaskOf<Real> I1al::advance(const CraneMechanics& crane, const CraneForcesOf<Real>& f, double h,
                           CraneStateOf<Real>& state, CountOf<Real>& rhs_evaluations,
                           MaskOf<Real> active) {
  return detail::solve_index_1<Real>(crane, f, h, state, rhs_evaluations, active);
}

template <class Real>
MaskOf<Real> I3al::advance(const CraneMechanics& crane, const CraneForcesOf<Real>& f, double h,
                           CraneStateOf<Real>& state, CountOf<Real>& rhs_evaluations,
                           MaskOf<Real> active) {
  using Coordinates = CraneVectorOf<Real>;
  using Multipliers = CraneMultipliersOf<Real>;
  using detail::largest;
  const auto& p = crane.parameters();
  const double inverse_quarter = 4 / (h * h);
  // Deviation: the penalty of the position-level equations is 4α/h² where the papers use α.
  // Multipliers and solution at convergence do not depend on it; at small h, α alone converges
  // slowly.
  const double penalty = p.penalty * inverse_quarter;
  const double inverse_penalty = 1 / p.penalty;
  const double quarter = 1 / inverse_quarter;

  // The increment d = q⁺ − q is the unknown, as q̈⁺ from q⁺ itself would lose digits at small h.
  const Coordinates drift = h * state.v;
  Coordinates d = drift + (h * h / 2) * state.a;
  Coordinates q = state.q + d;
  Coordinates v = (2 / h) * d - state.v;
  Coordinates a = inverse_quarter * (d - drift) - state.a;
  Multipliers lambda = state.multipliers;
  auto constraints = crane.constraints(q, v);
  MaskOf<Real> open = active;
  MaskOf<Real> solved{};
  Multipliers penalised = penalty * constraints.value;
  for (int i = 0; i < augmented_lagrangian_max_iterations && any(open); ++i) {
    const Coordinates residual = crane.applied_forces(q, constraints, f) -
                                 detail::by_entry(crane.masses(), a) -
                                 constraints.transposed_times(lambda + penalised);
    count(rhs_evaluations, open);
    const Coordinates update =
        quarter * detail::LeadingMatrix<Real>(crane, constraints, inverse_penalty).solve(residual);
    // What has converged stays as it is: the projections below start from it.
    assign_where(open, d, Coordinates(d + update));
    q = state.q + d;
    v = (2 / h) * d - state.v;
    a = inverse_quarter * (d - drift) - state.a;
    constraints = crane.constraints(q, v);
    penalised = penalty * constraints.value;
    assign_where(open, lambda, Multipliers(lambda + penalised));
    const Real size = largest<Real>(update);
    const MaskOf<Real> finite = open & is_finite(size);
    const MaskOf<Real> converged =
        finite & (size <= detail::acceleration_tolerance * quarter *
                                  (largest<Real>(a) + p.gravity_m_per_s2) +
                              detail::coordinate_rounding_m);
    solved = solved | converged;
    open = finite & !converged;
  }
  if (!any(solved)) {
    return solved;
  }
  const detail::LeadingMatrix<Real> metric(crane, constraints, inverse_penalty);
  count(rhs_evaluations, solved);  // the projections cost about as much as an iteration
  v -= metric.constrained_part(constraints.times(v));
  a -= metric.constrained_part(constraints.times(a) + constraints.curvature_at(v));
  detail::write_where<Real>(solved, state, q, v, a, lambda);
  return solved;
}

}  // namespace macrostep::models
