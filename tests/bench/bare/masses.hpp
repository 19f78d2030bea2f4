// The masses of the oscillators, the mechanics of the relief valve and the pipe and volume, written
// by hand: see bare/steps.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "models/oscillator/oscillator.hpp"
#include "tests/bench/bare/steps.hpp"

namespace macrostep::bench {

/// ẋ = A x + g(u) for two states: the trapezoidal rule is a product with a matrix.
struct BareTrapezoidal2 {
  double d00, d01, d10, d11;  ///< D = h A (I − h/2 A)⁻¹, so that x⁺ = x + D x + E (g + g⁺)
  double e00, e01, e10, e11;  ///< E = h/2 (I − h/2 A)⁻¹

  BareTrapezoidal2(double a00, double a01, double a10, double a11, double h) {
    const double half = h / 2;
    const double scale = half / ((1 - half * a00) * (1 - half * a11) - half * half * a01 * a10);
    e00 = scale * (1 - half * a11);
    e01 = scale * half * a01;
    e10 = scale * half * a10;
    e11 = scale * (1 - half * a00);
    d00 = 2 * (a00 * e00 + a01 * e10);
    d01 = 2 * (a00 * e01 + a01 * e11);
    d10 = 2 * (a10 * e00 + a11 * e10);
    d11 = 2 * (a10 * e01 + a11 * e11);
  }
};

/// ẍ = load_0 + Σ load_i u_i − K x − C ẋ, everything per unit of mass.
template <std::size_t input_count>
class BareLinearMass {
 public:
  static constexpr std::size_t states = 2, inputs = input_count;

  BareLinearMass(double stiffness, double damping, double load, const Numbers<inputs>& by_input,
                 double h)
      : stiffness_(stiffness),
        damping_(damping),
        load_(load),
        by_input_(by_input),
        step_(0, 1, -stiffness, -damping, h) {}

  Numbers<2> rate(const Numbers<2>& x, const Numbers<inputs>& u) const {
    return {x[1], load(u) - stiffness_ * x[0] - damping_ * x[1]};
  }

  bool trapezoidal(Numbers<2>& x, const Numbers<inputs>& u, const Numbers<inputs>& u_end) const {
    const double g = load(u) + load(u_end);
    x = {x[0] + (step_.d00 * x[0] + step_.d01 * x[1] + step_.e01 * g),
         x[1] + (step_.d10 * x[0] + step_.d11 * x[1] + step_.e11 * g)};
    return true;
  }

 private:
  double load(const Numbers<inputs>& u) const {
    double sum = load_;
    for (std::size_t i = 0; i < inputs; ++i) {
      sum += by_input_[i] * u[i];
    }
    return sum;
  }

  double stiffness_, damping_, load_;
  Numbers<inputs> by_input_;
  BareTrapezoidal2 step_;
};

/// A mass on a square-root spring and a quadratic damper. Coupled: to a mass with position and
/// velocity u by another of the kind. Else u is a force.
template <bool coupled>
class BareNonlinearMass {
 public:
  static constexpr std::size_t states = 2, inputs = coupled ? 2 : 1;

  BareNonlinearMass(const models::MassParameters& mass, const models::CouplingParameters& coupling,
                    double external_force_n, const Numbers<2>& nominal, double h)
      : inverse_mass_(1 / mass.mass_kg),
        ground_{mass.stiffness_n_per_m, mass.damping_ns_per_m},
        coupling_{coupling.stiffness_n_per_m, coupling.damping_ns_per_m},
        external_force_(external_force_n),
        tolerance_{nominal[0] * newton_tolerance, nominal[1] * newton_tolerance},
        h_(h) {}

  Numbers<2> rate(const Numbers<2>& x, const Numbers<inputs>& u) const {
    double force = external_force_ - ground_.force(x[0], x[1]);
    if constexpr (coupled) {
      force -= coupling_.force(x[0] - u[0], x[1] - u[1]);
    } else {
      force += u[0];
    }
    return {x[1], force * inverse_mass_};
  }

  bool trapezoidal(Numbers<2>& x, const Numbers<inputs>& u, const Numbers<inputs>& u_end) const {
    return trapezoidal_second_order<true>(*this, x, u, u_end, h_, tolerance_);
  }

  Acceleration slopes(const Numbers<2>& x, const Numbers<inputs>& u) const {
    double per_m = ground_.per_elongation(x[0]);
    double per_m_per_s = ground_.per_rate(x[1]);
    if constexpr (coupled) {
      per_m += coupling_.per_elongation(x[0] - u[0]);
      per_m_per_s += coupling_.per_rate(x[1] - u[1]);
    }
    return {rate(x, u)[1], -per_m * inverse_mass_, -per_m_per_s * inverse_mass_};
  }

 private:
  static constexpr double smallest_slope_elongation_m = 1e-6;

  struct SpringDamper {
    double stiffness, damping;

    double force(double elongation, double rate) const {
      return std::copysign(stiffness * std::sqrt(std::abs(elongation)), elongation) +
             damping * std::abs(rate) * rate;
    }
    double per_elongation(double elongation) const {
      const double at = std::max(std::abs(elongation), smallest_slope_elongation_m);
      return 0.5 * stiffness / std::sqrt(at);
    }
    double per_rate(double rate) const { return 2 * damping * std::abs(rate); }
  };

  double inverse_mass_;
  SpringDamper ground_, coupling_;
  double external_force_;
  Numbers<2> tolerance_;
  double h_;
};

/// q̇ = −q/τ + p/I − f_out,   ṗ = −q/C − 2ζω p + e_in, of which one of f_out and e_in is the input
/// and the other constant.
template <bool left>
class BarePipeVolume {
 public:
  static constexpr std::size_t states = 2, inputs = 1;

  BarePipeVolume(double frequency, double damping_ratio, double decay, double impedance,
                 double external, double h)
      : leak_(frequency / decay),
        friction_(2 * damping_ratio * frequency),
        inverse_inertance_(frequency / impedance),
        inverse_compliance_(frequency * impedance),
        external_(external),
        step_(-leak_, inverse_inertance_, -inverse_compliance_, -friction_, h) {}

  Numbers<2> rate(const Numbers<2>& x, const Numbers<1>& u) const {
    const double flow_out = left ? u[0] : external_;
    const double effort_in = left ? external_ : u[0];
    return {inverse_inertance_ * x[1] - leak_ * x[0] - flow_out,
            effort_in - inverse_compliance_ * x[0] - friction_ * x[1]};
  }

  bool trapezoidal(Numbers<2>& x, const Numbers<1>& u, const Numbers<1>& u_end) const {
    const double sum = u[0] + u_end[0];
    const double flow_in = left ? -sum : -2 * external_;
    const double effort_in = left ? 2 * external_ : sum;
    x = {
        x[0] + (step_.d00 * x[0] + step_.d01 * x[1] + step_.e00 * flow_in + step_.e01 * effort_in),
        x[1] + (step_.d10 * x[0] + step_.d11 * x[1] + step_.e10 * flow_in + step_.e11 * effort_in)};
    return true;
  }

 private:
  double leak_, friction_, inverse_inertance_, inverse_compliance_, external_;
  BareTrapezoidal2 step_;
};

}  // namespace macrostep::bench
