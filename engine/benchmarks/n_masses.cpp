#include "engine/benchmarks/n_masses.hpp"

#include <cmath>
#include <limits>
#include <utility>

#include "engine/base/text.hpp"
#include "engine/benchmarks/parameters.hpp"
#include "engine/benchmarks/tests.hpp"
#include "models/oscillator/oscillator.hpp"

namespace macrostep::engine {

namespace {

using models::Integrator;
using models::MassRole;
using models::MassSetup;
using models::Oscillator;

constexpr int default_masses = 3;
constexpr int min_masses = 2;
const std::string parts = "parts";
const std::string last = "last";
const std::string spring = "coupling";
/// As on the linear oscillator, all parts together.
constexpr double largest_external_force_n = 1000;

std::string name_of(std::size_t mass) {
  return "m" + std::to_string(mass + 1);
}

/// Defaults are those of `default_masses` masses; where they depend on n, the text says how.
std::vector<ParameterInfo> parameter_infos() {
  const auto defaults = models::n_mass_oscillator(default_masses);
  std::vector<ParameterInfo> infos{{.path = "n",
                                    .unit = "1",
                                    .default_value = default_masses,
                                    .minimum = min_masses,
                                    .maximum = models::max_oscillator_masses,
                                    .description = "number of masses, whole"}};
  list_parameters(infos, parts, models::linear_mass_parameters(), defaults.masses.front());
  list_parameters(infos, last, models::linear_mass_parameters(), defaults.masses.back());
  list_parameters(infos, spring, models::linear_coupling_parameters(), defaults.coupling);
  for (auto& info : infos) {
    if (info.path == "parts.m" || info.path == "parts.k" || info.path == "coupling.k_c") {
      info.description +=
          "; by default " + number_text(info.default_value * (default_masses - 1)) + " / (n - 1)";
    }
  }
  return infos;
}

/// The group of every mass.
std::map<std::string, std::string> groups(std::size_t count) {
  std::map<std::string, std::string> groups;
  for (std::size_t i = 0; i < count; ++i) {
    groups[name_of(i)] = i + 1 == count ? last : parts;
  }
  return groups;
}

std::optional<int> masses_in(const ParameterValues& values) {
  const auto given = values.find("n");
  if (given == values.end()) {
    return default_masses;
  }
  const double n = given->second;
  const bool fits =
      n >= min_masses && n <= models::max_oscillator_masses && n == std::floor(n);  // no NaN
  return fits ? std::optional(static_cast<int>(n)) : std::nullopt;
}

Coupling force_displacement(const Oscillator& oscillator) {
  const std::size_t count = oscillator.masses.size();
  std::vector<MassSetup> setups;
  for (const auto& mass : oscillator.masses) {
    setups.push_back({.mass = mass, .coupling = oscillator.coupling, .role = MassRole::owner});
  }
  setups.back().role = MassRole::receiver;
  setups.back().forces = static_cast<int>(count) - 1;
  models::share_nominal_velocity(setups);

  Coupling coupling{
      .name = "force_displacement", .subsystems = {}, .connections = {}, .power_bonds = {}};
  const auto group_of = groups(count);
  for (std::size_t i = 0; i < count; ++i) {
    coupling.subsystems.push_back(
        {.name = name_of(i),
         .group = group_of.at(name_of(i)),
         .description = models::describe_mass(setups[i]),
         .integrators = list(models::mass_integrators(setups[i])),
         .micro_step_s = std::nullopt,
         .make =
             [setup = setups[i]](Integrator integrator, std::optional<double> micro_step_s) {
               return models::make_mass(setup, integrator, micro_step_s);
             },
         .dynamics = [setup = setups[i]] { return models::mass_dynamics(setup); }});
  }
  const std::string end = name_of(count - 1);
  for (std::size_t i = 0; i + 1 < count; ++i) {
    const std::string owner = name_of(i);
    const PortName force{owner, "f"};
    const auto& force_input = coupling.subsystems.back().description.inputs[i].name;
    coupling.connections.push_back({{end, "x"}, {owner, "x_in"}});
    coupling.connections.push_back({{end, "v"}, {owner, "v_in"}});
    coupling.connections.push_back({force, {end, force_input}});
    coupling.power_bonds.push_back({.effort = {force}, .flow = {{end, "v"}}});
  }
  return coupling;
}

std::variant<Problem, FieldErrors> build(const ParameterValues& values) {
  const auto masses = masses_in(values);
  if (!masses) {
    return FieldErrors{{"/parameters/n", "must be a whole number between " +
                                             std::to_string(min_masses) + " and " +
                                             std::to_string(models::max_oscillator_masses)}};
  }
  auto oscillator = models::n_mass_oscillator(*masses);
  // A linear damper is not clamped, whatever its coefficient.
  oscillator.coupling.largest_damping_ns_per_m = std::numeric_limits<double>::infinity();
  const auto group_of = groups(oscillator.masses.size());
  FieldErrors errors = unknown_paths(values, parameter_infos(), group_of);
  const auto table = models::linear_mass_parameters();
  for (std::size_t i = 0; i < oscillator.masses.size(); ++i) {
    const std::string name = name_of(i);
    auto& mass = oscillator.masses[i];
    apply(mass, table, group_of.at(name), values);
    apply(mass, table, name, values);
    report(errors, models::check(mass, table), name, group_of.at(name), values);
  }
  auto& between = oscillator.coupling;
  apply(between, models::linear_coupling_parameters(), spring, values);
  auto wrong = models::check(between, models::linear_coupling_parameters());
  if (wrong.empty() && between.stiffness_n_per_m == 0 && between.damping_ns_per_m == 0) {
    wrong.push_back({"k_c", "without a spring and a damper the masses are not coupled"});
  }
  report(errors, wrong, spring, spring, values);
  if (!errors.empty()) {
    return errors;
  }
  Problem problem;
  problem.name = "n_mass_oscillator";
  problem.couplings = {force_displacement(oscillator)};
  const double share = largest_external_force_n / (*masses - 1);
  for (std::size_t i = 0; i < oscillator.masses.size(); ++i) {
    const double force = i + 1 == oscillator.masses.size() ? largest_external_force_n : share;
    problem.external_inputs.push_back(
        {.to = {name_of(i), "f_ext"}, .initial = 0, .minimum = -force, .maximum = force});
  }
  return problem;
}

Job default_job() {
  using enum Extrapolation;
  Job job;
  job.name = "n_mass_oscillator";
  job.problem = job.name;
  job.space.couplings = {"force_displacement"};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2};
  job.space.integrators = {{parts, {Integrator::symplectic_euler}},
                           {last, {Integrator::symplectic_euler}}};
  job.space.corrections = {Correction::none};
  // As on the oscillators of two masses.
  job.linear_region.rule = Rule::baseline_power_law;
  job.linear_region.points = 8;
  job.linear_region.scan = ScanKind::geometric;
  job.macro_step = {.initial_s = 1e-4, .increment_s = 1e-4, .maximum_s = 0.1};
  job.tests = step_ramp_impulse(2);
  job.tests.insert(job.tests.begin(), free_motion(10));
  job.tests.push_back(sine("2", 4));
  return job;
}

}  // namespace

BuiltInProblem n_mass_oscillator() {
  return {.name = "n_mass_oscillator",
          .title = "Oscillator of n masses",
          .description =
              "Up to 16 masses on springs: each of m1 to m(n-1) is joined to the last "
              "one, so that many interfaces add their energies.",
          .source =
              "Rodríguez et al. (2022), Energy-based monitoring and correction to enhance "
              "the accuracy and stability of explicit co-simulation, section 4.1",
          .parameters = parameter_infos(),
          .default_job = default_job(),
          .build = &build};
}

}  // namespace macrostep::engine
