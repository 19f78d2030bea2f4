#include "models/oscillator/coupling_spring.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "models/integrators/linear_with_inputs.hpp"
#include "models/oscillator/spring_damper.hpp"

namespace macrostep::models {

namespace {

constexpr std::array integrators{Integrator::exact};

bool is_linear(const CouplingParameters& c) {
  return c.gap_m == 0 && c.spring_exponent == 1 && c.damper_exponent == 1 &&
         c.damping_ns_per_m >= c.smallest_damping_ns_per_m &&
         c.damping_ns_per_m <= c.largest_damping_ns_per_m;
}

void evaluate(const NonlinearSpringDamper& law, std::span<const double> u, std::span<double> y) {
  const double elongation = u[0] - u[2];
  const double force = law.force(elongation, u[1] - u[3]);
  y[0] = -force;
  y[1] = force;
  y[2] = law.energy(elongation);
}

class CouplingSpring final : public Subsystem {
 public:
  explicit CouplingSpring(const CouplingSpringSetup& setup)
      : description_(describe_coupling_spring(setup)),
        law_(law_of(setup.coupling)),
        is_linear_(is_linear(setup.coupling)) {
    description_.provides_jacobians = true;
    description_.integrates_inputs = true;
  }

  const Description& describe() const override { return description_; }
  void start(double, std::span<const ExternalSignal>) override {}
  void outputs(double, std::span<const double> u, std::span<double> y) override {
    evaluate(law_, u, y);
  }
  StepResult step(const MacroStep& macro, const InputModel& input) override {
    if (input.dynamics) {
      constexpr int micro_steps = 1;
      inputs_.step(
          macro.size_s, micro_steps, input, [](double, auto&) {}, no_state_);
    }
    return {.rhs_evaluations = 1};
  }
  std::optional<std::span<double>> state() override { return std::span<double>(); }
  bool linearise(double, std::span<const double> u, Linearisation& into) override {
    const double elongation = u[0] - u[2];
    const auto [force, per_m, per_m_per_s] = law_.law(elongation, u[1] - u[3]);
    const double spring_force = law_.force(elongation, 0);
    into.a.resize(0, 0);
    into.b.resize(0, 4);
    into.c.resize(3, 0);
    into.d.resize(3, 4);
    into.state_rate.resize(0);
    into.d.row(1) << per_m, per_m_per_s, -per_m, -per_m_per_s;
    into.d.row(0) = -into.d.row(1);
    into.d.row(2) << spring_force, 0, -spring_force, 0;
    into.constant = is_linear_;
    return true;
  }
  void save(SavedState& into) override { into.values.clear(); }
  void restore(const SavedState&) override {}

 private:
  Description description_;
  NonlinearSpringDamper law_;
  bool is_linear_;
  /// Inputs that move by equations of their own.
  LinearWithInputs inputs_{Eigen::MatrixXd(0, 0), Eigen::MatrixXd(0, 4), Integrator::rk4};
  Eigen::VectorXd no_state_;
};

}  // namespace

CouplingSpringSetup coupling_spring_between(const CouplingParameters& coupling,
                                            const MassSetup& first, const MassSetup& second) {
  const auto one = describe_mass(first).outputs;
  const auto other = describe_mass(second).outputs;
  return {.coupling = coupling,
          .nominal_amplitude_m = std::max(one[0].nominal, other[0].nominal),
          .nominal_velocity_m_per_s = std::max(one[1].nominal, other[1].nominal)};
}

Description describe_coupling_spring(const CouplingSpringSetup& setup) {
  const auto law = law_of(setup.coupling);
  const double elongation = setup.nominal_amplitude_m;
  const double force = law.force(elongation, setup.nominal_velocity_m_per_s);
  const double nominal_force = force > 0 ? force : 1;
  const double nominal_energy = law.energy(elongation) > 0 ? law.energy(elongation) : 1;
  const bool damps = law.damping != 0 || law.smallest_damping != 0;
  const auto direct = damps ? std::vector<std::size_t>{0, 1, 2, 3} : std::vector<std::size_t>{0, 2};
  return {.inputs = {{.name = "x_1", .unit = "m"},
                     {.name = "v_1", .unit = "m/s"},
                     {.name = "x_2", .unit = "m"},
                     {.name = "v_2", .unit = "m/s"}},
          .outputs = {{.name = "f_1",
                       .unit = "N",
                       .nominal = nominal_force,
                       .derivative = {},
                       .direct_inputs = direct},
                      {.name = "f_2",
                       .unit = "N",
                       .nominal = nominal_force,
                       .derivative = {},
                       .direct_inputs = direct},
                      {.name = "energy",
                       .unit = "J",
                       .nominal = nominal_energy,
                       .derivative = {},
                       .direct_inputs = {0, 2}}},
          .externals = {},
          .rhs_weight = 1,
          .can_roll_back = true,
          .energy_output = 2};
}

std::span<const Integrator> coupling_spring_integrators() {
  return integrators;
}

std::unique_ptr<Subsystem> make_coupling_spring(const CouplingSpringSetup& setup,
                                                Integrator integrator) {
  return integrator == Integrator::exact ? std::make_unique<CouplingSpring>(setup) : nullptr;
}

Dynamics coupling_spring_dynamics(const CouplingSpringSetup& setup) {
  const auto law = law_of(setup.coupling);
  return {.initial_state = {},
          .nominal_state = {},
          .derivatives = [](auto, auto, auto, auto) {},
          .outputs = [law](auto, auto u, auto, std::span<double> y) { evaluate(law, u, y); },
          .linear = is_linear(setup.coupling)};
}

}  // namespace macrostep::models
