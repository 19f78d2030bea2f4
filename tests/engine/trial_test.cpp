#include "engine/trial.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <new>

#include "engine/catalogue.hpp"

using namespace macrostep::engine;
using macrostep::models::Integrator;

namespace {
std::atomic<long> allocations = 0;
}

// Counts every allocation of this test program.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) {
    return memory;
  }
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace {

Problem crane(const std::string& name) {
  return std::get<Problem>(find_built_in(name)->build({}));
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

Run run(const Problem& problem, const Configuration& configuration, const TestInput& test,
        double macro_step_s) {
  Run run;
  run.result = run_trial(problem, {.configuration = &configuration,
                                   .test = &test,
                                   .macro_step_s = macro_step_s,
                                   .trace = [&](const TracePoint& point) {
                                     run.lengths.push_back(point.outputs[0]);
                                   }});
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
  const auto problem = crane("single_actuator_crane");
  const auto coarse = run(problem, configuration(Extrapolation::order_2), step, 2e-4);
  const auto fine = run(problem, configuration(Extrapolation::order_2), step, 1e-4);
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
  const auto problem = crane("double_actuator_crane");
  for (const auto extrapolation :
       {Extrapolation::order_1, Extrapolation::order_2, Extrapolation::i2}) {
    const double at_200_us =
        run(problem, configuration(extrapolation), step, 2e-4).result.residual_j;
    const double at_50_us =
        run(problem, configuration(extrapolation), step, 5e-5).result.residual_j;
    CHECK(std::log(at_200_us / at_50_us) / std::log(4) == doctest::Approx(1).epsilon(0.1));
  }
}

TEST_CASE("every choice of integrators gives the same motion at a small macro-step") {
  // They differ by the first order of forward Euler at h = 0.1 ms: a few micrometres of 30 mm.
  const auto problem = crane("double_actuator_crane");
  const double reference =
      run(problem, configuration(Extrapolation::order_2), step, 2e-4).lengths.back();
  for (const auto mechanics : {Integrator::i1al, Integrator::i3al}) {
    for (const auto hydraulics : {Integrator::forward_euler, Integrator::trapezoidal}) {
      const auto other =
          run(problem, configuration(Extrapolation::order_2, mechanics, hydraulics), step, 2e-4);
      CHECK(std::abs(other.lengths.back() - reference) < 2e-5);
    }
  }
}

TEST_CASE("an unstable macro-step ends the trial with a reason") {
  const auto problem = crane("double_actuator_crane");
  const auto unstable = run(problem, configuration(Extrapolation::order_4), step, 4e-3);
  CHECK(unstable.result.status != TrialStatus::complete);
  CHECK(unstable.result.reason.find(" at 0.") != std::string::npos);
  CHECK(std::isfinite(unstable.result.residual_j));
}

TEST_CASE("a trial covers its duration exactly, whatever the remainder") {
  // 1 s in steps of 0.3 ms: 3334 macro-steps, of which the last lies to a third inside. E(H) is
  // smooth in H only because it counts for a third.
  const auto problem = crane("single_actuator_crane");
  const auto result = run(problem, configuration(Extrapolation::order_1), step, 3e-4).result;
  CHECK(result.macro_steps == 3334);
  CHECK(result.final_time_s == doctest::Approx(1.0002));
  CHECK(macro_steps_in(1, 2e-4) == 5000);  // 1/2e-4 rounds to more than 5000
}

TEST_CASE("the macro-step loop allocates nothing") {
  // Two trials that differ in their number of macro-steps alone allocate equally often.
  const auto problem = crane("double_actuator_crane");
  for (const auto hydraulics : {Integrator::forward_euler, Integrator::trapezoidal}) {
    for (const auto mechanics : {Integrator::i1al, Integrator::i3al}) {
      for (const auto extrapolation : {Extrapolation::order_4, Extrapolation::i2}) {
        const auto chosen = configuration(extrapolation, mechanics, hydraulics);
        const auto count = [&](double until_s) {
          const long before = allocations;
          run_trial(
              problem,
              {.configuration = &chosen, .test = &step, .macro_step_s = 5e-4, .until_s = until_s});
          return allocations - before;
        };
        CHECK(count(0.01) == count(0.2));
      }
    }
  }
}

TEST_CASE("a stop flag ends a trial as cancelled") {
  const auto problem = crane("single_actuator_crane");
  const auto chosen = configuration(Extrapolation::order_0);
  const std::atomic<bool> stop = true;
  const auto result = run_trial(
      problem, {.configuration = &chosen, .test = &step, .macro_step_s = 1e-3, .stop = &stop});
  CHECK(result.status == TrialStatus::cancelled);
  CHECK(result.macro_steps == 0);
}

TEST_CASE("integration of derivatives needs derivative outputs") {
  auto problem = crane("single_actuator_crane");
  for (auto& output : problem.subsystems[0].description.outputs) {
    output.derivative.reset();
  }
  const auto result = run(problem, configuration(Extrapolation::i2), step, 1e-3).result;
  CHECK(result.status == TrialStatus::unsupported);
  CHECK(result.reason.find("derivative outputs") != std::string::npos);
}

TEST_CASE("a held external input is read once per macro-step") {
  // The step at 0.5 s meets a macro-step of 3 ms at 0.501 s: a rig sees it up to a macro-step late.
  auto problem = crane("single_actuator_crane");
  const auto prompt = run(problem, configuration(Extrapolation::order_1), step, 7e-4);
  problem.external_inputs[0].sampling = macrostep::models::Sampling::held;
  const auto late = run(problem, configuration(Extrapolation::order_1), step, 7e-4);
  CHECK(late.lengths.back() < prompt.lengths.back());
  CHECK(late.lengths.back() == doctest::Approx(prompt.lengths.back()).epsilon(1e-2));
}
