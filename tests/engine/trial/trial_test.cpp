#include "engine/trial/trial.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "engine/benchmarks/catalogue.hpp"
#include "tests/allocation_count.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;

namespace {

Plan crane(const std::string& name) {
  return std::get<Plan>(make_plan(find_built_in(name)->default_job));
}

Configuration configuration(Extrapolation extrapolation, Integrator mechanics = Integrator::i1al,
                            Integrator hydraulics = Integrator::forward_euler) {
  return {.coupling = "force_displacement",
          .extrapolation = extrapolation,
          .integrators = {{"mechanics", mechanics}, {"hydraulics", hydraulics}}};
}

const TestInput step{.name = "step", .kind = TestKind::step, .duration_s = 1};
const TestInput quiet{.name = "none", .kind = TestKind::none, .duration_s = 1};

struct Run {
  TrialResult result;
  std::vector<double> lengths;  ///< mechanics.s or s_1 at every communication point
};

Run run(const Plan& plan, const Configuration& configuration, const TestInput& test,
        double macro_step_s) {
  Run run;
  run.result = run_trial(
      plan, {.configuration = &configuration,
             .test = &test,
             .macro_step_s = macro_step_s,
             .trace = [&](const TracePoint& point) { run.lengths.push_back(point.outputs[0]); }});
  return run;
}

}  // namespace

TEST_CASE("a crane at rest stays at rest") {
  // The holding forces are in place at t = 0 and nothing moves: what is left is rounding of 1e4 N
  // on hundreds of kg over 1 s.
  for (const auto* name : {"single_actuator_crane", "double_actuator_crane"}) {
    for (const auto mechanics : {Integrator::i1al, Integrator::i3al}) {
      const auto rest =
          run(crane(name), configuration(Extrapolation::order_2, mechanics), quiet, 1e-3);
      CHECK(rest.result.status == TrialStatus::complete);
      for (const double length : rest.lengths) {
        CHECK(std::abs(length - 0.5) < 1e-9);
      }
    }
  }
}

TEST_CASE("halving a small macro-step moves the actuator by less than 1e-5 m") {
  const auto plan = crane("single_actuator_crane");
  const auto coarse = run(plan, configuration(Extrapolation::order_2), step, 2e-4);
  const auto fine = run(plan, configuration(Extrapolation::order_2), step, 1e-4);
  REQUIRE(fine.lengths.size() == 2 * coarse.lengths.size() - 1);
  double worst = 0;
  for (std::size_t i = 0; i < coarse.lengths.size(); ++i) {
    worst = std::max(worst, std::abs(coarse.lengths[i] - fine.lengths[2 * i]));
  }
  CHECK(worst < 1e-5);
  CHECK(std::abs(coarse.lengths.back() - 0.5) > 1e-2);  // and it does move
}

TEST_CASE("the residual energy of the crane falls in proportion to H") {
  // The force is held (order 0), so E = O(H) whatever the extrapolation of s and ṡ.
  const auto plan = crane("double_actuator_crane");
  for (const auto extrapolation :
       {Extrapolation::order_1, Extrapolation::order_2, Extrapolation::i2}) {
    const double at_200_us = run(plan, configuration(extrapolation), step, 2e-4).result.residual_j;
    const double at_50_us = run(plan, configuration(extrapolation), step, 5e-5).result.residual_j;
    CHECK(std::log(at_200_us / at_50_us) / std::log(4) == doctest::Approx(1).epsilon(0.1));
  }
}

TEST_CASE("the residual energy falls with H^(m + 1) where every input is extrapolated") {
  // Two masses coupled by a spring, x, v and f continued with order m. Trapezoidal subsystems with
  // h = 20 us leave an error of 1e-4 of the residual at the smallest H of order 2.
  auto job = macrostep::tests::two_masses();
  job.micro_steps = {{"m1", 2e-5}, {"m2", 2e-5}};
  const auto plan = std::get<Plan>(make_plan(job));
  const TestInput free{.name = "none", .kind = TestKind::none, .duration_s = 1};
  for (const auto extrapolation :
       {Extrapolation::order_0, Extrapolation::order_1, Extrapolation::order_2}) {
    const Configuration chosen{
        .coupling = own_coupling,
        .extrapolation = extrapolation,
        .integrators = {{"m1", Integrator::trapezoidal}, {"m2", Integrator::trapezoidal}}};
    const auto residual = [&](double macro_step_s) {
      return run_trial(plan,
                       {.configuration = &chosen, .test = &free, .macro_step_s = macro_step_s})
          .residual_j;
    };
    const double slope = std::log2(residual(1e-3) / residual(5e-4));
    CHECK(slope == doctest::Approx(order(extrapolation) + 1).epsilon(0.1));
  }
}

