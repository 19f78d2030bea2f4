// The cranes of Rahikainen, González and Naya (2019) as one would write them by hand for one
// purpose: the yardstick that the engine is measured against.
//
// The equations, iterations and tolerances are those of models/crane (index-1 and index-3 augmented
// Lagrangian) and models/hydraulic_actuator (forward Euler, trapezoidal with Newton); the coupling,
// extrapolation and residual those of engine/cosim/master.hpp and engine/cosim/residual.hpp.
// Results agree to rounding (agreement.cpp). Everything that a specialised program can know
// beforehand is used: integrators and extrapolation are template arguments, constants are computed
// once a trial, sines, roots and compliances once per evaluation, both actuators advance in one
// loop, and there is no virtual call, graph, allocation or matrix library. This file holds the
// mechanics, bare/actuator.hpp the actuator, bare/trial.hpp the coupling. Symbols: see the headers
// named above.
#pragma once

#include <array>
#include <cmath>

#include "models/crane/crane_mechanics.hpp"
#include "models/integrators/integrator.hpp"

namespace macrostep::bench {

using models::Integrator;

struct Motion {
  double s, s_dot, s_ddot;
};

template <int actuators>
class BareMechanics {
 public:
  using Vector = std::array<double, 5>;
  using Forces = std::array<double, actuators>;

  explicit BareMechanics(const models::CraneParameters& p, double h)
      : length_(p.link_1_length_m),
        link_2_squared_(p.link_2_length_m * p.link_2_length_m),
        pivot_x_(p.pivot_x_m),
        pivot_y_(p.pivot_y_m),
        gravity_(p.gravity_m_per_s2),
        m_link_(p.link_1_mass_kg),
        m_theta_(p.link_1_mass_kg * length_ * length_ / 12 + p.mass_at_q_kg * length_ * length_),
        m_r_(p.mass_at_r_kg),
        weight_q_(p.mass_at_q_kg * gravity_),
        w_link_(1 / m_link_),
        w_theta_(1 / m_theta_),
        w_r_(1 / m_r_),
        alpha_(p.penalty),
        damping_(2 * p.damping_ratio * p.frequency_rad_per_s),
        omega_squared_(p.frequency_rad_per_s * p.frequency_rad_per_s),
        h_(h) {
    const double qx = length_ * std::cos(p.theta_1_rad);
    const double qy = length_ * std::sin(p.theta_1_rad);
    q_ = {qx / 2, qy / 2, p.theta_1_rad, qx + p.link_2_length_m * std::cos(p.theta_2_rad),
          qy + p.link_2_length_m * std::sin(p.theta_2_rad)};
  }

  bool find_accelerations(const Forces& f) { return index_1(f, 0); }

  template <Integrator integrator>
  bool advance(const Forces& f) {
    return integrator == Integrator::i1al ? index_1(f, h_) : index_3(f);
  }

  Motion motion(int actuator) const {
    const bool first = actuator == 0;
    const std::size_t end = first ? 0 : 3;
    const double share = first ? 1.0 : 0.5;
    const double x = first ? q_[0] - pivot_x_ : q_[3] / 2;
    const double y = first ? q_[1] - pivot_y_ : q_[4] / 2;
    const double vx = share * v_[end], vy = share * v_[end + 1];
    const double ax = share * a_[end], ay = share * a_[end + 1];
    const double s = std::sqrt(x * x + y * y);
    const double inverse = 1 / s;
    const double s_dot = (x * vx + y * vy) * inverse;
    return {s, s_dot, (vx * vx + vy * vy + x * ax + y * ay - s_dot * s_dot) * inverse};
  }

 private:
  static constexpr double acceleration_tolerance = 1e-8;
  static constexpr double coordinate_rounding = 4e-16;
  static constexpr int max_iterations = 50;

  struct Constraints {
    double lc, ls;
    double value_0, value_1, value_2;
    double theta_2, xr, yr;  // Φ_q = [−2 0 −ls 0 0; 0 −2 lc 0 0; 0 0 theta_2 xr yr]
    double curvature_0, curvature_1, curvature_2;
  };
  struct Three {
    double x0, x1, x2;
  };

  Constraints constraints(const Vector& q, const Vector& v) const {
    const double lc = length_ * std::cos(q[2]);
    const double ls = length_ * std::sin(q[2]);
    const double dx = q[3] - lc;
    const double dy = q[4] - ls;
    const double rate = v[2] * v[2];
    const double dx_dot = v[3] + ls * v[2];
    const double dy_dot = v[4] - lc * v[2];
    return {lc,
            ls,
            lc - 2 * q[0],
            ls - 2 * q[1],
            dx * dx + dy * dy - link_2_squared_,
            2 * (dx * ls - dy * lc),
            2 * dx,
            2 * dy,
            -lc * rate,
            -ls * rate,
            2 * (dx_dot * dx_dot + dy_dot * dy_dot + (dx * lc + dy * ls) * rate)};
  }

