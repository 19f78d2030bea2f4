#include "engine/stability/exact_modes.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <span>
#include <utility>

#include "engine/reference/coupled_dynamics.hpp"
#include "engine/stability/propagation.hpp"
#include "engine/stability/spectrum.hpp"

namespace macrostep::engine {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// An oscillation that loses a smaller share of itself in a radian is undamped: what is left is
/// rounding.
constexpr double undamped_share = 1e-9;
/// Singular values below this share of the largest are 0.
constexpr double null_share = 1e-13;
/// A drift moves with its velocity but for this share of it.
constexpr double drift_share = 1e-6;
constexpr std::size_t largest_states = 400;  // beyond, null spaces take seconds
/// An oscillation has little damping where it loses less than this in a radian.
constexpr double lightly_damped_share = 0.1;
/// Frequencies that are closer count once.
constexpr double same_share = 1e-3;

/// Columns that span what the matrix makes 0.
MatrixXd null_space(const MatrixXd& matrix) {
  const Eigen::JacobiSVD<MatrixXd> svd(matrix, Eigen::ComputeFullV);
  const auto& sigma = svd.singularValues();
  Index rank = 0;
  while (rank < sigma.size() && sigma[rank] > null_share * sigma[0]) {
    ++rank;
  }
  return svd.matrixV().rightCols(matrix.cols() - rank);
}

/// The outputs at a state, which are linear in it.
VectorXd outputs_at(CoupledDynamics& equations, const VectorXd& state) {
  equations.find_outputs(0, {state.data(), static_cast<std::size_t>(state.size())});
  const auto y = equations.outputs();
  return Eigen::Map<const VectorXd>(y.data(), static_cast<Index>(y.size()));
}

/// The positions that A makes 0, and those that it makes such a position: A x2 = x1, A x1 = 0.
std::vector<Drift> drifts_of(const MatrixXd& a, CoupledDynamics& equations) {
  MatrixXd scaled = a;
  const VectorXd scale = balance(scaled);
  const Index n = a.rows();
  const MatrixXd rest = null_space(scaled);
  std::vector<Drift> drifts;
  const auto add = [&](const VectorXd& position, const VectorXd& velocity) {
    const VectorXd x = scale.cwiseProduct(position);
    const VectorXd v = scale.cwiseProduct(velocity);
    drifts.push_back({.position = x,
                      .velocity = v,
                      .position_outputs = outputs_at(equations, x),
                      .velocity_outputs = outputs_at(equations, v)});
  };
  for (Index k = 0; k < rest.cols(); ++k) {
    add(rest.col(k), VectorXd::Zero(n));
  }
  if (rest.cols() == 0) {
    return drifts;
  }
  // A in units of its size: what is rounding must not depend on the unit of time.
  const double size_per_s = scaled.norm() > 0 ? scaled.norm() : 1;
  MatrixXd both(n, n + rest.cols());
  both << scaled / size_per_s, -rest;
  const MatrixXd solutions = null_space(both);
  // Those that do not move are known already.
  const Eigen::JacobiSVD<MatrixXd> moving(solutions.bottomRows(rest.cols()), Eigen::ComputeFullV);
  for (Index k = 0; k < moving.singularValues().size(); ++k) {
    const VectorXd combined = solutions * moving.matrixV().col(k);
    const VectorXd position = combined.head(n);
    const VectorXd velocity = rest * combined.tail(rest.cols());
    // Else it is rounding: a motion that decays by so little is no drift.
    const double off = (scaled * position / size_per_s - velocity).norm();
    if (velocity.norm() > null_share && off <= drift_share * velocity.norm()) {
      add(position, size_per_s * velocity);
    }
  }
  return drifts;
}

/// A; nothing where there are no states, more than can be looked at, or outputs do not settle.
std::optional<MatrixXd> coupled_matrix(CoupledDynamics& equations) {
  if (equations.states() == 0 || equations.states() > largest_states) {
    return std::nullopt;
  }
  auto a = equations.state_matrix();
  return equations.settled() ? std::optional(std::move(a)) : std::nullopt;
}

/// Eigenvalues of each subsystem with its inputs held.
std::vector<std::complex<double>> values_of_subsystems(const Coupling& coupling) {
  std::vector<std::complex<double>> values;
  for (const auto& subsystem : coupling.subsystems) {
    const auto dynamics = subsystem.dynamics();
    const Index n = dynamics.initial_state.size();
    const std::vector<double> u(subsystem.description.inputs.size());
    const std::vector<double> w(subsystem.description.externals.size());
    std::vector<double> x(static_cast<std::size_t>(n));
    MatrixXd own(n, n);  // by unit vectors, as A
    for (Index k = 0; k < n; ++k) {
      x[static_cast<std::size_t>(k)] = 1;
      dynamics.derivatives(x, u, w, {own.col(k).data(), x.size()});
      x[static_cast<std::size_t>(k)] = 0;
    }
    const auto found = eigenvalues(own);
    values.insert(values.end(), found.begin(), found.end());
  }
  return values;
}

/// Finds the fastest rate and the lightly damped frequencies among the eigenvalues of A and of the
/// subsystems.
void find_fast_motions(const std::vector<std::complex<double>>& values, ExactModes& modes) {
  for (const auto& value : values) {
    modes.fastest_per_s = std::max(modes.fastest_per_s, std::abs(value));
    if (value.imag() > 0 && std::abs(value.real()) <= lightly_damped_share * value.imag()) {
      modes.oscillations_rad_s.push_back(value.imag());
    }
  }
  auto& list = modes.oscillations_rad_s;
  std::ranges::sort(list);
  const auto is_same = [](double one, double next) { return next - one <= same_share * next; };
  list.erase(std::ranges::unique(list, is_same).begin(), list.end());
}

}  // namespace