TEST_CASE("every choice of integrators gives the same motion at a small macro-step") {
  // They differ by the first order of forward Euler at h = 0.1 ms: a few micrometres of 30 mm.
  const auto plan = crane("double_actuator_crane");
  const double reference =
      run(plan, configuration(Extrapolation::order_2), step, 2e-4).lengths.back();
  for (const auto mechanics : {Integrator::i1al, Integrator::i3al}) {
    for (const auto hydraulics : {Integrator::forward_euler, Integrator::trapezoidal}) {
      const auto other =
          run(plan, configuration(Extrapolation::order_2, mechanics, hydraulics), step, 2e-4);
      CHECK(std::abs(other.lengths.back() - reference) < 2e-5);
    }
  }
}

TEST_CASE("an unstable macro-step ends the trial with a reason") {
  const auto plan = crane("double_actuator_crane");
  const auto unstable = run(plan, configuration(Extrapolation::order_4), step, 4e-3);
  CHECK(unstable.result.status != TrialStatus::complete);
  CHECK(unstable.result.reason.find(" at 0.") != std::string::npos);
  CHECK(std::isfinite(unstable.result.residual_j));
}

TEST_CASE("a trial covers its duration exactly, whatever the remainder") {
  // One period of 70 Hz: 14.29 ms. H = 0.41 ms divides it into 34.8 macro-steps, so the last counts
  // for 0.84. E/H is constant to first order: its value lies within 2 % of the neighbours that
  // divide the period exactly, where a whole last macro-step would add a share of 1/35 of the
  // later, largest ones.
  const auto plan = crane("single_actuator_crane");
  const TestInput sine{
      .name = "sine", .kind = TestKind::sine, .duration_s = 1.0 / 70, .frequency_hz = 70};
  const auto slope = [&](double macro_step_s) {
    return run(plan, configuration(Extrapolation::order_0), sine, macro_step_s).result.residual_j /
           macro_step_s;
  };
  const double with_remainder = slope(0.41e-3);
  const double between = (slope(1.0 / 70 / 35) + slope(1.0 / 70 / 34)) / 2;
  CHECK(with_remainder == doctest::Approx(between).epsilon(0.02));
  CHECK(macro_steps_in(1, 2e-4) == 5000);  // 1/2e-4 rounds to more than 5000
  CHECK(macro_steps_in(1, 3e-4) == 3334);
}

TEST_CASE("the macro-step loop allocates nothing") {
  // Two trials that differ in their number of macro-steps alone allocate equally often. 10 ms reach
  // behind the start-up of every extrapolation: 20 macro-steps.
  auto plan = crane("double_actuator_crane");
  plan.job.iteration.repeats = 2;  // a few: the iteration of some need not converge
  const auto allocations = [&](const Configuration& chosen, double until_s) {
    const auto before = macrostep::tests::allocation_count();
    run_trial(plan,
              {.configuration = &chosen, .test = &step, .macro_step_s = 5e-4, .until_s = until_s});
    return macrostep::tests::allocation_count() - before;
  };
  SUBCASE("with any integrator") {
    for (const auto hydraulics : {Integrator::forward_euler, Integrator::trapezoidal}) {
      for (const auto mechanics : {Integrator::i1al, Integrator::i3al}) {
        const auto chosen = configuration(Extrapolation::order_4, mechanics, hydraulics);
        CHECK(allocations(chosen, 0.01) == allocations(chosen, 0.2));
      }
    }
  }
  SUBCASE("in any scheme, with any extrapolation, with and without substeps") {
    for (const auto scheme : {Scheme::jacobi, Scheme::gauss_seidel, Scheme::iterative}) {
      for (const auto extrapolation : all_extrapolations) {
        for (const int substeps : {1, 2}) {
          auto chosen = configuration(extrapolation);
          chosen.scheme = scheme;
          chosen.substeps = {{"hydraulics", substeps}};
          CAPTURE(to_string(scheme));
          CAPTURE(to_string(extrapolation));
          CAPTURE(substeps);
          CHECK(allocations(chosen, 0.01) == allocations(chosen, 0.2));
        }
      }
    }
  }
}