  static Three times(const Constraints& c, const Vector& x) {
    return {-c.ls * x[2] - 2 * x[0], c.lc * x[2] - 2 * x[1],
            c.theta_2 * x[2] + c.xr * x[3] + c.yr * x[4]};
  }

  /// Applied forces less M a less Φ_qᵀ λ.
  Vector residual(const Vector& q, const Vector& a, const Forces& f, const Constraints& c,
                  const Three& l) const {
    Vector r{2 * l.x0 - m_link_ * a[0], -m_link_ * gravity_ - m_link_ * a[1] + 2 * l.x1,
             -weight_q_ * c.lc - m_theta_ * a[2] - (-c.ls * l.x0 + c.lc * l.x1 + c.theta_2 * l.x2),
             -m_r_ * a[3] - c.xr * l.x2, -m_r_ * gravity_ - m_r_ * a[4] - c.yr * l.x2};
    const double x = q[0] - pivot_x_;
    const double y = q[1] - pivot_y_;
    const double along = f[0] / std::sqrt(x * x + y * y);
    r[0] += along * x;
    r[1] += along * y;
    if constexpr (actuators == 2) {
      const double half_x = q[3] / 2;
      const double half_y = q[4] / 2;
      const double along_2 = 0.5 * f[1] / std::sqrt(half_x * half_x + half_y * half_y);
      r[3] += along_2 * half_x;
      r[4] += along_2 * half_y;
    }
    return r;
  }

  /// S = Φ_q M⁻¹ Φ_qᵀ + I/β = L D Lᵀ, solved for one right-hand side c; then M⁻¹ Φ_qᵀ S⁻¹ c.
  struct Leading {
    double d0, d1, d2, l10, l20, l21;
  };
  Leading leading(const Constraints& c, double weak) const {
    const double t0 = -c.ls * w_theta_;
    const double t1 = c.lc * w_theta_;
    const double s10 = -c.ls * t1;
    const double s20 = c.theta_2 * t0;
    const double d0 = 1 / (4 * w_link_ + weak - c.ls * t0);
    const double l10 = s10 * d0;
    const double l20 = s20 * d0;
    const double d1 = 1 / (4 * w_link_ + weak + c.lc * t1 - l10 * s10);
    const double t21 = c.theta_2 * t1 - l20 * s10;
    const double l21 = t21 * d1;
    const double s22 = c.theta_2 * c.theta_2 * w_theta_ + (c.xr * c.xr + c.yr * c.yr) * w_r_ + weak;
    return {d0, d1, 1 / (s22 - l20 * s20 - l21 * t21), l10, l20, l21};
  }
  Vector constrained_part(const Leading& m, const Constraints& c, const Three& r) const {
    const double y1 = r.x1 - m.l10 * r.x0;
    const double x2 = (r.x2 - m.l20 * r.x0 - m.l21 * y1) * m.d2;
    const double x1 = y1 * m.d1 - m.l21 * x2;
    const double x0 = r.x0 * m.d0 - m.l10 * x1 - m.l20 * x2;
    return {-2 * w_link_ * x0, -2 * w_link_ * x1,
            (-c.ls * x0 + c.lc * x1 + c.theta_2 * x2) * w_theta_, c.xr * x2 * w_r_,
            c.yr * x2 * w_r_};
  }
  Vector solve(const Leading& m, const Constraints& c, const Vector& r) const {
    const Vector free{r[0] * w_link_, r[1] * w_link_, r[2] * w_theta_, r[3] * w_r_, r[4] * w_r_};
    const Vector held = constrained_part(m, c, times(c, free));
    return {free[0] - held[0], free[1] - held[1], free[2] - held[2], free[3] - held[3],
            free[4] - held[4]};
  }

  static double largest(const Vector& x) {
    const auto larger = [](double a, double b) { return a > b ? a : b; };
    return larger(
        larger(larger(std::abs(x[0]), std::abs(x[1])), larger(std::abs(x[2]), std::abs(x[3]))),
        std::abs(x[4]));
  }

