#include "engine/study/draw_problem.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <variant>

#include "engine/base/random.hpp"
#include "engine/benchmarks/catalogue.hpp"
#include "engine/plan/plan.hpp"
#include "engine/plan/random_input.hpp"
#include "engine/stability/stability.hpp"
#include "engine/study/linear_problem.hpp"
#include "engine/study/physical_families.hpp"
#include "models/subsystem/ensure.hpp"

namespace macrostep::engine {

namespace {

/// 11 linear problems to 9 that are not, three of these switching; large ones cost the most. Then
/// seven linear ones. New families go to the end, so that the first numbers draw what they drew.
constexpr std::array family_cycle{Family::pair,
                                  Family::chain,
                                  Family::nonlinear_oscillator,
                                  Family::star,
                                  Family::end_stops,
                                  Family::undamped,
                                  Family::pendula,
                                  Family::pair,
                                  Family::star,
                                  Family::switching_valve,
                                  Family::single_crane,
                                  Family::undamped,
                                  Family::backlash,
                                  Family::pipes,
                                  Family::nonlinear_oscillator,
                                  Family::star,
                                  Family::chain,
                                  Family::manipulator,
                                  Family::pair,
                                  Family::double_crane,
                                  Family::thermal,
                                  Family::rlc_ladder,
                                  Family::gear_train,
                                  Family::road_vehicle,
                                  Family::motor_shaft,
                                  Family::swing,
                                  Family::hydraulic_line};

constexpr int most_attempts = 50;

/// Parameters at random until the problem accepts them.
template <class Draw>
void draw_built_in(Random& random, StudyProblem& problem, const char* name, const Draw& draw) {
  const auto* built_in = find_built_in(name);
  problem.job = built_in->default_job;
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    problem.job.parameters = draw(random);
    const auto built = built_in->build(problem.job.parameters);
    if (std::holds_alternative<Problem>(built)) {
      return;
    }
  }
  models::ensure(false, "the ranges of a family hold problems that can be built");
}

/// Each by up to half of its default, more or less.
std::map<std::string, double> varied(Random& random, const char* problem,
                                     std::span<const char* const> paths) {
  std::map<std::string, double> values;
  for (const auto& info : find_built_in(problem)->parameters) {
    if (std::ranges::find(paths, info.path) != paths.end()) {
      values[info.path] =
          std::clamp(info.default_value * random.uniform(0.5, 1.5), info.minimum, info.maximum);
    }
  }
  return values;
}

void draw_pipes(Random& random, StudyProblem& problem) {
  constexpr std::array paths{"pipe.omega_0", "pipe.zeta", "pipe.omega_0_tau", "pipe.Z"};
  draw_built_in(random, problem, "pipe_volume",
                [&](Random& r) { return varied(r, "pipe_volume", paths); });
  problem.description = "pipe_volume, parameters ± 50 %";
}

void draw_nonlinear_oscillator(Random& random, StudyProblem& problem) {
  draw_built_in(random, problem, "nonlinear_oscillator", [](Random& r) {
    std::map<std::string, double> values;
    for (const std::string mass : {"m1", "m2"}) {
      values[mass + ".m"] = r.log_uniform(0.3, 3);
      values[mass + ".k"] = r.log_uniform(10, 1000);
      values[mass + ".c"] = r.log_uniform(0.05, 2);
      values[mass + ".n_s"] = r.uniform(0.5, 2);
      values[mass + ".n_d"] = r.uniform(1, 2);
      values[mass + ".v0"] = r.uniform(-20, 20);
    }
    values["coupling.k_c"] = r.log_uniform(10, 1000);
    values["coupling.c_c"] = r.log_uniform(0.05, 2);
    values["coupling.n_s"] = r.uniform(0.5, 2);
    values["coupling.n_d"] = r.uniform(1, 2);
    return values;
  });
  problem.description = "nonlinear_oscillator, random characteristics";
}

/// An oscillator that is linear but for its contacts, of which `contacts` draws the parameters.
template <class Contacts>
void draw_contact(Random& random, StudyProblem& problem, const char* what,
                  const Contacts& contacts) {
  draw_built_in(random, problem, "nonlinear_oscillator", [&](Random& r) {
    std::map<std::string, double> values{{"coupling.k_c", r.log_uniform(10, 1000)},
                                         {"coupling.c_c", r.log_uniform(1, 10)},
                                         {"coupling.n_s", 1},
                                         {"coupling.n_d", 1}};
    for (const std::string mass : {"m1", "m2"}) {
      values[mass + ".m"] = r.log_uniform(0.3, 3);
      values[mass + ".k"] = r.log_uniform(10, 1000);
      values[mass + ".c"] = r.log_uniform(1, 10);
      values[mass + ".n_s"] = 1;
      values[mass + ".n_d"] = 1;
      values[mass + ".v0"] = r.uniform(-5, 5);
    }
    contacts(r, values);
    return values;
  });
  auto& job = problem.job;
  for (const char* mass : {"m1", "m2"}) {
    job.space.integrators[mass] = {models::Integrator::rk4};
    job.micro_steps[mass] = 2e-4;  // a contact lasts from 5 ms on
  }
  job.tests.erase(job.tests.begin());  // the free motion: all tests begin with it
  job.space.couplings = {job.space.couplings[static_cast<std::size_t>(random.whole(0, 2))]};
  problem.description = std::string("oscillator with ") + what + ", " + job.space.couplings.front();
}

void draw_end_stops(Random& random, StudyProblem& problem) {
  draw_contact(random, problem, "end stops", [](Random& r, auto& values) {
    const bool both = r.chance(0.5);
    for (const std::string mass : {"m1", "m2"}) {
      if (both || mass == "m1") {
        values[mass + ".x_stop"] = r.log_uniform(0.2, 1);
        values[mass + ".k_stop"] = r.log_uniform(1e4, 1e5);
        values[mass + ".lambda_stop"] = r.log_uniform(0.01, 0.3);
      }
    }
  });
}

void draw_backlash(Random& random, StudyProblem& problem) {
  draw_contact(random, problem, "backlash",
               [](Random& r, auto& values) { values["coupling.gap"] = r.log_uniform(0.02, 0.5); });
}

void draw_switching_valve(Random& random, StudyProblem& problem) {
  constexpr std::array paths{"mechanics.m",  "mechanics.k",   "mechanics.d",
                             "mechanics.A",  "mechanics.p_0", "hydraulics.V",
                             "hydraulics.B", "hydraulics.G",  "hydraulics.c_v"};
  constexpr auto name = "relief_valve";
  draw_built_in(random, problem, name, [&](Random& r) {
    auto values = varied(r, name, paths);
    values["hydraulics.p_open"] = values["mechanics.p_0"] * r.uniform(1.1, 1.8);
    values["hydraulics.p_full"] = values["hydraulics.p_open"] * r.uniform(1.01, 1.1);
    return values;
  });
  problem.description = "relief_valve, parameters ± 50 %";
}

void draw_pendula(Random& random, StudyProblem& problem) {
  draw_built_in(random, problem, "coupled_pendula", [](Random& r) {
    std::map<std::string, double> values;
    for (const std::string mass : {"m1", "m2"}) {
      values[mass + ".m"] = r.log_uniform(0.3, 3);
      values[mass + ".l"] = r.uniform(1, 3);
      values[mass + ".theta"] = r.uniform(-1, 1);
    }
    values["coupling.k_c"] = r.log_uniform(3, 300);
    values["coupling.c_c"] = r.log_uniform(0.03, 3);
    return values;
  });
  problem.description = "coupled_pendula, random parameters";
}

constexpr std::array actuator_paths{
    "mechanics.m",    "mechanics.m_p",   "mechanics.m_h",   "hydraulics.k_d",
    "hydraulics.c_d", "hydraulics.rho",  "hydraulics.B_o",  "hydraulics.B_c",
    "hydraulics.B_h", "hydraulics.V_h1", "hydraulics.V_h2", "hydraulics.V_h3",
    "hydraulics.c",   "hydraulics.d_t",  "hydraulics.C_v",  "hydraulics.f_45"};

void draw_crane(Random& random, StudyProblem& problem, const char* name) {
  using enum Extrapolation;
  draw_built_in(random, problem, name, [&](Random& r) { return varied(r, name, actuator_paths); });
  auto& space = problem.job.space;
  space.extrapolation = {order_0, order_1, order_2, order_3, i2};
  space.integrators = {{"mechanics", {models::Integrator::i1al}},
                       {"hydraulics", {models::Integrator::forward_euler}}};
  // With the 0.1 ms of the default the integrator alone lets some of these oils oscillate.
  problem.job.micro_steps["hydraulics"] = 5e-5;
  problem.job.tests.resize(4);  // the faster sines hold too few macro-steps to count
  problem.description = std::string(name) + ", parameters ± 50 %";
}

void draw_manipulator(Random& random, StudyProblem& problem) {
  constexpr std::array paths{"mechanics.m",    "mechanics.m_p",  "mechanics.m_h",
                             "hydraulics.a_p", "hydraulics.c",   "hydraulics.c_d",
                             "hydraulics.rho", "hydraulics.A_v", "hydraulics.a"};
  constexpr auto name = "hydraulic_manipulator";
  draw_built_in(random, problem, name, [&](Random& r) { return varied(r, name, paths); });
  const auto* built_in = find_built_in(name);
  const auto built = built_in->build(problem.job.parameters);
  problem.job.tests = default_tests(*built_in, std::get<Problem>(built));
  problem.job.tests.resize(4);  // without the manoeuvres: they are what judges the recommendation
  problem.description = "hydraulic_manipulator, parameters ± 50 %";
}

/// Times of what the user of a built-in problem does with it.
RandomTimes random_times(Family family) {
  switch (family) {
    case Family::pipes:
      return {.shortest_s = 1e-3, .duration_s = 0.1};
    case Family::nonlinear_oscillator:
    case Family::end_stops:
    case Family::backlash:
      return {.shortest_s = 0.2, .duration_s = 6};
    case Family::switching_valve:
      return {.shortest_s = 0.02, .duration_s = 1};
    case Family::pendula:
      // Driven harder they go over the top, and no two runs of a chaotic motion agree.
      return {.shortest_s = 0.5, .duration_s = 20, .share = 0.2};
    case Family::single_crane:
    case Family::double_crane:
      return {.shortest_s = 0.1, .duration_s = 3};
    case Family::manipulator:
      // Over its whole range the spool would drive the arm to where it has no lever.
      return {.shortest_s = 0.2, .duration_s = 6, .share = 0.3};
    default:  // the inputs of the others are drawn with their jobs
      models::ensure(false, "a family of built-in problems");
      return {};
  }
}

void draw_of_family(Random& random, Family family, StudyProblem& problem) {
  switch (family) {
    case Family::pipes:
      return draw_pipes(random, problem);
    case Family::nonlinear_oscillator:
      return draw_nonlinear_oscillator(random, problem);
    case Family::pendula:
      return draw_pendula(random, problem);
    case Family::single_crane:
      return draw_crane(random, problem, "single_actuator_crane");
    case Family::double_crane:
      return draw_crane(random, problem, "double_actuator_crane");
    case Family::manipulator:
      return draw_manipulator(random, problem);
    case Family::end_stops:
      return draw_end_stops(random, problem);
    case Family::backlash:
      return draw_backlash(random, problem);
    case Family::switching_valve:
      return draw_switching_valve(random, problem);
    case Family::pair:
    case Family::chain:
    case Family::star:
    case Family::undamped:
      return draw_linear(random, family, problem);
    case Family::thermal:
    case Family::rlc_ladder:
    case Family::gear_train:
    case Family::road_vehicle:
    case Family::motor_shaft:
    case Family::swing:
    case Family::hydraulic_line:
      return draw_physical(random, family, problem);
  }
}

/// Unseen inputs of a given problem change at most so many times within its longest test.
constexpr double shortest_per_given_test = 40;

bool has_exact_rates(const Plan& plan) {
  bool any = false;
  for (std::size_t c = 0; c < plan.configurations.size(); ++c) {
    if (!plan.can_run(c)) {
      continue;
    }
    const Stability stability(plan, plan.configurations[c]);
    if (!std::holds_alternative<Growth>(stability.growth(plan.job.macro_step.initial_s))) {
      return false;
    }
    any = true;
  }
  return any;
}

}  // namespace

