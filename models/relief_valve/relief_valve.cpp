#include "models/relief_valve/relief_valve.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>

#include "models/integrators/native.hpp"

namespace macrostep::models {

namespace {

using P = ReliefValveParameters;
using Side = ReliefValveSide;

constexpr std::array mechanics_table{
    Parameter<P>{"m", "kg", &P::mass_kg, 1e-6, 1e9, "mass"},
    Parameter<P>{"k", "N/m", &P::stiffness_n_per_m, 0, 1e13, "stiffness of the load"},
    Parameter<P>{"d", "N s/m", &P::damping_ns_per_m, 0, 1e10, "damping of the load"},
    Parameter<P>{"A", "m^2", &P::area_m2, 1e-9, 1e3, "area of the piston"},
    Parameter<P>{"p_0", "Pa", &P::load_pressure_pa, 1, 1e10, "pressure that carries the load"}};

constexpr std::array hydraulics_table{
    Parameter<P>{"V", "m^3", &P::volume_m3, 1e-12, 1e3, "volume of the oil"},
    Parameter<P>{"B", "Pa", &P::bulk_modulus_pa, 1e3, 1e12, "bulk modulus of the oil"},
    Parameter<P>{"G", "m^3/(s Pa)", &P::leakage_m3_per_s_pa, 0, 1, "flow per pressure that leaks"},
    Parameter<P>{"p_open", "Pa", &P::opening_pressure_pa, 1, 1e10,
                 "pressure at which the valve begins to open"},
    Parameter<P>{"p_full", "Pa", &P::full_pressure_pa, 1, 1e10,
                 "pressure from which on it is open, above p_open"},
    Parameter<P>{"c_v", "m^3/(s Pa^0.5)", &P::valve_m3_per_s_sqrt_pa, 0, 1,
                 "flow of the open valve over the square root of the pressure"}};

constexpr std::array integrators{Integrator::rk4, Integrator::trapezoidal,
                                 Integrator::forward_euler, Integrator::cvode};

/// What the valve lets through, and its slope by the pressure.
struct ValveFlow {
  double flow, slope;
};

/// `inverse_width` = 1/(p_full − p_open).
ValveFlow valve_flow(const P& p, double inverse_width, double pressure) {
  if (pressure <= p.opening_pressure_pa) {
    return {0, 0};
  }
  const double valve = p.valve_m3_per_s_sqrt_pa;
  const double root = std::sqrt(pressure);
  const double opened = (pressure - p.opening_pressure_pa) * inverse_width;
  return opened >= 1 ? ValveFlow{valve * root, 0.5 * valve / root}
                     : ValveFlow{opened * valve * root,
                                 opened * 0.5 * valve / root + valve * root * inverse_width};
}

double inverse_width(const P& p) {
  return 1 / (p.full_pressure_pa - p.opening_pressure_pa);
}

/// The flow at the load's pressure, where the pump alone sustains it.
double usual_flow(const P& p) {
  const double leak = p.leakage_m3_per_s_pa * p.load_pressure_pa;
  const double valve = p.valve_m3_per_s_sqrt_pa * std::sqrt(p.load_pressure_pa);
  return leak > 0 ? leak : valve > 0 ? valve : 1e-4;
}

class Mechanics {
 public:
  static constexpr int input_count = 1;
  static constexpr int external_count = 1;  ///< is no port and stays 0
  static constexpr bool affine = true;
  static constexpr CvodeMethod cvode_method = CvodeMethod::adams;
  using State = Eigen::Vector2d;  ///< x [m], v [m/s]
  using Forcing = models::Forcing<input_count, external_count>;

  explicit Mechanics(const P& p)
      : p_(p),
        ports_(describe_relief_valve(p, Side::mechanics)),
        stiffness_(p.stiffness_n_per_m / p.mass_kg),
        damping_(p.damping_ns_per_m / p.mass_kg),
        area_(p.area_m2 / p.mass_kg) {}

  Description description() const { return ports_; }
  State initial_state() const { return State::Zero(); }
  State nominal_state() const { return {ports_.outputs[1].nominal, ports_.outputs[2].nominal}; }

  State derivatives(const State& x, const Forcing& at) const {
    return {x[1], area_ * (at.u[0] - p_.load_pressure_pa) - stiffness_ * x[0] - damping_ * x[1]};
  }

  Eigen::Matrix2d jacobian(const State&, const Forcing&) const {
    return Eigen::Matrix2d{{0, 1}, {-stiffness_, -damping_}};
  }

  /// The energy counts the work against the load A p_0.
  void outputs(const State& x, const Forcing&, std::span<double> y) const {
    y[0] = p_.area_m2 * x[1];
    y[1] = x[0];
    y[2] = x[1];
    y[3] = 0.5 * (p_.mass_kg * x[1] * x[1] + p_.stiffness_n_per_m * x[0] * x[0]) +
           p_.area_m2 * p_.load_pressure_pa * x[0];
  }

