#include "engine/benchmarks/oscillator.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "engine/benchmarks/parameters.hpp"
#include "engine/benchmarks/tests.hpp"
#include "models/oscillator/coupling_spring.hpp"
#include "models/oscillator/oscillator.hpp"

namespace macrostep::engine {

namespace {

using models::CouplingParameters;
using models::Integrator;
using models::MassParameters;
using models::MassRole;
using models::MassSetup;
using models::Oscillator;

const std::array<std::string, 2> names{"m1", "m2"};
const std::string spring = "coupling";  ///< owner of the spring's parameters, and its subsystem

/// What tells one oscillator of two masses from another.
struct Kind {
  std::string name;
  Oscillator defaults;
  std::span<const models::Parameter<MassParameters>> mass_parameters;
  std::span<const models::Parameter<CouplingParameters>> coupling_parameters;
  std::size_t owner = 0;                           ///< of the spring, in force_displacement
  std::optional<Integrator> preferred_integrator;  /// offered first
  double largest_external_force_n = 0;             ///< on each mass
};

std::vector<ParameterInfo> parameter_infos(const Kind& kind) {
  std::vector<ParameterInfo> infos;
  for (std::size_t i = 0; i < names.size(); ++i) {
    list_parameters(infos, names[i], kind.mass_parameters, kind.defaults.masses[i]);
  }
  list_parameters(infos, spring, kind.coupling_parameters, kind.defaults.coupling);
  return infos;
}

using Setups = std::array<MassSetup, 2>;

Setups setups_of(const Oscillator& oscillator, MassRole first, MassRole second) {
  Setups setups{MassSetup{.mass = oscillator.masses[0], .coupling = oscillator.coupling},
                MassSetup{.mass = oscillator.masses[1], .coupling = oscillator.coupling}};
  setups[0].role = first;
  setups[1].role = second;
  // Where both know the spring, the first one counts its energy.
  setups[1].counts_coupling_energy = first != MassRole::displacement;
  models::share_nominal_velocity(setups);
  return setups;
}

/// Those that mass `i` has in every coupling: a nonlinear spring takes `exact` from its owner only.
std::vector<Integrator> integrators(const Kind& kind, const Oscillator& oscillator, std::size_t i) {
  const auto knowing = setups_of(oscillator, MassRole::displacement, MassRole::displacement);
  auto offered = list(models::mass_integrators(knowing[i]));
  if (kind.preferred_integrator) {
    const auto found = std::ranges::find(offered, *kind.preferred_integrator);
    if (found != offered.end()) {
      std::rotate(offered.begin(), found, found + 1);
    }
  }
  return offered;
}

void add_masses(Coupling& coupling, const Kind& kind, const Oscillator& oscillator,
                const Setups& setups) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    coupling.subsystems.push_back(
        {.name = names[i],
         .group = names[i],
         .description = models::describe_mass(setups[i]),
         .integrators = integrators(kind, oscillator, i),
         .micro_step_s = std::nullopt,
         .make =
             [setup = setups[i]](Integrator integrator, std::optional<double> micro_step_s) {
               return models::make_mass(setup, integrator, micro_step_s);
             },
         .dynamics = [setup = setups[i]] { return models::mass_dynamics(setup); }});
  }
}

/// Position and velocity of a mass to the inputs of another subsystem.
void connect_motion(Coupling& coupling, const std::string& from, const PortName& x_to,
                    const PortName& v_to) {
  coupling.connections.push_back({{from, "x"}, x_to});
  coupling.connections.push_back({{from, "v"}, v_to});
}

Coupling force_displacement(const Kind& kind, const Oscillator& oscillator) {
  Coupling coupling{
      .name = "force_displacement", .subsystems = {}, .connections = {}, .power_bonds = {}};
  std::array roles{MassRole::receiver, MassRole::receiver};
  roles[kind.owner] = MassRole::owner;
  add_masses(coupling, kind, oscillator, setups_of(oscillator, roles[0], roles[1]));
  const std::string owner = names[kind.owner];
  const std::string other = names[1 - kind.owner];
  connect_motion(coupling, other, {owner, "x_in"}, {owner, "v_in"});
  coupling.connections.push_back({{owner, "f"}, {other, "f_in"}});
  coupling.power_bonds = {{.effort = {{owner, "f"}}, .flow = {{other, "v"}}}};
  return coupling;
}

