// The hydraulic actuator, written by hand: see bare/crane.hpp.
#pragma once

#include <cmath>
#include <numbers>

#include "models/hydraulic_actuator/hydraulic_actuator.hpp"

namespace macrostep::bench {

struct Pressures {
  double p1, p2, p3, spool;
};

class BareActuator {
 public:
  BareActuator() = default;
  BareActuator(const models::HydraulicActuatorParameters& p, double rest_length_m,
               double rest_force_n) {
    const double quarter_pi = std::numbers::pi / 4;
    area_1_ = quarter_pi * p.piston_diameter_m * p.piston_diameter_m;
    area_2_ = area_1_ - quarter_pi * p.rod_diameter_m * p.rod_diameter_m;
    const double oil_and_cylinder = 1 / p.oil_bulk_modulus_pa + 1 / p.cylinder_bulk_modulus_pa;
    const double oil_and_hose = 1 / p.oil_bulk_modulus_pa + 1 / p.hose_bulk_modulus_pa;
    l1_at_zero_ = p.piston_side_length_m - rest_length_m;
    l2_at_zero_ = p.rod_side_length_m + rest_length_m;
    c1_per_m_ = area_1_ * oil_and_cylinder;
    c2_per_m_ = area_2_ * oil_and_cylinder;
    c1_at_zero_ = p.hose_1_volume_m3 * oil_and_hose + c1_per_m_ * l1_at_zero_;
    c2_at_zero_ = p.hose_2_volume_m3 * oil_and_hose + c2_per_m_ * l2_at_zero_;
    inverse_c3_ = 1 / (p.hose_3_volume_m3 * oil_and_hose);
    throttle_ = p.throttle_discharge_coefficient * quarter_pi * p.throttle_diameter_m *
                p.throttle_diameter_m * std::sqrt(2 / p.density_kg_per_m3);
    valve_ = p.valve_coefficient;
    linear_ = p.linear_pressure_pa;
    inverse_root_linear_ = 1 / std::sqrt(p.linear_pressure_pa);
    pump_ = p.pump_pressure_pa;
    tank_ = p.tank_pressure_pa;
    valve_rate_ = 2 * std::numbers::pi * p.valve_frequency_hz;
    viscous_ = p.viscous_coefficient_ns_per_m;
    damper_length_ = p.damper_length_m;
    damper_stiffness_ = p.damper_stiffness_n_per_m;
    damper_damping_ = p.damper_damping_ns_per_m;
    const double p1 = (rest_force_n + p.rod_side_pressure_pa * area_2_) / area_1_;
    rest_ = {p1, p.rod_side_pressure_pa, p1, 0};
  }

  Pressures rest() const { return rest_; }

  double force(const Pressures& x, double s, double s_dot) const {
    const double f = x.p1 * area_1_ - x.p2 * area_2_ - viscous_ * s_dot;
    if (const double l1 = l1_at_zero_ + s; l1 <= damper_length_) {
      return f + damper_stiffness_ * (damper_length_ - l1) - damper_damping_ * s_dot;
    }
    if (const double l2 = l2_at_zero_ - s; l2 <= damper_length_) {
      return f - damper_stiffness_ * (damper_length_ - l2) - damper_damping_ * s_dot;
    }
    return f;
  }

  void forward_euler(Pressures& x, double s, double s_dot, double u_ref, double h) const {
    const double supply = x.spool > 0 ? pump_ : tank_;
    const double drain = x.spool > 0 ? tank_ : pump_;
    const double opening = valve_ * std::abs(x.spool);
    const double flow_31 = throttle_ * root(x.p3 - x.p1);
    const double flow_v3 = opening * root(supply - x.p3);
    const double flow_2v = opening * root(x.p2 - drain);
    // The quotients do not wait for the state.
    x.p1 += h / (c1_at_zero_ + c1_per_m_ * s) * (flow_31 - area_1_ * s_dot);
    x.p2 += h / (c2_at_zero_ - c2_per_m_ * s) * (area_2_ * s_dot - flow_2v);
    x.p3 += h * inverse_c3_ * (flow_v3 - flow_31);
    x.spool += h * valve_rate_ * (u_ref - x.spool);
  }

