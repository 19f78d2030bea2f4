// Hydraulic cylinder with hoses, throttle and 4/3 directional valve (Rahikainen, González and Naya
// 2019, eqs. 20-31): lumped fluid in three volumes.
//
//   ṗ1 = (Q31 − A1 ṡ)/C1      C1 = A1 l1 (1/Bo + 1/Bc) + Vh1 (1/Bo + 1/Bh)      l1 = l10 + s − s0
//   ṗ2 = (A2 ṡ − Q2V)/C2      C2 = A2 l2 (1/Bo + 1/Bc) + Vh2 (1/Bo + 1/Bh)      l2 = l20 − s + s0
//   ṗ3 = (QV3 − Q31)/C3       C3 = Vh3 (1/Bo + 1/Bh)
//   U̇  = (U_ref − U)/τ        τ = 1/(2π f45)
//   F  = p1 A1 − p2 A2 − c ṡ + Fd
//
// C = V/B is the compliance of a volume [m³/Pa]: eqs. 23 and 24 divided by V. Orifices follow
// Q = C √|Δp| sign(Δp), linear below 2 bar. Fd is the force of the end dampers (eq. 31).
// Inputs s [m], s_dot [m/s]; output f [N]; external input u_ref [V]. f depends directly on both
// inputs.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/integrators/integrator.hpp"
#include "models/integrators/ode_subsystem.hpp"
#include "models/lanes/lane_subsystem.hpp"
#include "models/subsystem/number.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

/// Table 2 of the paper; values it leaves open or that we changed are marked in the README.
struct HydraulicActuatorParameters {
  double piston_side_length_m = 0.05;
  double rod_side_length_m = 0.25;
  double damper_length_m = 0.008;
  double damper_stiffness_n_per_m = 1e7;
  double damper_damping_ns_per_m = 5e3;
  double density_kg_per_m3 = 850;
  double oil_bulk_modulus_pa = 1500e6;
  double cylinder_bulk_modulus_pa = 31500e6;
  double hose_bulk_modulus_pa = 150e6;
  double hose_1_volume_m3 = 3.14e-5;
  double hose_2_volume_m3 = 7.85e-5;
  double hose_3_volume_m3 = 4.71e-5;
  double piston_diameter_m = 0.080;
  double rod_diameter_m = 0.035;
  double tank_pressure_pa = 0.1e6;
  double pump_pressure_pa = 7.6e6;
  double viscous_coefficient_ns_per_m = 1e5;
  double throttle_discharge_coefficient = 0.8;
  double throttle_diameter_m = 6e-3;
  double valve_coefficient = 1.069e-8;  ///< m³/(s V √Pa)
  double valve_frequency_hz = 35;       ///< at −45° phase shift
  double linear_pressure_pa = 2e5;      ///< orifices are linear below this difference
  double rod_side_pressure_pa = 3.5e6;  ///< p2 at the start
};

/// The state of rest from which the actuator starts.
struct HydraulicEquilibrium {
  double length_m = 0;  ///< s0
  double force_n = 0;   ///< F that holds the mechanism at rest
};

std::span<const Parameter<HydraulicActuatorParameters>> hydraulic_actuator_parameters();

/// Errors of the values and of what follows from them, such as a negative starting pressure.
std::vector<ParameterError> check(const HydraulicActuatorParameters& parameters,
                                  const HydraulicEquilibrium& equilibrium);

class HydraulicActuator {
 public:
  static constexpr int input_count = 2;
  static constexpr int external_count = 1;
  using State = Eigen::Vector4d;  ///< p1, p2, p3 [Pa], U [V]
  using Forcing = models::Forcing<input_count, external_count>;

  HydraulicActuator(const HydraulicActuatorParameters& parameters,
                    const HydraulicEquilibrium& equilibrium);

  Description description() const;
  State initial_state() const { return initial_state_; }
  State nominal_state() const { return {1e6, 1e6, 1e6, 10}; }
  State derivatives(const State& state, const Forcing& forcing) const {
    return derivatives<double>(state, drive<double>(forcing));
  }
  void outputs(const State& state, const Forcing& forcing, std::span<double> y) const {
    y[0] = force<double>(state, forcing.u);
  }

  // The equations for one trial or for several (lanes.hpp).
  template <class Real>
  using StateOf = Eigen::Matrix<Real, 4, 1>;
  template <class Real>
  using ForcingOf = models::Forcing<input_count, external_count, Real>;
  /// What of the forcing the state needs, with the quotients that do not depend on the state: where
  /// a micro-step ends the next one begins.
  template <class Real>
  struct DriveOf {
    Real s_dot, u_ref, inverse_c1, inverse_c2;
  };
  template <class Real>
  DriveOf<Real> drive(const ForcingOf<Real>& forcing) const;