  bool index_1(const Forces& f, double h) {
    const double half = h / 2;
    const double quarter = half * half;
    const double weak = 1 / (alpha_ * (1 + damping_ * half + omega_squared_ * quarter));
    Vector v_known, q_known, a = a_, v, q;
    for (std::size_t i = 0; i < 5; ++i) {
      v_known[i] = v_[i] + half * a_[i];
      q_known[i] = q_[i] + h * v_[i] + quarter * a_[i];
      v[i] = v_known[i] + half * a[i];
      q[i] = q_known[i] + quarter * a[i];
    }
    const auto penalised_at = [&](const Constraints& c) {
      const Three ca = times(c, a);
      const Three cv = times(c, v);
      return Three{
          alpha_ * (ca.x0 + c.curvature_0 + damping_ * cv.x0 + omega_squared_ * c.value_0),
          alpha_ * (ca.x1 + c.curvature_1 + damping_ * cv.x1 + omega_squared_ * c.value_1),
          alpha_ * (ca.x2 + c.curvature_2 + damping_ * cv.x2 + omega_squared_ * c.value_2)};
    };
    Three lambda = lambda_;
    Constraints c = constraints(q, v);
    Three penalised = penalised_at(c);
    for (int i = 0; i < max_iterations; ++i) {
      const Three total{lambda.x0 + penalised.x0, lambda.x1 + penalised.x1,
                        lambda.x2 + penalised.x2};
      const Vector update = solve(leading(c, weak), c, residual(q, a, f, c, total));
      for (std::size_t k = 0; k < 5; ++k) {
        a[k] += update[k];
        v[k] = v_known[k] + half * a[k];
        q[k] = q_known[k] + quarter * a[k];
      }
      c = constraints(q, v);
      penalised = penalised_at(c);
      lambda = {lambda.x0 + penalised.x0, lambda.x1 + penalised.x1, lambda.x2 + penalised.x2};
      const double size = largest(update);
      if (!std::isfinite(size)) {
        return false;
      }
      if (size <= acceleration_tolerance * (largest(a) + gravity_)) {
        q_ = q;
        v_ = v;
        a_ = a;
        lambda_ = lambda;
        return true;
      }
    }
    return false;
  }

  bool index_3(const Forces& f) {
    const double h = h_;
    const double two_over_h = 2 / h;
    const double inverse_quarter = 4 / (h * h);
    const double quarter = 1 / inverse_quarter;
    const double penalty = alpha_ * inverse_quarter;
    const double weak = 1 / alpha_;
    Vector drift, d, q, v, a;
    const auto follow = [&](std::size_t k) {
      q[k] = q_[k] + d[k];
      v[k] = two_over_h * d[k] - v_[k];
      a[k] = inverse_quarter * (d[k] - drift[k]) - a_[k];
    };
    for (std::size_t k = 0; k < 5; ++k) {
      drift[k] = h * v_[k];
      d[k] = drift[k] + (h * h / 2) * a_[k];
      follow(k);
    }
    Three lambda = lambda_;
    Constraints c = constraints(q, v);
    Three penalised{penalty * c.value_0, penalty * c.value_1, penalty * c.value_2};
    bool converged = false;
    for (int i = 0; i < max_iterations && !converged; ++i) {
      const Three total{lambda.x0 + penalised.x0, lambda.x1 + penalised.x1,
                        lambda.x2 + penalised.x2};
      Vector update = solve(leading(c, weak), c, residual(q, a, f, c, total));
      for (std::size_t k = 0; k < 5; ++k) {
        update[k] *= quarter;
        d[k] += update[k];
        follow(k);
      }
      c = constraints(q, v);
      penalised = {penalty * c.value_0, penalty * c.value_1, penalty * c.value_2};
      lambda = {lambda.x0 + penalised.x0, lambda.x1 + penalised.x1, lambda.x2 + penalised.x2};
      const double size = largest(update);
      if (!std::isfinite(size)) {
        return false;
      }
      converged =
          size <= acceleration_tolerance * (largest(a) + gravity_) * quarter + coordinate_rounding;
    }
    if (!converged) {
      return false;
    }
    // v and a onto Φ̇ = 0 and Φ̈ = 0; only the curvature depends on the projected v.
    const Leading metric = leading(c, weak);
    const Vector v_out = constrained_part(metric, c, times(c, v));
    for (std::size_t k = 0; k < 5; ++k) {
      v[k] -= v_out[k];
    }
    const double rate = v[2] * v[2];
    const double dx_dot = v[3] + c.ls * v[2];
    const double dy_dot = v[4] - c.lc * v[2];
    const Three ca = times(c, a);
    const Three bent{
        ca.x0 - c.lc * rate, ca.x1 - c.ls * rate,
        ca.x2 + 2 * (dx_dot * dx_dot + dy_dot * dy_dot) + (c.xr * c.lc + c.yr * c.ls) * rate};
    const Vector a_out = constrained_part(metric, c, bent);
    for (std::size_t k = 0; k < 5; ++k) {
      a[k] -= a_out[k];
    }
    q_ = q;
    v_ = v;
    a_ = a;
    lambda_ = lambda;
    return true;
  }

  double length_, link_2_squared_, pivot_x_, pivot_y_, gravity_;
  double m_link_, m_theta_, m_r_, weight_q_, w_link_, w_theta_, w_r_;
  double alpha_, damping_, omega_squared_, h_;
  Vector q_{}, v_{}, a_{};
  Three lambda_{};
};

}  // namespace macrostep::bench
