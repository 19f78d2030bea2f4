// The families of the trust study that are drawn from real machines: that they are what textbooks
// say of them, and that a search can judge them.
#include "engine/study/physical_families.hpp"

#include <doctest/doctest.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "engine/plan/plan.hpp"
#include "engine/stability/stability.hpp"
#include "engine/study/draw_problem.hpp"
#include "tests/engine/plan/state_matrix.hpp"
#include "tests/plan_of.hpp"

using namespace macrostep::engine;
using macrostep::tests::plan_of;

namespace {

using Complex = std::complex<double>;

constexpr std::array physical{Family::thermal,       Family::rlc_ladder,  Family::gear_train,
                              Family::road_vehicle,  Family::motor_shaft, Family::swing,
                              Family::hydraulic_line};
constexpr std::uint64_t first_number = 40;  // of these families, two numbers each
constexpr std::uint64_t cycle = 54;

/// The numbers of a family's first problems.
std::vector<std::uint64_t> numbers_of(Family family, std::size_t count) {
  const auto place =
      static_cast<std::uint64_t>(std::ranges::find(physical, family) - physical.begin());
  std::vector<std::uint64_t> list;
  for (std::uint64_t k = 0; k < count; ++k) {
    list.push_back(first_number + 2 * place + k / 2 * cycle + k % 2);
  }
  return list;
}

/// A matrix with the same eigenvalues, whose rows are as large as its columns (Osborne 1960): units
/// no longer count.
Eigen::MatrixXd balanced(Eigen::MatrixXd matrix) {
  for (int sweep = 0; sweep < 50; ++sweep) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      const double own = std::abs(matrix(i, i));
      const double row = matrix.row(i).lpNorm<1>() - own;
      const double column = matrix.col(i).lpNorm<1>() - own;
      if (row > 0 && column > 0) {
        const double scale = std::sqrt(column / row);
        matrix.row(i) *= scale;
        matrix.col(i) /= scale;
      }
    }
  }
  return matrix;
}

std::vector<Complex> sorted_eigenvalues(const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXcd values = balanced(matrix).eigenvalues();
  std::vector<Complex> list(values.begin(), values.end());
  std::ranges::sort(list, [](const Complex& a, const Complex& b) {
    return std::pair(a.imag(), a.real()) < std::pair(b.imag(), b.real());
  });
  return list;
}

/// Eigenvalues of the monolithic system that the subsystems of a network make when coupled.
std::vector<Complex> modes(const PhysicalNetwork& network) {
  auto job = make_study_problem(1, 0).job;
  job.own_problem = physical_problem(network);
  job.substeps.clear();
  job.micro_steps.clear();
  job.space.integrators.clear();
  for (const auto& subsystem : job.own_problem->subsystems) {
    job.space.integrators[subsystem.name] = {macrostep::models::Integrator::exact};
  }
  const auto plan = plan_of(job);
  return sorted_eigenvalues(state_matrix(plan, plan.configurations.front()));
}

/// The first network of a family that is of this kind.
PhysicalNetwork drawn(Family family, const std::function<bool(const PhysicalNetwork&)>& is_wanted) {
  for (std::uint64_t number = 0; number < 100; ++number) {
    Random random(5, number);
    if (auto network = draw_physical_network(random, family); is_wanted(network)) {
      return network;
    }
  }
  FAIL("none is drawn");
  return {};
}

/// That the eigenvalues of a network are the zeros of a characteristic function. It is a sum of
/// terms, which cancel at a zero to the rounding of the largest one; `terms` gives both sums.
struct Sum {
  Complex value;
  double size = 0;
};
Sum operator+(const Sum& a, const Sum& b) {
  return {a.value + b.value, a.size + b.size};
}
Sum operator*(const Sum& a, const Sum& b) {
  return {a.value * b.value, a.size * b.size};
}
Sum term(Complex value) {
  return {value, std::abs(value)};
}