  template <class Real>
  StateOf<Real> derivatives(const StateOf<Real>& state, const DriveOf<Real>& drive) const;
  /// Newton updates (steppers.hpp). p2 and U stand alone but for U's effect; p1 and p3 are a pair.
  /// f and ∂f/∂x share roots, and with them cleared of denominators two quotients are left.
  template <class Real>
  auto newton(const DriveOf<Real>& drive, double gamma) const;
  template <class Real>
  Real force(const StateOf<Real>& state, const std::array<Real, input_count>& u) const;
  /// write(index, value) of every output.
  template <class Real, class Write>
  void lane_outputs(const StateOf<Real>& state, const std::array<Real, input_count>& u,
                    const Write& write) const {
    write(0, force(state, u));
  }

 private:
  template <class Real>
  Real damper_force(const Real& l1, const Real& l2, const Real& s_dot) const;

  State initial_state_;
  double reference_length_m_, l1_at_zero_,
      l2_at_zero_;  // l1 = l1_at_zero_ + s, l2 = l2_at_zero_ − s
  double area_1_, area_2_;
  double c1_hose_, c1_per_m_, c2_hose_, c2_per_m_, inverse_c3_;
  double throttle_, valve_, linear_pressure_, inverse_root_linear_pressure_;
  double pump_, tank_, valve_rate_;
  double viscous_, damper_length_, damper_stiffness_, damper_damping_;
};

/// Integrators: forward_euler, trapezoidal.
std::span<const Integrator> hydraulic_actuator_integrators();

std::unique_ptr<Subsystem> make_hydraulic_actuator(const HydraulicActuatorParameters& parameters,
                                                   const HydraulicEquilibrium& equilibrium,
                                                   Integrator integrator,
                                                   std::optional<double> micro_step_s);

/// The actuator in several trials at once, at a level that the processor has.
template <LaneLevel level>
std::unique_ptr<LaneSubsystem> make_hydraulic_actuator_lanes(
    const HydraulicActuatorParameters& parameters, const HydraulicEquilibrium& equilibrium,
    Integrator integrator, std::optional<double> micro_step_s);
template <>
std::unique_ptr<LaneSubsystem> make_hydraulic_actuator_lanes<LaneLevel::avx2>(
    const HydraulicActuatorParameters& parameters, const HydraulicEquilibrium& equilibrium,
    Integrator integrator, std::optional<double> micro_step_s);
template <>
std::unique_ptr<LaneSubsystem> make_hydraulic_actuator_lanes<LaneLevel::avx512>(
    const HydraulicActuatorParameters& parameters, const HydraulicEquilibrium& equilibrium,
    Integrator integrator, std::optional<double> micro_step_s);

// The functions of the micro-step loop, here so that steppers inline them.

namespace detail {

/// √|Δp|·sign(Δp), linear near zero.
inline double orifice_root(double difference, double linear, double inverse_root_linear) {
  // A case for each direction: taking the sign off and putting it back costs as much as a product.
  if (difference >= linear) {
    return std::sqrt(difference);
  }
  if (difference <= -linear) {
    return -std::sqrt(-difference);
  }
  return difference * inverse_root_linear;
}

/// orifice_root() as `value`, and the root of which its slope is 1/(2 size).
template <class Real>
struct OrificeRoot {
  Real value, size;
};

inline OrificeRoot<double> orifice_root_and_size(double difference, double linear,
                                                 double inverse_root_linear) {
  if (std::abs(difference) < linear) {
    return {difference * inverse_root_linear, 0.5 * (linear * inverse_root_linear)};
  }
  const double root = std::sqrt(std::abs(difference));
  return {std::copysign(root, difference), root};
}

/// Both of several trials, which take both ways.
template <class Real>
inline OrificeRoot<Real> orifice_root_and_size(const Real& difference, double linear,
                                               double inverse_root_linear) {
  const auto near_zero = abs(difference) < Real(linear);
  const Real root = sqrt(abs(difference));
  return {select(near_zero, difference * inverse_root_linear, copysign(root, difference)),
          select(near_zero, Real(0.5 * (linear * inverse_root_linear)), root)};
}
template <class Real>
inline Real orifice_root(const Real& difference, double linear, double inverse_root_linear) {
  return orifice_root_and_size(difference, linear, inverse_root_linear).value;
}

}  // namespace detail

template <class Real>
inline HydraulicActuator::DriveOf<Real> HydraulicActuator::drive(
    const ForcingOf<Real>& forcing) const {
  const Real s = forcing.u[0];
  return {forcing.u[1], forcing.w[0], 1 / (c1_hose_ + c1_per_m_ * (l1_at_zero_ + s)),
          1 / (c2_hose_ + c2_per_m_ * (l2_at_zero_ - s))};
}

