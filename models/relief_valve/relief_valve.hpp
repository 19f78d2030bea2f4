// A mass on a cylinder that a pump feeds past a relief valve, cut between pressure and flow:
//
//   mechanics   m v̇ = A (p − p_0) − k x − d v                          q = A v  flow into the
//   cylinder hydraulics  C ṗ = q_p − q − G p − σ(p) c_v √p,   C = V/B            p        pressure
//               σ(p) = min(1, max(0, (p − p_open)/(p_full − p_open)))   opening of the valve
//
// The characteristic of the valve is continuous and has two kinks: shut up to p_open, open from
// p_full on; with p_full close to p_open it switches. x is measured from where p_0 carries the load
// A p_0; there it starts at rest, with the external flow q_p = G p_0 of the pump. The power through
// the interface is p q. Units: p [Pa], q [m³/s].
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "models/integrators/dynamics.hpp"
#include "models/integrators/integrator.hpp"
#include "models/subsystem/parameter.hpp"
#include "models/subsystem/subsystem.hpp"

namespace macrostep::models {

struct ReliefValveParameters {
  double mass_kg = 500;                    ///< m
  double stiffness_n_per_m = 1e7;          ///< k
  double damping_ns_per_m = 5e3;           ///< d
  double area_m2 = 5e-3;                   ///< A
  double volume_m3 = 1e-3;                 ///< V
  double bulk_modulus_pa = 1e9;            ///< B
  double leakage_m3_per_s_pa = 2e-11;      ///< G, what the consumers of the oil take
  double load_pressure_pa = 1e7;           ///< p_0
  double opening_pressure_pa = 1.3e7;      ///< p_open
  double full_pressure_pa = 1.35e7;        ///< p_full
  double valve_m3_per_s_sqrt_pa = 1.5e-7;  ///< c_v
};

enum class ReliefValveSide { mechanics, hydraulics };

/// The mechanics have m k d A p_0, the hydraulics V B G p_open p_full c_v.
std::span<const Parameter<ReliefValveParameters>> relief_valve_parameters(ReliefValveSide side);

/// Named as in the tables of the sides.
std::vector<ParameterError> check(const ReliefValveParameters& parameters, ReliefValveSide side);

/// Flow of the valve at a pressure [m³/s].
double relief_flow_m3_per_s(const ReliefValveParameters& parameters, double pressure_pa);

Description describe_relief_valve(const ReliefValveParameters& parameters, ReliefValveSide side);

/// rk4, trapezoidal, forward_euler, cvode.
std::span<const Integrator> relief_valve_integrators();

/// Null for an integrator that is not offered.
std::unique_ptr<Subsystem> make_relief_valve(const ReliefValveParameters& parameters,
                                             ReliefValveSide side, Integrator integrator,
                                             std::optional<double> micro_step_s);

Dynamics relief_valve_dynamics(const ReliefValveParameters& parameters, ReliefValveSide side);

}  // namespace macrostep::models
