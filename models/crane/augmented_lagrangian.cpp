#include "models/crane/augmented_lagrangian.hpp"

#include <cmath>

namespace macrostep::models {

namespace {

using Multipliers = Eigen::Vector3d;

/// The iteration ends when it changes accelerations by less than this share of themselves (and of
/// gravity, when at rest). What is left is a hundredth of that, as it contracts by h² and less.
constexpr double acceleration_tolerance = 1e-8;
/// Rounding of a coordinate of about 1 m: corrections of this size are noise.
constexpr double coordinate_rounding_m = 4e-16;

/// Solves (M + β Φ_qᵀΦ_q) x = r for fixed M, β and Φ_q.
class LeadingMatrix {
 public:
  LeadingMatrix(const CraneMechanics& crane, const CraneConstraints& constraints, double penalty)
      : constraints_(constraints), inverse_masses_(crane.masses().cwiseInverse()) {
    const auto& w = inverse_masses_;
    const auto& theta = constraints.theta;
    const double weak = 1 / penalty;
    const double s00 = 4 * w[0] + theta[0] * theta[0] * w[2] + weak;
    const double s10 = theta[1] * theta[0] * w[2];
    const double s20 = theta[2] * theta[0] * w[2];
    const double s11 = 4 * w[1] + theta[1] * theta[1] * w[2] + weak;
    const double s21 = theta[2] * theta[1] * w[2];
    const double s22 = theta[2] * theta[2] * w[2] + constraints.xr * constraints.xr * w[3] +
                       constraints.yr * constraints.yr * w[4] + weak;
    // S = L D Lᵀ
    inverse_d_[0] = 1 / s00;
    l10_ = s10 * inverse_d_[0];
    l20_ = s20 * inverse_d_[0];
    inverse_d_[1] = 1 / (s11 - l10_ * s10);
    const double t21 = s21 - l20_ * s10;
    l21_ = t21 * inverse_d_[1];
    inverse_d_[2] = 1 / (s22 - l20_ * s20 - l21_ * t21);
  }

  CraneVector solve(const CraneVector& r) const {
    const CraneVector free = r.cwiseProduct(inverse_masses_);
    return free - constrained_part(constraints_.times(free));
  }

  /// M⁻¹ Φ_qᵀ S⁻¹ c: the smallest x, in the metric of M, with Φ_q x = c.
  CraneVector constrained_part(const Multipliers& c) const {
    const double y1 = c[1] - l10_ * c[0];
    const double y2 = c[2] - l20_ * c[0] - l21_ * y1;
    Multipliers x;
    x[2] = y2 * inverse_d_[2];
    x[1] = y1 * inverse_d_[1] - l21_ * x[2];
    x[0] = c[0] * inverse_d_[0] - l10_ * x[1] - l20_ * x[2];
    return constraints_.transposed_times(x).cwiseProduct(inverse_masses_);
  }

