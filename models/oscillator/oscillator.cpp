#include "models/oscillator/oscillator.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <type_traits>

#include "models/integrators/native.hpp"
#include "models/oscillator/masses.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::models {

namespace {

/// A square root costs the right-hand side of a nonlinear mass about as much as all the rest.
constexpr double nonlinear_rhs_weight = 2;

constexpr std::array linear_integrators{Integrator::symplectic_euler,
                                        Integrator::forward_euler,
                                        Integrator::trapezoidal,
                                        Integrator::rk4,
                                        Integrator::exact,
                                        Integrator::cvode};
constexpr std::array nonlinear_integrators{Integrator::symplectic_euler, Integrator::forward_euler,
                                           Integrator::trapezoidal, Integrator::rk4,
                                           Integrator::cvode};

bool knows_coupling(const MassSetup& setup) {
  return setup.role != MassRole::receiver;
}

bool is_linear(const MassSetup& setup) {
  const auto& c = setup.coupling;
  return setup.mass.spring_exponent == 1 && setup.mass.damper_exponent == 1 &&
         setup.mass.stop_m == 0 &&
         (!knows_coupling(setup) ||
          (c.gap_m == 0 && c.spring_exponent == 1 && c.damper_exponent == 1 &&
           c.damping_ns_per_m >= c.smallest_damping_ns_per_m &&
           c.damping_ns_per_m <= c.largest_damping_ns_per_m));
}

/// Whether every spring and damper of the mass has the exponents of the literature and no gap or
/// stops. No problem has several such forces on one mass.
bool is_square_root(const MassSetup& setup) {
  const auto& c = setup.coupling;
  return setup.mass.spring_exponent == 0.5 && setup.mass.damper_exponent == 2 &&
         setup.mass.stop_m == 0 && setup.forces == 1 &&
         (!knows_coupling(setup) ||
          (c.spring_exponent == 0.5 && c.damper_exponent == 2 && c.gap_m == 0));
}

double total_stiffness(const MassSetup& setup) {
  return setup.mass.stiffness_n_per_m +
         (knows_coupling(setup) ? setup.coupling.stiffness_n_per_m : 0);
}

/// Amplitude of the mass alone on its springs, moving at this velocity: where its energy is that of
/// the springs. At most the way of one second.
double amplitude_m(const MassSetup& setup, double velocity) {
  const double way_of_1_s = velocity;
  const double k = total_stiffness(setup);
  if (k == 0) {
    return way_of_1_s;
  }
  const double power = setup.mass.spring_exponent + 1;
  const double kinetic = 0.5 * setup.mass.mass_kg * velocity * velocity;
  return std::min(way_of_1_s, std::pow(kinetic * power / k, 1 / power));
}

/// Velocity the mass has or, released from where it is, would reach.
double own_velocity(const MassSetup& setup) {
  const double power = setup.mass.spring_exponent + 1;
  const double potential =
      total_stiffness(setup) * std::pow(std::abs(setup.mass.position_m), power) / power;
  return std::max(std::abs(setup.mass.velocity_m_per_s),
                  std::sqrt(2 * potential / setup.mass.mass_kg));
}

double typical_velocity(const MassSetup& setup) {
  const double velocity =
      setup.nominal_velocity_m_per_s > 0 ? setup.nominal_velocity_m_per_s : own_velocity(setup);
  return velocity > 0 ? velocity : 1;
}

void add_coupling(Description& ports, const MassSetup& setup, double amplitude, double velocity) {
  const auto& c = setup.coupling;
  const bool damps = c.damping_ns_per_m != 0 || c.smallest_damping_ns_per_m != 0;
  const double force =
      std::max({c.stiffness_n_per_m * std::pow(amplitude, c.spring_exponent),
                std::min(c.damping_ns_per_m * std::pow(velocity, c.damper_exponent),
                         c.largest_damping_ns_per_m * velocity),
                setup.mass.mass_kg * velocity});
  OutputPort f{.name = "f", .unit = "N", .nominal = force, .derivative = {}};
  if (c.stiffness_n_per_m != 0) {
    f.direct_inputs.push_back(0);
  }
  if (damps) {
    f.direct_inputs.push_back(1);
  }
  ports.inputs = {{.name = "x_in", .unit = "m"}, {.name = "v_in", .unit = "m/s"}};
  ports.outputs.push_back(std::move(f));
}

template <class SpringDamper>
SpringDamper spring_damper(const MassParameters& p) {
  constexpr double unclamped = CouplingParameters{}.largest_damping_ns_per_m;
  if constexpr (SpringDamper::linear) {
    return {p.stiffness_n_per_m, p.damping_ns_per_m};
  } else if constexpr (std::is_same_v<SpringDamper, SquareRootSpringDamper>) {
    return {.stiffness = p.stiffness_n_per_m,
            .damping = p.damping_ns_per_m,
            .smallest_damping = 0,
            .largest_damping = unclamped};
  } else {
    return {p.stiffness_n_per_m,
            p.damping_ns_per_m,
            p.spring_exponent,
            p.damper_exponent,
            0,
            unclamped,
            0,  // no gap
            {p.stop_m, p.stop_stiffness_n_per_m, p.stop_dissipation_s_per_m}};
  }
}

template <class SpringDamper>
SpringDamper spring_damper(const CouplingParameters& p) {
  if constexpr (SpringDamper::linear) {
    return {p.stiffness_n_per_m, p.damping_ns_per_m};
  } else if constexpr (std::is_same_v<SpringDamper, SquareRootSpringDamper>) {
    return {.stiffness = p.stiffness_n_per_m,
            .damping = p.damping_ns_per_m,
            .smallest_damping = p.smallest_damping_ns_per_m,
            .largest_damping = p.largest_damping_ns_per_m};
  } else {
    return law_of(p);
  }
}

template <class SpringDamper>
GroundedMass<SpringDamper> grounded(const MassSetup& setup) {
  const double velocity = typical_velocity(setup);
  return {.ports = describe_mass(setup),
          .start = {setup.mass.position_m, setup.mass.velocity_m_per_s},
          .nominal = {amplitude_m(setup, velocity), velocity},
          .ground = spring_damper<SpringDamper>(setup.mass),
          .mass = setup.mass.mass_kg};
}

/// Calls `use` with the native model of the setup.
template <class SpringDamper, class Use>
auto with_model(const MassSetup& setup, const Use& use) {
  const auto base = grounded<SpringDamper>(setup);
  if (knows_coupling(setup)) {
    return use(CoupledMass<SpringDamper>{base, spring_damper<SpringDamper>(setup.coupling),
                                         setup.role == MassRole::owner ? 1.0 : -1.0,
                                         setup.counts_coupling_energy ? 1.0 : 0.0});
  }
  ensure(setup.forces >= 1 && setup.forces < max_oscillator_masses, "the masses fit one receiver");
  const ForcedMass<SpringDamper> mass{base};
  if constexpr (!std::is_same_v<SpringDamper, SquareRootSpringDamper>) {
    if (setup.forces > 1) {
      return use(MassUnderForces<SpringDamper>{mass});
    }
  }
  return use(mass);
}

template <class Use>
auto with_model(const MassSetup& setup, const Use& use) {
  return is_linear(setup)        ? with_model<LinearSpringDamper>(setup, use)
         : is_square_root(setup) ? with_model<SquareRootSpringDamper>(setup, use)
                                 : with_model<NonlinearSpringDamper>(setup, use);
}

}  // namespace

