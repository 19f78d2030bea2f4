// The linearly implicit stabilisation, on the two pipes and volumes of Viel (2014).
#include "engine/correction/linearly_implicit.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <variant>

#include "engine/cosim/make_master.hpp"
#include "engine/reference/reference.hpp"
#include "engine/reference/reference_errors.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "engine/stability/stability.hpp"
#include "tests/allocation_count.hpp"
#include "tests/engine/benchmarks/built_in.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;
namespace tests = macrostep::tests;

namespace {

constexpr double backward_euler = 1;
constexpr double trapezoidal = 0.5;

struct Method {
  double theta = trapezoidal;
  ModelDerivative derivative = ModelDerivative::exact;
};

/// Inputs held, all integrators this one.
Configuration explicit_coupling(const Plan& plan, Integrator integrator) {
  auto configuration = plan.configurations.front();
  configuration.extrapolation = Extrapolation::order_0;
  tests::set_integrator(configuration, integrator, plan.problem.groups());
  return configuration;
}

Configuration stabilised(const Plan& plan, Integrator integrator, const Method& method = {}) {
  auto configuration = explicit_coupling(plan, integrator);
  configuration.correction = Correction::linearly_implicit;
  configuration.correction_parameters.theta = method.theta;
  configuration.correction_parameters.derivative = method.derivative;
  return configuration;
}

/// Pipes with subsystems integrated in micro-steps of 2 µs, whose own errors do not count: ω_0 φ_1
/// times that is 0.015.
Plan pipes(double decay) {
  auto job = find_built_in("pipe_volume")->default_job;
  job.parameters = {{"pipe.omega_0_tau", decay}};
  job.micro_steps = {{"left", 2e-6}, {"right", 2e-6}};
  return std::get<Plan>(make_plan(job));
}

struct Outcome {
  double error = 0;  ///< RMS of the error of e_1 relative to the RMS of e_1, at multiples of 50 µs
  double residual_j = 0;
};

Outcome outcome(const Plan& plan, const Configuration& configuration, const TestInput& test,
                double macro_step_s) {
  constexpr double sample_s = 50e-6;
  auto made = Reference::make(plan, configuration, test);
  auto& reference = std::get<std::unique_ptr<Reference>>(made);
  double error_2 = 0, size_2 = 0;
  const auto every = std::max<std::int64_t>(1, std::llround(sample_s / macro_step_s));
  std::int64_t n = 0;
  const auto result = run_trial(plan, {.configuration = &configuration,
                                       .test = &test,
                                       .macro_step_s = macro_step_s,
                                       .trace = [&](const TracePoint& point) {
                                         if (n++ % every == 0) {
                                           REQUIRE(reference->advance_to(point.time_s));
                                           const double exact = reference->outputs()[0];
                                           error_2 += std::pow(point.outputs[0] - exact, 2);
                                           size_2 += exact * exact;
                                         }
                                       }});
  CHECK(result.status == TrialStatus::complete);
  return {std::sqrt(error_2 / size_2), result.residual_j};
}

double limit_s(const Plan& plan, const Configuration& configuration) {
  const auto found = stability_limit(plan, configuration, 1e-6, 3e-4);
  REQUIRE(std::holds_alternative<StabilityLimit>(found));
  return std::get<StabilityLimit>(found).limit_s().value_or(0);
}

std::string refusal(const Plan& plan, const Configuration& configuration) {
  const auto made = schedule_of(plan, configuration);
  return std::holds_alternative<FieldError>(made) ? std::get<FieldError>(made).message : "";
}

}  // namespace

TEST_CASE("large macro-steps are as accurate as small ones of the explicit coupling") {
  // Viel (2014), section 3.4: 50 µs against 1 µs, the trapezoidal rule better than backward Euler
  // if the derivative of the linear model is exact. As printed (eq. 19) it is the other way round.
  // Measured by an independent implementation: 0.043; 0.011 and 0.21; 0.12 and 0.009. Which
  // points count makes a tenth of difference.
  const auto plan = pipes(40);
  const auto& step = plan.job.tests.front();
  const double held = outcome(plan, explicit_coupling(plan, Integrator::exact), step, 1e-6).error;
  CHECK(held == doctest::Approx(0.043).epsilon(0.1));
  const auto error = [&](double theta, ModelDerivative derivative) {
    return outcome(plan, stabilised(plan, Integrator::cvode, {theta, derivative}), step, 50e-6)
        .error;
  };
  using enum ModelDerivative;
  const double exact_trapezoidal = error(trapezoidal, exact);
  const double exact_euler = error(backward_euler, exact);
  CHECK(exact_trapezoidal == doctest::Approx(0.011).epsilon(0.1));
  CHECK(exact_euler == doctest::Approx(0.21).epsilon(0.1));
  CHECK(error(trapezoidal, printed) == doctest::Approx(0.12).epsilon(0.1));
  CHECK(error(backward_euler, printed) == doctest::Approx(0.009).epsilon(0.1));
  CHECK(exact_trapezoidal < held / 2);
}

