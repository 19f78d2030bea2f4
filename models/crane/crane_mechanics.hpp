// Planar crane with one or two actuators (Rahikainen, González and Naya 2019, section 3.1): two
// links in five dependent coordinates q = [x_P, y_P, θ1, x_R, y_R] under three constraints (eq.
// 16),
//
//   Φ = [L cos θ1 − 2 x_P,  L sin θ1 − 2 y_P,  (x_R − L cos θ1)² + (y_R − L sin θ1)² − L_h²]
//
// with P the middle of link 1, Q its end and R the end of the massless link 2. Actuator 1 acts
// between the fixed point B and P, actuator 2 between P and the middle of link 2. As Q = 2P, its
// length is |R|/2. Angles in rad from the x axis, gravity along −y.
//
// Inputs f [N] (f_1, f_2 with two actuators), positive when pushing; outputs s, s_dot, s_ddot of
// each actuator, the latter two computed from q̇ and q̈ analytically.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

#include "models/crane/two_link_arm.hpp"
#include "models/subsystem/number.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/sin_cos.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// Table 1 of the paper, and the augmented Lagrangian's own numbers (not in the paper).
struct CraneParameters : TwoLinkArmParameters {
  double penalty = 1e9;             ///< α of eq. 17
  double damping_ratio = 1;         ///< ξ of eq. 17
  double frequency_rad_per_s = 10;  ///< ω of eq. 17
};

inline constexpr int crane_max_actuators = 2;

std::span<const Parameter<CraneParameters>> crane_parameters();

/// Errors of the values and of the geometry they give, such as an actuator of no length.
std::vector<ParameterError> check(const CraneParameters& parameters, int actuators);

// `Real` is the number type of one trial or of several (lanes.hpp).

template <class Real>
using CraneVectorOf = Eigen::Matrix<Real, 5, 1>;
using CraneVector = CraneVectorOf<double>;
/// One entry per constraint.
template <class Real>
using CraneMultipliersOf = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using CraneForcesOf = std::array<Real, crane_max_actuators>;
using CraneForces = CraneForcesOf<double>;

/// Coordinates, velocities, accelerations and the multipliers of the three constraints.
template <class Real>
struct CraneStateOf {
  CraneVectorOf<Real> q = CraneVectorOf<Real>::Zero();
  CraneVectorOf<Real> v = CraneVectorOf<Real>::Zero();
  CraneVectorOf<Real> a = CraneVectorOf<Real>::Zero();
  CraneMultipliersOf<Real> multipliers = CraneMultipliersOf<Real>::Zero();

  /// visit(number) for each, in the order in which they are saved.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (auto* vector : {&q, &v, &a}) {
      std::for_each(vector->begin(), vector->end(), visit);
    }
    std::for_each(multipliers.begin(), multipliers.end(), visit);
  }
};
using CraneState = CraneStateOf<double>;
inline constexpr std::size_t crane_state_size = 18;

template <class Real>
struct ActuatorMotionOf {
  Real s, s_dot, s_ddot;
};

/// Lengths and holding forces of the actuators with every link at rest in its initial position.
struct CraneEquilibrium {
  std::array<double, crane_max_actuators> lengths_m{};
  CraneForces forces_n{};
};

/// The constraints and their Jacobian at one configuration; zero entries of Φ_q are not stored.
///   Φ_q = [−2 0 θ[0] 0 0;  0 −2 θ[1] 0 0;  0 0 θ[2] xr yr]
template <class Real>
struct CraneConstraintsOf {
  CraneMultipliersOf<Real> value, theta;
  Real xr, yr;
  CraneMultipliersOf<Real> curvature;  ///< (dΦ_q/dt)·v

  CraneMultipliersOf<Real> curvature_at(const CraneVectorOf<Real>& v) const;      ///< of another v
  CraneMultipliersOf<Real> times(const CraneVectorOf<Real>& x) const;             ///< Φ_q x
  CraneVectorOf<Real> transposed_times(const CraneMultipliersOf<Real>& x) const;  ///< Φ_qᵀ x
};

class CraneMechanics {
 public:
  CraneMechanics(const CraneParameters& parameters, int actuators);

  int actuators() const { return actuators_; }
  const CraneParameters& parameters() const { return parameters_; }
  Description description() const;
  /// At rest in the initial position, accelerations not yet consistent with any force.
  CraneState initial_state() const;
  CraneEquilibrium equilibrium() const;

  template <class Real>
  CraneConstraintsOf<Real> constraints(const CraneVectorOf<Real>& q,
                                       const CraneVectorOf<Real>& v) const;
  /// `constraints` at q: θ1 enters through its L cos θ1.
  template <class Real>
  CraneVectorOf<Real> applied_forces(const CraneVectorOf<Real>& q,
                                     const CraneConstraintsOf<Real>& constraints,
                                     const CraneForcesOf<Real>& f) const;
  template <class Real>
  ActuatorMotionOf<Real> motion(const CraneStateOf<Real>& state, int actuator) const;
  /// The diagonal of the constant mass matrix, and one over each of its entries.
  const CraneVector& masses() const { return masses_; }
  const CraneVector& inverse_masses() const { return inverse_masses_; }

