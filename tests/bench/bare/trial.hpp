// One trial of a crane, written by hand as one loop: Jacobi, force–displacement, extrapolation of
// s and ṡ by order m or by I2, held forces, residual energy, divergence bounds. See bare/crane.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numbers>

#include "engine/job/configuration.hpp"
#include "engine/trial/trial.hpp"
#include "models/subsystem/signal.hpp"
#include "tests/bench/bare/actuator.hpp"
#include "tests/bench/bare/crane.hpp"

namespace macrostep::bench {

struct BareResult {
  engine::TrialStatus status = engine::TrialStatus::complete;
  double residual_j = 0;
  std::int64_t macro_steps = 0;
  std::array<double, models::crane_max_actuators> lengths_m{};
};

/// How the hydraulic actuators take their micro-steps. In one loop, one actuator's arithmetic fills
/// the waits of the other's and both share one evaluation of u_ref; in turn, each finishes its
/// macro-step before the next, as the engine's subsystems do in a trial alone.
enum class Schedule { in_one_loop, in_turn };

/// What a trial takes: the same signal drives every actuator.
struct BareSettings {
  models::CraneParameters crane;
  models::HydraulicActuatorParameters hydraulics;
  models::Signal u_ref;
  double duration_s = 1;
  double macro_step_s = 1e-3;
  double micro_step_s = 1e-4;
  Schedule schedule = Schedule::in_one_loop;
};

/// s or ṡ over one macro-step: c0 + θ(c1 + θ(…)).
template <int degree>
struct BarePolynomial {
  std::array<double, degree + 1> c{};

  double at(double theta) const {
    double value = c[degree];
    for (std::size_t k = degree; k > 0; --k) {
      value = c[k - 1] + theta * value;
    }
    return value;
  }
};

/// Backward differences of the newest values, renewed by m subtractions a macro-step.
template <int degree>
struct Differences {
  std::array<double, degree + 1> d{};

  void add(double value, std::int64_t known) {
    for (std::size_t k = 0; k <= degree; ++k) {
      const double before = d[k];
      d[k] = value;
      if (static_cast<std::int64_t>(k) >= known) {  // start-up: nothing older to subtract
        return;
      }
      value -= before;
    }
  }

