// A planar arm of two links in minimal coordinates: the angles θ1, θ2 of both links from the x
// axis, and the lengths of the actuators that may move it.
//
//   [ M11        M12 cos δ ] [θ̈1]   [  M12 sin δ θ̇2² ]   [ τ1 − W1 cos θ1 ]
//   [ M12 cos δ  M22       ] [θ̈2] + [ −M12 sin δ θ̇1² ] = [ τ2 − W2 cos θ2 ]      δ = θ1 − θ2
//
//   M11 = L² (m/3 + m_p + m_h)     M12 = L L_h m_h     M22 = L_h² m_h
//   W1  = L g (m/2 + m_p + m_h)    W2  = L_h g m_h
//
// Lagrange's equations of a slender rod (L, m) from the origin to Q, a point mass m_p at Q and a
// point mass m_h at R, the end of a massless link of length L_h from Q. τ [N m] are the generalised
// forces of the actuators.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <numbers>

#include "models/subsystem/parameter.hpp"
#include "models/subsystem/sin_cos.hpp"

namespace macrostep::models {

/// Table 1 of Rahikainen, González and Naya (2019): the arm, the fixed point B of the actuator that
/// lifts link 1, and where the motion begins.
struct TwoLinkArmParameters {
  double link_1_length_m = 1.0;
  double link_2_length_m = 0.5;
  double link_1_mass_kg = 200;
  double mass_at_q_kg = 250;
  double mass_at_r_kg = 100;
  double pivot_x_m = std::numbers::sqrt3 / 2;  ///< B
  double pivot_y_m = 0;
  double theta_1_rad = std::numbers::pi / 6;
  double theta_2_rad = 3 * std::numbers::pi / 2;
  double gravity_m_per_s2 = 9.81;
};

/// Their names, for a model's struct that is derived from them.
template <class Owner>
constexpr std::array<Parameter<Owner>, 10> two_link_arm_parameters() {
  using P = TwoLinkArmParameters;
  constexpr double full_turn = 2 * std::numbers::pi;
  return {{
      {"L", "m", &P::link_1_length_m, 1e-3, 1e3, "length of link 1"},
      {"L_h", "m", &P::link_2_length_m, 1e-3, 1e3, "length of link 2"},
      {"m", "kg", &P::link_1_mass_kg, 1e-3, 1e6, "mass of link 1"},
      {"m_p", "kg", &P::mass_at_q_kg, 0, 1e6, "point mass at the end of link 1"},
      {"m_h", "kg", &P::mass_at_r_kg, 1e-3, 1e6, "point mass at the end of link 2"},
      {"x_B", "m", &P::pivot_x_m, -1e3, 1e3, "x of the actuator's fixed point B"},
      {"y_B", "m", &P::pivot_y_m, -1e3, 1e3, "y of the actuator's fixed point B"},
      {"theta_1", "rad", &P::theta_1_rad, -full_turn, full_turn, "initial angle of link 1"},
      {"theta_2", "rad", &P::theta_2_rad, -full_turn, full_turn, "initial angle of link 2"},
      {"g", "m/s^2", &P::gravity_m_per_s2, 0, 100, "gravity, along -y"},
  }};
}

/// An actuator shorter than this has no direction.
inline constexpr double shortest_actuator_m = 1e-6;
/// An actuator whose length changes less than this per radian cannot hold its link.
inline constexpr double smallest_lever_m = 1e-6;

/// A length s of one angle: s, ds/dα [m/rad], d²s/dα² [m/rad²].
struct AngularLength {
  double length, slope, curvature;
};

/// From the point (x, y) to the middle of link 1, over θ1.
inline AngularLength length_to_middle(double link_1, double x, double y,
                                      const SinCos<double>& theta_1) {
  const double along = link_1 / 2 * (x * theta_1.cos + y * theta_1.sin);
  const double across = link_1 / 2 * (x * theta_1.sin - y * theta_1.cos);
  const double s = std::sqrt(link_1 * link_1 / 4 + x * x + y * y - 2 * along);
  const double inverse = 1 / s;
  const double slope = across * inverse;
  return {s, slope, (along - slope * slope) * inverse};
}

/// From the middle of link 1 to the middle of link 2, over δ = θ1 − θ2: half the distance from the
/// origin to R.
inline AngularLength length_between_middles(double link_1, double link_2,
                                            const SinCos<double>& delta) {
  const double along = link_1 * link_2 / 4 * delta.cos;
  const double s = std::sqrt((link_1 * link_1 + link_2 * link_2) / 4 + 2 * along);
  const double inverse = 1 / s;
  const double slope = -link_1 * link_2 / 4 * delta.sin * inverse;
  return {s, slope, (-along - slope * slope) * inverse};
}

struct TwoLinkArm {
  using Angles = Eigen::Vector2d;
  /// Derivatives of two numbers by [θ1, θ2, θ̇1, θ̇2].
  using Slopes = Eigen::Matrix<double, 2, 4>;