void check_modes(const PhysicalNetwork& network, std::size_t count,
                 const std::function<Sum(Complex)>& characteristic) {
  const auto found = modes(network);
  CHECK(found.size() == count);
  for (const auto& s : found) {
    CAPTURE(s.real());
    CAPTURE(s.imag());
    const auto sum = characteristic(s);
    CHECK(std::abs(sum.value) < 1e-7 * sum.size);
    // Elsewhere the terms do not cancel, or this would say nothing.
    const auto beside = characteristic(s * Complex(1.1, 0.05));
    CHECK(std::abs(beside.value) > 1e-4 * beside.size);
  }
}

/// The damper and the spring of a branch with inertance: force over velocity.
Sum admittance(const PhysicalBranch& branch, Complex s) {
  return term(branch.conductance) + term(1.0 / (branch.inertance * s + branch.resistance));
}

Sum storage(const PhysicalNode& node, Complex s) {
  return term(node.capacity * s) + term(node.leak);
}

/// Characteristic function of two nodes that one branch with the factors r and −1 joins, each with
/// its own admittance Y: (Y_1 + r² y)(Y_2 + y) − r² y².
Sum two_nodes(const Sum& first, const Sum& second, const Sum& between, double factor) {
  const double square = factor * factor;
  return first * second + first * between + term(square) * between * second;
}

}  // namespace

TEST_CASE("a physical network that is cut into parts is the uncut one, and loses energy only") {
  for (const auto family : physical) {
    for (std::uint64_t number = 0; number < 6; ++number) {
      Random random(3, number);
      const auto network = draw_physical_network(random, family);
      CAPTURE(network.description);
      const Eigen::MatrixXd a = coupled_matrix(network);
      const auto expected = sorted_eigenvalues(a);
      const auto found = modes(network);
      REQUIRE(found.size() == expected.size());
      double fastest = 0;
      for (const auto& value : expected) {
        fastest = std::max(fastest, std::abs(value));
      }
      for (const auto& value : expected) {
        // Pairs of nearly equal real or imaginary parts may come in another order.
        const auto nearest = std::ranges::min(
            found, {}, [&](const Complex& other) { return std::abs(other - value); });
        CHECK(std::abs(nearest - value) < 1e-9 * fastest);
        CHECK(value.real() < 1e-9 * fastest);
      }
      // Ė = xᵀ Q A x ≤ 0 with Q = diag(C, L), whatever x: scaled by √Q, the symmetric part of A
      // has no positive eigenvalue.
      const Eigen::VectorXd root = storages(network).cwiseSqrt();
      const Eigen::MatrixXd scaled = root.asDiagonal() * a * root.cwiseInverse().asDiagonal();
      const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled + scaled.transpose());
      CHECK(solver.eigenvalues().maxCoeff() < 1e-12 * fastest);
    }
  }
}

TEST_CASE("two bodies exchange heat at the two rates of the textbook") {
  const auto network =
      drawn(Family::thermal, [](const PhysicalNetwork& one) { return one.nodes.size() == 2; });
  const auto& [first, second] = std::pair(network.nodes[0], network.nodes[1]);
  const double between = network.branches[0].conductance;
  // C_1 C_2 s² + (C_1 (G + G_2) + C_2 (G + G_1)) s + (G + G_1)(G + G_2) − G² = 0
  const double a = first.capacity * second.capacity;
  const double b =
      first.capacity * (between + second.leak) + second.capacity * (between + first.leak);
  const double c = between * (first.leak + second.leak) + first.leak * second.leak;
  const double root = std::sqrt(b * b - 4 * a * c);
  const double fast = -(b + root) / (2 * a);
  const auto found = modes(network);
  REQUIRE(found.size() == 2);
  CHECK(found[0].real() == doctest::Approx(fast).epsilon(1e-9));
  CHECK(found[1].real() == doctest::Approx(c / (a * fast)).epsilon(1e-9));
}