TEST_CASE("the error and E(H) fall with H³ by the trapezoidal rule, with H² by backward Euler") {
  // Within a macro-step the inputs are off by O(τ³) or O(τ²), the errors of the θ method's only
  // step, and the states, which integrate them, by one order more; 1/H macro-steps add up. As
  // printed the orders are exchanged: the derivative is that of the rest up to O(τ²) with θ = 1.
  // (Under the sine the term of E(H) in H³ hides that in H² down to 5 µs.)
  const auto plan = pipes(40);
  const auto& step = plan.job.tests.front();
  using enum ModelDerivative;
  for (const auto& [method, order] :
       {std::pair{Method{trapezoidal, exact}, 3.0}, std::pair{Method{backward_euler, exact}, 2.0},
        std::pair{Method{trapezoidal, printed}, 2.0},
        std::pair{Method{backward_euler, printed}, 3.0}}) {
    CAPTURE(method.theta);
    const auto configuration = stabilised(plan, Integrator::cvode, method);
    const auto coarse = outcome(plan, configuration, step, 25e-6);
    const auto fine = outcome(plan, configuration, step, 12.5e-6);
    CHECK(std::log2(coarse.error / fine.error) == doctest::Approx(order).epsilon(0.05));
    CHECK(std::log2(coarse.residual_j / fine.residual_j) == doctest::Approx(order).epsilon(0.05));
  }
}

TEST_CASE("the stability limit is an order of magnitude beyond that of the explicit coupling") {
  // π/(ω_0 φ_1) = 425 µs. The explicit limit is 0.0119 of it at ω_0 τ = 40 and 0.0096 at 50.
  // Stabilised, ours is 138 and 128 µs (5.06 and 4.12 before); the paper's runs "seemed" to end at
  // about 76 µs, which is the largest micro-step of its solver.
  for (const auto& [decay, explicit_share] : {std::pair{40.0, 0.0119}, std::pair{50.0, 0.0096}}) {
    CAPTURE(decay);
    const auto plan = pipes(decay);
    const double held_s = limit_s(plan, explicit_coupling(plan, Integrator::exact));
    CHECK(std::abs(held_s / 425e-6 - explicit_share) < 0.0005);
    const double limit = limit_s(plan, stabilised(plan, Integrator::rk4));
    CHECK(limit > 25 * held_s);
    const auto phi = propagation_matrix(plan, stabilised(plan, Integrator::rk4), 50e-6);
    CHECK(spectral_radius(std::get<Eigen::MatrixXd>(phi)) < 1);
  }
}

TEST_CASE("the propagation matrix foretells what the master does with integrated inputs") {
  const auto plan = pipes(40);
  const auto configuration = stabilised(plan, Integrator::trapezoidal);
  constexpr double h = 50e-6;
  std::vector<std::vector<macrostep::models::ExternalSignal>> signals(2);
  signals[1].resize(1);
  auto made = make_master(plan, configuration, std::move(signals), h);
  auto& master = std::get<Master>(made);
  REQUIRE(!master.start());
  const std::vector<double> nominal_states(4, 1.0);
  Eigen::VectorXd z(
      static_cast<Eigen::Index>(master.memory_nominal(nominal_states).value().size()));
  z.setLinSpaced(1, 2);
  const std::span memory(z.data(), static_cast<std::size_t>(z.size()));
  master.write_memory(memory);
  const auto phi = std::get<Eigen::MatrixXd>(propagation_matrix(plan, configuration, h));
  Eigen::VectorXd foretold = z;
  for (int n = 0; n < 5; ++n) {
    foretold = phi * foretold;
    REQUIRE(master.advance().status == macrostep::models::StepStatus::ok);
  }
  master.read_memory(memory);
  for (Eigen::Index i = 0; i < z.size(); ++i) {  // pascals beside cubic metres
    CHECK(z[i] == doctest::Approx(foretold[i]).epsilon(1e-9));
  }
}

