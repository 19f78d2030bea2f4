#include "models/crane/crane_mechanics.hpp"

#include <cmath>

#include "models/crane/augmented_lagrangian.hpp"

namespace macrostep::models {

namespace {

using P = CraneParameters;

constexpr double two_pi = 2 * std::numbers::pi;
/// An actuator shorter than this has no direction.
constexpr double shortest_actuator_m = 1e-6;
/// An actuator whose length changes less than this per radian cannot hold its link.
constexpr double smallest_lever_m = 1e-6;

constexpr std::array parameter_table{
    Parameter<P>{"L", "m", &P::link_1_length_m, 1e-3, 1e3, "length of link 1"},
    Parameter<P>{"L_h", "m", &P::link_2_length_m, 1e-3, 1e3, "length of link 2"},
    Parameter<P>{"m", "kg", &P::link_1_mass_kg, 1e-3, 1e6, "mass of link 1"},
    Parameter<P>{"m_p", "kg", &P::mass_at_q_kg, 0, 1e6, "point mass at Q"},
    Parameter<P>{"m_h", "kg", &P::mass_at_r_kg, 1e-3, 1e6, "point mass at R"},
    Parameter<P>{"x_B", "m", &P::pivot_x_m, -1e3, 1e3, "x of the fixed point B"},
    Parameter<P>{"y_B", "m", &P::pivot_y_m, -1e3, 1e3, "y of the fixed point B"},
    Parameter<P>{"theta_1", "rad", &P::theta_1_rad, -two_pi, two_pi, "initial angle of link 1"},
    Parameter<P>{"theta_2", "rad", &P::theta_2_rad, -two_pi, two_pi, "initial angle of link 2"},
    Parameter<P>{"g", "m/s^2", &P::gravity_m_per_s2, 0, 100, "gravity, along -y"},
    Parameter<P>{"alpha", "1", &P::penalty, 1e5, 1e12, "penalty of the augmented Lagrangian"},
    Parameter<P>{"xi", "1", &P::damping_ratio, 0, 10, "damping ratio of the stabilisation"},
    Parameter<P>{"omega", "rad/s", &P::frequency_rad_per_s, 0, 1e3,
                 "frequency of the stabilisation"},
};

constexpr std::array integrators{Integrator::i1al, Integrator::i3al};

/// Vector along an actuator, from its fixed to its moving end, and the share of the moving end's
/// coordinates in it.
struct ActuatorArm {
  double x, y;
  double share;
};

ActuatorArm arm(const CraneVector& q, const P& p, int actuator) {
  if (actuator == 0) {
    return {q[0] - p.pivot_x_m, q[1] - p.pivot_y_m, 1.0};
  }
  return {q[3] / 2, q[4] / 2, 0.5};  // (Q + R)/2 − P with Q = 2P
}

/// Where in q the moving end of an actuator stands: P or R.
int moving_end(int actuator) {
  return actuator == 0 ? 0 : 3;
}

template <class Algorithm>
class CraneSubsystem final : public Subsystem {
 public:
  CraneSubsystem(const CraneMechanics& crane, std::optional<double> micro_step_s)
      : crane_(crane), description_(crane.description()), micro_step_s_(micro_step_s) {}

  const Description& describe() const override { return description_; }

  void start(double, std::span<const ExternalSignal>) override {
    state_ = crane_.initial_state();
    at_rest_ = true;
  }

  void outputs(double, std::span<const double> u, std::span<double> y) override {
    if (at_rest_) {
      CraneForces f{};
      std::copy(u.begin(), u.end(), f.begin());
      std::int64_t ignored = 0;
      state_ = crane_.initial_state();  // the same forces must give the same accelerations
      solve_accelerations(crane_, f, state_, ignored);
    }
    for (int i = 0; i < crane_.actuators(); ++i) {
      const auto motion = crane_.motion(state_, i);
      const auto first = static_cast<std::size_t>(3 * i);
      y[first] = motion.s;
      y[first + 1] = motion.s_dot;
      y[first + 2] = motion.s_ddot;
    }
  }

  StepResult step(const MacroStep& macro, const InputModel& input) override {
    at_rest_ = false;
    const int count = micro_steps_in(macro.size_s, micro_step_s_);
    const double h = macro.size_s / count;
    CraneState state = state_;
    StepResult result;
    for (int k = 0; k < count; ++k) {
      CraneForces f{};
      for (std::size_t i = 0; i < input.polynomials.size(); ++i) {
        f[i] = input.polynomials[i].value((k + 1.0) / count);
      }
      if (!Algorithm::advance(crane_, f, h, state, result.rhs_evaluations)) {
        result.status = StepStatus::solver_failed;
        result.reason = "the augmented Lagrangian iteration did not converge";
        return result;
      }
    }
    state_ = state;
    return result;
  }