 private:
  P p_;
  Description ports_;
  double stiffness_, damping_, area_;  ///< each over the mass
};

class Hydraulics {
 public:
  static constexpr int input_count = 1;
  static constexpr int external_count = 1;
  using State = Eigen::Matrix<double, 1, 1>;  ///< p [Pa]
  using Forcing = models::Forcing<input_count, external_count>;

  explicit Hydraulics(const P& p)
      : p_(p),
        ports_(describe_relief_valve(p, Side::hydraulics)),
        inverse_compliance_(p.bulk_modulus_pa / p.volume_m3),
        inverse_width_(inverse_width(p)) {}

  Description description() const { return ports_; }
  State initial_state() const { return State(p_.load_pressure_pa); }
  State nominal_state() const { return State(p_.load_pressure_pa); }

  State derivatives(const State& x, const Forcing& at) const {
    return State(inflow(x, at, valve_flow(p_, inverse_width_, x[0])) * inverse_compliance_);
  }

  RateAndSlopes<State, State> rate_and_slopes(const State& x, const Forcing& at) const {
    const auto valve = valve_flow(p_, inverse_width_, x[0]);
    return {State(inflow(x, at, valve) * inverse_compliance_),
            State(-(p_.leakage_m3_per_s_pa + valve.slope) * inverse_compliance_)};
  }
  State jacobian(const State& x, const Forcing& at) const {
    return rate_and_slopes(x, at).by_state;
  }

  void outputs(const State& x, const Forcing&, std::span<double> y) const {
    y[0] = x[0];
    y[1] = relief_flow_m3_per_s(p_, x[0]);
    y[2] = 0.5 * x[0] * x[0] / inverse_compliance_;
  }

 private:
  double inflow(const State& x, const Forcing& at, const ValveFlow& valve) const {
    return at.w[0] - at.u[0] - p_.leakage_m3_per_s_pa * x[0] - valve.flow;
  }

  P p_;
  Description ports_;
  double inverse_compliance_, inverse_width_;
};

/// Calls `use` with the native model.
template <class Use>
auto with_model(const P& parameters, Side side, const Use& use) {
  return side == Side::mechanics ? use(Mechanics(parameters)) : use(Hydraulics(parameters));
}

}  // namespace

std::span<const Parameter<P>> relief_valve_parameters(Side side) {
  return side == Side::mechanics ? std::span<const Parameter<P>>(mechanics_table)
                                 : std::span<const Parameter<P>>(hydraulics_table);
}

std::vector<ParameterError> check(const P& parameters, Side side) {
  auto errors = out_of_range<P>(parameters, relief_valve_parameters(side));
  if (side == Side::hydraulics && errors.empty()) {
    if (parameters.full_pressure_pa <= parameters.opening_pressure_pa) {
      errors.push_back({"p_full", "must be above p_open"});
    }
    if (parameters.opening_pressure_pa <= parameters.load_pressure_pa) {
      errors.push_back({"p_open", "must be above p_0 of the mechanics, where the motion begins"});
    }
  }
  return errors;
}

double relief_flow_m3_per_s(const P& p, double pressure_pa) {
  return valve_flow(p, inverse_width(p), pressure_pa).flow;
}

Description describe_relief_valve(const P& p, Side side) {
  const double flow = usual_flow(p);
  const double speed = flow / p.area_m2;
  const double pressure = p.load_pressure_pa;
  const double energy = 0.5 * pressure * pressure * p.volume_m3 / p.bulk_modulus_pa;
  const auto output = [](const char* name, const char* unit, double nominal) {
    return OutputPort{.name = name, .unit = unit, .nominal = nominal, .derivative = {}};
  };
  Description ports{.rhs_weight = 1,
                    .affine = side == Side::mechanics,
                    .energy_output = side == Side::mechanics ? 3 : 2};
  if (side == Side::mechanics) {
    // The piston moves as far as the oil gives way, and the load.
    const double way = p.volume_m3 * pressure / (p.bulk_modulus_pa * p.area_m2);
    ports.inputs = {{.name = "p", .unit = "Pa"}};
    ports.outputs = {output("q", "m^3/s", flow), output("x", "m", way), output("v", "m/s", speed),
                     output("energy", "J", energy)};
    ports.outputs[1].derivative = 2;
  } else {
    ports.inputs = {{.name = "q", .unit = "m^3/s"}};
    ports.outputs = {output("p", "Pa", pressure), output("q_v", "m^3/s", flow),
                     output("energy", "J", energy)};
    ports.externals = {{.name = "q_p", .unit = "m^3/s"}};
  }
  return ports;
}

std::span<const Integrator> relief_valve_integrators() {
  return integrators;
}

std::unique_ptr<Subsystem> make_relief_valve(const P& parameters, Side side, Integrator integrator,
                                             std::optional<double> micro_step_s) {
  return with_model(parameters, side, [&](const auto& model) {
    return make_native(model, integrator, micro_step_s);
  });
}

Dynamics relief_valve_dynamics(const P& parameters, Side side) {
  return with_model(parameters, side, [](const auto& model) { return dynamics_of(model); });
}

}  // namespace macrostep::models
