// The cylinder and the arm of the manipulator and the oil volume of the relief valve, written by
// hand: see bare/steps.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "models/manipulator/hydraulic_cylinder.hpp"
#include "models/manipulator/manipulator_mechanics.hpp"
#include "models/relief_valve/relief_valve.hpp"
#include "tests/bench/bare/steps.hpp"

namespace macrostep::bench {

/// States p1, p2; inputs s, ṡ. The spool stands still.
class BareCylinder {
 public:
  static constexpr std::size_t states = 2, inputs = 2;

  BareCylinder(const models::HydraulicCylinderParameters& p, double rest_length_m, double spool,
               double h)
      : area_(p.piston_area_m2),
        volume_1_at_zero_(area_ * (p.cylinder_length_m / 2 + rest_length_m)),
        volume_2_at_zero_(area_ * (p.cylinder_length_m / 2 - rest_length_m)),
        pump_(p.pump_pressure_pa),
        tank_(p.tank_pressure_pa),
        a_(p.compressibility_per_pa),
        b_(p.compressibility_slope_per_pa2),
        h_(h) {
    const double valve =
        p.valve_area_m2 * p.discharge_coefficient * std::sqrt(2 / p.density_kg_per_m3);
    opening_in_ = valve * std::clamp(spool, 0.0, 1.0);
    opening_out_ = valve - opening_in_;
  }

  Numbers<2> rate(const Numbers<2>& x, const Numbers<2>& u) const {
    const double displaced = area_ * u[1];
    const double swept = area_ * u[0];
    return {chamber(x[0], displaced, volume_1_at_zero_ - swept, opening_in_, opening_out_),
            chamber(x[1], -displaced, volume_2_at_zero_ + swept, opening_out_, opening_in_)};
  }

