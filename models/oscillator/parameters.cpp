#include "models/oscillator/parameters.hpp"

#include <array>

namespace macrostep::models {

namespace {

using M = MassParameters;
using C = CouplingParameters;

constexpr Parameter<M> mass{"m", "kg", &M::mass_kg, 1e-9, 1e9, "mass"};
constexpr Parameter<M> position{"x0", "m", &M::position_m, -1e6, 1e6, "position at the start"};
constexpr Parameter<M> velocity{"v0", "m/s", &M::velocity_m_per_s,
                                -1e6, 1e6,   "velocity at the start"};

constexpr Parameter<M> ground_stiffness(std::string_view name, std::string_view unit) {
  return {name, unit, &M::stiffness_n_per_m, 0, 1e13, "stiffness of the spring to the ground"};
}
constexpr Parameter<M> ground_damping(std::string_view name, std::string_view unit) {
  return {name, unit, &M::damping_ns_per_m, 0, 1e10, "coefficient of the damper to the ground"};
}
constexpr Parameter<C> coupling_stiffness(std::string_view name, std::string_view unit) {
  return {name, unit, &C::stiffness_n_per_m, 0, 1e13, "stiffness of the coupling spring"};
}
constexpr Parameter<C> coupling_damping(std::string_view name, std::string_view unit) {
  return {name, unit, &C::damping_ns_per_m, 0, 1e10, "coefficient of the coupling damper"};
}
template <class Owner>
constexpr Parameter<Owner> spring_exponent() {
  return {"n_s", "1", &Owner::spring_exponent,
          0.25,  3,   "exponent of the spring force: 1 linear, 0.5 square root"};
}
template <class Owner>
constexpr Parameter<Owner> damper_exponent() {
  return {"n_d", "1", &Owner::damper_exponent,
          1,     3,   "exponent of the damper force: 1 linear, 2 quadratic"};
}

constexpr std::array linear_mass{mass, ground_stiffness("k", "N/m"), ground_damping("c", "N s/m"),
                                 position, velocity};
constexpr std::array nonlinear_mass{
    mass,
    ground_stiffness("k", "N/m^n_s"),
    ground_damping("c", "N (s/m)^n_d"),
    spring_exponent<M>(),
    damper_exponent<M>(),
    position,
    velocity,
    Parameter<M>{"x_stop", "m", &M::stop_m, 0, 1e6,
                 "distance of the end stops on both sides; 0: none"},
    Parameter<M>{"k_stop", "N/m", &M::stop_stiffness_n_per_m, 0, 1e13,
                 "stiffness of the end stops"},
    Parameter<M>{"lambda_stop", "s/m", &M::stop_dissipation_s_per_m, 0, 1e6,
                 "dissipation of the end stops"}};
constexpr std::array stiff_mass{mass, ground_stiffness("c", "N/m"), ground_damping("d", "N s/m"),
                                position, velocity};
constexpr std::array linear_coupling{coupling_stiffness("k_c", "N/m"),
                                     coupling_damping("c_c", "N s/m")};
constexpr std::array nonlinear_coupling{
    coupling_stiffness("k_c", "N/m^n_s"),
    coupling_damping("c_c", "N (s/m)^n_d"),
    spring_exponent<C>(),
    damper_exponent<C>(),
    Parameter<C>{"d_min", "N s/m", &C::smallest_damping_ns_per_m, 0, 1e10,
                 "the damper's force per velocity is at least this"},
    Parameter<C>{"d_max", "N s/m", &C::largest_damping_ns_per_m, 0, 1e10,
                 "the damper's force per velocity is at most this"},
    Parameter<C>{"gap", "m", &C::gap_m, 0, 1e6,
                 "backlash: width within which neither spring nor damper acts"}};
constexpr std::array stiff_coupling{coupling_stiffness("c_k", "N/m"),
                                    coupling_damping("d_k", "N s/m")};

}  // namespace

std::span<const Parameter<M>> linear_mass_parameters() {
  return linear_mass;
}
std::span<const Parameter<M>> nonlinear_mass_parameters() {
  return nonlinear_mass;
}
std::span<const Parameter<M>> stiff_mass_parameters() {
  return stiff_mass;
}
std::span<const Parameter<C>> linear_coupling_parameters() {
  return linear_coupling;
}
std::span<const Parameter<C>> nonlinear_coupling_parameters() {
  return nonlinear_coupling;
}
std::span<const Parameter<C>> stiff_coupling_parameters() {
  return stiff_coupling;
}

std::vector<ParameterError> check(const M& parameters, std::span<const Parameter<M>> table) {
  return out_of_range<M>(parameters, table);
}

std::vector<ParameterError> check(const C& parameters, std::span<const Parameter<C>> table) {
  auto errors = out_of_range<C>(parameters, table);
  if (errors.empty() &&
      parameters.smallest_damping_ns_per_m > parameters.largest_damping_ns_per_m) {
    errors.push_back({"d_min", "must not exceed d_max"});
  }
  return errors;
}

Oscillator linear_oscillator() {
  return {.masses = {{.stiffness_n_per_m = 10, .velocity_m_per_s = 100},
                     {.stiffness_n_per_m = 1000, .velocity_m_per_s = -100}},
          .coupling = {.stiffness_n_per_m = 100}};
}

Oscillator n_mass_oscillator(int count) {
  auto oscillator = linear_oscillator();
  const auto last = oscillator.masses[1];
  auto part = oscillator.masses[0];
  const double parts = count - 1;
  part.mass_kg /= parts;
  part.stiffness_n_per_m /= parts;
  oscillator.coupling.stiffness_n_per_m /= parts;
  oscillator.masses.assign(static_cast<std::size_t>(count - 1), part);
  oscillator.masses.push_back(last);
  return oscillator;
}

Oscillator nonlinear_oscillator() {
  auto oscillator = linear_oscillator();
  for (auto& parameters : oscillator.masses) {
    parameters.spring_exponent = 0.5;
    parameters.damper_exponent = 2;
  }
  oscillator.coupling.spring_exponent = 0.5;
  oscillator.coupling.damper_exponent = 2;
  return oscillator;
}

Oscillator stiff_oscillator() {
  return {.masses = {{.mass_kg = 10,
                      .stiffness_n_per_m = 1e6,
                      .damping_ns_per_m = 1,
                      .velocity_m_per_s = 1},
                     {.mass_kg = 10,
                      .stiffness_n_per_m = 1e7,
                      .damping_ns_per_m = 2,
                      .velocity_m_per_s = -1}},
          .coupling = {.stiffness_n_per_m = 2e5, .damping_ns_per_m = 5e2}};
}

}  // namespace macrostep::models
