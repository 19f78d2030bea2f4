#include "engine/study/linear_problem.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "engine/benchmarks/tests.hpp"
#include "engine/plan/plan.hpp"
#include "engine/plan/random_input.hpp"
#include "engine/study/linear_network.hpp"

namespace macrostep::engine {

namespace {

constexpr std::size_t most_parts = 6;
/// Trials last so many of the slowest periods, but no more than so many of the fastest.
constexpr double slowest_periods = 5;
constexpr double fastest_periods = 80;
/// The scan begins at this share of the fastest period.
constexpr double first_step_share = 0.01;
/// A trial of the largest macro-step has so many of them: fewer would not count.
constexpr double macro_steps_at_most = 20;

LinearNetwork draw_network(Random& random, Family family) {
  const bool damped = family != Family::undamped;
  std::size_t parts = 2;
  bool star = family == Family::star;
  if (family == Family::chain || family == Family::star) {
    parts = static_cast<std::size_t>(random.whole(3, most_parts));
  } else if (family == Family::undamped) {
    parts = static_cast<std::size_t>(random.whole(2, most_parts));
    star = random.chance(0.5);
  }
  LinearNetwork network;
  network.domain = network_domain(static_cast<std::size_t>(random.whole(0, network_domains - 1)));
  constexpr std::array couplings{NetworkCoupling::force_displacement,
                                 NetworkCoupling::displacement_displacement,
                                 NetworkCoupling::force_force};
  network.coupling = random.pick(couplings);
  const auto damping = [&](double stiffness, double inertia) {
    return damped ? 2 * random.log_uniform(1e-3, 0.5) * std::sqrt(stiffness * inertia) : 0;
  };
  const auto& domain = network.domain;
  const double v_scale = domain.x_scale * std::sqrt(domain.stiffness / domain.inertia);
  const bool moves = random.chance(0.5);
  for (std::size_t i = 0; i < parts; ++i) {
    NetworkPart part{.inertia = domain.inertia, .stiffness = domain.stiffness};
    if (i > 0) {
      part.inertia *= random.log_uniform(1e-2, 1e2);
      part.stiffness *= random.log_uniform(1e-2, 1e4);
    }
    part.damping = damping(part.stiffness, part.inertia);
    if (moves) {
      part.x0 = domain.x_scale * random.uniform(-1, 1);
      part.v0 = v_scale * random.uniform(-1, 1);
    }
    network.parts.push_back(part);
  }
  for (std::size_t i = 1; i < parts; ++i) {
    NetworkSpring spring{.a = star ? 0 : i - 1, .b = i};
    if (random.chance(0.5)) {
      std::swap(spring.a, spring.b);
    }
    const auto& [a, b] = std::pair(network.parts[spring.a], network.parts[spring.b]);
    spring.stiffness = domain.stiffness * random.log_uniform(1e-2, 1e2);
    spring.damping = damping(spring.stiffness, a.inertia * b.inertia / (a.inertia + b.inertia));
    network.springs.push_back(spring);
  }
  network.driven = {0};
  if (random.chance(0.5)) {
    network.driven.push_back(
        static_cast<std::size_t>(random.whole(1, static_cast<int>(parts) - 1)));
  }
  network.largest_force = domain.stiffness * domain.x_scale;
  return network;
}

std::string describe(const LinearNetwork& network, Family family, bool multi_rate) {
  constexpr std::array couplings{"force_displacement", "displacement_displacement", "force_force"};
  return std::string(to_string(family)) + " of " + std::to_string(network.parts.size()) + ", " +
         network.domain.name + ", " + couplings[static_cast<std::size_t>(network.coupling)] +
         (multi_rate ? ", multi-rate" : "");
}

std::vector<TestInput> usual_tests(double duration_s, double frequency_hz) {
  auto tests = step_ramp_impulse(duration_s);
  tests.push_back({.name = "sine",
                   .kind = TestKind::sine,
                   .duration_s = duration_s,
                   .frequency_hz = frequency_hz});
  return tests;
}

}  // namespace

void draw_linear(Random& random, Family family, StudyProblem& problem) {
  const auto network = draw_network(random, family);
  const auto frequencies = natural_frequencies(network);
  problem.job.own_problem = network_problem(network);
  const bool multi_rate =
      complete_linear_job(random,
                          {.fastest_s = 2 * std::numbers::pi / frequencies.back(),
                           .slowest_s = 2 * std::numbers::pi / frequencies.front()},
                          network.parts.size(), problem);
  problem.description = describe(network, family, multi_rate);
}

bool complete_linear_job(Random& random, const Periods& modes, std::size_t parts,
                         StudyProblem& problem) {
  using models::Integrator;
  const auto [fastest_s, slowest_s] = modes;
  const double duration_s = std::min(slowest_periods * slowest_s, fastest_periods * fastest_s);
  auto& job = problem.job;
  job.space.couplings = {own_coupling};
  constexpr std::array integrators{Integrator::exact, Integrator::exact, Integrator::trapezoidal,
                                   Integrator::rk4};
  for (const auto& subsystem : job.own_problem->subsystems) {
    const bool has_states = subsystem.state_space.a.rows() > 0;
    const auto integrator = has_states ? random.pick(integrators) : Integrator::exact;
    job.space.integrators[subsystem.name] = {integrator};
    if (integrator != Integrator::exact) {
      // Its own error over the 80 periods of a test stays below a percent: no H would help.
      const double periods = integrator == Integrator::rk4 ? 40 : 400;
      job.micro_steps[subsystem.name] = fastest_s / periods;
    }
  }
  const bool multi_rate = random.chance(0.3);
  if (multi_rate) {
    const auto fast = static_cast<std::size_t>(random.whole(0, static_cast<int>(parts) - 1));
    job.substeps[job.own_problem->subsystems[fast].name] = random.whole(2, 10);
  }
  job.macro_step = {.initial_s = first_step_share * fastest_s,
                    .increment_s = first_step_share * fastest_s,
                    .maximum_s = duration_s / macro_steps_at_most};
  job.linear_region.scan = ScanKind::geometric;
  job.tests = usual_tests(duration_s, 1.3 / slowest_s);
  problem.unseen = random_inputs(random, job.own_problem->external_inputs,
                                 {.shortest_s = fastest_s / 2, .duration_s = duration_s});
  return multi_rate;
}

}  // namespace macrostep::engine
