#include "engine/plan/plan.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "engine/benchmarks/catalogue.hpp"
#include "tests/engine/plan/two_masses.hpp"

using namespace macrostep::engine;
using macrostep::tests::two_masses;

namespace {

Job crane() {
  return find_built_in("double_actuator_crane")->default_job;
}

FieldErrors errors_after(const std::function<void(Job&)>& change) {
  Job job = crane();
  change(job);
  const auto plan = make_plan(job);
  const auto* errors = std::get_if<FieldErrors>(&plan);
  return errors ? *errors : FieldErrors{};
}

/// Pointers of all errors after one change of a good job.
std::string pointers(const std::function<void(Job&)>& change) {
  std::string list;
  for (const auto& error : errors_after(change)) {
    list += (list.empty() ? "" : " ") + error.pointer;
  }
  return list;
}

/// The only error after one change of a good job, with its pointer.
std::string only_error(const std::function<void(Job&)>& change) {
  const auto errors = errors_after(change);
  REQUIRE(errors.size() == 1);
  return errors[0].pointer + ": " + errors[0].message;
}

}  // namespace

TEST_CASE("the default jobs are the searches of the paper") {
  for (const char* name : {"double_actuator_crane", "single_actuator_crane"}) {
    const auto& problem = *find_built_in(name);
    const auto plan = std::get<Plan>(make_plan(problem.default_job));
    CHECK(plan.configurations.size() == 24);
    CHECK(plan.curves.size() == 24 * 6);
  }
}

TEST_CASE("every mistake has its pointer") {
  CHECK(pointers([](Job&) {}) == "");
  CHECK(pointers([](Job& j) { j.problem = "tripple_crane"; }) == "/problem");
  CHECK(pointers([](Job& j) { j.parameters["hydraulics.volume"] = 1; }) ==
        "/parameters/hydraulics.volume");
  CHECK(pointers([](Job& j) { j.parameters["oil/~"] = 1; }) == "/parameters/oil~1~0");
  CHECK(pointers([](Job& j) { j.parameters["hydraulics.V_h1"] = -1; }) ==
        "/parameters/hydraulics.V_h1");
  CHECK(pointers([](Job& j) { j.parameters["hydraulics_2.p_20"] = 1e99; }) ==
        "/parameters/hydraulics_2.p_20");
  CHECK(pointers([](Job& j) { j.parameters["mechanics.theta_1"] = 99; }) ==
        "/parameters/mechanics.theta_1");
  CHECK(pointers([](Job& j) { j.micro_steps["hydraulics"] = -1e-4; }) == "/micro_steps/hydraulics");
  CHECK(pointers([](Job& j) { j.micro_steps["hydraulics"] = 1e308; }) == "/micro_steps/hydraulics");
  CHECK(pointers([](Job& j) { j.micro_steps["pump"] = 1e-4; }) == "/micro_steps/pump");
  CHECK(pointers([](Job& j) { j.space.couplings = {"force_force"}; }) == "/search/couplings/0");
  CHECK(pointers([](Job& j) { j.space.extrapolation.clear(); }) == "/search/extrapolation");
  CHECK(pointers([](Job& j) {
          j.space.integrators["mechanics"] = {macrostep::models::Integrator::forward_euler};
        }) == "/search/integrators/mechanics/0");
  CHECK(pointers([](Job& j) { j.space.integrators.erase("hydraulics"); }) == "/search/integrators");
  CHECK(pointers([](Job& j) {
          j.macro_step.initial_s = 2;
          j.macro_step.maximum_s = 3;
        }).starts_with("/search/macro_step/initial_s"));
  CHECK(pointers([](Job& j) { j.macro_step.increment_s = 0; }) == "/search/macro_step/increment_s");
  CHECK(pointers([](Job& j) { j.macro_step.maximum_s = 1e-4; }) == "/search/macro_step/maximum_s");
  CHECK(pointers([](Job& j) { j.macro_step.increment_s = 3e-12; }) == "/search/macro_step");
  CHECK(pointers([](Job& j) { j.linear_region.tolerance = 0; }) ==
        "/search/linear_region/tolerance");
  CHECK(pointers([](Job& j) { j.linear_region.points = 1; }) == "/search/linear_region/points");
  CHECK(pointers([](Job& j) {
          j.allowed_macro_steps_s = {1e-3, -1};
        }) == "/search/allowed_macro_steps_s/1");
  CHECK(pointers([](Job& j) { j.tests.clear(); }) == "/tests");
  CHECK(pointers([](Job& j) { j.tests[1].name = "step"; }) == "/tests/1/name");
  CHECK(pointers([](Job& j) { j.tests[2].width_s = 2; }) == "/tests/2/width_s");
  CHECK(pointers([](Job& j) { j.tests[3].frequency_hz = 0; }) == "/tests/3/frequency_hz");
  CHECK(pointers([](Job& j) { j.tests[0].inputs = {"hydraulics.u"}; }) == "/tests/0/inputs/0");
  CHECK(pointers([](Job& j) {
          j.tests[0].duration_s = std::numeric_limits<double>::infinity();
        }).find("/tests/0/duration_s") != std::string::npos);
}