  double inertia_11 = 0, inertia_12 = 0, inertia_22 = 0;  ///< kg m²
  double weight_1 = 0, weight_2 = 0;                      ///< N m

  static TwoLinkArm of(const TwoLinkArmParameters& p) {
    const double l = p.link_1_length_m;
    const double h = p.link_2_length_m;
    const double g = p.gravity_m_per_s2;
    return {.inertia_11 = l * l * (p.link_1_mass_kg / 3 + p.mass_at_q_kg + p.mass_at_r_kg),
            .inertia_12 = l * h * p.mass_at_r_kg,
            .inertia_22 = h * h * p.mass_at_r_kg,
            .weight_1 = l * g * (p.link_1_mass_kg / 2 + p.mass_at_q_kg + p.mass_at_r_kg),
            .weight_2 = h * g * p.mass_at_r_kg};
  }

  /// Sines and cosines of both angles and of δ.
  struct Pose {
    SinCos<double> theta_1, theta_2, delta;
  };
  static Pose pose(const Angles& theta) {
    const auto [s1, c1] = sin_cos(theta[0]);
    const auto [s2, c2] = sin_cos(theta[1]);
    return {{s1, c1}, {s2, c2}, {s1 * c2 - c1 * s2, c1 * c2 + s1 * s2}};
  }

  Angles accelerations(const Pose& at, const Angles& rate, const Angles& torque) const {
    const double centrifugal = inertia_12 * at.delta.sin;
    return solve(inertia_12 * at.delta.cos,
                 {torque[0] - weight_1 * at.theta_1.cos - centrifugal * rate[1] * rate[1],
                  torque[1] - weight_2 * at.theta_2.cos + centrifugal * rate[0] * rate[0]});
  }

  /// Slopes of the equations of motion at constant θ̈, M ∂θ̈/∂(θ, θ̇), given the accelerations
  /// there and ∂τ/∂(θ, θ̇).
  Slopes force_slopes(const Pose& at, const Angles& rate, const Angles& acceleration,
                      const Slopes& torque_slopes) const {
    const double m12 = inertia_12 * at.delta.cos;
    const double centrifugal = inertia_12 * at.delta.sin;
    const double by_delta_1 = centrifugal * acceleration[1] - m12 * rate[1] * rate[1];
    const double by_delta_2 = centrifugal * acceleration[0] + m12 * rate[0] * rate[0];
    Slopes right = torque_slopes;
    right(0, 0) += by_delta_1 + weight_1 * at.theta_1.sin;
    right(0, 1) -= by_delta_1;
    right(0, 3) -= 2 * centrifugal * rate[1];
    right(1, 0) += by_delta_2;
    right(1, 1) += weight_2 * at.theta_2.sin - by_delta_2;
    right(1, 2) += 2 * centrifugal * rate[0];
    return right;
  }

  /// M⁻¹ times columns of force_slopes().
  Slopes accelerations_of(const Pose& at, const Slopes& right) const {
    Slopes result;
    for (int column = 0; column < right.cols(); ++column) {
      result.col(column) = solve(inertia_12 * at.delta.cos, right.col(column));
    }
    return result;
  }

  Eigen::Matrix2d mass_matrix(const Pose& at) const {
    const double m12 = inertia_12 * at.delta.cos;
    return Eigen::Matrix2d{{inertia_11, m12}, {m12, inertia_22}};
  }

  /// Kinetic plus potential energy; the latter is 0 with both links along the x axis.
  double energy_j(const Pose& at, const Angles& rate) const {
    return inertia_11 / 2 * rate[0] * rate[0] + inertia_22 / 2 * rate[1] * rate[1] +
           inertia_12 * at.delta.cos * rate[0] * rate[1] + weight_1 * at.theta_1.sin +
           weight_2 * at.theta_2.sin;
  }

 private:
  Angles solve(double m12, const Angles& right) const {
    const double inverse = 1 / (inertia_11 * inertia_22 - m12 * m12);
    return {(inertia_22 * right[0] - m12 * right[1]) * inverse,
            (inertia_11 * right[1] - m12 * right[0]) * inverse};
  }
};

}  // namespace macrostep::models
