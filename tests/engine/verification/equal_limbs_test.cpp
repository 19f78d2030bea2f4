// Parts that no external input moves, or moves apart: how they move is seen all the same.
#include <doctest/doctest.h>

#include <Eigen/Core>

#include "engine/stability/stability.hpp"
#include "engine/stability/stability_verdicts.hpp"
#include "engine/verification/run_checks.hpp"
#include "engine/verification/tasks.hpp"
#include "tests/engine/plan/planned.hpp"
#include "tests/engine/plan/two_masses.hpp"
#include "tests/engine/verification/one_thread.hpp"

using namespace macrostep::engine;
using macrostep::tests::one_thread;
using macrostep::tests::planned;

namespace {

/// What runs alone say of the growth on both sides of the exact limit, with the margin.
void check_growth_beside_exact_limit(const Job& job) {
  const auto plan = planned(job);
  StabilityVerdicts exact(plan);
  const auto range = exact.range(0, 1e-4, 0.1, {});
  REQUIRE(range);
  REQUIRE(range->stable_s > 1e-3);
  REQUIRE(range->stable_s < 0.05);
  RunChecks checks(plan, performed_by(plan, one_thread));
  const auto growth_at = [&](double share) {
    const double tried_s = share * range->stable_s / growth_margin;
    return checks.check(check_rule(job), 0, tried_s).outcomes.front().verdict;
  };
  CHECK(growth_at(0.97) == Verdict::agrees);
  CHECK(growth_at(1.03) == Verdict::objects);
}

}  // namespace

TEST_CASE("equal limbs of a symmetric machine are moved apart, and what grows then is seen") {
  // A carrier of 10 kg between two equal limbs of 1 kg: no input swings the limbs against each
  // other. With order 1 that motion, of the limbs and their springs alone, grows first.
  auto job = macrostep::tests::two_masses();
  auto& own = *job.own_problem;
  auto& carrier = own.subsystems[0];
  carrier.name = "carrier";
  carrier.state_space.a = Eigen::Matrix2d{{0, 1}, {-70, -4}};
  carrier.state_space.b = Eigen::MatrixXd{{0, 0, 0, 0}, {30, 30, 0.1, 0}};
  carrier.state_space.c = Eigen::MatrixXd{{300, 0}, {300, 0}};
  carrier.state_space.d = Eigen::MatrixXd{{-300, 0, 0, 0}, {0, -300, 0, 0}};
  carrier.state_space.x0.setZero();
  carrier.state_space.inputs = {{"xl", "m"}, {"xr", "m"}, {"w", "N"}, {"vl", "m/s"}};
  carrier.state_space.outputs = {{"fl", "N"}, {"fr", "N"}};
  auto& limb = own.subsystems[1];
  limb.name = "left";
  limb.state_space.a = Eigen::Matrix2d{{0, 1}, {-20, -0.2}};
  limb.state_space.x0.setZero();
  own.subsystems.push_back(limb);
  own.subsystems.back().name = "right";
  own.connections = {{{"left", "x"}, {"carrier", "xl"}},
                     {{"left", "v"}, {"carrier", "vl"}},
                     {{"right", "x"}, {"carrier", "xr"}},
                     {{"carrier", "fl"}, {"left", "f"}},
                     {{"carrier", "fr"}, {"right", "f"}}};
  own.power_bonds = {{.effort = {{"carrier", "fl"}}, .flow = {{"left", "v"}}}};
  own.external_inputs = {{.to = {"carrier", "w"}, .minimum = -10, .maximum = 10}};
  using macrostep::models::Integrator;
  job.space.integrators = {{"carrier", {Integrator::exact}},
                           {"left", {Integrator::exact}},
                           {"right", {Integrator::exact}}};
  job.space.extrapolation = {Extrapolation::order_1};
  job.stability_check = StabilityCheck::identified;
  check_growth_beside_exact_limit(job);
}