StudyProblem make_study_problem(std::uint64_t seed, std::uint64_t number, double share) {
  Random random(seed, number);
  const auto family = family_cycle[number / 2 % family_cycle.size()];
  StudyProblem problem{.number = number,
                       .family = std::string(to_string(family)),
                       .linear = is_linear(family),
                       .description = {},
                       .job = {},
                       .unseen = {}};
  draw_of_family(random, family, problem);
  auto& job = problem.job;
  job.name = "study problem " + std::to_string(number);
  job.space.corrections = {Correction::none};
  if (job.own_problem) {
    job.space.schemes = {Scheme::jacobi, Scheme::gauss_seidel};
    job.space.extrapolation = {Extrapolation::order_0, Extrapolation::order_1,
                               Extrapolation::order_2};
  } else {
    const auto built = find_built_in(job.problem)->build(job.parameters);
    auto times = random_times(family);
    times.share *= share;
    problem.unseen = random_inputs(random, std::get<Problem>(built).external_inputs, times);
  }
  return problem;
}

StudyProblem make_study_problem(const GivenProblem& given, std::uint64_t seed, std::uint64_t number,
                                double share) {
  StudyProblem problem{.number = number,
                       .family = given.family,
                       .description = given.job.name,
                       .job = given.job,
                       .unseen = {}};
  // The rules of the study say what is wanted.
  problem.job.accuracy.reset();
  problem.job.real_time_share.reset();
  problem.job.validate_unseen = false;
  const auto planned = make_plan(problem.job);
  if (const auto* plan = std::get_if<Plan>(&planned)) {
    problem.linear = has_exact_rates(*plan);
    const double duration_s = longest_test_s(*plan);
    Random random(seed, number);
    problem.unseen = random_inputs(random, plan->problem.external_inputs,
                                   {.shortest_s = duration_s / shortest_per_given_test,
                                    .duration_s = duration_s,
                                    .share = share});
  }
  return problem;
}

}  // namespace macrostep::engine