 private:
  CraneParameters parameters_;
  int actuators_;
  CraneVector masses_, inverse_masses_;
};

// The functions of the iteration, here so that the integrators inline them.

namespace detail {

/// Vector along an actuator, from its fixed to its moving end, and the share of the moving end's
/// coordinates in it.
template <class Real>
struct ActuatorArm {
  Real x, y;
  double share;
};

template <class Real>
inline ActuatorArm<Real> arm(const CraneVectorOf<Real>& q, const CraneParameters& p, int actuator) {
  if (actuator == 0) {
    return {q[0] - p.pivot_x_m, q[1] - p.pivot_y_m, 1.0};
  }
  return {q[3] / 2, q[4] / 2, 0.5};  // (Q + R)/2 − P with Q = 2P
}

/// Where in q the moving end of an actuator stands: P or R.
inline int moving_end(int actuator) {
  return actuator == 0 ? 0 : 3;
}

}  // namespace detail

template <class Real>
inline CraneMultipliersOf<Real> CraneConstraintsOf<Real>::curvature_at(
    const CraneVectorOf<Real>& v) const {
  const Real lc = theta[1];
  const Real ls = -theta[0];
  const Real dx = xr / 2;
  const Real dy = yr / 2;
  const Real rate_squared = v[2] * v[2];
  const Real dx_dot = v[3] + ls * v[2];
  const Real dy_dot = v[4] - lc * v[2];
  return {-lc * rate_squared, -ls * rate_squared,
          2 * (dx_dot * dx_dot + dy_dot * dy_dot + (dx * lc + dy * ls) * rate_squared)};
}

template <class Real>
inline CraneMultipliersOf<Real> CraneConstraintsOf<Real>::times(
    const CraneVectorOf<Real>& x) const {
  return {theta[0] * x[2] - 2 * x[0], theta[1] * x[2] - 2 * x[1],
          theta[2] * x[2] + xr * x[3] + yr * x[4]};
}

template <class Real>
inline CraneVectorOf<Real> CraneConstraintsOf<Real>::transposed_times(
    const CraneMultipliersOf<Real>& x) const {
  return {-2 * x[0], -2 * x[1], theta[0] * x[0] + (theta[1] * x[1] + theta[2] * x[2]), xr * x[2],
          yr * x[2]};
}

template <class Real>
inline CraneConstraintsOf<Real> CraneMechanics::constraints(const CraneVectorOf<Real>& q,
                                                            const CraneVectorOf<Real>& v) const {
  const double length = parameters_.link_1_length_m;
  const auto [sine, cosine] = sin_cos(q[2]);
  const Real lc = length * cosine;
  const Real ls = length * sine;
  const Real dx = q[3] - lc;
  const Real dy = q[4] - ls;
  const double link_2 = parameters_.link_2_length_m;
  CraneConstraintsOf<Real> c;
  c.value = {lc - 2 * q[0], ls - 2 * q[1], dx * dx + dy * dy - link_2 * link_2};
  c.theta = {-ls, lc, 2 * (dx * ls - dy * lc)};
  c.xr = 2 * dx;
  c.yr = 2 * dy;
  c.curvature = c.curvature_at(v);
  return c;
}

template <class Real>
inline CraneVectorOf<Real> CraneMechanics::applied_forces(
    const CraneVectorOf<Real>& q, const CraneConstraintsOf<Real>& constraints,
    const CraneForcesOf<Real>& f) const {
  using std::sqrt;
  const auto& p = parameters_;
  const double g = p.gravity_m_per_s2;
  CraneVectorOf<Real> force(Real(0), Real(-p.link_1_mass_kg * g),
                            -p.mass_at_q_kg * g * constraints.theta[1], Real(0),
                            Real(-p.mass_at_r_kg * g));
  // One by one: an index that the compiler does not know keeps the forces in memory.
  const auto add = [&](auto actuator) {
    const auto [x, y, share] = detail::arm(q, p, actuator);
    const Real along = share * f[actuator] / sqrt(x * x + y * y);
    force[detail::moving_end(actuator)] += along * x;
    force[detail::moving_end(actuator) + 1] += along * y;
  };
  add(std::integral_constant<int, 0>{});
  if (actuators_ > 1) {
    add(std::integral_constant<int, 1>{});
  }
  return force;
}

template <class Real>
inline ActuatorMotionOf<Real> CraneMechanics::motion(const CraneStateOf<Real>& state,
                                                     int actuator) const {
  using std::sqrt;
  const auto [x, y, share] = detail::arm(state.q, parameters_, actuator);
  const int end = detail::moving_end(actuator);
  const Real vx = share * state.v[end];
  const Real vy = share * state.v[end + 1];
  const Real ax = share * state.a[end];
  const Real ay = share * state.a[end + 1];
  const Real s = sqrt(x * x + y * y);
  const Real inverse = 1 / s;
  const Real s_dot = (x * vx + y * vy) * inverse;
  const Real s_ddot = (vx * vx + vy * vy + x * ax + y * ay - s_dot * s_dot) * inverse;
  return {s, s_dot, s_ddot};
}

}  // namespace macrostep::models
