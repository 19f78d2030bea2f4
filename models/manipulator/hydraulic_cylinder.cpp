#include "models/manipulator/hydraulic_cylinder.hpp"

#include <array>

#include "models/integrators/native.hpp"

namespace macrostep::models {

namespace {

using P = HydraulicCylinderParameters;

/// Time of one evaluation of the right-hand side, measured against a spring and mass, rounded.
constexpr double rhs_weight = 6;
constexpr double nominal_pressure_pa = 1e6;

constexpr std::array parameter_table{
    Parameter<P>{"a_p", "m^2", &P::piston_area_m2, 1e-6, 10, "area of the piston, both sides"},
    Parameter<P>{"c", "N s/m", &P::viscous_coefficient_ns_per_m, 0, 1e8, "viscous coefficient"},
    Parameter<P>{"c_d", "1", &P::discharge_coefficient, 0.01, 1, "discharge coefficient"},
    Parameter<P>{"rho", "kg/m^3", &P::density_kg_per_m3, 1, 1e4, "fluid density"},
    Parameter<P>{"p_P", "Pa", &P::pump_pressure_pa, 0, 1e9, "pump pressure"},
    Parameter<P>{"p_T", "Pa", &P::tank_pressure_pa, 0, 1e9, "tank pressure"},
    Parameter<P>{"l", "m", &P::cylinder_length_m, 1e-3, 100, "length of both chambers together"},
    Parameter<P>{"a", "1/Pa", &P::compressibility_per_pa, 1e-13, 1e-6,
                 "fluid compressibility at no pressure"},
    Parameter<P>{"b", "1/Pa^2", &P::compressibility_slope_per_pa2, -1e-15, 1e-15,
                 "half the growth of the compressibility with pressure"},
    Parameter<P>{"A_v", "m^2", &P::valve_area_m2, 1e-9, 1, "area of the fully open valve"},
};

constexpr std::array integrators{Integrator::forward_euler, Integrator::trapezoidal,
                                 Integrator::rk4, Integrator::cvode};

/// Share of the largest possible pressure force.
double load_share(const P& p, double force_n) {
  return force_n / (p.piston_area_m2 * (p.pump_pressure_pa - p.tank_pressure_pa));
}

}  // namespace

std::span<const Parameter<P>> hydraulic_cylinder_parameters() {
  return parameter_table;
}

std::span<const Integrator> hydraulic_cylinder_integrators() {
  return integrators;
}

std::vector<ParameterError> check(const P& p, const ManipulatorEquilibrium& equilibrium) {
  auto errors = out_of_range<P>(p, parameter_table);
  if (!errors.empty()) {
    return errors;
  }
  if (p.tank_pressure_pa >= p.pump_pressure_pa) {
    errors.push_back({"p_T", "the tank pressure must be below the pump pressure (p_P)"});
    return errors;
  }
  if (!(std::abs(load_share(p, equilibrium.force_n)) < 1)) {
    errors.push_back({"p_P", "the pump cannot hold the load at rest with this piston area (a_p)"});
  }
  const double slope = p.compressibility_slope_per_pa2;
  const double pump = p.pump_pressure_pa;
  if (p.compressibility_per_pa + 2 * slope * pump <= 0 ||
      1 + pump * (p.compressibility_per_pa + slope * pump) <= 0) {
    errors.push_back({"b", "the fluid has no positive bulk modulus at the pump pressure (p_P)"});
  }
  return errors;
}

HydraulicCylinderRest rest_of(const P& p, double force_n) {
  // No flow into chamber 1:  κ² (p_P − p1) = (1−κ)² (p1 − p_T)
  //         and chamber 2:  (1−κ)² (p_P − p2) = κ² (p2 − p_T)
  // give p2 − p1 = (p_P − p_T) 2w/(1 + w²) with w = 1 − 2κ; this is f/a_p.
  const double share = load_share(p, force_n);
  const double w = share / (1 + std::sqrt(1 - share * share));
  const double middle = (p.pump_pressure_pa + p.tank_pressure_pa) / 2;
  const double half_difference = force_n / p.piston_area_m2 / 2;
  return {.spool = (1 - w) / 2,
          .pressure_1_pa = middle - half_difference,
          .pressure_2_pa = middle + half_difference};
}

HydraulicCylinder::HydraulicCylinder(const P& p, const ManipulatorEquilibrium& equilibrium,
                                     ManipulatorCoupling coupling)
    : length_4_at_zero_(p.cylinder_length_m / 2 + equilibrium.length_m),
      length_5_at_zero_(p.cylinder_length_m / 2 - equilibrium.length_m),
      area_(p.piston_area_m2),
      valve_(p.valve_area_m2 * p.discharge_coefficient * std::sqrt(2 / p.density_kg_per_m3)),
      pump_(p.pump_pressure_pa),
      tank_(p.tank_pressure_pa),
      compressibility_(p.compressibility_per_pa),
      compressibility_slope_(p.compressibility_slope_per_pa2),
      viscous_(coupling == ManipulatorCoupling::force_displacement ? p.viscous_coefficient_ns_per_m
                                                                   : 0) {
  const auto rest = rest_of(p, equilibrium.force_n);
  initial_state_ = {rest.pressure_1_pa, rest.pressure_2_pa};
}

Description HydraulicCylinder::description() const {
  Description description;
  description.inputs = {{.name = "s", .unit = "m"}, {.name = "s_dot", .unit = "m/s"}};
  description.outputs = {
      {.name = "f", .unit = "N", .nominal = pump_ * area_, .derivative = {}, .direct_inputs = {}},
      {.name = "p_1",
       .unit = "Pa",
       .nominal = nominal_pressure_pa,
       .derivative = {},
       .direct_inputs = {}},
      {.name = "p_2",
       .unit = "Pa",
       .nominal = nominal_pressure_pa,
       .derivative = {},
       .direct_inputs = {}}};
  if (viscous_ != 0) {
    description.outputs[0].direct_inputs = {1};
  }
  description.externals = {{.name = "kappa", .unit = "1"}};
  description.rhs_weight = rhs_weight;
  return description;
}

std::unique_ptr<Subsystem> make_hydraulic_cylinder(const P& parameters,
                                                   const ManipulatorEquilibrium& equilibrium,
                                                   ManipulatorCoupling coupling,
                                                   Integrator integrator,
                                                   std::optional<double> micro_step_s) {
  return make_native(HydraulicCylinder(parameters, equilibrium, coupling), integrator,
                     micro_step_s);
}

Dynamics hydraulic_cylinder_dynamics(const P& parameters, const ManipulatorEquilibrium& equilibrium,
                                     ManipulatorCoupling coupling) {
  return dynamics_of(HydraulicCylinder(parameters, equilibrium, coupling));
}

}  // namespace macrostep::models