 private:
  CraneMechanics crane_;
  Description description_;
  std::optional<double> micro_step_s_;
  CraneState state_;
  bool at_rest_ = true;
};

}  // namespace

std::span<const Parameter<P>> crane_parameters() {
  return parameter_table;
}

std::span<const Integrator> crane_integrators() {
  return integrators;
}

std::vector<ParameterError> check(const P& p, int actuators) {
  auto errors = out_of_range<P>(p, parameter_table);
  if (!errors.empty()) {
    return errors;
  }
  const CraneMechanics crane(p, actuators);
  const auto q = crane.initial_state().q;
  static constexpr std::array angle_names{"theta_1", "theta_2"};
  for (int i = 0; i < actuators; ++i) {
    const auto [x, y, share] = arm(q, p, i);
    const std::string which = "actuator " + std::to_string(i + 1);
    const auto angle = angle_names[static_cast<std::size_t>(i)];
    if (std::hypot(x, y) < shortest_actuator_m) {
      errors.push_back({angle, which + " has no length in the initial position"});
    } else if (!std::isfinite(crane.equilibrium().forces_n[static_cast<std::size_t>(i)])) {
      errors.push_back({angle, which + " cannot hold its link in the initial position: it has no "
                                       "lever arm"});
    }
  }
  return errors;
}

Eigen::Vector3d CraneConstraints::times(const CraneVector& x) const {
  return {theta[0] * x[2] - 2 * x[0], theta[1] * x[2] - 2 * x[1],
          theta[2] * x[2] + xr * x[3] + yr * x[4]};
}

CraneVector CraneConstraints::transposed_times(const Eigen::Vector3d& x) const {
  return {-2 * x[0], -2 * x[1], theta.dot(x), xr * x[2], yr * x[2]};
}

CraneMechanics::CraneMechanics(const P& p, int actuators) : parameters_(p), actuators_(actuators) {
  const double length_squared = p.link_1_length_m * p.link_1_length_m;
  // A slender rod about its middle, and the point mass at Q carried by θ1.
  const double inertia = p.link_1_mass_kg * length_squared / 12 + p.mass_at_q_kg * length_squared;
  masses_ =
      CraneVector(p.link_1_mass_kg, p.link_1_mass_kg, inertia, p.mass_at_r_kg, p.mass_at_r_kg);
}

Description CraneMechanics::description() const {
  // One iteration of the augmented Lagrangian counts as one evaluation. Measured against a spring
  // and mass, rounded.
  constexpr double rhs_weight = 25;
  constexpr double nominal_speed_m_per_s = 1;
  constexpr double nominal_acceleration_m_per_s2 = 100;
  Description description;
  description.rhs_weight = rhs_weight;
  for (int i = 0; i < actuators_; ++i) {
    const std::string suffix = actuators_ == 1 ? "" : "_" + std::to_string(i + 1);
    const auto first = description.outputs.size();
    description.inputs.push_back({.name = "f" + suffix, .unit = "N"});
    description.outputs.push_back({.name = "s" + suffix,
                                   .unit = "m",
                                   .nominal = parameters_.link_1_length_m,
                                   .derivative = first + 1});
    description.outputs.push_back({.name = "s_dot" + suffix,
                                   .unit = "m/s",
                                   .nominal = nominal_speed_m_per_s,
                                   .derivative = first + 2});
    description.outputs.push_back({.name = "s_ddot" + suffix,
                                   .unit = "m/s^2",
                                   .nominal = nominal_acceleration_m_per_s2,
                                   .derivative = {}});
  }
  return description;
}

CraneState CraneMechanics::initial_state() const {
  const auto& p = parameters_;
  const double qx = p.link_1_length_m * std::cos(p.theta_1_rad);
  const double qy = p.link_1_length_m * std::sin(p.theta_1_rad);
  CraneState state;
  state.q =
      CraneVector(qx / 2, qy / 2, p.theta_1_rad, qx + p.link_2_length_m * std::cos(p.theta_2_rad),
                  qy + p.link_2_length_m * std::sin(p.theta_2_rad));
  return state;
}

CraneEquilibrium CraneMechanics::equilibrium() const {
  // Virtual work in the independent angles: each actuator's generalised forces balance gravity's.
  // ∂V/∂θ_j and ∂s_i/∂θ_j with P, R functions of (θ1, θ2).
  const auto& p = parameters_;
  const double lc = p.link_1_length_m * std::cos(p.theta_1_rad);
  const double ls = p.link_1_length_m * std::sin(p.theta_1_rad);
  const double hc = p.link_2_length_m * std::cos(p.theta_2_rad);
  const double hs = p.link_2_length_m * std::sin(p.theta_2_rad);
  const double gravity_1 =
      p.gravity_m_per_s2 * lc * (p.link_1_mass_kg / 2 + p.mass_at_q_kg + p.mass_at_r_kg);
  const double gravity_2 = p.gravity_m_per_s2 * hc * p.mass_at_r_kg;
  const auto q = initial_state().q;

  CraneEquilibrium result;
  double held_1 = 0;  // generalised force on θ1 that actuator 2 takes
  if (actuators_ == 2) {
    const auto [x, y, share] = arm(q, p, 1);
    const double s = std::hypot(x, y);
    const double lever_2 = share * (-x * hs + y * hc) / s;
    const double lever_1 = share * (-x * ls + y * lc) / s;
    const double f = gravity_2 / lever_2;
    result.lengths_m[1] = s;
    result.forces_n[1] = std::abs(lever_2) < smallest_lever_m ? std::nan("") : f;
    held_1 = f * lever_1;
  }
  const auto [x, y, share] = arm(q, p, 0);
  const double s = std::hypot(x, y);
  const double lever = (-x * ls + y * lc) / (2 * s);
  result.lengths_m[0] = s;
  result.forces_n[0] =
      std::abs(lever) < smallest_lever_m ? std::nan("") : (gravity_1 - held_1) / lever;
  return result;
}

CraneConstraints CraneMechanics::constraints(const CraneVector& q, const CraneVector& v) const {
  const double length = parameters_.link_1_length_m;
  const double lc = length * std::cos(q[2]);
  const double ls = length * std::sin(q[2]);
  const double dx = q[3] - lc;
  const double dy = q[4] - ls;
  const double rate_squared = v[2] * v[2];
  const double dx_dot = v[3] + ls * v[2];
  const double dy_dot = v[4] - lc * v[2];
  const double link_2 = parameters_.link_2_length_m;
  CraneConstraints c;
  c.value = {lc - 2 * q[0], ls - 2 * q[1], dx * dx + dy * dy - link_2 * link_2};
  c.theta = {-ls, lc, 2 * (dx * ls - dy * lc)};
  c.xr = 2 * dx;
  c.yr = 2 * dy;
  c.curvature = {-lc * rate_squared, -ls * rate_squared,
                 2 * (dx_dot * dx_dot + dy_dot * dy_dot + (dx * lc + dy * ls) * rate_squared)};
  return c;
}

CraneVector CraneMechanics::applied_forces(const CraneVector& q, const CraneForces& f) const {
  const auto& p = parameters_;
  const double g = p.gravity_m_per_s2;
  CraneVector force(0, -p.link_1_mass_kg * g,
                    -p.mass_at_q_kg * g * p.link_1_length_m * std::cos(q[2]), 0,
                    -p.mass_at_r_kg * g);
  for (int i = 0; i < actuators_; ++i) {
    const auto [x, y, share] = arm(q, p, i);
    const double along = share * f[static_cast<std::size_t>(i)] / std::sqrt(x * x + y * y);
    force[moving_end(i)] += along * x;
    force[moving_end(i) + 1] += along * y;
  }
  return force;
}

ActuatorMotion CraneMechanics::motion(const CraneState& state, int actuator) const {
  const auto [x, y, share] = arm(state.q, parameters_, actuator);
  const int end = moving_end(actuator);
  const double vx = share * state.v[end];
  const double vy = share * state.v[end + 1];
  const double ax = share * state.a[end];
  const double ay = share * state.a[end + 1];
  const double s = std::sqrt(x * x + y * y);
  const double s_dot = (x * vx + y * vy) / s;
  const double s_ddot = (vx * vx + vy * vy + x * ax + y * ay - s_dot * s_dot) / s;
  return {s, s_dot, s_ddot};
}

std::unique_ptr<Subsystem> make_crane_mechanics(const P& parameters, int actuators,
                                                Integrator integrator,
                                                std::optional<double> micro_step_s) {
  const CraneMechanics crane(parameters, actuators);
  switch (integrator) {
    case Integrator::i1al:
      return std::make_unique<CraneSubsystem<I1al>>(crane, micro_step_s);
    case Integrator::i3al:
      return std::make_unique<CraneSubsystem<I3al>>(crane, micro_step_s);
    default:
      return nullptr;
  }
}

}  // namespace macrostep::models
