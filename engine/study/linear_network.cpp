#include "engine/study/linear_network.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace macrostep::engine {

namespace {

using models::StateSpace;

Eigen::Index index(std::size_t i) {
  return static_cast<Eigen::Index>(i);
}

/// Builds the matrices of one subsystem port by port.
class Builder {
 public:
  Builder(const LinearNetwork& network, std::string name, Eigen::Index states)
      : network_(network), own_{.name = std::move(name), .state_space = {}, .fmu = {}} {
    auto& model = own_.state_space;
    model.a = Eigen::MatrixXd::Zero(states, states);
    model.b = Eigen::MatrixXd::Zero(states, 0);
    model.c = Eigen::MatrixXd::Zero(0, states);
    model.d = Eigen::MatrixXd::Zero(0, 0);
    model.x0 = Eigen::VectorXd::Zero(states);
  }

  StateSpace& model() { return own_.state_space; }

  Eigen::Index add_input(const std::string& name, const std::string& unit) {
    auto& model = own_.state_space;
    model.inputs.push_back({.name = name, .unit = unit});
    const auto columns = index(model.inputs.size());
    model.b.conservativeResize(Eigen::NoChange, columns);
    model.b.col(columns - 1).setZero();
    model.d.conservativeResize(Eigen::NoChange, columns);
    model.d.col(columns - 1).setZero();
    return columns - 1;
  }

  Eigen::Index add_output(const std::string& name, const std::string& unit, double nominal) {
    auto& model = own_.state_space;
    model.outputs.push_back({.name = name, .unit = unit, .nominal = nominal});
    const auto rows = index(model.outputs.size());
    model.c.conservativeResize(rows, Eigen::NoChange);
    model.c.row(rows - 1).setZero();
    model.d.conservativeResize(rows, index(model.inputs.size()));
    model.d.row(rows - 1).setZero();
    return rows - 1;
  }

  double nominal_x() const { return network_.domain.x_scale; }
  double nominal_v() const {
    return nominal_x() * std::sqrt(network_.domain.stiffness / network_.domain.inertia);
  }
  double nominal_f() const { return nominal_x() * network_.domain.stiffness; }

  OwnSubsystem take() { return std::move(own_); }

 private:
  const LinearNetwork& network_;
  OwnSubsystem own_;
};

std::string part_name(std::size_t i) {
  return "p" + std::to_string(i + 1);
}

std::string spring_name(std::size_t e) {
  return "s" + std::to_string(e + 1);
}

std::string port(const char* symbol, std::size_t e) {
  return symbol + std::string("_") + std::to_string(e + 1);
}

/// The end of a spring at a part that knows the spring: it receives the other end's motion and
/// gives the force on the other one, which is the opposite of that on itself.
void add_known_spring(Builder& part, const LinearNetwork& network, std::size_t i, std::size_t e) {
  const auto& spring = network.springs[e];
  const double inertia = network.parts[i].inertia;
  const auto x_in = part.add_input(port("x", e), network.domain.x_unit);
  const auto v_in = part.add_input(port("v", e), network.domain.v_unit);
  const auto f = part.add_output(port("f", e), network.domain.f_unit, part.nominal_f());
  auto& [a, b, c, d, x0, inputs, outputs, sample_time_s] = part.model();
  // In displacement_displacement the effort is the force on the part itself.
  const bool on_itself = network.coupling == NetworkCoupling::displacement_displacement;
  const double sign = on_itself ? -1 : 1;
  c.row(f) << sign * spring.stiffness, sign * spring.damping;
  d(f, x_in) = -sign * spring.stiffness;
  d(f, v_in) = -sign * spring.damping;
  a(1, 0) -= spring.stiffness / inertia;
  a(1, 1) -= spring.damping / inertia;
  b(1, x_in) = spring.stiffness / inertia;
  b(1, v_in) = spring.damping / inertia;
}

OwnSubsystem part_subsystem(const LinearNetwork& network, std::size_t i) {
  const auto& [inertia, stiffness, damping, position, velocity] = network.parts[i];
  Builder part(network, part_name(i), 2);
  auto& model = part.model();
  model.a << 0, 1, -stiffness / inertia, -damping / inertia;
  model.x0 << position, velocity;
  const auto x = part.add_output("x", network.domain.x_unit, part.nominal_x());
  const auto v = part.add_output("v", network.domain.v_unit, part.nominal_v());
  model.c(x, 0) = 1;
  model.c(v, 1) = 1;
  for (std::size_t e = 0; e < network.springs.size(); ++e) {
    const auto& spring = network.springs[e];
    if (spring.a != i && spring.b != i) {
      continue;
    }
    const bool knows = network.coupling == NetworkCoupling::displacement_displacement ||
                       (network.coupling == NetworkCoupling::force_displacement && spring.a == i);
    if (knows) {
      add_known_spring(part, network, i, e);
    } else {
      const auto f_in = part.add_input(port("f_in", e), network.domain.f_unit);
      model.b(1, f_in) = 1 / inertia;
    }
  }
  if (std::ranges::count(network.driven, i) > 0) {
    const auto w = part.add_input("w", network.domain.f_unit);
    model.b(1, w) = 1 / inertia;
  }
  return part.take();
}

/// The spring of a force_force coupling: both forces from both motions.
OwnSubsystem spring_subsystem(const LinearNetwork& network, std::size_t e) {
  const auto& spring = network.springs[e];
  Builder unit(network, spring_name(e), 0);
  const auto x_a = unit.add_input("x_a", network.domain.x_unit);
  const auto v_a = unit.add_input("v_a", network.domain.v_unit);
  const auto x_b = unit.add_input("x_b", network.domain.x_unit);
  const auto v_b = unit.add_input("v_b", network.domain.v_unit);
  for (const double sign : {-1.0, 1.0}) {
    const auto f =
        unit.add_output(sign < 0 ? "f_a" : "f_b", network.domain.f_unit, unit.nominal_f());
    auto& d = unit.model().d;
    d(f, x_a) = sign * spring.stiffness;
    d(f, v_a) = sign * spring.damping;
    d(f, x_b) = -sign * spring.stiffness;
    d(f, v_b) = -sign * spring.damping;
  }
  return unit.take();
}

void connect_motion(OwnProblem& own, std::size_t from, const PortName& x, const PortName& v) {
  own.connections.push_back({.from = {part_name(from), "x"}, .to = x});
  own.connections.push_back({.from = {part_name(from), "v"}, .to = v});
}

void add_bond(OwnProblem& own, const PortName& effort, std::size_t part) {
  own.power_bonds.push_back({.effort = {effort}, .flow = {{part_name(part), "v"}}, .factor = {}});
}

void connect(OwnProblem& own, const LinearNetwork& network, std::size_t e) {
  const auto& [a, b, stiffness, damping] = network.springs[e];
  const auto x = port("x", e);
  const auto v = port("v", e);
  const auto f = port("f", e);
  const auto f_in = port("f_in", e);
  switch (network.coupling) {
    case NetworkCoupling::force_displacement:
      connect_motion(own, b, {part_name(a), x}, {part_name(a), v});
      own.connections.push_back({.from = {part_name(a), f}, .to = {part_name(b), f_in}});
      add_bond(own, {part_name(a), f}, b);
      break;
    case NetworkCoupling::displacement_displacement:
      connect_motion(own, b, {part_name(a), x}, {part_name(a), v});
      connect_motion(own, a, {part_name(b), x}, {part_name(b), v});
      add_bond(own, {part_name(a), f}, a);
      add_bond(own, {part_name(b), f}, b);
      break;
    case NetworkCoupling::force_force:
      connect_motion(own, a, {spring_name(e), "x_a"}, {spring_name(e), "v_a"});
      connect_motion(own, b, {spring_name(e), "x_b"}, {spring_name(e), "v_b"});
      for (const auto& [end, part] : {std::pair{"f_a", a}, std::pair{"f_b", b}}) {
        own.connections.push_back({.from = {spring_name(e), end}, .to = {part_name(part), f_in}});
        add_bond(own, {spring_name(e), end}, part);
      }
      break;
  }
}

}  // namespace