void share_nominal_velocity(std::span<MassSetup> setups) {
  double largest = 0;
  for (const auto& setup : setups) {
    largest = std::max(largest, own_velocity(setup));
  }
  for (auto& setup : setups) {
    setup.nominal_velocity_m_per_s = largest;
  }
}

Description describe_mass(const MassSetup& setup) {
  const double velocity = typical_velocity(setup);
  const double amplitude = amplitude_m(setup, velocity);
  Description ports{.externals = {{.name = "f_ext", .unit = "N"}},
                    .rhs_weight = is_linear(setup) ? 1 : nonlinear_rhs_weight,
                    .affine = is_linear(setup)};
  ports.outputs = {{.name = "x", .unit = "m", .nominal = amplitude, .derivative = 1},
                   {.name = "v", .unit = "m/s", .nominal = velocity, .derivative = {}}};
  OutputPort energy{.name = "energy",
                    .unit = "J",
                    .nominal = 0.5 * setup.mass.mass_kg * velocity * velocity,
                    .derivative = {}};
  if (knows_coupling(setup)) {
    add_coupling(ports, setup, amplitude, velocity);
    if (setup.counts_coupling_energy && setup.coupling.stiffness_n_per_m != 0) {
      energy.direct_inputs = {0};
    }
  } else {
    for (int i = 1; i <= setup.forces; ++i) {
      ports.inputs.push_back(
          {.name = setup.forces == 1 ? "f_in" : "f_in_" + std::to_string(i), .unit = "N"});
    }
  }
  ports.energy_output = ports.outputs.size();
  ports.outputs.push_back(std::move(energy));
  return ports;
}

std::span<const Integrator> mass_integrators(const MassSetup& setup) {
  if (is_linear(setup)) {
    return linear_integrators;
  }
  return nonlinear_integrators;
}

std::unique_ptr<Subsystem> make_mass(const MassSetup& setup, Integrator integrator,
                                     std::optional<double> micro_step_s) {
  return with_model(
      setup, [&](const auto& model) { return make_native(model, integrator, micro_step_s); });
}

Dynamics mass_dynamics(const MassSetup& setup) {
  return with_model(setup, [](const auto& model) { return dynamics_of(model); });
}

}  // namespace macrostep::models