Coupling displacement_displacement(const Kind& kind, const Oscillator& oscillator) {
  Coupling coupling{
      .name = "displacement_displacement", .subsystems = {}, .connections = {}, .power_bonds = {}};
  add_masses(coupling, kind, oscillator,
             setups_of(oscillator, MassRole::displacement, MassRole::displacement));
  connect_motion(coupling, "m2", {"m1", "x_in"}, {"m1", "v_in"});
  connect_motion(coupling, "m1", {"m2", "x_in"}, {"m2", "v_in"});
  for (const auto& name : names) {
    coupling.power_bonds.push_back({.effort = {{name, "f"}}, .flow = {{name, "v"}}});
  }
  return coupling;
}

Coupling force_force(const Kind& kind, const Oscillator& oscillator) {
  Coupling coupling{.name = "force_force", .subsystems = {}, .connections = {}, .power_bonds = {}};
  const auto setups = setups_of(oscillator, MassRole::receiver, MassRole::receiver);
  add_masses(coupling, kind, oscillator, setups);
  const auto unit = models::coupling_spring_between(oscillator.coupling, setups[0], setups[1]);
  coupling.subsystems.push_back(
      {.name = spring,
       .group = spring,
       .description = models::describe_coupling_spring(unit),
       .integrators = list(models::coupling_spring_integrators()),
       .micro_step_s = std::nullopt,
       .make =
           [unit](Integrator integrator, std::optional<double>) {
             return models::make_coupling_spring(unit, integrator);
           },
       .dynamics = [unit] { return models::coupling_spring_dynamics(unit); }});
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::string number = std::to_string(i + 1);
    const PortName force{spring, "f_" + number};
    connect_motion(coupling, names[i], {spring, "x_" + number}, {spring, "v_" + number});
    coupling.connections.push_back({force, {names[i], "f_in"}});
    coupling.power_bonds.push_back({.effort = {force}, .flow = {{names[i], "v"}}});
  }
  return coupling;
}

std::variant<Problem, FieldErrors> build(const Kind& kind, const ParameterValues& values) {
  FieldErrors errors = unknown_paths(values, parameter_infos(kind));
  Oscillator oscillator = kind.defaults;
  for (std::size_t i = 0; i < names.size(); ++i) {
    auto& mass = oscillator.masses[i];
    apply(mass, kind.mass_parameters, names[i], values);
    report(errors, models::check(mass, kind.mass_parameters), names[i], names[i], values);
  }
  auto& between = oscillator.coupling;
  apply(between, kind.coupling_parameters, spring, values);
  auto wrong = models::check(between, kind.coupling_parameters);
  if (wrong.empty() && between.stiffness_n_per_m == 0 && between.damping_ns_per_m == 0 &&
      between.smallest_damping_ns_per_m == 0) {
    wrong.push_back({std::string(kind.coupling_parameters.front().name),
                     "without a spring and a damper the masses are not coupled"});
  }
  report(errors, wrong, spring, spring, values);
  if (!errors.empty()) {
    return errors;
  }
  Problem problem;
  problem.name = kind.name;
  problem.couplings = {force_displacement(kind, oscillator),
                       displacement_displacement(kind, oscillator), force_force(kind, oscillator)};
  for (const auto& name : names) {
    problem.external_inputs.push_back({.to = {name, "f_ext"},
                                       .initial = 0,
                                       .minimum = -kind.largest_external_force_n,
                                       .maximum = kind.largest_external_force_n});
  }
  return problem;
}

/// What the default jobs have in common. A geometric scan and a line fitted once at its beginning:
/// that of force–displacement with held inputs bends slowly, and a line that is fitted again and
/// again follows it to four times the macro-step.
Job default_job(const Kind& kind) {
  using enum Extrapolation;
  Job job;
  job.name = kind.name;
  job.problem = kind.name;
  job.space.couplings = {"force_displacement", "displacement_displacement", "force_force"};
  job.space.schemes = {Scheme::jacobi};
  job.space.extrapolation = {order_0, order_1, order_2};
  for (std::size_t i = 0; i < names.size(); ++i) {
    job.space.integrators[names[i]] = {integrators(kind, kind.defaults, i).front()};
  }
  job.space.integrators[spring] = {models::coupling_spring_integrators().front()};
  job.space.corrections = {Correction::none};
  job.linear_region.rule = Rule::baseline_power_law;
  job.linear_region.points = 8;
  job.linear_region.scan = ScanKind::geometric;
  return job;
}

// Largest external forces: about v0 √(k m), at which the mass moves as far as by its start.
constexpr double linear_external_force_n = 1000;
constexpr double stiff_external_force_n = 3000;
constexpr double nonlinear_external_force_n = 500;