const NetworkDomain& network_domain(std::size_t k) {
  static const std::array<NetworkDomain, network_domains> domains{
      NetworkDomain{.name = "mechanical",
                    .x_unit = "m",
                    .v_unit = "m/s",
                    .f_unit = "N",
                    .inertia = 10,
                    .stiffness = 1e4,
                    .x_scale = 0.01},
      NetworkDomain{.name = "rotational",
                    .x_unit = "rad",
                    .v_unit = "rad/s",
                    .f_unit = "N m",
                    .inertia = 0.1,
                    .stiffness = 1e3,
                    .x_scale = 0.1},
      NetworkDomain{.name = "electrical",
                    .x_unit = "C",
                    .v_unit = "A",
                    .f_unit = "V",
                    .inertia = 1e-3,
                    .stiffness = 1e6,
                    .x_scale = 1e-5},
      NetworkDomain{.name = "hydraulic",
                    .x_unit = "m^3",
                    .v_unit = "m^3/s",
                    .f_unit = "Pa",
                    .inertia = 1e7,
                    .stiffness = 1e11,
                    .x_scale = 1e-5}};
  return domains.at(k);
}

std::vector<double> natural_frequencies(const LinearNetwork& network) {
  const auto n = index(network.parts.size());
  Eigen::MatrixXd k = Eigen::MatrixXd::Zero(n, n);
  Eigen::VectorXd m(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const auto& part = network.parts[static_cast<std::size_t>(i)];
    k(i, i) += part.stiffness;
    m[i] = part.inertia;
  }
  for (const auto& spring : network.springs) {
    const auto a = index(spring.a);
    const auto b = index(spring.b);
    k(a, a) += spring.stiffness;
    k(b, b) += spring.stiffness;
    k(a, b) -= spring.stiffness;
    k(b, a) -= spring.stiffness;
  }
  const Eigen::VectorXd scale = m.cwiseSqrt().cwiseInverse();
  const Eigen::MatrixXd scaled = scale.asDiagonal() * k * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(scaled, Eigen::EigenvaluesOnly);
  std::vector<double> frequencies;
  for (const double value : solver.eigenvalues()) {
    frequencies.push_back(std::sqrt(std::max(0.0, value)));
  }
  return frequencies;
}

OwnProblem network_problem(const LinearNetwork& network) {
  OwnProblem own;
  for (std::size_t i = 0; i < network.parts.size(); ++i) {
    own.subsystems.push_back(part_subsystem(network, i));
  }
  for (std::size_t e = 0; e < network.springs.size(); ++e) {
    if (network.coupling == NetworkCoupling::force_force) {
      own.subsystems.push_back(spring_subsystem(network, e));
    }
    connect(own, network, e);
  }
  for (const auto i : network.driven) {
    own.external_inputs.push_back({.to = {part_name(i), "w"},
                                   .initial = 0,
                                   .minimum = -network.largest_force,
                                   .maximum = network.largest_force});
  }
  return own;
}

}  // namespace macrostep::engine