  bool trapezoidal(Numbers<2>& x, const Numbers<2>& u, const Numbers<2>& u_end) const {
    const auto at_start = rate(x, u);
    const auto known = moved(x, h_ / 2, at_start);
    auto next = moved(x, h_, at_start);
    const double displaced = area_ * u_end[1];
    const double swept = area_ * u_end[0];
    const double half_over_1 = h_ / 2 / (volume_1_at_zero_ - swept);
    const double half_over_2 = h_ / 2 / (volume_2_at_zero_ + swept);
    for (int i = 0; i < max_newton_iterations; ++i) {
      const double d1 =
          update(next[0], known[0], displaced, half_over_1, opening_in_, opening_out_);
      const double d2 =
          update(next[1], known[1], -displaced, half_over_2, opening_out_, opening_in_);
      next[0] += d1;
      next[1] += d2;
      if (std::abs(d1) <= tolerance_pa && std::abs(d2) <= tolerance_pa) {
        x = next;
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr double tolerance_pa = 1e6 * newton_tolerance;
  static constexpr double slope_pressure_pa = 1e3;

  double chamber(double p, double displaced, double volume, double in, double out) const {
    const double flow = displaced + in * std::sqrt(std::max(pump_ - p, 0.0)) -
                        out * std::sqrt(std::max(p - tank_, 0.0));
    return (1 + p * (a_ + b_ * p)) * flow / ((a_ + 2 * b_ * p) * volume);
  }

  /// The update of Newton's method for one chamber.
  double update(double p, double known, double displaced, double half_over_volume, double in,
                double out) const {
    const double root_in = std::sqrt(std::max(pump_ - p, 0.0));
    const double root_out = std::sqrt(std::max(p - tank_, 0.0));
    const double flow = displaced + in * root_in - out * root_out;
    const double flow_slope =
        -(in * root_slope(pump_ - p, root_in) + out * root_slope(p - tank_, root_out));
    const double inverse = 1 / (a_ + 2 * b_ * p);
    const double bulk = (1 + p * (a_ + b_ * p)) * inverse;
    const double bulk_slope = 1 - 2 * b_ * bulk * inverse;
    return (known + half_over_volume * bulk * flow - p) /
           (1 - half_over_volume * (bulk_slope * flow + bulk * flow_slope));
  }
  static double root_slope(double difference, double root) {
    static const double least = std::sqrt(slope_pressure_pa);
    return difference <= 0 ? 0 : 0.5 / std::max(root, least);
  }

  double area_, volume_1_at_zero_, volume_2_at_zero_, pump_, tank_, a_, b_, h_;
  double opening_in_, opening_out_;
};

/// State [θ1, θ2, θ̇1, θ̇2], input f.
class BareArm {
 public:
  static constexpr std::size_t states = 4, inputs = 1;

  BareArm(const models::ManipulatorMechanicsParameters& p, double viscous, double h)
      : arm_(models::TwoLinkArm::of(p)),
        half_x_(p.link_1_length_m / 2 * p.pivot_x_m),
        half_y_(p.link_1_length_m / 2 * p.pivot_y_m),
        squares_(p.link_1_length_m * p.link_1_length_m / 4 + p.pivot_x_m * p.pivot_x_m +
                 p.pivot_y_m * p.pivot_y_m),
        viscous_(viscous),
        h_(h) {}

  Numbers<4> rate(const Numbers<4>& x, const Numbers<1>& u) const {
    const auto at = motion(x, u[0]);
    return {x[2], x[3], at.a1, at.a2};
  }

  bool trapezoidal(Numbers<4>& x, const Numbers<1>& u, const Numbers<1>& u_end) const {
    const double half = h_ / 2;
    const auto at_start = rate(x, u);
    const auto known = moved(x, half, at_start);
    auto next = moved(x, h_, at_start);
    for (int i = 0; i < max_newton_iterations; ++i) {
      const auto at = motion(next, u_end[0]);
      // Slopes of the right sides at constant accelerations.
      const double v1 = next[2], v2 = next[3];
      const double d1 = at.centrifugal * at.a2 - at.m12 * v2 * v2;
      const double d2 = at.centrifugal * at.a1 + at.m12 * v1 * v1;
      const double q11 = d1 + arm_.weight_1 * at.s1 + at.along * at.curvature -
                         viscous_ * at.curvature * v1 * at.slope;
      const double q12 = -d1;
      const double q21 = d2;
      const double q22 = arm_.weight_2 * at.s2 - d2;
      const double v11 = -viscous_ * at.slope * at.slope;
      const double v12 = -2 * at.centrifugal * v2;
      const double v21 = 2 * at.centrifugal * v1;
      const double r1 = known[0] + half * v1 - next[0];
      const double r2 = known[1] + half * v2 - next[1];
      const double e1 = known[2] + half * at.a1 - v1;
      const double e2 = known[3] + half * at.a2 - v2;
      const double right_1 = arm_.inertia_11 * e1 + at.m12 * e2 + half * (q11 * r1 + q12 * r2);
      const double right_2 = at.m12 * e1 + arm_.inertia_22 * e2 + half * (q21 * r1 + q22 * r2);
      const double n11 = arm_.inertia_11 - half * (v11 + half * q11);
      const double n12 = at.m12 - half * (v12 + half * q12);
      const double n21 = at.m12 - half * (v21 + half * q21);
      const double n22 = arm_.inertia_22 - half * half * q22;
      const double inverse = 1 / (n11 * n22 - n12 * n21);
      const double dv1 = (n22 * right_1 - n12 * right_2) * inverse;
      const double dv2 = (n11 * right_2 - n21 * right_1) * inverse;
      const double dq1 = r1 + half * dv1;
      const double dq2 = r2 + half * dv2;
      next = {next[0] + dq1, next[1] + dq2, v1 + dv1, v2 + dv2};
      if (std::abs(dq1) <= newton_tolerance && std::abs(dq2) <= newton_tolerance &&
          std::abs(dv1) <= newton_tolerance && std::abs(dv2) <= newton_tolerance) {
        x = next;
        return true;
      }
    }
    return false;
  }

 private:
  struct Motion {
    double a1, a2, s1, s2, m12, centrifugal, slope, curvature, along;
  };

  Motion motion(const Numbers<4>& x, double f) const {
    const double c1 = std::cos(x[0]), s1 = std::sin(x[0]);
    const double c2 = std::cos(x[1]), s2 = std::sin(x[1]);
    const double near = half_x_ * c1 + half_y_ * s1;
    const double inverse_length = 1 / std::sqrt(squares_ - 2 * near);
    const double slope = (half_x_ * s1 - half_y_ * c1) * inverse_length;
    const double curvature = (near - slope * slope) * inverse_length;
    const double along = f - viscous_ * slope * x[2];
    const double m12 = arm_.inertia_12 * (c1 * c2 + s1 * s2);
    const double centrifugal = arm_.inertia_12 * (s1 * c2 - c1 * s2);
    const double t1 = along * slope - arm_.weight_1 * c1 - centrifugal * x[3] * x[3];
    const double t2 = centrifugal * x[2] * x[2] - arm_.weight_2 * c2;
    const double inverse = 1 / (arm_.inertia_11 * arm_.inertia_22 - m12 * m12);
    return {(arm_.inertia_22 * t1 - m12 * t2) * inverse,
            (arm_.inertia_11 * t2 - m12 * t1) * inverse,
            s1,
            s2,
            m12,
            centrifugal,
            slope,
            curvature,
            along};
  }

  models::TwoLinkArm arm_;
  double half_x_, half_y_, squares_, viscous_, h_;
};

/// The pressure of the relief valve's oil, fed by a pump; input q.
class BareReliefVolume {
 public:
  static constexpr std::size_t states = 1, inputs = 1;

  BareReliefVolume(const models::ReliefValveParameters& p, double pump_flow, double h)
      : inverse_compliance_(p.bulk_modulus_pa / p.volume_m3),
        leakage_(p.leakage_m3_per_s_pa),
        opening_(p.opening_pressure_pa),
        inverse_width_(1 / (p.full_pressure_pa - p.opening_pressure_pa)),
        valve_(p.valve_m3_per_s_sqrt_pa),
        pump_flow_(pump_flow),
        tolerance_(p.load_pressure_pa * newton_tolerance),
        h_(h) {}

  Numbers<1> rate(const Numbers<1>& x, const Numbers<1>& u) const {
    return {flow_and_slope(x[0], u[0]).flow * inverse_compliance_};
  }

  bool trapezoidal(Numbers<1>& x, const Numbers<1>& u, const Numbers<1>& u_end) const {
    const double half = h_ / 2 * inverse_compliance_;
    const double at_start = flow_and_slope(x[0], u[0]).flow;
    const double known = x[0] + half * at_start;
    double next = known + half * at_start;
    for (int i = 0; i < max_newton_iterations; ++i) {
      const auto at = flow_and_slope(next, u_end[0]);
      const double update = (known + half * at.flow - next) / (1 + half * at.slope);
      next += update;
      if (std::abs(update) <= tolerance_) {
        x[0] = next;
        return true;
      }
    }
    return false;
  }

 private:
  struct Flow {
    double flow, slope;  ///< the slope of what flows out
  };

  Flow flow_and_slope(double p, double q) const {
    const double rest = pump_flow_ - q - leakage_ * p;
    if (p <= opening_) {
      return {rest, leakage_};
    }
    const double root = std::sqrt(p);
    const double opened = (p - opening_) * inverse_width_;
    if (opened >= 1) {
      return {rest - valve_ * root, leakage_ + 0.5 * valve_ / root};
    }
    return {rest - opened * valve_ * root,
            leakage_ + opened * 0.5 * valve_ / root + valve_ * root * inverse_width_};
  }

  double inverse_compliance_, leakage_, opening_, inverse_width_, valve_, pump_flow_;
  double tolerance_, h_;
};

}  // namespace macrostep::bench