TEST_CASE("a ladder of two sections has the modes of its driving-point impedance") {
  for (const auto family : {Family::rlc_ladder, Family::hydraulic_line}) {
    // From the far end: Y = C s + G, and before each inductor Z = L s + R + 1/Y. The source of
    // voltage is a short circuit, Z = 0; the pump's chamber an open one, C s + 1/Z = 0.
    const bool electrical = family == Family::rlc_ladder;
    const auto network =
        drawn(family, [&](const PhysicalNetwork& one) { return one.branches.size() == 2; });
    const auto& branches = network.branches;
    const auto& last = network.nodes.back();
    const auto impedance = [&](std::size_t k, Complex s) {
      return term(branches[k].inertance * s) + term(branches[k].resistance);
    };
    check_modes(network, network.nodes.size() + 2, [&](Complex s) {
      const auto end = storage(last, s);
      const auto& middle = storage(network.nodes[electrical ? 0 : 1], s);
      const auto tail = impedance(1, s) * end + term(1);  // Z_2 Y
      const auto shunt = middle * tail + end;             // (Y_1 + 1/Z_2) Z_2 Y
      const auto head = impedance(0, s) * shunt + tail;   // Z_1 …
      return electrical ? head : storage(network.nodes[0], s) * head + shunt;
    });
  }
}

TEST_CASE("inertias behind a gear turn as heavy as the square of its ratio") {
  const auto network =
      drawn(Family::gear_train, [](const PhysicalNetwork& one) { return one.nodes.size() == 2; });
  const auto& nodes = network.nodes;
  const auto& shaft = network.branches[0];
  const double ratio = 1 / shaft.reaches[0].factor;
  CHECK((ratio >= 1 && ratio <= 50));
  check_modes(network, 3, [&](Complex s) {
    return two_nodes(storage(nodes[0], s), storage(nodes[1], s), admittance(shaft, s), 1 / ratio);
  });
  // Without friction: ω² = k (1/J_2 + 1/(n² J_1)).
  auto free = network;
  for (auto& node : free.nodes) {
    node.leak = 0;
  }
  free.branches[0].conductance = 0;
  const double expected = std::sqrt(
      (1 / nodes[1].capacity + 1 / (ratio * ratio * nodes[0].capacity)) / shaft.inertance);
  CHECK(modes(free).back().imag() == doctest::Approx(expected).epsilon(1e-9));
}

TEST_CASE("a quarter car has the characteristic polynomial of the textbook") {
  const auto network =
      drawn(Family::road_vehicle, [](const PhysicalNetwork& one) { return one.nodes.size() == 2; });
  const double m_s = network.nodes[0].capacity, m_u = network.nodes[1].capacity;
  const auto& suspension = network.branches[0];
  const auto& tyre = network.branches[1];
  const double k_s = 1 / suspension.inertance, c_s = suspension.conductance;
  const double k_t = 1 / tyre.inertance, c_t = tyre.conductance;
  // (m_s s² + c_s s + k_s)(m_u s² + (c_s + c_t) s + k_s + k_t) − (c_s s + k_s)² = 0
  check_modes(network, 4, [&](Complex s) {
    const auto spring = term(c_s * s) + term(k_s);
    const auto body = term(m_s * s * s) + spring;
    const auto wheel = term(m_u * s * s) + term(c_t * s) + term(k_t) + spring;
    return body * wheel + term(-1) * spring * spring;
  });
}

TEST_CASE("a half car pitches about its centre, with a lever at each axle") {
  const auto network =
      drawn(Family::road_vehicle, [](const PhysicalNetwork& one) { return one.nodes.size() == 4; });
  CHECK(network.branches[0].reaches[1].factor > 0);
  CHECK(network.branches[2].reaches[1].factor < 0);
  // On wheels that stand still, with equal springs at equal levers and without dampers, it heaves
  // with ω² = 2k/m and pitches with ω² = 2k l²/I, independently of each other.
  auto even = network;
  const double lever = 1.5, stiffness = 2e4, held = 1e12;
  for (const std::size_t wheel : {0U, 1U}) {
    auto& suspension = even.branches[2 * wheel];
    suspension.reaches[1].factor = wheel == 0 ? lever : -lever;
    suspension.inertance = 1 / stiffness;
    suspension.conductance = 0;
    even.branches[2 * wheel + 1].inertance = 1 / held;
    even.branches[2 * wheel + 1].conductance = 0;
  }
  const auto found = modes(even);
  for (const double square : {2 * stiffness / even.nodes[0].capacity,
                              2 * stiffness * lever * lever / even.nodes[1].capacity}) {
    const double nearest = std::ranges::min(found, {}, [&](const Complex& s) {
                             return std::abs(s.imag() - std::sqrt(square));
                           }).imag();
    CHECK(nearest == doctest::Approx(std::sqrt(square)).epsilon(1e-6));
  }
}