 private:
  CraneConstraints constraints_;
  CraneVector inverse_masses_;
  Multipliers inverse_d_;
  double l10_, l20_, l21_;
};

/// Number by number: a whole state at once would wait for the numbers just written to its parts.
void write(CraneState& state, const CraneVector& q, const CraneVector& v, const CraneVector& a,
           const Multipliers& lambda) {
  state.q = q;
  state.v = v;
  state.a = a;
  state.multipliers = lambda;
}

double largest(const CraneVector& x) {
  return x.cwiseAbs().maxCoeff();
}

/// Index-1 iteration. With h = 0 it finds the accelerations of the present state.
bool solve_index_1(const CraneMechanics& crane, const CraneForces& f, double h, CraneState& state,
                   std::int64_t& rhs_evaluations) {
  const auto& p = crane.parameters();
  const double omega = p.frequency_rad_per_s;
  const double damping = 2 * p.damping_ratio * omega;
  const double half = h / 2;
  const double quarter = half * half;
  const CraneVector velocity_known = state.v + half * state.a;
  const CraneVector position_known = state.q + h * state.v + quarter * state.a;

  CraneVector a = state.a;
  CraneVector v = velocity_known + half * a;
  CraneVector q = position_known + quarter * a;
  Multipliers lambda = state.multipliers;
  CraneConstraints constraints = crane.constraints(q, v);
  // The acceleration enters Φ̈ + 2ξωΦ̇ + ω²Φ directly and through the trapezoidal rule.
  const double penalty = p.penalty * (1 + damping * half + omega * omega * quarter);
  const auto violation = [&] {
    return Multipliers(constraints.times(a) + constraints.curvature +
                       damping * constraints.times(v) + omega * omega * constraints.value);
  };
  Multipliers penalised = p.penalty * violation();
  for (int i = 0; i < augmented_lagrangian_max_iterations; ++i) {
    const CraneVector residual = crane.applied_forces(q, constraints, f) -
                                 crane.masses().cwiseProduct(a) -
                                 constraints.transposed_times(lambda + penalised);
    ++rhs_evaluations;
    const CraneVector update = LeadingMatrix(crane, constraints, penalty).solve(residual);
    a += update;
    v = velocity_known + half * a;
    q = position_known + quarter * a;
    constraints = crane.constraints(q, v);
    penalised = p.penalty * violation();
    lambda += penalised;
    const double size = largest(update);
    if (!std::isfinite(size)) {
      return false;
    }
    if (size <= acceleration_tolerance * (largest(a) + p.gravity_m_per_s2)) {
      write(state, q, v, a, lambda);
      return true;
    }
  }
  return false;
}

}  // namespace

bool solve_accelerations(const CraneMechanics& crane, const CraneForces& f, CraneState& state,
                         std::int64_t& rhs_evaluations) {
  return solve_index_1(crane, f, 0, state, rhs_evaluations);
}

bool I1al::advance(const CraneMechanics& crane, const CraneForces& f, double h, CraneState& state,
                   std::int64_t& rhs_evaluations) {
  return solve_index_1(crane, f, h, state, rhs_evaluations);
}

bool I3al::advance(const CraneMechanics& crane, const CraneForces& f, double h, CraneState& state,
                   std::int64_t& rhs_evaluations) {
  const auto& p = crane.parameters();
  const double inverse_quarter = 4 / (h * h);
  // Deviation: the penalty of the position-level equations is 4α/h² where the papers use α.
  // Multipliers and solution at convergence do not depend on it; at small h, α alone converges
  // slowly.
  const double penalty = p.penalty * inverse_quarter;

  // The increment d = q⁺ − q is the unknown, as q̈⁺ from q⁺ itself would lose digits at small h.
  const CraneVector drift = h * state.v;
  CraneVector d = drift + (h * h / 2) * state.a;
  CraneVector q = state.q + d;
  CraneVector v = (2 / h) * d - state.v;
  CraneVector a = inverse_quarter * (d - drift) - state.a;
  Multipliers lambda = state.multipliers;
  CraneConstraints constraints = crane.constraints(q, v);
  bool converged = false;
  Multipliers penalised = penalty * constraints.value;
  for (int i = 0; i < augmented_lagrangian_max_iterations && !converged; ++i) {
    const CraneVector residual = crane.applied_forces(q, constraints, f) -
                                 crane.masses().cwiseProduct(a) -
                                 constraints.transposed_times(lambda + penalised);
    ++rhs_evaluations;
    const CraneVector update =
        (1 / inverse_quarter) * LeadingMatrix(crane, constraints, p.penalty).solve(residual);
    d += update;
    q = state.q + d;
    v = (2 / h) * d - state.v;
    a = inverse_quarter * (d - drift) - state.a;
    constraints = crane.constraints(q, v);
    penalised = penalty * constraints.value;
    lambda += penalised;
    const double size = largest(update);
    if (!std::isfinite(size)) {
      return false;
    }
    converged =
        size <= acceleration_tolerance * (largest(a) + p.gravity_m_per_s2) / inverse_quarter +
                    coordinate_rounding_m;
  }
  if (!converged) {
    return false;
  }
  const LeadingMatrix metric(crane, constraints, p.penalty);
  ++rhs_evaluations;  // the projections cost about as much as an iteration
  v -= metric.constrained_part(constraints.times(v));
  const auto curvature = crane.constraints(q, v).curvature;
  a -= metric.constrained_part(constraints.times(a) + curvature);
  write(state, q, v, a, lambda);
  return true;
}

}  // namespace macrostep::models
