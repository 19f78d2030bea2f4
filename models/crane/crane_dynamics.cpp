// GCC 12 sees a null pointer in the copy of no external inputs, which has nothing to copy.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wnonnull"
#endif

#include "models/crane/crane_dynamics.hpp"

#include <array>
#include <cmath>

#include "models/crane/two_link_arm.hpp"
#include "models/integrators/ode_subsystem.hpp"
#include "models/subsystem/full_turns.hpp"

namespace macrostep::models {

namespace {

template <int actuators>
class CraneInAngles {
 public:
  using State = Eigen::Vector4d;
  using Forcing = models::Forcing<actuators, 0>;

  explicit CraneInAngles(const CraneParameters& parameters)
      : parameters_(parameters), arm_(TwoLinkArm::of(parameters)) {}

  State initial_state() const { return {parameters_.theta_1_rad, parameters_.theta_2_rad, 0, 0}; }
  State nominal_state() const { return {1, 1, 1, 1}; }

  State derivatives(const State& x, const Forcing& forcing) const {
    const auto pose = TwoLinkArm::pose(x.head<2>());
    const auto acceleration = accelerations(pose, x, lengths(pose), forcing);
    return {x[2], x[3], acceleration[0], acceleration[1]};
  }

  void outputs(const State& x, const Forcing& forcing, std::span<double> y) const {
    const auto pose = TwoLinkArm::pose(x.head<2>());
    const auto s = lengths(pose);
    const auto acceleration = accelerations(pose, x, s, forcing);
    motion(s[0], x[2], acceleration[0], y.first<3>());
    if constexpr (actuators == 2) {
      motion(s[1], x[2] - x[3], acceleration[0] - acceleration[1], y.last<3>());
    }
  }

 private:
  using Lengths = std::array<AngularLength, actuators>;

  /// Actuator 1 has its length over θ1, actuator 2 over θ1 − θ2.
  Lengths lengths(const TwoLinkArm::Pose& pose) const {
    const auto& p = parameters_;
    Lengths result;
    result[0] = length_to_middle(p.link_1_length_m, p.pivot_x_m, p.pivot_y_m, pose.theta_1);
    if constexpr (actuators == 2) {
      result[1] = length_between_middles(p.link_1_length_m, p.link_2_length_m, pose.delta);
    }
    return result;
  }

  TwoLinkArm::Angles accelerations(const TwoLinkArm::Pose& pose, const State& x, const Lengths& s,
                                   const Forcing& forcing) const {
    TwoLinkArm::Angles torque(forcing.u[0] * s[0].slope, 0);
    if constexpr (actuators == 2) {
      const double between = forcing.u[1] * s[1].slope;
      torque += TwoLinkArm::Angles(between, -between);
    }
    return arm_.accelerations(pose, x.tail<2>(), torque);
  }

  static void motion(const AngularLength& s, double rate, double acceleration,
                     std::span<double, 3> y) {
    y[0] = s.length;
    y[1] = s.slope * rate;
    y[2] = s.curvature * rate * rate + s.slope * acceleration;
  }

  CraneParameters parameters_;
  TwoLinkArm arm_;
};

}  // namespace

Dynamics crane_dynamics(const CraneParameters& parameters, int actuators) {
  return actuators == 1 ? dynamics_of(CraneInAngles<1>(parameters))
                        : dynamics_of(CraneInAngles<2>(parameters));
}

void crane_angles(const CraneParameters& p, std::span<const double> saved,
                  std::span<double> state) {
  const auto* q = saved.data();
  const auto* v = q + CraneVector::RowsAtCompileTime;
  // Link 2 from Q = 2P to R.
  const double theta_2 = std::atan2(q[4] - 2 * q[1], q[3] - 2 * q[0]);
  const double across =
      std::cos(theta_2) * (v[4] - 2 * v[1]) - std::sin(theta_2) * (v[3] - 2 * v[0]);
  state[0] = q[2];
  state[1] = theta_2 + full_turns(p.theta_2_rad - theta_2);
  state[2] = v[2];
  state[3] = across / p.link_2_length_m;
}

}  // namespace macrostep::models