TEST_CASE("equal limbs of one subsystem are moved apart, up to their exact limit") {
  // Both limbs are driven alike, and a joint of another subsystem opposes their difference.
  auto job = macrostep::tests::two_masses();
  auto& own = *job.own_problem;
  auto& limbs = own.subsystems[0];
  limbs.name = "limbs";
  limbs.state_space.a =
      Eigen::MatrixXd{{0, 1, 0, 0}, {-1000, -4, 0, 0}, {0, 0, 0, 1}, {0, 0, -1000, -4}};
  limbs.state_space.b = Eigen::MatrixXd{{0, 0, 0}, {-1, 0, 1}, {0, 0, 0}, {0, -1, 1}};
  limbs.state_space.c = Eigen::Matrix4d::Identity();
  limbs.state_space.d = Eigen::MatrixXd::Zero(4, 3);
  limbs.state_space.x0 = Eigen::Vector4d::Zero();
  limbs.state_space.inputs = {{"f1", "N"}, {"f2", "N"}, {"w", "N"}};
  limbs.state_space.outputs = {{"x1", "m"}, {"v1", "m/s"}, {"x2", "m"}, {"v2", "m/s"}};
  auto& joint = own.subsystems[1];
  joint.name = "joint";
  joint.state_space.a = Eigen::Matrix2d{{-1000, 0}, {0, -1000}};
  joint.state_space.b = 1000 * Eigen::MatrixXd{{2100, 1, -2000, 0}, {-2000, 0, 2100, 1}};
  joint.state_space.c = Eigen::Matrix2d::Identity();
  joint.state_space.d = Eigen::MatrixXd::Zero(2, 4);
  joint.state_space.x0 = Eigen::Vector2d::Zero();
  joint.state_space.inputs = {{"x1", "m"}, {"v1", "m/s"}, {"x2", "m"}, {"v2", "m/s"}};
  joint.state_space.outputs = {{"f1", "N"}, {"f2", "N"}};
  own.connections.clear();
  for (const char* port : {"x1", "v1", "x2", "v2"}) {
    own.connections.push_back({{"limbs", port}, {"joint", port}});
  }
  own.connections.push_back({{"joint", "f1"}, {"limbs", "f1"}});
  own.connections.push_back({{"joint", "f2"}, {"limbs", "f2"}});
  own.power_bonds = {{.effort = {{"joint", "f1"}}, .flow = {{"limbs", "v1"}}},
                     {.effort = {{"joint", "f2"}}, .flow = {{"limbs", "v2"}}}};
  own.external_inputs = {{.to = {"limbs", "w"}, .minimum = -10, .maximum = 10}};
  using macrostep::models::Integrator;
  job.space.integrators = {{"limbs", {Integrator::exact}}, {"joint", {Integrator::exact}}};
  job.space.extrapolation = {Extrapolation::order_1};
  job.stability_check = StabilityCheck::identified;
  check_growth_beside_exact_limit(job);
}

