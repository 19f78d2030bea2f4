// Schemes on two masses coupled by a spring (tests/engine/plan/two_masses.hpp), against the matrix
// exponential of the coupled system.
#include <doctest/doctest.h>

#include <Eigen/Core>
#include <cmath>

#include "engine/trial/trial.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/matrix_exponential.hpp"

using namespace macrostep::engine;
using macrostep::tests::planned;
namespace tests = macrostep::tests;
using macrostep::models::Integrator;

namespace {

constexpr double duration_s = 0.5;
const TestInput free_motion{.name = "none", .kind = TestKind::none, .duration_s = duration_s};

Plan fine_masses() {
  auto job = macrostep::tests::two_masses();
  job.micro_steps = {{"m1", 1e-5}, {"m2", 1e-5}};
  return planned(job);
}

Configuration configuration(Scheme scheme, Extrapolation extrapolation = Extrapolation::order_0) {
  return {.coupling = own_coupling,
          .scheme = scheme,
          .extrapolation = extrapolation,
          .integrators = {{"m1", Integrator::trapezoidal}, {"m2", Integrator::trapezoidal}}};
}

struct SchemeRun {
  TrialResult result;
  double x2 = 0;  ///< at the end
};

SchemeRun run(const Plan& plan, const Configuration& configuration, double macro_step_s) {
  SchemeRun run;
  run.result =
      run_trial(plan, {.configuration = &configuration,
                       .test = &free_motion,
                       .macro_step_s = macro_step_s,
                       .trace = [&](const TracePoint& point) { run.x2 = point.outputs[1]; }});
  return run;
}

/// x2 at the end, of ẍ1 = −10 x1 − 100 (x1 − x2), ẍ2 = −1000 x2 + 100 (x1 − x2).
double exact_x2() {
  const Eigen::Matrix4d a{{0, 1, 0, 0}, {-110, 0, 100, 0}, {0, 0, 0, 1}, {100, 0, -1100, 0}};
  const Eigen::Vector4d start(0, 1, 0, -1);
  return (tests::matrix_exponential(a * duration_s) * start)[2];
}

double error(const Plan& plan, const Configuration& configuration, double macro_step_s) {
  const auto end = run(plan, configuration, macro_step_s);
  REQUIRE(end.result.status == TrialStatus::complete);
  return std::abs(end.x2 - exact_x2());
}

}  // namespace

TEST_CASE("every scheme converges to the coupled system with its declared order") {
  // Held inputs lag by H/2 (order 0: error O(H)); through the newest value of the source a
  // Gauss-Seidel input leads by as much. Order 1 leaves O(H²). The trapezoidal subsystems add 1e-8.
  // The next term of the series is a share of O(H ω) of the first, some percent at these H.
  const auto plan = fine_masses();
  for (const auto scheme : {Scheme::jacobi, Scheme::gauss_seidel, Scheme::iterative}) {
    for (const auto extrapolation : {Extrapolation::order_0, Extrapolation::order_1}) {
      const auto chosen = configuration(scheme, extrapolation);
      CAPTURE(describe(chosen));
      const double slope = std::log2(error(plan, chosen, 2e-3) / error(plan, chosen, 1e-3));
      CHECK(slope > order(extrapolation) + 0.7);
      CHECK(slope < order(extrapolation) + 1.3);
    }
  }
}

TEST_CASE("the order of the subsystems matters to Gauss-Seidel and not to Jacobi") {
  const auto plan = fine_masses();
  const auto end = [&](Scheme scheme, std::vector<std::string> order) {
    auto chosen = configuration(scheme);
    chosen.order = std::move(order);
    return run(plan, chosen, 2e-3).x2;
  };
  CHECK(end(Scheme::gauss_seidel, {"m1", "m2"}) != end(Scheme::gauss_seidel, {"m2", "m1"}));
  CHECK(end(Scheme::gauss_seidel, {"m1", "m2"}) == end(Scheme::gauss_seidel, {}));
  CHECK(end(Scheme::jacobi, {"m2", "m1"}) == end(Scheme::jacobi, {}));
}

TEST_CASE("the iteration error falls with the tolerance, and with it the energy residual") {
  // At the fixed point the inputs applied at the end are the exchanged outputs: no residual power.
  auto plan = fine_masses();
  const auto chosen = configuration(Scheme::iterative, Extrapolation::order_1);
  plan.job.iteration = {.tolerance = 1e-13, .maximum = 100};
  const double settled = run(plan, chosen, 2e-3).x2;
  double last = 1;
  for (const double tolerance : {1e-3, 1e-6, 1e-9}) {
    plan.job.iteration = {.tolerance = tolerance};
    const auto end = run(plan, chosen, 2e-3);
    const double iteration_error = std::abs(end.x2 - settled);
    CHECK(iteration_error < 0.1 * last);
    CHECK(*end.result.relative_residual() < 10 * tolerance);
    last = iteration_error;
  }
}

TEST_CASE("a fixed number of repeats lies between Gauss-Seidel and the settled iteration") {
  auto plan = fine_masses();
  const auto chosen = configuration(Scheme::iterative, Extrapolation::order_1);
  plan.job.iteration = {.repeats = 0};
  CHECK(run(plan, chosen, 2e-3).x2 ==
        run(plan, configuration(Scheme::gauss_seidel, Extrapolation::order_1), 2e-3).x2);
  plan.job.iteration = {.tolerance = 1e-13, .maximum = 100};
  const double settled = run(plan, chosen, 2e-3).x2;
  double last = 1;
  for (const int repeats : {1, 2, 4}) {
    plan.job.iteration = {.repeats = repeats};
    const double distance = std::abs(run(plan, chosen, 2e-3).x2 - settled);
    CHECK(distance < last);
    last = distance;
  }
}