TEST_CASE("any coupling of linear subsystems without an algebraic loop is of order 3") {
  // Direct feedthrough, a subsystem without a state, and more than two of them: what the others
  // exchange among themselves moves, too.
  for (const char* problem : {"linear_oscillator", "n_mass_oscillator"}) {
    const auto plan = tests::built_in(problem);
    for (const auto& coupling : plan.problem.couplings) {
      CAPTURE(problem);
      CAPTURE(coupling.name);
      auto configuration = stabilised(plan, Integrator::rk4);
      configuration.coupling = coupling.name;
      if (plan.problem.find_subsystem("coupling")) {
        configuration.integrators["coupling"] = Integrator::exact;
      }
      const auto& none = plan.job.tests.front();
      const auto residual_j = [&](double macro_step_s) {
        return tests::run(plan, configuration, none, macro_step_s).result.residual_j;
      };
      CHECK(std::log2(residual_j(0.002) / residual_j(0.001)) == doctest::Approx(3).epsilon(0.02));
    }
  }
}

TEST_CASE("between nonlinear subsystems the order is 2: they are linearised at each macro-step") {
  const auto plan = tests::built_in("coupled_pendula");
  for (const auto& coupling : plan.problem.couplings) {
    CAPTURE(coupling.name);
    auto configuration = stabilised(plan, Integrator::rk4);
    configuration.coupling = coupling.name;
    const auto& none = plan.job.tests.front();
    const auto error = [&](double macro_step_s) {
      auto made = Reference::make(plan, configuration, none);
      auto& reference = std::get<std::unique_ptr<Reference>>(made);
      ErrorSums sums(plan.graph(configuration), first_event_s(none));
      run_trial(plan, {.configuration = &configuration,
                       .test = &none,
                       .macro_step_s = macro_step_s,
                       .trace = [&](const TracePoint& point) {
                         REQUIRE(reference->advance_to(point.time_s));
                         sums.add(point.time_s, point.outputs, reference->outputs());
                       }});
      return sums.error().nrmse;
    };
    CHECK(std::log2(error(0.0125) / error(0.00625)) == doctest::Approx(2).epsilon(0.05));
  }
}

TEST_CASE("a macro-step with integrated inputs allocates nothing") {
  for (const char* problem : {"pipe_volume", "coupled_pendula", "n_mass_oscillator"}) {
    const auto plan = tests::built_in(problem);
    for (const auto integrator : {Integrator::rk4, Integrator::trapezoidal}) {
      CAPTURE(problem);
      const auto configuration = stabilised(plan, integrator);
      std::vector<std::vector<macrostep::models::ExternalSignal>> signals;
      for (const auto& subsystem : plan.coupling(configuration).subsystems) {
        signals.emplace_back(subsystem.description.externals.size());
      }
      auto made = make_master(plan, configuration, std::move(signals), 5e-5);
      auto& master = std::get<Master>(made);
      REQUIRE(!master.start());
      REQUIRE(master.advance().status == macrostep::models::StepStatus::ok);  // sets sizes
      const auto allocations = tests::allocation_count();
      for (int n = 0; n < 100; ++n) {
        master.advance();
      }
      CHECK(tests::allocation_count() == allocations);
    }
  }
}

TEST_CASE("configurations that cannot integrate their inputs are refused with the reason") {
  const auto plan = pipes(40);
  const auto possible = stabilised(plan, Integrator::rk4);
  CHECK(refusal(plan, possible) == "");
  auto configuration = stabilised(plan, Integrator::exact);
  CHECK(refusal(plan, configuration).find("'left' cannot with the integrator exact") !=
        std::string::npos);
  configuration = possible;
  configuration.extrapolation = Extrapolation::order_1;
  CHECK(refusal(plan, configuration).find("extrapolation 0") != std::string::npos);
  configuration = possible;
  configuration.scheme = Scheme::gauss_seidel;
  CHECK(refusal(plan, configuration).find("scheme jacobi") != std::string::npos);
  configuration = possible;
  configuration.substeps = {{"left", 2}};
  CHECK(refusal(plan, configuration).find("once a macro-step") != std::string::npos);

  const auto crane = tests::built_in("single_actuator_crane");
  configuration = crane.configurations.front();
  configuration.extrapolation = Extrapolation::order_0;
  configuration.correction = Correction::linearly_implicit;
  CHECK(refusal(crane, configuration).find("'mechanics' does not provide") != std::string::npos);
}