TEST_CASE("a session is no shorter than a macro-step") {
  CHECK(pointers([](Job& j) { j.session_s = 1e-300; }) == "/session_s");
  CHECK(pointers([](Job& j) { j.session_s = 0; }) == "/session_s");
  CHECK(pointers([](Job& j) { j.session_s = j.macro_step.initial_s; }).empty());
}

TEST_CASE("a limit on the relative residual is a share") {
  CHECK(pointers([](Job& j) { j.relative_residual_max = 2; }) == "/search/relative_residual_max");
  CHECK(pointers([](Job& j) { j.relative_residual_max = 1; }).empty());
}

TEST_CASE("all mistakes are found at once") {
  CHECK(pointers([](Job& j) {
          j.micro_steps["hydraulics"] = 0;
          j.macro_step.initial_s = -1;
          j.minimum_macro_steps = 0;
        }) == "/micro_steps/hydraulics /search/macro_step/initial_s /search/minimum_macro_steps");
}

TEST_CASE("mistakes of the problem and of the search are found together") {
  CHECK(pointers([](Job& j) {
          j.parameters = {{"mechanics.L", -1}, {"hydraulics.d_t", -1}};
          j.macro_step.maximum_s = 0;
          j.tests[2].width_s.reset();
        }) ==
        "/parameters/mechanics.L /parameters/hydraulics.d_t /tests/2/width_s "
        "/search/macro_step/maximum_s");
}

TEST_CASE("of a problem that cannot be built, all that does not depend on it is checked") {
  CHECK(pointers([](Job& j) {
          j.parameters = {{"mechanics.L", -1}};
          j.micro_steps["hydraulics"] = 0;
          j.substeps["hydraulics"] = 0;
          j.space.extrapolation.clear();
          j.space.corrections.push_back(j.space.corrections.front());
          j.space.correction_parameters.nu = 2;
          j.space.integrators["hydraulics"].clear();
          j.space.orders = {{"hydraulics_1"}, {"hydraulics_1"}};
          j.iteration.maximum = 0;
        }) ==
        "/parameters/mechanics.L /micro_steps/hydraulics /substeps/hydraulics "
        "/search/extrapolation /search/corrections /search/correction_parameters/nu "
        "/search/integrators/hydraulics /search/orders /search/iteration/maximum");
  // Names in an unknown problem cannot be checked.
  CHECK(pointers([](Job& j) {
          j.parameters = {{"mechanics.L", -1}};
          j.micro_steps["pump"] = 1e-4;
          j.space.couplings = {"force_force"};
          j.space.integrators.erase("hydraulics");
          j.space.schemes = {Scheme::gauss_seidel};
          j.space.orders = {{"pump"}};
        }) == "/parameters/mechanics.L");
}

TEST_CASE("trials with an end of their own are checked against it instead of the tests") {
  const auto errors_until = [](double until_s, double macro_step_s, double micro_step_s) {
    Job job = crane();  // tests of a second and more
    job.macro_step = {
        .initial_s = macro_step_s, .increment_s = macro_step_s, .maximum_s = macro_step_s};
    job.micro_steps = {{"hydraulics", micro_step_s}};
    const auto plan = make_plan(job, until_s);
    std::string text;
    if (const auto* errors = std::get_if<FieldErrors>(&plan)) {
      for (const auto& error : *errors) {
        text += error.pointer + ": " + error.message + "\n";
      }
    } else {
      CHECK(std::get<Plan>(plan).until_s == until_s);
    }
    return text;
  };
  CHECK(errors_until(1e-6, 1e-9, 1e-4) == "");  // in a second they were 1e9 macro-steps
  CHECK(errors_until(20, 2, 1e-4) == "");       // longer than a test
  CHECK(errors_until(5e-4, 1e-3, 1e-4) == "/until_s: is shorter than one macro-step (0.001 s)\n");
  CHECK(errors_until(2e5, 1e-3, 1) ==
        "/until_s: would take 2e+08 macro-steps in one trial; the limit is 1e+08: end earlier, or "
        "take longer ones\n");
  CHECK(
      errors_until(1e6, 1, 1e-4) ==
      "/until_s: would take 1e+10 micro-steps of hydraulics in one trial; the limit is 1e+09: end "
      "earlier, or take longer ones\n");
}