TEST_CASE("equal limbs that only a later input moves are moved apart as well") {
  // As above, and a third limb, which the first input moves and nothing couples to the others.
  auto job = macrostep::tests::two_masses();
  auto& own = *job.own_problem;
  auto& limbs = own.subsystems[0];
  limbs.name = "limbs";
  auto& a = limbs.state_space.a = Eigen::MatrixXd::Zero(6, 6);
  auto& b = limbs.state_space.b = Eigen::MatrixXd::Zero(6, 5);
  for (Eigen::Index limb = 0; limb < 3; ++limb) {
    a(2 * limb, 2 * limb + 1) = 1;
    a.block(2 * limb + 1, 2 * limb, 1, 2) << -1000, -4;
    b(2 * limb + 1, limb) = -1;
  }
  b(5, 3) = 1;
  b(1, 4) = b(3, 4) = 1;
  limbs.state_space.c = Eigen::MatrixXd::Identity(6, 6);
  limbs.state_space.d = Eigen::MatrixXd::Zero(6, 5);
  limbs.state_space.x0 = Eigen::VectorXd::Zero(6);
  limbs.state_space.inputs = {{"f1", "N"}, {"f2", "N"}, {"f3", "N"}, {"w3", "N"}, {"w", "N"}};
  limbs.state_space.outputs = {{"x1", "m"},   {"v1", "m/s"}, {"x2", "m"},
                               {"v2", "m/s"}, {"x3", "m"},   {"v3", "m/s"}};
  auto& joint = own.subsystems[1];
  joint.name = "joint";
  joint.state_space.a = -1000 * Eigen::Matrix3d::Identity();
  joint.state_space.b =
      1000 *
      Eigen::MatrixXd{{2100, 1, -2000, 0, 0, 0}, {-2000, 0, 2100, 1, 0, 0}, {0, 0, 0, 0, 100, 1}};
  joint.state_space.c = Eigen::Matrix3d::Identity();
  joint.state_space.d = Eigen::MatrixXd::Zero(3, 6);
  joint.state_space.x0 = Eigen::Vector3d::Zero();
  joint.state_space.inputs = limbs.state_space.outputs;
  joint.state_space.outputs = {{"f1", "N"}, {"f2", "N"}, {"f3", "N"}};
  own.connections.clear();
  for (const char* port : {"x1", "v1", "x2", "v2", "x3", "v3"}) {
    own.connections.push_back({{"limbs", port}, {"joint", port}});
  }
  own.power_bonds.clear();
  for (const auto& [force, velocity] : {std::pair("f1", "v1"), {"f2", "v2"}, {"f3", "v3"}}) {
    own.connections.push_back({{"joint", force}, {"limbs", force}});
    own.power_bonds.push_back({.effort = {{"joint", force}}, .flow = {{"limbs", velocity}}});
  }
  own.external_inputs = {{.to = {"limbs", "w3"}, .minimum = -10, .maximum = 10},
                         {.to = {"limbs", "w"}, .minimum = -10, .maximum = 10}};
  using macrostep::models::Integrator;
  job.space.integrators = {{"limbs", {Integrator::exact}}, {"joint", {Integrator::exact}}};
  job.space.extrapolation = {Extrapolation::order_1};
  job.stability_check = StabilityCheck::identified;
  check_growth_beside_exact_limit(job);
}

TEST_CASE("a second pair of masses that nothing moves is nudged, up to its exact limit") {
  // The driven pair is damped well; the other hardly, and its hold grows first.
  auto job = macrostep::tests::two_masses();
  auto& own = *job.own_problem;
  own.subsystems[0].state_space.a(1, 1) = -30;
  own.subsystems[0].state_space.x0.setZero();
  own.subsystems[1].state_space.a(1, 1) = -30;
  own.subsystems[1].state_space.x0.setZero();
  auto first = own.subsystems[0];
  auto second = own.subsystems[1];
  first.name = "still1";
  first.state_space.a = Eigen::Matrix2d{{0, 1}, {-1000, -0.3}};
  first.state_space.b.conservativeResize(2, 2);
  first.state_space.b.col(1).setZero();
  first.state_space.d.conservativeResize(1, 2);
  first.state_space.inputs = {{"x", "m"}, {"v", "m/s"}};
  second.name = "still2";
  second.state_space.a = Eigen::Matrix2d{{0, 1}, {-900, -0.2}};
  own.subsystems.push_back(first);
  own.subsystems.push_back(second);
  own.connections.push_back({{"still2", "x"}, {"still1", "x"}});
  own.connections.push_back({{"still2", "v"}, {"still1", "v"}});
  own.connections.push_back({{"still1", "f"}, {"still2", "f"}});
  using macrostep::models::Integrator;
  job.space.integrators = {};
  for (const auto& subsystem : own.subsystems) {
    job.space.integrators[subsystem.name] = {Integrator::exact};
  }
  job.space.extrapolation = {Extrapolation::order_0};
  job.stability_check = StabilityCheck::identified;
  check_growth_beside_exact_limit(job);
}
