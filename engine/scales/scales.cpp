#include "engine/scales/scales.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include "engine/reference/coupled_dynamics.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"
#include "models/integrators/propagator.hpp"

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr std::size_t largest_states = 400;  // beyond, eigenvectors take seconds
/// A slower mode, as a share of the fastest, is a drift whose rate is rounding.
constexpr double drift_share = 1e-12;
/// Or what rounding makes of an eigenvalue 0, as a share, with a condition of 1.
double rounding_share_of(Index states) {
  return static_cast<double>(states) * std::numeric_limits<double>::epsilon();
}
/// A drift that moves with a velocity of its own has two such modes, which rounding sets apart by
/// its root: with a condition worse than the worst, a mode up to this share is one of them.
constexpr double moving_drift_share = 1e-6;
/// A mode whose condition is worse has no part of its own in the outputs: it counts as excited, and
/// tells nothing of how large they are.
constexpr double worst_condition = 1e6;
/// Parts of an output that cancel to a smaller share of the largest ones are rounding.
constexpr double cancelled_share = 1e-12;
/// A rate that is a smaller share of its eigenvalue does not grow.
constexpr double growing_share = 1e-9;
/// Samples of the exact solution over a test, and as many over the first fast motions; less of
/// large systems, which take time.
constexpr double most_samples = 2048;
constexpr double fewest_samples = 64;
constexpr double most_operations = 1e9;
constexpr double samples_per_fastest = 8;

/// ẋ = A x + B w, y = C x + D w.
struct LinearSystem {
  MatrixXd a, b, c, d;
  VectorXd x0;
  VectorXd initial;  ///< w at the start
  VectorXd jump;     ///< by which w jumps
};

Index index(std::size_t i) {
  return static_cast<Index>(i);
}

VectorXd vector_of(std::span<const double> values) {
  return Eigen::Map<const VectorXd>(values.data(), index(values.size()));
}

/// Initial value and jump of the externals of all subsystems, one after the other.
void find_externals(const Problem& problem, const Coupling& coupling, LinearSystem& system) {
  Index k = 0;
  for (const auto& subsystem : coupling.subsystems) {
    for (const auto& port : subsystem.description.externals) {
      for (const auto& input : problem.external_inputs) {
        if (input.to == PortName{subsystem.name, port.name}) {
          const double up = input.maximum - input.initial;
          const double down = input.minimum - input.initial;
          system.initial[k] = input.initial;
          system.jump[k] = std::abs(up) >= std::abs(down) ? up : down;
        }
      }
      ++k;
    }
  }
}

std::optional<LinearSystem> linear_system(const Problem& problem, const Coupling& coupling,
                                          const CouplingGraph& graph) {
  if (!why_not_linear(coupling).empty()) {
    return std::nullopt;
  }
  CoupledDynamics equations(coupling, graph);
  const auto w = equations.externals();
  std::ranges::fill(w, 0.0);
  const auto states = equations.states();
  if (states == 0 || states > largest_states) {
    return std::nullopt;
  }
  const Index n = index(states);
  const Index m = index(w.size());
  const Index p = index(graph.output_count);
  LinearSystem system{.a = equations.state_matrix(),
                      .b = MatrixXd::Zero(n, m),
                      .c = MatrixXd::Zero(p, n),
                      .d = MatrixXd::Zero(p, m),
                      .x0 = vector_of(equations.initial_states()),
                      .initial = VectorXd::Zero(m),
                      .jump = VectorXd::Zero(m)};
  std::vector<double> x(states);
  for (Index k = 0; k < n; ++k) {
    x[static_cast<std::size_t>(k)] = 1;
    equations.find_outputs(0, x);
    system.c.col(k) = vector_of(equations.outputs());
    x[static_cast<std::size_t>(k)] = 0;
  }
  for (Index k = 0; k < m; ++k) {
    w[static_cast<std::size_t>(k)] = 1;
    equations.derivatives(0, x, {system.b.col(k).data(), states});
    system.d.col(k) = vector_of(equations.outputs());
    w[static_cast<std::size_t>(k)] = 0;
  }
  find_externals(problem, coupling, system);
  return equations.settled() ? std::optional(std::move(system)) : std::nullopt;
}