TEST_CASE("what would take too much memory or time is refused before it is expanded") {
  const auto add_tests = [](Job& j, std::size_t count) {
    while (j.tests.size() < count) {
      j.tests.push_back({.name = "s" + std::to_string(j.tests.size()), .kind = TestKind::step});
    }
  };
  CHECK(only_error([](Job& j) {
          j.micro_steps["hydraulics"] = 1e-10;
        }).starts_with("/micro_steps/hydraulics: would take 1e+10 micro-steps in one trial"));
  CHECK(only_error([](Job& j) {
          j.micro_steps["hydraulics"] = 1e-8;
        }).starts_with("/micro_steps/hydraulics: would take 2e+06 micro-steps in the largest"));
  CHECK(only_error([&](Job& j) { add_tests(j, 1001); }) ==
        "/tests: holds more than 1000 test inputs");
  // 24 configurations with Jacobi, and with the six orders of three subsystems 13 times as many.
  const auto all_orders = [](Job& j) {
    j.space.schemes = {all_schemes.begin(), all_schemes.end()};
    std::vector<std::string> order{"hydraulics_1", "hydraulics_2", "mechanics"};
    do {
      j.space.orders.push_back(order);
    } while (std::ranges::next_permutation(order).found);
  };
  CHECK(only_error([&](Job& j) {
          all_orders(j);
          add_tests(j, 1000);
        }).starts_with("/tests: makes 3.12e+05 curves of configurations and tests"));
  CHECK(only_error([](Job& j) {
          j.macro_step.increment_s = 1e-7;
          j.macro_step.maximum_s = 0.1;
        }).starts_with("/search/macro_step: could take "));
  CHECK(
      only_error([&](Job& j) {
        j.problem = "n_mass_oscillator";
        j.parameters = {{"n", 7}};
        j.micro_steps.clear();
        j.space.couplings = {"force_displacement"};
        j.space.integrators = {{"parts", {macrostep::models::Integrator::exact}},
                               {"last", {macrostep::models::Integrator::exact}}};
        j.space.schemes = {Scheme::gauss_seidel};
        std::vector<std::string> order{"m1", "m2", "m3", "m4", "m5", "m6", "m7"};
        do {
          j.space.orders.push_back(order);
        } while (std::ranges::next_permutation(order).found);
      }).starts_with("/search: spans 3.024e+04 configurations"));  // 7! orders of 6 extrapolations
}

TEST_CASE("a group's parameter holds for its members, a member's own for itself") {
  Job job = crane();
  job.parameters = {{"hydraulics.p_20", 3e6}, {"hydraulics_2.d_2", 0.2}};
  const auto plan = make_plan(job);
  const auto& errors = std::get<FieldErrors>(plan);
  REQUIRE(errors.size() == 1);
  CHECK(errors[0].pointer == "/parameters/hydraulics_2.d_2");
}

namespace {

std::string first_error(const std::function<void(OwnProblem&)>& change) {
  Job job = two_masses();
  change(*job.own_problem);
  const auto plan = make_plan(job);
  const auto* errors = std::get_if<FieldErrors>(&plan);
  return errors ? errors->front().pointer + ": " + errors->front().message : "";
}

}  // namespace

TEST_CASE("a problem of the user's own is planned like a built-in one") {
  const auto plan = std::get<Plan>(make_plan(two_masses()));
  CHECK(plan.problem.subsystems().size() == 2);
  CHECK(plan.curves.size() == 2);
}