  /// One step from (s0, s_dot0, u_ref0) to (s, s_dot, u_ref). False when Newton does not converge.
  bool trapezoidal(Pressures& x, double s0, double s_dot0, double u_ref0, double s, double s_dot,
                   double u_ref, double h) const {
    const double half = h / 2;
    Pressures known = x;
    Pressures next = x;
    forward_euler(known, s0, s_dot0, u_ref0, half);
    next = {2 * known.p1 - x.p1, 2 * known.p2 - x.p2, 2 * known.p3 - x.p3,
            2 * known.spool - x.spool};

    const double half_over_c1 = half / (c1_at_zero_ + c1_per_m_ * s);
    const double half_over_c2 = half / (c2_at_zero_ - c2_per_m_ * s);
    const double half_over_c3 = half * inverse_c3_;
    const double half_rate = half * valve_rate_;
    const double inverse_spool = 1 / (1 + half_rate);
    const double flow_1 = area_1_ * s_dot;
    const double flow_2 = area_2_ * s_dot;
    for (int i = 0; i < max_newton_iterations; ++i) {
      const bool up = next.spool > 0;
      const double signed_valve = up ? valve_ : -valve_;
      const double opening = signed_valve * next.spool;
      const auto throttle = root_and_slope(next.p3 - next.p1);
      const auto supply = root_and_slope((up ? pump_ : tank_) - next.p3);
      const auto drain = root_and_slope(next.p2 - (up ? tank_ : pump_));
      const double flow_31 = throttle_ * throttle.value;
      const double r1 = known.p1 + half_over_c1 * (flow_31 - flow_1) - next.p1;
      const double r2 = known.p2 + half_over_c2 * (flow_2 - opening * drain.value) - next.p2;
      const double r3 = known.p3 + half_over_c3 * (opening * supply.value - flow_31) - next.p3;
      const double r4 = known.spool + half_rate * (u_ref - next.spool) - next.spool;

      const double slope = throttle_ * throttle.slope;
      const double j1 = half_over_c1 * slope;
      const double j3 = half_over_c3 * slope;
      const double d1 = 1 + j1;
      const double d3 = 1 + j3 + half_over_c3 * opening * supply.slope;
      const double update_4 = r4 * inverse_spool;
      const double e2 = r2 - half_over_c2 * signed_valve * drain.value * update_4;
      const double e3 = r3 + half_over_c3 * signed_valve * supply.value * update_4;
      const double inverse = 1 / (d1 * d3 - j1 * j3);
      const double update_1 = (r1 * d3 + j1 * e3) * inverse;
      const double update_2 = e2 / (1 + half_over_c2 * opening * drain.slope);
      const double update_3 = (d1 * e3 + j3 * r1) * inverse;
      next = {next.p1 + update_1, next.p2 + update_2, next.p3 + update_3, next.spool + update_4};
      if (std::abs(update_1) <= pressure_tolerance && std::abs(update_2) <= pressure_tolerance &&
          std::abs(update_3) <= pressure_tolerance && std::abs(update_4) <= spool_tolerance) {
        x = next;
        return true;
      }
    }
    return false;
  }

 private:
  static constexpr int max_newton_iterations = 25;
  static constexpr double pressure_tolerance = 1e6 * 1e-8;
  static constexpr double spool_tolerance = 10 * 1e-8;

  struct Root {
    double value, slope;
  };

  double root(double difference) const {
    const double size = std::abs(difference);
    return size < linear_ ? difference * inverse_root_linear_
                          : std::copysign(std::sqrt(size), difference);
  }
  Root root_and_slope(double difference) const {
    const double size = std::abs(difference);
    if (size < linear_) {
      return {difference * inverse_root_linear_, inverse_root_linear_};
    }
    const double value = std::sqrt(size);
    return {std::copysign(value, difference), 0.5 / value};
  }

  Pressures rest_{};
  double area_1_, area_2_, l1_at_zero_, l2_at_zero_;
  double c1_at_zero_, c1_per_m_, c2_at_zero_, c2_per_m_, inverse_c3_;
  double throttle_, valve_, linear_, inverse_root_linear_, pump_, tank_, valve_rate_;
  double viscous_, damper_length_, damper_stiffness_, damper_damping_;
};

}  // namespace macrostep::bench