/// The rates that the columns of `drives` excite: each of them makes ẋ jump.
std::vector<std::complex<double>> excited_rates(const LinearSystem& system, const MatrixXd& drives,
                                                const std::vector<std::size_t>& watched) {
  MatrixXd balanced = system.a;
  const VectorXd scale = balance(balanced);
  const Eigen::EigenSolver<MatrixXd> solver(balanced);
  if (solver.info() != Eigen::Success) {
    return {};
  }
  const auto& rates = solver.eigenvalues();
  const MatrixXcd right = solver.eigenvectors();
  const MatrixXcd left = right.partialPivLu().inverse();
  const double fastest = balanced.norm();  // a bound of all rates, also where A is nilpotent
  const MatrixXd c = system.c * scale.asDiagonal();
  const MatrixXd r = scale.cwiseInverse().asDiagonal() * drives;
  const Index n = rates.size();
  const Index outputs = index(watched.size());
  MatrixXd parts = MatrixXd::Zero(outputs, n);    // in an output, of a mode
  MatrixXd largest = MatrixXd::Zero(outputs, n);  // before anything cancels in it
  std::vector<bool> excited(static_cast<std::size_t>(n), false);
  for (Index i = 0; i < n; ++i) {
    const double rate = std::abs(rates[i]);
    const double condition = right.col(i).norm() * left.row(i).norm();
    if (!(rate > std::max(drift_share, rounding_share_of(n) * condition) * fastest)) {
      continue;
    }
    if (!(condition <= worst_condition)) {
      excited[static_cast<std::size_t>(i)] = rate > moving_drift_share * fastest;
      continue;
    }
    const double size = (left.row(i) * r).norm() / rate;
    const double most = (left.row(i).cwiseAbs() * r.cwiseAbs()).norm() / rate;
    for (Index k = 0; k < outputs; ++k) {
      const auto row = c.row(index(watched[static_cast<std::size_t>(k)]));
      parts(k, i) = std::abs((row * right.col(i)).value()) * size;
      largest(k, i) = (row.cwiseAbs() * right.col(i).cwiseAbs()).value() * most;
    }
  }
  for (Index k = 0; k < outputs; ++k) {
    const double rounding = cancelled_share * largest.row(k).norm();
    const double whole = parts.row(k).norm();
    for (Index i = 0; i < n; ++i) {
      const bool counts = whole > rounding && parts(k, i) >= excited_share * whole;
      excited[static_cast<std::size_t>(i)] = excited[static_cast<std::size_t>(i)] || counts;
    }
  }
  std::vector<std::complex<double>> list;
  for (Index i = 0; i < n; ++i) {
    if (excited[static_cast<std::size_t>(i)]) {
      list.push_back(rates[i]);
    }
  }
  return list;
}

/// Outputs over `samples` steps of a size: the largest magnitudes, and what they are made of before
/// anything cancels.
struct Largest {
  VectorXd outputs, parts;

  void sample(const LinearSystem& system, double step_s, int samples) {
    models::Propagator<Eigen::Dynamic> propagator(system.a);
    propagator.prepare(step_s);
    const MatrixXd c_size = system.c.cwiseAbs();
    // The free motion with the inputs as they begin, and what each jump adds to it from rest.
    const Index motions = system.b.cols() + 1;
    MatrixXd x = MatrixXd::Zero(system.a.rows(), motions);
    MatrixXd w = MatrixXd::Zero(system.b.cols(), motions);
    x.col(0) = system.x0;
    w.col(0) = system.initial;
    w.rightCols(motions - 1) = system.jump.asDiagonal();
    const MatrixXd forced = propagator.weight(0) * (system.b * w);
    const MatrixXd through = system.d * w;
    const MatrixXd through_size = system.d.cwiseAbs() * w.cwiseAbs();
    for (int k = 0; k <= samples; ++k) {
      const MatrixXd y = system.c * x + through;
      outputs = outputs.cwiseMax(y.cwiseAbs().rowwise().sum());
      parts = parts.cwiseMax((c_size * x.cwiseAbs() + through_size).rowwise().sum());
      x += propagator.growth() * x + forced;
    }
  }
};

/// A bound of every output, whatever the signs of the jumps: the sum of the magnitudes that the
/// start and each jump make by themselves. 0 where that is rounding.
std::vector<double> largest_outputs(const LinearSystem& system, double until_s, double fastest_s) {
  const auto n = static_cast<double>(system.a.rows());
  const auto motions = static_cast<double>(system.b.cols() + 1);
  const int samples = static_cast<int>(
      std::clamp(most_operations / (n * n * motions), fewest_samples, most_samples));
  Largest largest{.outputs = VectorXd::Zero(system.c.rows()),
                  .parts = VectorXd::Zero(system.c.rows())};
  largest.sample(system, until_s / samples, samples);
  largest.sample(system, fastest_s / samples_per_fastest, samples);
  std::vector<double> list;
  for (Index k = 0; k < largest.outputs.size(); ++k) {
    const bool is_rounding = largest.outputs[k] <= cancelled_share * largest.parts[k];
    list.push_back(is_rounding ? 0 : largest.outputs[k]);
  }
  return list;
}

}  // namespace

double half_test_s(const KnownScales& times) {
  const double wanted_s = slowest_times * times.slowest_s;
  return times.growing_per_s ? std::min(wanted_s, largest_growth / 2 / *times.growing_per_s)
                             : wanted_s;
}

std::optional<Scales> scales_of(const Problem& problem, const Coupling& coupling,
                                const CouplingGraph& graph) {
  const auto system = linear_system(problem, coupling, graph);
  if (!system) {
    return std::nullopt;
  }
  MatrixXd drives(system->a.rows(), system->b.cols() + 1);
  drives << system->a * system->x0 + system->b * system->initial,
      system->b * system->jump.asDiagonal();
  const auto rates = excited_rates(*system, drives, exchanged_outputs(graph));
  KnownScales times{.found_by = ScalesBy::matrices};
  double slowest_per_s = std::numeric_limits<double>::infinity();
  double fastest_per_s = 0;
  for (const auto& rate : rates) {
    fastest_per_s = std::max(fastest_per_s, std::abs(rate));
    slowest_per_s = std::min(slowest_per_s, std::abs(rate));
    if (rate.real() > growing_share * std::abs(rate)) {
      times.growing_per_s = std::max(times.growing_per_s.value_or(0), rate.real());
    }
  }
  if (!(fastest_per_s > 0) || !std::isfinite(fastest_per_s)) {
    return std::nullopt;
  }
  times.fastest_s = 1 / fastest_per_s;
  times.slowest_s = 1 / slowest_per_s;
  return Scales{.times = times,
                .largest_outputs = largest_outputs(*system, half_test_s(times), times.fastest_s)};
}

}  // namespace macrostep::engine
