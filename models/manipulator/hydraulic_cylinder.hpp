// Hydraulics of the manipulator (Rodríguez et al. 2022, eqs. 25-32): a cylinder with equal piston
// areas, fed by a spool valve between constant-pressure pump and tank.
//
//   ṗ1 = β1/(a_p l4) [ a_p ṡ + a_i c_d √(2 (p_P − p1)/ρ) − a_o c_d √(2 (p1 − p_T)/ρ)]
//   ṗ2 = β2/(a_p l5) [−a_p ṡ + a_o c_d √(2 (p_P − p2)/ρ) − a_i c_d √(2 (p2 − p_T)/ρ)]
//   β  = (1 + a p + b p²)/(a + 2 b p)        l4 = l/2 + s_0 − s,   l5 = l/2 + s − s_0
//   a_i = A_v κ,  a_o = A_v (1 − κ)          f  = a_p (p2 − p1) − c ṡ
//
// A root of a negative number is 0 (the δ of the paper), so no orifice lets fluid back to the pump
// or out of the tank. States p1, p2 [Pa]. Inputs s [m], s_dot [m/s]; external input kappa, the
// spool position, which its end stops keep within [0, 1]; outputs f [N], p_1, p_2 [Pa]. Under
// pressure–displacement f leaves c ṡ out (the mechanics has it then), and depends on no input
// directly.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/integrators/ode_subsystem.hpp"
#include "models/manipulator/manipulator_mechanics.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

struct HydraulicCylinderParameters {
  double piston_area_m2 = 0.0065;
  double viscous_coefficient_ns_per_m = 1e5;
  double discharge_coefficient = 0.67;
  double density_kg_per_m3 = 850;
  double pump_pressure_pa = 7.6e6;
  double tank_pressure_pa = 0.1e6;
  double cylinder_length_m = 0.442;
  double compressibility_per_pa = 6.53e-10;          ///< a of eq. 28
  double compressibility_slope_per_pa2 = -1.19e-18;  ///< b of eq. 28
  double valve_area_m2 = 5e-4;                       ///< of a fully open spool, eqs. 31 and 32
};

enum class ManipulatorCoupling { force_displacement, pressure_displacement };

std::span<const Parameter<HydraulicCylinderParameters>> hydraulic_cylinder_parameters();

/// Errors of the values and of what follows from them, such as a load that the pump cannot hold.
std::vector<ParameterError> check(const HydraulicCylinderParameters& parameters,
                                  const ManipulatorEquilibrium& equilibrium);

/// The state of rest: κ_0 and the pressures at which both chambers take in what they let out, and
/// the pressure force holds the load.
struct HydraulicCylinderRest {
  double spool = 0;
  double pressure_1_pa = 0, pressure_2_pa = 0;
};

HydraulicCylinderRest rest_of(const HydraulicCylinderParameters& parameters, double force_n);

class HydraulicCylinder {
 public:
  static constexpr int input_count = 2;
  static constexpr int external_count = 1;
  using State = Eigen::Vector2d;
  using Forcing = models::Forcing<input_count, external_count>;

  HydraulicCylinder(const HydraulicCylinderParameters& parameters,
                    const ManipulatorEquilibrium& equilibrium, ManipulatorCoupling coupling);

  Description description() const;
  State initial_state() const { return initial_state_; }
  State nominal_state() const { return State::Constant(1e6); }
  State derivatives(const State& state, const Forcing& forcing) const;
  /// The pressures meet only through the piston, whose motion is an input.
  RateAndSlopes<State, State> rate_and_slopes(const State& state, const Forcing& forcing) const;
  Eigen::Matrix2d jacobian(const State& x, const Forcing& forcing) const {
    return rate_and_slopes(x, forcing).by_state.asDiagonal();
  }
  void outputs(const State& state, const Forcing& forcing, std::span<double> y) const;

 private:
  /// The slope of √Δp has no bound at Δp = 0; Newton's method sees it as at this difference there.
  static constexpr double slope_pressure_pa = 1e3;

  /// What drives one chamber; its flow is
  ///   displaced + opening_in·√(p_P − p) − opening_out·√(p − p_T)
  struct Chamber {
    double inverse_volume, displaced, opening_in, opening_out;
  };
  Chamber chamber_1(const Forcing& forcing) const;
  Chamber chamber_2(const Forcing& forcing) const;
  /// ṗ of a chamber, and its slope by p.
  struct PressureRate {
    double rate, slope;
  };
  PressureRate pressure_rate(const Chamber& chamber, double pressure) const;