TEST_CASE("a motor that drives a shaft has the modes of its circuit and its inertias") {
  const auto network = drawn(Family::motor_shaft, [](const PhysicalNetwork&) { return true; });
  const auto& winding = network.branches[0];
  const double constant = -winding.reaches[0].factor;
  check_modes(network, 4, [&](Complex s) {
    // L di/dt = u − R i − k ω, torque k i: seen from the rotor k²/(L s + R).
    const auto electric = term(constant * constant / (winding.inertance * s + winding.resistance));
    return two_nodes(storage(network.nodes[0], s) + electric, storage(network.nodes[1], s),
                     admittance(network.branches[1], s), 1);
  });
}

TEST_CASE("two generators swing against each other as their inertias and the line say") {
  const auto network = drawn(Family::swing, [](const PhysicalNetwork& one) {
    return one.nodes.size() == 2 && one.branches.size() == 3;
  });
  // Branches: two governors, then the line.
  check_modes(network, 5, [&](Complex s) {
    const auto machine = [&](std::size_t i) {
      return storage(network.nodes[i], s) + admittance(network.branches[i], s);
    };
    return two_nodes(machine(0), machine(1), admittance(network.branches[2], s), 1);
  });
  // Electromechanical modes have some 0.1 to 2 Hz (Kundur 1994, 12.1), of stiff lines a little
  // more.
  const double frequency_hz = modes(network).back().imag() / (2 * 3.14159265);
  CHECK((frequency_hz > 0.1 && frequency_hz < 5));
}

TEST_CASE("every physical family draws problems whose limit of stability lies inside the scan") {
  constexpr std::size_t count = 12;
  for (const auto family : physical) {
    std::size_t inside = 0;
    for (const auto number : numbers_of(family, count)) {
      const auto problem = make_study_problem(1, number);
      CAPTURE(number);
      CAPTURE(problem.description);
      REQUIRE(problem.family == to_string(family));
      CHECK(problem.linear);
      CHECK(problem.job == make_study_problem(1, number).job);
      CHECK_FALSE(problem.unseen.empty());
      const auto plan = plan_of(problem.job);
      bool any_begins_stable = false;
      // Beyond its limit a configuration may be stable again, where all motions die in a step.
      const auto is_stable_up_to_the_end = [&](const Configuration& one) {
        const Stability stability(plan, one);
        const auto& grid = plan.job.macro_step;
        bool stable = true;
        for (double macro_step_s = grid.initial_s; stable && macro_step_s <= grid.maximum_s;
             macro_step_s *= 1.1) {
          const auto judged = stability.growth(macro_step_s);
          REQUIRE(std::holds_alternative<Growth>(judged));
          stable = std::get<Growth>(judged).kind != GrowthKind::growing;
          any_begins_stable = any_begins_stable || stable;
        }
        return stable;
      };
      const bool none = std::ranges::none_of(plan.configurations, is_stable_up_to_the_end);
      inside += none && any_begins_stable ? 1 : 0;
    }
    CAPTURE(to_string(family));
    CHECK(inside > count / 2);
  }
}

TEST_CASE("the first forty numbers draw the families that they drew before there were these") {
  constexpr std::array before{"pair",
                              "chain",
                              "nonlinear_oscillator",
                              "star",
                              "end_stops",
                              "undamped",
                              "pendula",
                              "pair",
                              "star",
                              "switching_valve",
                              "single_crane",
                              "undamped",
                              "backlash",
                              "pipes",
                              "nonlinear_oscillator",
                              "star",
                              "chain",
                              "manipulator",
                              "pair",
                              "double_crane"};
  for (std::uint64_t number = 0; number < first_number; ++number) {
    CHECK(make_study_problem(1, number).family == before[number / 2]);
  }
}