/// A linear damper is not clamped, whatever its coefficient.
Oscillator unclamped(Oscillator oscillator) {
  oscillator.coupling.largest_damping_ns_per_m = std::numeric_limits<double>::infinity();
  return oscillator;
}

const Kind& linear() {
  static const Kind kind{.name = "linear_oscillator",
                         .defaults = unclamped(models::linear_oscillator()),
                         .mass_parameters = models::linear_mass_parameters(),
                         .coupling_parameters = models::linear_coupling_parameters(),
                         .owner = 0,
                         .preferred_integrator = std::nullopt,
                         .largest_external_force_n = linear_external_force_n};
  return kind;
}

const Kind& stiff() {
  static const Kind kind{.name = "stiff_oscillator",
                         .defaults = unclamped(models::stiff_oscillator()),
                         .mass_parameters = models::stiff_mass_parameters(),
                         .coupling_parameters = models::stiff_coupling_parameters(),
                         .owner = 1,
                         .preferred_integrator = Integrator::exact,
                         .largest_external_force_n = stiff_external_force_n};
  return kind;
}

const Kind& nonlinear() {
  static const Kind kind{.name = "nonlinear_oscillator",
                         .defaults = models::nonlinear_oscillator(),
                         .mass_parameters = models::nonlinear_mass_parameters(),
                         .coupling_parameters = models::nonlinear_coupling_parameters(),
                         .owner = 0,
                         .preferred_integrator = std::nullopt,
                         .largest_external_force_n = nonlinear_external_force_n};
  return kind;
}

}  // namespace

BuiltInProblem linear_oscillator() {
  BuiltInProblem problem{
      .name = linear().name,
      .title = "Linear oscillator",
      .description =
          "Two masses on springs and dampers, joined by a spring and damper: without "
          "damping, nothing hides the energy that the interface adds.",
      .source =
          "Public library of computational mechanics benchmarks; Rodríguez et al. (2022), "
          "Energy-based monitoring and correction to enhance the accuracy and stability of "
          "explicit co-simulation, section 3.3",
      .parameters = parameter_infos(linear()),
      .default_job = default_job(linear()),
      .build = [](const ParameterValues& values) { return build(linear(), values); }};
  Job& job = problem.default_job;
  job.macro_step = {.initial_s = 1e-4, .increment_s = 1e-4, .maximum_s = 0.1};
  job.tests = step_ramp_impulse(2);
  job.tests.insert(job.tests.begin(), free_motion(10));
  job.tests.push_back(sine("2", 4));
  return problem;
}

BuiltInProblem stiff_oscillator() {
  BuiltInProblem problem{
      .name = stiff().name,
      .title = "Stiff oscillator",
      .description =
          "Two masses on stiff springs, joined by a spring and damper that m2 owns and "
          "integrated exactly, so that every error is the coupling's.",
      .source =
          "Haid, Watzenig and Stettinger (2022), Analysis of the model-based corrector "
          "approach for explicit co-simulation, eq. 27",
      .parameters = parameter_infos(stiff()),
      .default_job = default_job(stiff()),
      .build = [](const ParameterValues& values) { return build(stiff(), values); }};
  Job& job = problem.default_job;
  job.macro_step = {.initial_s = 2e-5, .increment_s = 2e-5, .maximum_s = 0.01};
  job.tests = step_ramp_impulse(0.3);
  job.tests.insert(job.tests.begin(), free_motion(0.3));
  job.tests.push_back(sine("50", 15));
  return problem;
}

BuiltInProblem nonlinear_oscillator() {
  BuiltInProblem problem{
      .name = nonlinear().name,
      .title = "Nonlinear oscillator",
      .description =
          "Two masses on square-root springs and quadratic dampers, joined by a spring "
          "and damper of the same kind; exponents and limits can be set.",
      .source =
          "Rodríguez et al. (2022), Energy-based monitoring and correction to enhance the "
          "accuracy and stability of explicit co-simulation, section 4.2; clamped damper: "
          "Haid, Watzenig and Stettinger (2022), eq. 43",
      .parameters = parameter_infos(nonlinear()),
      .default_job = default_job(nonlinear()),
      .build = [](const ParameterValues& values) { return build(nonlinear(), values); }};
  // Undamped and nonlinear, it is chaotic: over much longer tests E(H) is noise.
  Job& job = problem.default_job;
  job.macro_step = {.initial_s = 5e-4, .increment_s = 5e-4, .maximum_s = 0.15};
  job.tests = step_ramp_impulse(3);
  job.tests.insert(job.tests.begin(), free_motion(10));
  job.tests.push_back(sine("1", 3));
  return problem;
}

}  // namespace macrostep::engine