template <class Real>
inline HydraulicActuator::StateOf<Real> HydraulicActuator::derivatives(
    const StateOf<Real>& x, const DriveOf<Real>& drive) const {
  using std::abs;
  const Real s_dot = drive.s_dot;
  const Real spool = x[3];
  // U > 0 connects the pump to volume 3 and volume 2 to the tank, U < 0 the other way round.
  const auto forward = spool > Real(0);
  const Real difference_3 = select(forward, Real(pump_), Real(tank_)) - x[2];
  const Real difference_2 = x[1] - select(forward, Real(tank_), Real(pump_));
  const auto root = [&](const Real& difference) {
    return detail::orifice_root(difference, linear_pressure_, inverse_root_linear_pressure_);
  };
  const Real opening = valve_ * abs(spool);
  const Real flow_31 = throttle_ * root(x[2] - x[0]);
  const Real flow_v3 = opening * root(difference_3);
  const Real flow_2v = opening * root(difference_2);
  return {(flow_31 - area_1_ * s_dot) * drive.inverse_c1,
          (area_2_ * s_dot - flow_2v) * drive.inverse_c2, (flow_v3 - flow_31) * inverse_c3_,
          (drive.u_ref - spool) * valve_rate_};
}

template <class Real>
inline auto HydraulicActuator::newton(const DriveOf<Real>& drive, double gamma) const {
  // What does not depend on the state is computed once for all updates.
  const Real gamma_c1 = gamma * drive.inverse_c1;
  const Real gamma_c2 = gamma * drive.inverse_c2;
  const double gamma_c3 = gamma * inverse_c3_;
  const double gamma_rate = gamma * valve_rate_;
  const double inverse_rate = 1 / (1 + gamma_rate);
  const Real in_1 = area_1_ * drive.s_dot;
  const Real out_2 = area_2_ * drive.s_dot;
  const Real target = drive.u_ref;
  const Real throttle_1 = gamma_c1 * (throttle_ / 2);
  const double throttle_3 = gamma_c3 * (throttle_ / 2);
  return [=, this](const StateOf<Real>& x, const StateOf<Real>& known) -> StateOf<Real> {
    const auto root = [&](const Real& difference) {
      return detail::orifice_root_and_size(difference, linear_pressure_,
                                           inverse_root_linear_pressure_);
    };
    const Real spool = x[3];
    const auto forward = spool > Real(0);
    const auto throttle = root(x[2] - x[0]);
    const auto supply = root(select(forward, Real(pump_), Real(tank_)) - x[2]);
    const auto drain = root(x[1] - select(forward, Real(tank_), Real(pump_)));
    const Real signed_valve = select(forward, Real(valve_), Real(-valve_));
    const Real opening = signed_valve * spool;
    const Real flow_31 = throttle_ * throttle.value;

    const Real r1 = known[0] + gamma_c1 * (flow_31 - in_1) - x[0];
    const Real r2 = known[1] + gamma_c2 * (out_2 - opening * drain.value) - x[1];
    const Real r3 = known[2] + gamma_c3 * (opening * supply.value - flow_31) - x[2];
    const Real r4 = known[3] + gamma_rate * (target - spool) - spool;

    const Real spool_update = r4 * inverse_rate;
    const Real valve_update = signed_valve * spool_update;
    const Real e2 = r2 - gamma_c2 * (valve_update * drain.value);
    const Real e3 = r3 + gamma_c3 * (valve_update * supply.value);
    const Real half_opening = 0.5 * opening;
    const Real supply_3 = supply.size + gamma_c3 * half_opening;
    const Real d1 = throttle.size + throttle_1;
    const Real j3 = throttle_3 * supply.size;
    const Real inverse = 1 / (d1 * supply_3 + j3);
    return {(r1 * (throttle.size * supply_3 + j3) + throttle_1 * supply.size * e3) * inverse,
            e2 * drain.size / (drain.size + gamma_c2 * half_opening),
            supply.size * (d1 * e3 + throttle_3 * r1) * inverse, spool_update};
  };
}

template <class Real>
inline Real HydraulicActuator::damper_force(const Real& l1, const Real& l2,
                                            const Real& s_dot) const {
  const auto at_1 = l1 <= Real(damper_length_);
  const auto at_2 = l2 <= Real(damper_length_);
  const Real force_1 = damper_stiffness_ * (damper_length_ - l1) - damper_damping_ * s_dot;
  const Real force_2 = -damper_stiffness_ * (damper_length_ - l2) - damper_damping_ * s_dot;
  return select(at_1, force_1, select(at_2, force_2, Real(0)));
}

template <class Real>
inline Real HydraulicActuator::force(const StateOf<Real>& x,
                                     const std::array<Real, input_count>& u) const {
  const Real s = u[0];
  const Real s_dot = u[1];
  return x[0] * area_1_ - x[1] * area_2_ - viscous_ * s_dot +
         damper_force<Real>(l1_at_zero_ + s, l2_at_zero_ - s, s_dot);
}

}  // namespace macrostep::models