  State initial_state_;
  double length_4_at_zero_,
      length_5_at_zero_;  // l4 = length_4_at_zero_ − s, l5 likewise + s
  double area_, valve_, pump_, tank_;
  double compressibility_, compressibility_slope_;
  double viscous_;  // of the output f: 0 under pressure–displacement
};

/// Integrators: forward_euler, trapezoidal, rk4, cvode.
std::span<const Integrator> hydraulic_cylinder_integrators();

std::unique_ptr<Subsystem> make_hydraulic_cylinder(const HydraulicCylinderParameters& parameters,
                                                   const ManipulatorEquilibrium& equilibrium,
                                                   ManipulatorCoupling coupling,
                                                   Integrator integrator,
                                                   std::optional<double> micro_step_s);

Dynamics hydraulic_cylinder_dynamics(const HydraulicCylinderParameters& parameters,
                                     const ManipulatorEquilibrium& equilibrium,
                                     ManipulatorCoupling coupling);

// The functions of the micro-step loop, here so that steppers inline them.

inline HydraulicCylinder::Chamber HydraulicCylinder::chamber_1(const Forcing& forcing) const {
  const double spool = std::clamp(forcing.w[0], 0.0, 1.0);
  return {1 / (area_ * (length_4_at_zero_ - forcing.u[0])), area_ * forcing.u[1], valve_ * spool,
          valve_ * (1 - spool)};
}

inline HydraulicCylinder::Chamber HydraulicCylinder::chamber_2(const Forcing& forcing) const {
  const double spool = std::clamp(forcing.w[0], 0.0, 1.0);
  return {1 / (area_ * (length_5_at_zero_ + forcing.u[0])), -area_ * forcing.u[1],
          valve_ * (1 - spool), valve_ * spool};
}

inline HydraulicCylinder::PressureRate HydraulicCylinder::pressure_rate(const Chamber& chamber,
                                                                        double p) const {
  const double smallest_root = std::sqrt(slope_pressure_pa);
  const auto root_slope = [&](double difference, double root) {
    return difference <= 0 ? 0 : 0.5 / std::max(root, smallest_root);
  };
  const double root_in = std::sqrt(std::max(pump_ - p, 0.0));
  const double root_out = std::sqrt(std::max(p - tank_, 0.0));
  const double flow =
      chamber.displaced + chamber.opening_in * root_in - chamber.opening_out * root_out;
  const double flow_slope = -chamber.opening_in * root_slope(pump_ - p, root_in) -
                            chamber.opening_out * root_slope(p - tank_, root_out);
  // β = (1 + a p + b p²)/(a + 2 b p), so β′ = 1 − 2 b β/(a + 2 b p).
  const double inverse = 1 / (compressibility_ + 2 * compressibility_slope_ * p);
  const double bulk = (1 + p * (compressibility_ + compressibility_slope_ * p)) * inverse;
  const double bulk_slope = 1 - 2 * compressibility_slope_ * bulk * inverse;
  return {bulk * chamber.inverse_volume * flow,
          chamber.inverse_volume * (bulk_slope * flow + bulk * flow_slope)};
}

inline HydraulicCylinder::State HydraulicCylinder::derivatives(const State& x,
                                                               const Forcing& forcing) const {
  return rate_and_slopes(x, forcing).rate;
}

inline RateAndSlopes<HydraulicCylinder::State, HydraulicCylinder::State>
HydraulicCylinder::rate_and_slopes(const State& x, const Forcing& forcing) const {
  const auto [rate_1, slope_1] = pressure_rate(chamber_1(forcing), x[0]);
  const auto [rate_2, slope_2] = pressure_rate(chamber_2(forcing), x[1]);
  return {{rate_1, rate_2}, {slope_1, slope_2}};
}

inline void HydraulicCylinder::outputs(const State& x, const Forcing& forcing,
                                       std::span<double> y) const {
  y[0] = area_ * (x[1] - x[0]) - viscous_ * forcing.u[1];
  y[1] = x[0];
  y[2] = x[1];
}

}  // namespace macrostep::models