  BarePolynomial<degree> polynomial() const {
    BarePolynomial<degree> p;
    p.c[0] = d[0];
    if constexpr (degree == 1) {
      p.c[1] = d[1];
    } else if constexpr (degree == 2) {
      p.c[1] = d[1] + 0.5 * d[2];
      p.c[2] = 0.5 * d[2];
    } else if constexpr (degree == 3) {
      p.c[1] = d[1] + 0.5 * d[2] + (1.0 / 3) * d[3];
      p.c[2] = 0.5 * (d[2] + d[3]);
      p.c[3] = (1.0 / 6) * d[3];
    } else if constexpr (degree == 4) {
      p.c[1] = d[1] + 0.5 * d[2] + (1.0 / 3) * d[3] + 0.25 * d[4];
      p.c[2] = 0.5 * (d[2] + d[3]) + (11.0 / 24) * d[4];
      p.c[3] = (1.0 / 6) * d[3] + 0.25 * d[4];
      p.c[4] = (1.0 / 24) * d[4];
    }
    return p;
  }
};

struct MicroClock {
  double start_s, h;
  int micro_steps;
};

/// All micro-steps of the actuators first … last − 1. False when one does not converge.
template <Integrator integrator, std::size_t first, std::size_t last, std::size_t actuators,
          int s_degree, int rate_degree>
bool micro_loop(const std::array<BareActuator, actuators>& actuator,
                std::array<Pressures, actuators>& state,
                const std::array<BarePolynomial<s_degree>, actuators>& s,
                const std::array<BarePolynomial<rate_degree>, actuators>& s_dot,
                const models::Signal& u_ref, const MicroClock& clock) {
  auto x = state;
  const double h = clock.h;
  const double theta_step = 1.0 / clock.micro_steps;
  bool solved = true;
  if constexpr (integrator == Integrator::forward_euler) {
    for (int k = 0; k < clock.micro_steps; ++k) {
      const double theta = k * theta_step;
      const double u = u_ref.value(clock.start_s + k * h);
      for (std::size_t i = first; i < last; ++i) {
        actuator[i].forward_euler(x[i], s[i].at(theta), s_dot[i].at(theta), u, h);
      }
    }
  } else {
    double u_before = u_ref.value(clock.start_s);
    std::array<double, actuators> s_before, rate_before;
    for (std::size_t i = first; i < last; ++i) {
      s_before[i] = s[i].c[0];
      rate_before[i] = s_dot[i].c[0];
    }
    for (int k = 1; k <= clock.micro_steps; ++k) {
      const double theta = k * theta_step;
      const double u = u_ref.value(clock.start_s + k * h);
      for (std::size_t i = first; i < last; ++i) {
        const double s_now = s[i].at(theta);
        const double rate_now = s_dot[i].at(theta);
        solved &= actuator[i].trapezoidal(x[i], s_before[i], rate_before[i], u_before, s_now,
                                          rate_now, u, h);
        s_before[i] = s_now;
        rate_before[i] = rate_now;
      }
      u_before = u;
    }
  }
  state = x;
  return solved;
}

template <int actuators, Integrator mechanics, Integrator hydraulics, int order,
          bool from_derivatives>
BareResult bare_loop(const BareSettings& settings) {
  constexpr double divergence_factor = 1e4;
  constexpr double nominal_acceleration = 100;
  const double h_macro = settings.macro_step_s;
  const int micro_steps =
      std::max(1, static_cast<int>(std::ceil(h_macro / settings.micro_step_s - 1e-9)));
  const double h = h_macro / micro_steps;
  const auto macro_steps = std::max<std::int64_t>(
      1, static_cast<std::int64_t>(std::ceil(settings.duration_s / h_macro - 1e-9)));
  const std::int64_t first_counted = 2 * (order + 1);
  const double circle = std::numbers::pi / 4 * settings.hydraulics.piston_diameter_m *
                        settings.hydraulics.piston_diameter_m;
  const double force_bound = divergence_factor * settings.hydraulics.pump_pressure_pa * circle;
  const double length_bound = divergence_factor * settings.crane.link_1_length_m;
  const models::Signal u_ref = settings.u_ref;

  const auto rest = models::CraneMechanics(settings.crane, actuators).equilibrium();
  BareMechanics<actuators> crane(settings.crane, h_macro);
  std::array<BareActuator, actuators> actuator;
  std::array<Pressures, actuators> x;
  std::array<double, actuators> force;
  std::array<Motion, actuators> motion;
  std::array<double, actuators> power{};
  std::array<Differences<from_derivatives ? 0 : order>, actuators> s_differences, rate_differences;
  for (std::size_t i = 0; i < actuators; ++i) {
    actuator[i] = BareActuator(settings.hydraulics, rest.lengths_m[i], rest.forces_n[i]);
    x[i] = actuator[i].rest();
    force[i] = actuator[i].force(x[i], rest.lengths_m[i], 0);
  }
  BareResult result;
  if (!crane.find_accelerations(force)) {
    result.status = engine::TrialStatus::solver_failed;
    return result;
  }
  for (std::size_t i = 0; i < actuators; ++i) {
    motion[i] = crane.motion(static_cast<int>(i));
  }

  for (std::int64_t n = 0; n < macro_steps; ++n) {
    std::array<BarePolynomial<order>, actuators> s;
    std::array<BarePolynomial<from_derivatives ? order - 1 : order>, actuators> s_dot;
    for (std::size_t i = 0; i < actuators; ++i) {
      if constexpr (from_derivatives) {
        static_assert(order == 2);
        s[i].c = {motion[i].s, h_macro * motion[i].s_dot, h_macro * h_macro / 2 * motion[i].s_ddot};
        s_dot[i].c = {motion[i].s_dot, h_macro * motion[i].s_ddot};
      } else {
        s_differences[i].add(motion[i].s, n);
        rate_differences[i].add(motion[i].s_dot, n);
        s[i] = s_differences[i].polynomial();
        s_dot[i] = rate_differences[i].polynomial();
      }
    }

    bool solved = crane.template advance<mechanics>(force);
    const double start_s = static_cast<double>(n) * h_macro;
    const MicroClock clock{start_s, h, micro_steps};
    if (settings.schedule == Schedule::in_one_loop) {
      solved &= micro_loop<hydraulics, 0, actuators>(actuator, x, s, s_dot, u_ref, clock);
    } else {
      solved &= micro_loop<hydraulics, 0, 1>(actuator, x, s, s_dot, u_ref, clock);
      if constexpr (actuators == 2) {
        solved &= micro_loop<hydraulics, 1, 2>(actuator, x, s, s_dot, u_ref, clock);
      }
    }
    if (!solved) {
      result.status = engine::TrialStatus::solver_failed;
      break;
    }

    const double left = (settings.duration_s - start_s) / h_macro;
    const double weight = std::min(1.0, left) * h_macro;
    double energy = 0;
    bool inside = true;
    for (std::size_t i = 0; i < actuators; ++i) {
      motion[i] = crane.motion(static_cast<int>(i));
      const double applied_s = s[i].at(1);
      const double applied_rate = s_dot[i].at(1);
      const double applied_force = force[i];
      force[i] = actuator[i].force(x[i], applied_s, applied_rate);
      const double now = applied_force * motion[i].s_dot - applied_rate * force[i];
      energy += weight * (order == 0 ? now : (power[i] + now) / 2);
      power[i] = now;
      inside &= std::abs(force[i]) <= force_bound && std::abs(motion[i].s) <= length_bound &&
                std::abs(motion[i].s_dot) <= divergence_factor &&
                std::abs(motion[i].s_ddot) <= divergence_factor * nominal_acceleration;
    }
    if (n >= first_counted) {
      result.residual_j += std::abs(energy);
    }
    ++result.macro_steps;
    if (!inside) {
      result.status = engine::TrialStatus::diverged;
      break;
    }
  }
  for (std::size_t i = 0; i < actuators; ++i) {
    result.lengths_m[i] = motion[i].s;
  }
  return result;
}

template <int actuators, Integrator mechanics, Integrator hydraulics>
BareResult bare_trial(const BareSettings& settings, engine::Extrapolation extrapolation) {
  using enum engine::Extrapolation;
  switch (extrapolation) {
    case order_0:
      return bare_loop<actuators, mechanics, hydraulics, 0, false>(settings);
    case order_1:
      return bare_loop<actuators, mechanics, hydraulics, 1, false>(settings);
    case order_2:
      return bare_loop<actuators, mechanics, hydraulics, 2, false>(settings);
    case order_3:
      return bare_loop<actuators, mechanics, hydraulics, 3, false>(settings);
    case order_4:
      return bare_loop<actuators, mechanics, hydraulics, 4, false>(settings);
    case i2:
      return bare_loop<actuators, mechanics, hydraulics, 2, true>(settings);
    default:
      break;
  }
  std::abort();  // not among the extrapolations of the crane search
}

/// The specialised loop of a configuration.
template <int actuators>
BareResult bare_trial(const BareSettings& settings, const engine::Configuration& configuration) {
  using enum Integrator;
  const auto extrapolation = configuration.extrapolation;
  const bool euler = configuration.integrators.at("hydraulics") == forward_euler;
  if (configuration.integrators.at("mechanics") == i1al) {
    return euler ? bare_trial<actuators, i1al, forward_euler>(settings, extrapolation)
                 : bare_trial<actuators, i1al, trapezoidal>(settings, extrapolation);
  }
  return euler ? bare_trial<actuators, i3al, forward_euler>(settings, extrapolation)
               : bare_trial<actuators, i3al, trapezoidal>(settings, extrapolation);
}

}  // namespace macrostep::bench