TEST_CASE("a stop flag ends a trial as cancelled") {
  const auto plan = crane("single_actuator_crane");
  const auto chosen = configuration(Extrapolation::order_0);
  const std::atomic<bool> stop = true;
  const auto result = run_trial(
      plan, {.configuration = &chosen, .test = &step, .macro_step_s = 1e-3, .stop = &stop});
  CHECK(result.status == TrialStatus::cancelled);
  CHECK(result.macro_steps == 0);
}

TEST_CASE("the stop flag is read by work done, not by macro-steps") {
  // 1e5 micro-steps a macro-step: the flag rises in the first one and must end the trial soon
  // after.
  auto plan = crane("single_actuator_crane");
  const auto chosen = configuration(Extrapolation::order_0);
  plan.job.micro_steps = {{"hydraulics", 1e-8}};
  std::atomic<bool> stop = false;
  const auto result = run_trial(plan, {.configuration = &chosen,
                                       .test = &step,
                                       .macro_step_s = 1e-3,
                                       .stop = &stop,
                                       .trace = [&](const TracePoint&) { stop = true; }});
  CHECK(result.status == TrialStatus::cancelled);
  CHECK(result.macro_steps <= 4);
}

TEST_CASE("rounding is no energy") {
  const auto rest =
      run(crane("single_actuator_crane"), configuration(Extrapolation::order_1), quiet, 1e-3);
  CHECK(rest.result.transmitted_j == 0);
  CHECK_FALSE(rest.result.relative_residual());
}

TEST_CASE("integration of derivatives needs derivative outputs") {
  auto plan = crane("single_actuator_crane");
  for (auto& input : plan.graphs[0].inputs) {
    input.first_derivative.reset();
  }
  const auto result = run(plan, configuration(Extrapolation::i2), step, 1e-3).result;
  CHECK(result.status == TrialStatus::unsupported);
  CHECK(result.reason.find("derivative outputs") != std::string::npos);
}

TEST_CASE("a held external input is read once per macro-step") {
  // No macro-step of 0.7 ms begins at 0.5 s: a rig sees the step there 0.5 ms late.
  auto plan = crane("single_actuator_crane");
  const auto prompt = run(plan, configuration(Extrapolation::order_1), step, 7e-4);
  plan.problem.external_inputs[0].sampling = macrostep::models::Sampling::held;
  const auto late = run(plan, configuration(Extrapolation::order_1), step, 7e-4);
  CHECK(late.lengths.back() < prompt.lengths.back());
  CHECK(late.lengths.back() == doctest::Approx(prompt.lengths.back()).epsilon(1e-2));
}

TEST_CASE("the time of a trial leaves out the time in its trace") {
  using Clock = std::chrono::steady_clock;
  const auto plan = crane("single_actuator_crane");
  const auto chosen = configuration(Extrapolation::order_1);
  Clock::duration traced{};
  const auto started = Clock::now();
  const auto result = run_trial(plan, {.configuration = &chosen,
                                       .test = &quiet,
                                       .macro_step_s = 0.1,
                                       .until_s = 0.2,
                                       .trace = [&](const TracePoint&) {
                                         const auto begun = Clock::now();
                                         std::this_thread::sleep_for(std::chrono::milliseconds(1));
                                         traced += Clock::now() - begun;
                                       }});
  const std::chrono::duration<double> beside_trace = Clock::now() - started - traced;
  // True on any machine: one clock, and the trial lies within what is measured here. Rounding: 1
  // ns.
  CHECK(result.wall_s <= beside_trace.count() + 1e-9);
  CHECK(result.wall_s > 0);
}