std::optional<ExactModes> exact_modes(const Plan& plan, const Configuration& configuration) {
  const auto& coupling = plan.coupling(configuration);
  if (!why_not_linear(coupling).empty()) {
    return std::nullopt;
  }
  CoupledDynamics equations(coupling, plan.graph(configuration));
  std::ranges::fill(equations.externals(), 0.0);
  const auto a = coupled_matrix(equations);
  if (!a) {
    return std::nullopt;
  }
  ExactModes modes{.drifts = drifts_of(*a, equations)};
  const auto found = eigenvalues(*a);
  std::vector<std::complex<double>> values(found.begin(), found.end());
  std::ranges::sort(values, {}, [](const auto& value) { return std::abs(value); });
  double slowest_s = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double decay = std::abs(values[i].real());
    const double turn = std::abs(values[i].imag());
    if (i < modes.drifts.size()) {
      modes.rates_per_s.push_back(0);  // what rounding has split
      continue;
    }
    if (turn > decay) {
      const bool undamped = decay <= undamped_share * turn;
      modes.rates_per_s.push_back(undamped ? 0 : values[i].real());
      slowest_s = std::max(slowest_s, 2 * std::numbers::pi / turn);
      if (undamped) {
        modes.undamped_rad_s.push_back(turn);
      }
    } else {
      modes.rates_per_s.push_back(values[i].real());
      if (decay > 0) {
        slowest_s = std::max(slowest_s, 1 / decay);
      }
    }
    if (modes.rates_per_s.back() > 0) {
      modes.growing_per_s.emplace_back(modes.rates_per_s.back(), turn);
    }
  }
  std::ranges::sort(modes.rates_per_s, std::greater{});
  std::ranges::stable_sort(modes.growing_per_s, std::greater{},
                           [](const auto& mode) { return mode.real(); });
  if (slowest_s > 0) {
    modes.slowest_s = slowest_s;
  }
  const auto own = values_of_subsystems(coupling);
  values.insert(values.end(), own.begin(), own.end());
  find_fast_motions(values, modes);
  return modes;
}

}  // namespace macrostep::engine