TEST_CASE("mistakes in a problem of the user's own have pointers below /problem") {
  CHECK(first_error([](OwnProblem&) {}) == "");
  CHECK(first_error([](OwnProblem& p) {
          p.subsystems[0].state_space.a.resize(1, 2);
        }).starts_with("/problem/subsystems/0/state_space/A: must be square"));
  CHECK(first_error([](OwnProblem& p) { p.connections[1].from.port = "speed"; }) ==
        "/problem/connections/1/from: subsystem 'm2' has no output 'speed'; it has: x, v");
  CHECK(first_error([](OwnProblem& p) {
          p.connections.pop_back();
        }).starts_with("/problem/connections: input 'm2.f' is not connected"));
  CHECK(first_error([](OwnProblem& p) { p.connections.push_back(p.connections[0]); }) ==
        "/problem/connections/3/to: input 'm1.x' has two sources: /problem/connections/0 and this "
        "one");
  CHECK(first_error([](OwnProblem& p) {
          p.connections.push_back({{"m2", "v"}, {"m1", "w"}});
        }) ==
        "/problem/external_inputs/0/to: input 'm1.w' has two sources: /problem/connections/3 and "
        "this one");
  CHECK(first_error([](OwnProblem& p) {
          p.external_inputs[0].to.port = "force";
        }).starts_with("/problem/connections: input 'm1.w' is not connected"));
  CHECK(first_error([](OwnProblem& p) {
          p.external_inputs[0].minimum = p.external_inputs[0].maximum = 0;
        }).starts_with("/problem/external_inputs/0: needs a minimum and a maximum"));
  CHECK(first_error([](OwnProblem& p) { p.power_bonds.clear(); }) ==
        "/problem/power_bonds: coupling 'default' has no power bond to watch; `macrostep fmu job "
        "FILE` proposes some");
  CHECK(first_error([](OwnProblem& p) {
          p.subsystems[1].name = "m1";
        }).starts_with("/problem/subsystems/1/name"));
}

TEST_CASE("the schedules of a plan are those of its configurations, others are worked out") {
  auto job = find_built_in("linear_oscillator")->default_job;
  job.space.schemes = {Scheme::jacobi, Scheme::gauss_seidel};
  const auto plan = std::get<Plan>(make_plan(job));
  REQUIRE(plan.schedules.size() == plan.configurations.size());
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    const Configuration copy = plan.configurations[c];  // elsewhere: its schedule is worked out
    const auto& stored = std::get<Schedule>(plan.schedules[c]);
    const auto made = std::get<Schedule>(schedule_of(plan, copy));
    CHECK(plan.can_run(c));
    CHECK(made.ticks == stored.ticks);
    CHECK(made.substep_ticks == stored.substep_ticks);
    CHECK(made.actions.size() == stored.actions.size());
  }
  auto halved = plan.configurations.front();
  halved.substeps = {{"m2", 2}};
  CHECK(std::get<Schedule>(schedule_of(plan, halved)).ticks == 2);
}

TEST_CASE("an input and what a variant makes of it are found by their places") {
  auto plan = std::get<Plan>(make_plan(crane()));
  const auto inputs = plan.inputs();
  REQUIRE(inputs.size() > plan.job.tests.size());
  for (std::size_t place = 0; place < inputs.size(); ++place) {
    CHECK(plan.input(place) == inputs[place]);
  }
  CHECK(plan.input(inputs.size()) == nullptr);

  const auto variants = plan.variants();
  REQUIRE(variants.size() > 1);
  for (std::size_t place = 1; place < variants.size(); ++place) {
    const auto& [input, perturbed, disturbed, nudged] = variants[place];
    CHECK(disturbed == (place >= plan.disturbed_variant()));
    CHECK(nudged == (place == plan.nudged_variant()));
    CHECK(plan.perturbed(input, place) == (disturbed ? plan.input(input) : perturbed));
    CHECK((plan.perturbed(input + 1, place) != nullptr) == disturbed);
  }
  CHECK(plan.perturbed(0, 0) == plan.input(0));
  CHECK(plan.perturbed(variants.back().input, variants.size()) == nullptr);
}

TEST_CASE("every external input jumps, those beyond the first few at once") {
  auto plan = std::get<Plan>(make_plan(crane()));
  const auto first = plan.problem.external_inputs.front();
  std::vector<ExternalInput> many(7, first);
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i].to.port = "w" + std::to_string(i);
  }
  plan.problem.external_inputs = many;
  const auto jumps = check_inputs(plan.problem, plan.job.tests, {}).jumps;
  std::set<std::string> moved;
  for (const auto& jump : jumps) {
    moved.insert(jump.inputs.begin(), jump.inputs.end());
  }
  CHECK(moved.size() == many.size());
  const auto& together = jumps.back();
  REQUIRE(together.inputs.size() == 3);
  std::set<double> shares;
  for (const auto& input : many) {
    if (together.records.contains(input.to.text())) {
      const double end = signal(together, input).value(1);
      CHECK(end != input.initial);
      shares.insert(end);
    }
  }
  CHECK(shares.size() == together.inputs.size());
}