TEST_CASE("an iteration that does not converge fails the trial and says so") {
  auto plan = fine_masses();
  plan.job.iteration = {.tolerance = 1e-13, .maximum = 1};
  const auto end = run(plan, configuration(Scheme::iterative), 5e-3);
  CHECK(end.result.status == TrialStatus::solver_failed);
  CHECK(end.result.reason.find("did not converge") != std::string::npos);
}

TEST_CASE("substeps of one subsystem change nothing but what it sees in between") {
  // m2 in 4 substeps of a macro-step of 2 ms: its held input stays the same over the macro-step as
  // m1 speaks every 2 ms, so that the trapezoidal rule takes the same micro-steps.
  const auto plan = fine_masses();
  auto chosen = configuration(Scheme::jacobi);
  const double once = run(plan, chosen, 2e-3).x2;
  chosen.substeps = {{"m2", 4}};
  CHECK(run(plan, chosen, 2e-3).x2 == doctest::Approx(once).epsilon(1e-9));
  // In 4 substeps both exchange every 0.5 ms, as with a macro-step of 0.5 ms.
  chosen.substeps = {{"m1", 4}, {"m2", 4}};
  CHECK(run(plan, chosen, 2e-3).x2 ==
        doctest::Approx(run(plan, configuration(Scheme::jacobi), 5e-4).x2).epsilon(1e-9));
}

TEST_CASE("a continuous input over substeps is closer to the truth than a held one") {
  auto plan = fine_masses();
  auto chosen = configuration(Scheme::jacobi, Extrapolation::order_1);
  chosen.substeps = {{"m2", 4}};
  plan.job.within_substep = WithinSubstep::held;
  const double held = error(plan, chosen, 2e-3);
  plan.job.within_substep = WithinSubstep::continuous;
  const double continuous = error(plan, chosen, 2e-3);
  CHECK(continuous < held);
  CHECK(continuous ==
        doctest::Approx(error(plan, configuration(Scheme::jacobi, Extrapolation::order_1), 2e-3))
            .epsilon(1e-3));
}

TEST_CASE("a delayed connection brings older values: the spring adds energy") {
  // A force that lags by d macro-steps behind the motion drives it: the error grows with d.
  double last = 0;
  for (const int delay : {0, 1, 4}) {
    auto job = macrostep::tests::two_masses();
    job.micro_steps = {{"m1", 1e-4}, {"m2", 1e-4}};
    job.own_problem->connections[2].delay_macro_steps = delay;
    const double now = error(planned(job), configuration(Scheme::jacobi), 1e-3);
    CHECK(now > 1.5 * last);
    last = now;
  }
}

TEST_CASE("derivatives of delayed values are refused with the reason") {
  auto plan = fine_masses();
  for (auto& input : plan.graphs[0].inputs) {
    input.first_derivative = 0;
    input.delay_macro_steps = 1;
  }
  const auto end = run(plan, configuration(Scheme::jacobi, Extrapolation::i1), 1e-3);
  CHECK(end.result.status == TrialStatus::unsupported);
  CHECK(end.result.reason.find("delay_macro_steps") != std::string::npos);
}

TEST_CASE("orders, substeps and iterations that cannot be are refused at their members") {
  const auto errors = [](auto change) {
    auto job = macrostep::tests::two_masses();
    job.space.schemes = {Scheme::gauss_seidel};
    change(job);
    std::string list;
    const auto plan = make_plan(job);
    if (const auto* found = std::get_if<FieldErrors>(&plan)) {
      for (const auto& error : *found) {
        list += error.pointer + " ";
      }
    }
    return list;
  };
  CHECK(errors([](Job& job) { job.space.orders = {{"m2", "m1"}}; }) == "");
  CHECK(errors([](Job& job) { job.space.orders = {{"m2", "m2"}}; }) == "/search/orders/0 ");
  CHECK(errors([](Job& job) { job.space.orders = {{"m2"}}; }) == "/search/orders/0 ");
  CHECK(errors([](Job& job) {
          job.space.orders = {{"m2", "m1"}};
          job.space.schemes = {Scheme::jacobi};
        }) == "/search/orders ");  // Jacobi has none
  CHECK(errors([](Job& job) { job.substeps = {{"m1", 0}}; }) == "/substeps/m1 ");
  CHECK(errors([](Job& job) { job.substeps = {{"m3", 2}}; }) == "/substeps/m3 ");
  CHECK(errors([](Job& job) { job.iteration.tolerance = 0; }) == "/search/iteration/tolerance ");
  CHECK(errors([](Job& job) {
          job.own_problem->power_bonds[0].flow = {{"m2", "x"}};
        }) == "/problem/power_bonds/0 ");  // N × m is no power
}

TEST_CASE("every order is a configuration of Gauss-Seidel, and none of Jacobi") {
  auto job = macrostep::tests::two_masses();
  job.space.extrapolation = {Extrapolation::order_0};
  job.space.schemes = {Scheme::jacobi, Scheme::gauss_seidel};
  job.space.orders = {{"m1", "m2"}, {"m2", "m1"}};
  const auto plan = planned(job);
  REQUIRE(plan.configurations.size() == 3);
  CHECK(plan.configurations[0].order.empty());
  CHECK(plan.configurations[2].order.front() == "m2");
}
