#include "models/hydraulic_actuator/hydraulic_actuator.hpp"

#include <cmath>
#include <numbers>

namespace macrostep::models {

namespace {

using P = HydraulicActuatorParameters;

/// Time of one evaluation of the right-hand side, measured against a spring and mass, rounded.
constexpr double rhs_weight = 5;

constexpr std::array parameter_table{
    Parameter<P>{"l_10", "m", &P::piston_side_length_m, 1e-3, 10, "initial piston-side length"},
    Parameter<P>{"l_20", "m", &P::rod_side_length_m, 1e-3, 10, "initial rod-side length"},
    Parameter<P>{"l_d", "m", &P::damper_length_m, 0, 1, "end damper length"},
    Parameter<P>{"k_d", "N/m", &P::damper_stiffness_n_per_m, 0, 1e10, "end damper stiffness"},
    Parameter<P>{"c_d", "N s/m", &P::damper_damping_ns_per_m, 0, 1e8, "end damper damping"},
    Parameter<P>{"rho", "kg/m^3", &P::density_kg_per_m3, 1, 1e4, "fluid density"},
    Parameter<P>{"B_o", "Pa", &P::oil_bulk_modulus_pa, 1e6, 1e12, "oil bulk modulus"},
    Parameter<P>{"B_c", "Pa", &P::cylinder_bulk_modulus_pa, 1e6, 1e13, "cylinder bulk modulus"},
    Parameter<P>{"B_h", "Pa", &P::hose_bulk_modulus_pa, 1e6, 1e12, "hose bulk modulus"},
    Parameter<P>{"V_h1", "m^3", &P::hose_1_volume_m3, 1e-8, 1, "volume of hose 1"},
    Parameter<P>{"V_h2", "m^3", &P::hose_2_volume_m3, 1e-8, 1, "volume of hose 2"},
    Parameter<P>{"V_h3", "m^3", &P::hose_3_volume_m3, 1e-8, 1, "volume of hose 3"},
    Parameter<P>{"d_1", "m", &P::piston_diameter_m, 1e-3, 2, "diameter of the piston"},
    Parameter<P>{"d_2", "m", &P::rod_diameter_m, 0, 2, "diameter of the piston rod"},
    Parameter<P>{"p_T", "Pa", &P::tank_pressure_pa, 0, 1e9, "tank pressure"},
    Parameter<P>{"p_P", "Pa", &P::pump_pressure_pa, 0, 1e9, "pump pressure"},
    Parameter<P>{"c", "N s/m", &P::viscous_coefficient_ns_per_m, 0, 1e8, "viscous coefficient"},
    Parameter<P>{"C_d", "1", &P::throttle_discharge_coefficient, 0.01, 1,
                 "throttle discharge coefficient"},
    Parameter<P>{"d_t", "m", &P::throttle_diameter_m, 1e-5, 1, "throttle diameter"},
    Parameter<P>{"C_v", "m^3/(s V Pa^0.5)", &P::valve_coefficient, 0, 1e-3,
                 "semi-empirical coefficient of the directional valve"},
    Parameter<P>{"f_45", "Hz", &P::valve_frequency_hz, 1e-3, 1e5,
                 "frequency at -45 degrees phase shift of the valve"},
    Parameter<P>{"p_lin", "Pa", &P::linear_pressure_pa, 1, 1e8,
                 "pressure difference below which orifices are linear"},
    Parameter<P>{"p_20", "Pa", &P::rod_side_pressure_pa, 0, 1e9, "initial rod-side pressure"},
};

constexpr std::array integrators{Integrator::forward_euler, Integrator::trapezoidal};

double circle_area(double diameter) {
  return std::numbers::pi / 4 * diameter * diameter;
}

double piston_area(const P& p) {
  return circle_area(p.piston_diameter_m);
}

double rod_side_area(const P& p) {
  return piston_area(p) - circle_area(p.rod_diameter_m);
}

double end_damper_force_at_rest(const P& p) {
  if (p.piston_side_length_m <= p.damper_length_m) {
    return p.damper_stiffness_n_per_m * (p.damper_length_m - p.piston_side_length_m);
  }
  if (p.rod_side_length_m <= p.damper_length_m) {
    return -p.damper_stiffness_n_per_m * (p.damper_length_m - p.rod_side_length_m);
  }
  return 0;
}

double piston_side_pressure(const P& p, const HydraulicEquilibrium& equilibrium) {
  return (equilibrium.force_n + p.rod_side_pressure_pa * rod_side_area(p) -
          end_damper_force_at_rest(p)) /
         piston_area(p);
}

}  // namespace

std::span<const Parameter<P>> hydraulic_actuator_parameters() {
  return parameter_table;
}

std::span<const Integrator> hydraulic_actuator_integrators() {
  return integrators;
}

std::vector<ParameterError> check(const P& p, const HydraulicEquilibrium& equilibrium) {
  auto errors = out_of_range<P>(p, parameter_table);
  if (!errors.empty()) {
    return errors;
  }
  if (p.rod_diameter_m >= p.piston_diameter_m) {
    errors.push_back({"d_2", "the piston rod must be thinner than the piston (d_1)"});
    return errors;
  }
  if (p.tank_pressure_pa >= p.pump_pressure_pa) {
    errors.push_back({"p_T", "the tank pressure must be below the pump pressure (p_P)"});
  }
  if (piston_side_pressure(p, equilibrium) <= 0) {
    errors.push_back(
        {"p_20",
         "the piston-side pressure at rest would be negative: the actuator cannot hold "
         "the load with this rod-side pressure"});
  }
  return errors;
}

HydraulicActuator::HydraulicActuator(const P& p, const HydraulicEquilibrium& equilibrium) {
  reference_length_m_ = equilibrium.length_m;
  l1_at_zero_ = p.piston_side_length_m - reference_length_m_;
  l2_at_zero_ = p.rod_side_length_m + reference_length_m_;
  area_1_ = piston_area(p);
  area_2_ = rod_side_area(p);

  const double oil_and_cylinder = 1 / p.oil_bulk_modulus_pa + 1 / p.cylinder_bulk_modulus_pa;
  const double oil_and_hose = 1 / p.oil_bulk_modulus_pa + 1 / p.hose_bulk_modulus_pa;
  c1_hose_ = p.hose_1_volume_m3 * oil_and_hose;
  c1_per_m_ = area_1_ * oil_and_cylinder;
  c2_hose_ = p.hose_2_volume_m3 * oil_and_hose;
  c2_per_m_ = area_2_ * oil_and_cylinder;
  inverse_c3_ = 1 / (p.hose_3_volume_m3 * oil_and_hose);

  throttle_ = p.throttle_discharge_coefficient * circle_area(p.throttle_diameter_m) *
              std::sqrt(2 / p.density_kg_per_m3);
  valve_ = p.valve_coefficient;
  linear_pressure_ = p.linear_pressure_pa;
  inverse_root_linear_pressure_ = 1 / std::sqrt(p.linear_pressure_pa);
  pump_ = p.pump_pressure_pa;
  tank_ = p.tank_pressure_pa;
  valve_rate_ = 2 * std::numbers::pi * p.valve_frequency_hz;

  viscous_ = p.viscous_coefficient_ns_per_m;
  damper_length_ = p.damper_length_m;
  damper_stiffness_ = p.damper_stiffness_n_per_m;
  damper_damping_ = p.damper_damping_ns_per_m;

  const double p1 = piston_side_pressure(p, equilibrium);
  initial_state_ = State(p1, p.rod_side_pressure_pa, p1, 0);
}

Description HydraulicActuator::description() const {
  const double nominal_force_n = pump_ * area_1_;
  Description description;
  description.inputs = {{.name = "s", .unit = "m"}, {.name = "s_dot", .unit = "m/s"}};
  description.outputs = {{.name = "f",
                          .unit = "N",
                          .nominal = nominal_force_n,
                          .derivative = {},
                          .direct_inputs = {0, 1}}};
  description.externals = {{.name = "u_ref", .unit = "V"}};
  description.rhs_weight = rhs_weight;
  return description;
}

std::unique_ptr<Subsystem> make_hydraulic_actuator(const P& parameters,
                                                   const HydraulicEquilibrium& equilibrium,
                                                   Integrator integrator,
                                                   std::optional<double> micro_step_s) {
  const HydraulicActuator model(parameters, equilibrium);
  switch (integrator) {
    case Integrator::forward_euler:
      return std::make_unique<OdeSubsystem<HydraulicActuator, ForwardEuler>>(model, micro_step_s);
    case Integrator::trapezoidal:
      return std::make_unique<OdeSubsystem<HydraulicActuator, Trapezoidal>>(model, micro_step_s);
    default:
      return nullptr;
  }
}

}  // namespace macrostep::models
